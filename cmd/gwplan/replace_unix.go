//go:build unix

package main

import (
	"os"
	"syscall"
)

// replaceProcess runs a program in place of this one, with the same arguments and the environment as
// it is now. It returns only if that fails.
func replaceProcess(program string) {
	_ = syscall.Exec(program, os.Args, os.Environ())
}
