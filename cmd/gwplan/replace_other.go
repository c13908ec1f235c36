//go:build !unix

package main

// replaceProcess does nothing: other systems have no way to replace a process.
func replaceProcess(string, []string) {}
