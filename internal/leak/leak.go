// Package leak finds goroutines that outlive the work for which they were started. Only tests use it.
package leak

import (
	"runtime"
	"strings"
	"time"
)

// patience is how long goroutines that were asked to end may take, also on a busy machine.
const patience = 10 * time.Second

// Goroutines returns the stacks of all goroutines that neither the test binary nor the runtime started, once
// they do not end by themselves; "" if there are none.
//
// It does not use the profile goroutineleak of the runtime: that one lists what waits for something that nothing can
// reach any more, which says nothing of a goroutine that waits for a timer, a process or a context of the program.
func Goroutines() string {
	for waited := time.Duration(0); ; waited += time.Millisecond {
		left := started()
		if left == "" || waited >= patience {
			return left
		}
		time.Sleep(time.Millisecond)
	}
}

// started returns the stacks of the goroutines that something other than package testing started at this moment.
func started() string {
	buffer := make([]byte, 1<<20)
	buffer = buffer[:runtime.Stack(buffer, true)]
	var left []string
	for stack := range strings.SplitSeq(string(buffer), "\n\n") {
		_, by, found := strings.Cut(stack, "\ncreated by ")
		if found && !strings.HasPrefix(by, "testing.") && !strings.HasPrefix(by, "internal/fuzz.") && !strings.HasPrefix(by, "os/signal.") {
			left = append(left, stack)
		}
	}
	return strings.Join(left, "\n\n")
}
