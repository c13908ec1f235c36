//go:build !unix

package main

import "testing"

// workerVariable is that of workers, which need a Unix system. Elsewhere each command is a process of its own.
const workerVariable = "GWPLAN_TEST_WORKER"

func workers(*testing.T) (dir, variable string) { return "", "" }

func work() error { return nil }
