package main

import "runtime/debug"

// A run is short and allocates much that lives to its end: collecting garbage
// less often takes a fifth of the CPU away. The limit is the brake for large
// repositories; a user's own GOGC and GOMEMLIMIT win.
const (
	gcPercent   = 400
	memoryLimit = 2 << 30
)

func tuneMemory(t terminal) {
	if t.env("GOGC") != "" || t.env("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(gcPercent)
	debug.SetMemoryLimit(memoryLimit)
}
