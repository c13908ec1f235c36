package main

import (
	"fmt"
	"runtime/debug"
)

// versionCommand prints the version.
type versionCommand struct{}

func (c *versionCommand) Help() string {
	return `Examples:
  gwplan version`
}

// Run prints one line.
func (versionCommand) Run(t terminal) error {
	_, err := fmt.Fprintln(t.stdout, "gwplan "+version())
	return err
}

// ref is the tag or commit of a build whose folder is no repository, as that of the Action; the linker sets it.
var ref string //nolint:gochecknoglobals // the linker sets no other

// version is the version as Go recorded it: of the module, of the tag or commit that was built, or "devel" with
// the commit if only that is known.
func version() string {
	if ref != "" {
		return ref
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	return versionOf(info)
}

// shortCommit is how many digits of a commit are shown.
const shortCommit = 12

func versionOf(info *debug.BuildInfo) string {
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	out := "devel"
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			out += "-" + s.Value[:min(len(s.Value), shortCommit)]
		case s.Key == "vcs.modified" && s.Value == "true":
			out += "+dirty"
		}
	}
	return out
}
