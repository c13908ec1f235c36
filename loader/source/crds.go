package source

import "bytes"

// crdScan checks line by line whether a YAML file over the size limit contains only
// CustomResourceDefinitions. In that case only definitions of kinds are missing, no object of a
// plan. It keeps only the beginning of one line at a time.
type crdScan struct {
	line []byte
	// long is true if the line is longer than the part that is kept.
	long bool
	// content and kind belong to the current document: it has a line of content, and a kind.
	content, kind bool
	found, other  bool
}

// maxScannedLine is the number of bytes kept of a line, which is enough for its kind.
const maxScannedLine = 80

// Write implements io.Writer; it never fails.
func (s *crdScan) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		text, rest, ended := bytes.Cut(p, []byte{'\n'})
		room := maxScannedLine - len(s.line)
		s.long = s.long || len(text) > room
		s.line = append(s.line, text[:min(room, len(text))]...)
		if ended {
			s.endLine()
		}
		p = rest
	}
	return n, nil
}

func (s *crdScan) endLine() {
	line := bytes.TrimRight(s.line, " \t\r")
	switch value, isKind := bytes.CutPrefix(line, []byte("kind:")); {
	case bytes.HasPrefix(line, []byte("---")):
		s.endDocument()
	case len(line) == 0, line[0] == '#':
	case isKind:
		s.other = s.other || s.kind || s.long || string(bytes.Trim(value, ` "'`)) != "CustomResourceDefinition"
		s.kind, s.content = true, true
	default:
		s.content = true
	}
	s.line, s.long = s.line[:0], false
}

func (s *crdScan) endDocument() {
	s.found = s.found || s.kind
	s.other = s.other || s.content && !s.kind
	s.content, s.kind = false, false
}

// only ends the scan and reports whether it found only CRDs.
func (s *crdScan) only() bool {
	s.endLine()
	s.endDocument()
	return s.found && !s.other
}
