package plan

import (
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// SectionNoun returns the word for a section of a kind.
func SectionNoun(kind string) string {
	switch {
	case loader.IsRoute(kind):
		return "rule"
	case kind == "Gateway", strings.HasSuffix(kind, "ListenerSet"):
		return "listener"
	case kind == "Service", kind == "ServiceImport":
		return "port"
	}
	return "section"
}
