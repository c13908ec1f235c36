package manifest

import "bytes"

// variables returns the names of the variables in a text that are written as ${NAME, without those for which the text has a default: ${NAME:=other}.
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
		if end > 0 && !hasDefault(rest[end:]) {
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

// hasDefault reports whether a use of a variable has a value for the case that the variable is not set. rest is what
// follows the name.
func hasDefault(rest []byte) bool {
	rest = bytes.TrimPrefix(rest, []byte(":"))
	return len(rest) > 0 && (rest[0] == '=' || rest[0] == '-')
}
