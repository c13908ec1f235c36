package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// A run is short, and much of its memory stays in use to the end. Less frequent garbage collection
// saves a fifth of the CPU time; the account of the run limits the memory. Most runs end before the
// first collection, at 128 MiB (firstPercent of Go's minimum of 4 MiB). With a large heap, fresh
// memory costs more than it saves. A user's own GOGC and GOMEMLIMIT take precedence.
const (
	firstPercent   = 3200
	gcPercent      = 400
	largeHeap      = 96 << 20
	largeGCPercent = 200
)

func tuneMemory(t terminal) {
	if t.env("GOGC") != "" || t.env("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(firstPercent)
	afterCollection(func() bool {
		if live() < largeHeap {
			debug.SetGCPercent(gcPercent)
			return true
		}
		debug.SetGCPercent(largeGCPercent)
		return false
	})
}

// afterCollection calls look after each garbage collection until it returns false.
func afterCollection(look func() bool) {
	type sentinel struct{ _ [16]byte } // not so small that it shares memory with others
	runtime.AddCleanup(&sentinel{}, func(struct{}) {
		if look() {
			afterCollection(look)
		}
	}, struct{}{})
}

// live is the memory of the objects that the last collection found in use.
func live() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
