package dns

import "strings"

// Covers reports whether a wildcard matches a name or a longer wildcard: `*.x` matches one or more labels before x, but never x
// itself. A name in place of the wildcard matches nothing. Case counts.
func Covers(wildcard, name string) bool {
	suffix, ok := strings.CutPrefix(wildcard, "*")
	return ok && len(name) > len(suffix) && strings.HasSuffix(name, suffix)
}
