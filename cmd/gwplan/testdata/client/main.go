//go:build unix

// Program client has a worker of the tests run gwplan: it starts in a fraction of the time.
package main

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"syscall"
)

func main() {
	code, err := ask()
	if err != nil {
		fmt.Fprintln(os.Stderr, "no answer of a worker:", err)
		code = 70
	}
	os.Exit(code)
}

// ask sends the command with the standard streams, and returns the exit code.
func ask() (int, error) {
	dir, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	command, err := json.Marshal(struct {
		Args, Environ []string
		Dir           string
	}{os.Args[1:], os.Environ(), dir})
	if err != nil {
		return 0, err
	}
	connection, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: os.Getenv("GWPLAN_TEST_SOCKET"), Net: "unix"})
	if err != nil {
		return 0, err
	}
	n, _, err := connection.WriteMsgUnix(command[:1], syscall.UnixRights(0, 1, 2), nil)
	if err != nil {
		return 0, err
	}
	if _, err := connection.Write(command[n:]); err != nil {
		return 0, err
	}
	if err := connection.CloseWrite(); err != nil {
		return 0, err
	}
	code := make([]byte, 1)
	if _, err := connection.Read(code); err != nil {
		return 0, err
	}
	return int(code[0]), nil
}
