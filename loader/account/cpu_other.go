//go:build !unix

package account

import "time"

var started = time.Now()

// used is the time since the start, where the system does not say how much CPU it took.
func used() time.Duration { return time.Since(started) }

// peak is the memory that the process holds, in bytes: what it held is not known.
func peak() uint64 { return mapped() }
