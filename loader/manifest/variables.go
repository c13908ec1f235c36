package manifest

import (
	"bytes"
	"slices"
)

// variables returns the names of the variables in a text that are written as ${NAME, whatever follows the name.
func variables(data []byte) []string {
	var out []string
	for {
		_, rest, found := bytes.Cut(data, []byte("${"))
		if !found {
			return out
		}
		end := bytes.IndexFunc(rest, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
		})
		if end > 0 {
			if name := string(rest[:end]); !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
		data = rest
	}
}
