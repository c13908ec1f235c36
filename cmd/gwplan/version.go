package main

import (
	"fmt"
	"runtime/debug"
)

// versionCommand prints the version.
type versionCommand struct{}

// Run prints one line.
func (versionCommand) Run(t terminal) error {
	_, err := fmt.Fprintln(t.stdout, "gwplan "+version())
	return err
}

// version is the module's version as Go recorded it, or "devel".
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}
