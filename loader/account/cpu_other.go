//go:build !unix

package account

import "time"

var started = time.Now()

// used is the time since the start, where the system does not say how much CPU it took.
func used() time.Duration { return time.Since(started) }
