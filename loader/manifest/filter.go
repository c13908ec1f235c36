package manifest

import "bytes"

// header is what a document's bytes tell of its kind.
type header struct {
	apiVersion, kind []byte
}

// scan reads apiVersion and kind of a document from its lines at column 0. It
// answers false where only the parser can know. The argument that a sure answer
// is right: the first line with content begins at column 0 with a plain key, so
// the root is a block map at column 0 and each of its keys begins such a line.
// Its kind is therefore on a line that begins with `kind`, or on one that begins
// in a way that is answered with false; and text inside a scalar that looks like
// a key can only make a second one, which is answered with false too.
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
			// A plain value may go on in an indented line.
			if !blank && !comment && (first || open) {
				return h, false
			}
			continue
		case c == '-' && !first:
		case isLetter(c):
			colon := bytes.IndexByte(line, ':')
			if colon < 0 {
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

// key notes a line of apiVersion or kind; open says that it was one, ok that it
// was plain enough to be understood, and the first.
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
		// `kinds:` is another key; `kind :` is this one, written oddly.
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

// isBare says whether a value is text that needs no quotes, whatever the rules
// of plain scalars: no number, no boolean, no null.
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
	wordTarget     = []byte("targetRef")
	wordSelector   = []byte("targetSelector")
	wordParent     = []byte("parentRef")
	wordMerge      = []byte("<<")
)

// maybePolicy says whether bytes of an unknown kind could be those of a policy:
// they name a target or a parent, or have the means to say it without the word, an escape
// or an alias.
func maybePolicy(text []byte) bool {
	return bytes.Contains(text, wordTarget) || bytes.Contains(text, wordSelector) || bytes.Contains(text, wordParent) || bytes.ContainsAny(text, `\&*`) || bytes.Contains(text, wordMerge)
}

// holdsManifest says whether bytes hold the words that every manifest has.
func holdsManifest(data []byte) bool {
	if data = narrow(data); len(data) == 0 {
		return false
	}
	return bytes.Contains(data, wordAPIVersion) && bytes.Contains(data, wordKind)
}

// maybeEscaped says whether a key could be written without its own letters.
func maybeEscaped(data []byte) bool { return bytes.IndexByte(data, '\\') >= 0 }
