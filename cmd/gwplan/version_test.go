package main

import (
	"runtime/debug"
	"testing"
)

// A release and `go install` have the version of the module; a build of a checkout names its commit.
func TestVersionOf(t *testing.T) {
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}
	dirty := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for want, info := range map[string]*debug.BuildInfo{
		"v1.2.3":                   {Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{commit}},
		"devel-0123456789ab":       {Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{commit}},
		"devel-0123456789ab+dirty": {Settings: []debug.BuildSetting{commit, dirty}},
		"devel":                    {},
	} {
		if got := versionOf(info); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
