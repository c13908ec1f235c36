//go:build unix

package account

import (
	"runtime"
	"syscall"
	"time"
)

// used is the CPU time of the process.
func used() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peak is the most memory that the process held, in bytes.
func peak() uint64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return uint64(u.Maxrss)
	}
	return uint64(u.Maxrss) << 10
}
