package config

import (
	"fmt"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/gwplan/gwplan/internal/glob"
)

// checkPattern returns what is wrong with a pattern and a hint, or "" for a valid one.
func checkPattern(p string) (message, hint string) {
	switch {
	case p == "":
		return "is empty", "use ** for everything"
	case len(p) > glob.MaxBytes:
		return fmt.Sprintf("has %d bytes, over the limit of %d", len(p), glob.MaxBytes), "shorten it"
	case !doublestar.ValidatePattern(p):
		return quote(p) + " is not a valid glob", "close its brackets and braces, or put a backslash before them"
	}
	if glob.Expansions(p) > glob.MaxExpansions {
		return fmt.Sprintf("%s expands to more than %d patterns", quote(p), glob.MaxExpansions), "use fewer braces"
	}
	return "", ""
}
