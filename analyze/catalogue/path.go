package catalogue

import "strings"

// Pointer returns the path of an entry, a.b, as reports write it: /a/b.
func Pointer(dotted string) string { return "/" + strings.ReplaceAll(dotted, ".", "/") }

// Dotted returns the path of a field in a report, /a/b, as entries write it: a.b. It does not handle lists.
func Dotted(pointer string) string {
	return strings.ReplaceAll(strings.TrimPrefix(pointer, "/"), "/", ".")
}
