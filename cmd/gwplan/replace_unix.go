//go:build unix

package main

import (
	"os"
	"syscall"
)

// replaceProcess runs a program in place of this one, with the same arguments. It returns only if that fails.
func replaceProcess(program string, environ []string) {
	_ = syscall.Exec(program, os.Args, environ)
}
