package manifest

import (
	"bytes"
	"slices"
)

// header is the part of a document's kind that its bytes show.
type header struct {
	apiVersion, kind []byte
}

// scan reads apiVersion and kind of a document from its lines at column 0. It returns false if only
// the parser can decide. A result of true is correct for this reason: the first line with content
// begins at column 0 with a plain key, so the root is a block map at column 0 and each of its keys
// begins such a line. Its kind is therefore on a line that begins with `kind`, or on a line that
// begins in a way for which scan returns false. Text inside a scalar that looks like a key can only
// be a second one, for which scan also returns false.
func scan(body []byte) (header, bool) {
	var h header
	open, first := false, true
	for len(body) > 0 {
		var line []byte
		line, body = cutLine(body)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		switch c := line[0]; {
		case c == ' ':
			blank := len(bytes.TrimLeft(line, " \t")) == 0
			comment := !blank && bytes.TrimLeft(line, " ")[0] == '#'
			// A plain value may continue on an indented line.
			if !blank && !comment && (first || open) {
				return h, false
			}
			continue
		case c == '-' && !first:
		case isLetter(c):
			colon := bytes.IndexByte(line, ':')
			if colon < 0 || bytes.HasPrefix(line, wordItems) {
				return h, false
			}
			var ok bool
			if open, ok = h.key(line, colon); !ok {
				return h, false
			}
		default:
			return h, false
		}
		first = false
	}
	return h, len(h.apiVersion) > 0 && len(h.kind) > 0 && !bytes.HasSuffix(h.kind, []byte("List"))
}

// key records a line of apiVersion or kind. open is true for such a line. ok is false if the line
// is not plain enough to understand, or repeats a key.
func (h *header) key(line []byte, colon int) (open, ok bool) {
	var into *[]byte
	switch name := line[:colon]; {
	case bytes.HasPrefix(name, wordKind):
		into = &h.kind
	case bytes.HasPrefix(name, wordAPIVersion):
		into = &h.apiVersion
	default:
		return false, true
	}
	name := string(line[:colon])
	if name != "kind" && name != "apiVersion" {
		// `kinds:` is a different key; `kind :` is this key in an unusual form.
		return false, isName(line[:colon])
	}
	value := line[colon+1:]
	bare := bytes.Trim(value, " \t")
	if *into != nil || len(bare) == 0 || (value[0] != ' ' && value[0] != '\t') || !isBare(bare) {
		return false, false
	}
	*into = bare
	return true, true
}

func isName(b []byte) bool {
	for _, c := range b {
		if !isAlphanumeric(c) && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// isBare reports whether a value is certainly text without quotes: not a number, boolean or null
// under any rules of plain scalars.
func isBare(b []byte) bool {
	if !isLetter(b[0]) || isNull(string(b)) || isTrue(string(b)) || isFalse(string(b)) {
		return false
	}
	for _, c := range b {
		if !isAlphanumeric(c) && c != '.' && c != '/' && c != '-' {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isAlphanumeric(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }

var (
	wordAPIVersion = []byte("apiVersion")
	wordKind       = []byte("kind")
	wordItems      = []byte("items")
)

// policyWords are in each document that is a policy, names a Gateway, ListenerSet or route, or selects proxies.
var policyWords = [][]byte{
	[]byte("targetRef"), []byte("targetSelector"), []byte("parentRef"), []byte("Route"), []byte("routeRef"), []byte("Gateway"),
	[]byte("gatewayRef"), []byte("ListenerSet"), []byte("workloadSelector"), []byte("gateway-name"), []byte("<<"),
}

// maybePolicy reports whether bytes of an unknown kind could be a policy, or name a Gateway or route. They contain the name
// of a target or parent field, that of a route kind or a field for it, or an escape, alias or merge key, which can
// produce such a name without spelling it.
func maybePolicy(text []byte) bool {
	return slices.ContainsFunc(policyWords, func(word []byte) bool { return bytes.Contains(text, word) }) || bytes.ContainsAny(text, `\&*`)
}

// holdsManifest reports whether bytes contain the words that every manifest has.
func holdsManifest(data []byte) bool {
	if data = narrow(data); len(data) == 0 {
		return false
	}
	return bytes.Contains(data, wordAPIVersion) && bytes.Contains(data, wordKind)
}

// maybeEscaped reports whether a key could be written with escapes.
func maybeEscaped(data []byte) bool { return bytes.IndexByte(data, '\\') >= 0 }
