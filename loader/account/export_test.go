package account

import "time"

// Used is the CPU time of the process.
func Used() time.Duration { return used() }
