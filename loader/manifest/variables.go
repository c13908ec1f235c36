package manifest

import "bytes"

// variables returns the names of the variables in a text that are written as ${NAME, whatever follows the name.
func variables(data []byte) []string {
	var out []string
	var seen map[string]bool
	for {
		_, rest, found := bytes.Cut(data, []byte("${"))
		if !found {
			return out
		}
		end := bytes.IndexFunc(rest, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
		})
		if end > 0 {
			if seen == nil {
				seen = map[string]bool{}
			}
			if name := string(rest[:end]); !seen[name] {
				seen[name], out = true, append(out, name)
			}
		}
		data = rest
	}
}
