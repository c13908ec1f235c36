package main

import (
	"io"
	"slices"
	"strings"
)

// terminal holds the streams and the environment of a run.
type terminal struct {
	stdin              *input
	stdout, stderr     io.Writer
	environ            []string
	outIsTTY, errIsTTY bool
	width              int
}

// env is the value of an environment variable, or "".
func (t terminal) env(name string) string {
	for _, entry := range slices.Backward(t.environ) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// color decides about colours on stdout: the flag, then NO_COLOR, then
// FORCE_COLOR and CLICOLOR_FORCE, then the terminal.
func (t terminal) color(flag string) bool {
	switch {
	case flag == "always":
		return true
	case flag == "never", t.env("NO_COLOR") != "":
		return false
	case set(t.env("FORCE_COLOR")), set(t.env("CLICOLOR_FORCE")):
		return true
	}
	return t.outIsTTY && t.env("TERM") != "dumb"
}

func set(value string) bool { return value != "" && value != "0" }
