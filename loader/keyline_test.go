package loader

import (
	"regexp"
	"testing"
)

// keyLine reads what this expression describes.
func TestKeyLine(t *testing.T) {
	described := regexp.MustCompile(`^(\s*(?:-\s+)*)(?:["']([\w./-]+)["']?\s*:\s*|([\w./-]+)["']?\s*:(?:\s+|$))(.*)$`)
	for _, line := range []string{
		"a: b", "  a:b", "- a: b", "  -  - a : 'b'", `"a" : 1`, "'a.b/c-d': {x: y}", "a", "- a", "", "-", ": a", "a b: c", `"a`, "a:", "\ta:\r", "--- a: b", "- -a: b", "é: a", "a: b: c", `{"a": b}`, `"a":1`, "- docker.io/gateway:v1", "a:", "a : b",
	} {
		got, ok := keyLine(line)
		m := described.FindStringSubmatch(line)
		if ok != (m != nil) || ok && got != (lineOfKey{m[1], m[2] + m[3], m[4]}) {
			t.Errorf("%q: %+v, %t; want %q", line, got, ok, m)
		}
	}
}
