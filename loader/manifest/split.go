package manifest

import (
	"bytes"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// part is one document of a file, cut out by its bytes.
type part struct {
	// data begins with the mark; body begins after the line of the mark. For a first document
	// without a mark they are equal.
	data, body []byte
	// line is the number of lines before data.
	line int
}

// split cuts a file at its document marks. A `---` at column 0 followed by space, tab, end of line
// or end of file is always a mark: no scalar may contain it, and in a block scalar it is indented
// (YAML 1.2.2, 9.1.2 and 9.1.4). So cutting by bytes is exact, except if the file has content on
// the line of a mark, a `...`, a directive, or a line break that is not LF or CRLF. Then sure is
// false: the parser must read the whole file, and the parts only help to read what it rejected. If
// sure is true, parts without content are omitted.
func split(data []byte) (parts []part, sure bool) {
	sure = !unusual(data)
	start, line := 0, 0
	for start < len(data) {
		end := nextMark(data, start)
		p := part{data: data[start:end], body: data[start:end], line: line}
		if isMark(p.data) {
			var rest []byte
			rest, p.body = cutLine(p.data)
			sure = sure && onlyComment(rest[3:])
		}
		content := hasContent(p.body)
		sure = sure && (content || bytes.IndexByte(p.body, '\t') < 0) // a tab alone is no empty document
		if !sure || content {
			parts = append(parts, p)
		}
		line += bytes.Count(p.data, newline)
		start = end
	}
	return parts, sure
}

var (
	newline   = []byte("\n")
	comma     = []byte(",")
	markLine  = []byte("\n---")
	endLine   = []byte("\n...")
	directive = []byte("\n%")
	lineNEL   = []byte("\u0085")
	lineLS    = []byte("\u2028")
	linePS    = []byte("\u2029")
)

// hiddenMarks are marks behind a line break that only the parser knows.
var hiddenMarks = [][]byte{
	[]byte("\r---"), []byte("\u0085---"), []byte("\u2028---"), []byte("\u2029---"),
	[]byte("\r..."), []byte("\u0085..."), []byte("\u2028..."), []byte("\u2029..."),
}

// nextMark returns the position of the next mark after the line at start.
func nextMark(data []byte, start int) int {
	for i := start; ; {
		n := bytes.Index(data[i:], markLine)
		if n < 0 {
			return len(data)
		}
		i += n + 1
		if isMark(data[i:]) {
			return i
		}
	}
}

func isMark(line []byte) bool {
	if !bytes.HasPrefix(line, markLine[1:]) {
		return false
	}
	if len(line) == 3 {
		return true
	}
	switch line[3] {
	case ' ', '\t', '\n', '\r':
		return true
	}
	return false
}

// isMarkLine is isMark for a line without its break.
func isMarkLine(line []byte) bool {
	return bytes.Equal(line, markLine[1:]) || isMark(line)
}

// unusual reports whether anything in the file makes a cut by bytes inexact.
func unusual(data []byte) bool {
	return bytes.HasPrefix(data, directive[1:]) || bytes.Contains(data, directive) ||
		bytes.HasPrefix(data, endLine[1:]) || bytes.Contains(data, endLine) || oddBreaks(data)
}

// oddBreaks reports line breaks that the parser counts and editors do not: a lone CR, and the three
// of YAML 1.1 (NEL, LS, PS).
func oddBreaks(data []byte) bool {
	for rest := data; ; {
		i := bytes.IndexByte(rest, '\r')
		if i < 0 {
			break
		}
		if i+1 == len(rest) || rest[i+1] != '\n' {
			return true
		}
		rest = rest[i+2:]
	}
	return bytes.Contains(data, lineNEL) || bytes.Contains(data, lineLS) || bytes.Contains(data, linePS)
}

// cutLine returns the first line, without its line break, and the rest.
func cutLine(data []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(data, newline)
	return bytes.TrimSuffix(line, []byte("\r")), rest
}

// onlyComment reports whether the text after a mark is blank or a comment.
func onlyComment(rest []byte) bool {
	trimmed := bytes.TrimLeft(rest, " \t")
	return len(trimmed) == 0 || trimmed[0] == '#' && len(trimmed) < len(rest)
}

// hasContent reports whether any line is neither blank nor a comment.
func hasContent(body []byte) bool {
	for len(body) > 0 {
		var line []byte
		line, body = cutLine(body)
		line = bytes.TrimLeft(line, " \t")
		if len(line) > 0 && line[0] != '#' {
			return true
		}
	}
	return false
}

// ambiguousMark returns the problem of a file in which programs disagree where a document begins, or nil. For the parser a lone CR, NEL,
// LS or PS ends a line; for kustomize and Kubernetes, who cut files at their marks, only LF does: what follows a mark on its line is
// thrown away, or fails, and so does a directive (kyaml kio/byteio_reader.go, splitDocuments; k8s.io/apimachinery
// pkg/util/yaml/decoder.go, YAMLReader.Read).
func ambiguousMark(data []byte) *loader.Problem {
	line, content := 0, false
	for rest := data; len(rest) > 0; {
		line++
		var text []byte
		text, rest = cutLine(rest)
		if isMarkLine(text) {
			content = false
		}
		what := ""
		switch {
		case bytes.HasPrefix(text, directive[1:]):
			what = "a directive stands before a document"
		case bytes.HasPrefix(text, endLine[1:]) && !content:
			what = "a document has an end mark and no content"
		case slices.ContainsFunc(hiddenMarks, func(mark []byte) bool { return bytes.Contains(text, mark) }):
			what = "a document mark follows a line break other than LF"
		case bytes.HasPrefix(text, markLine[1:]) && oddBreaks(text):
			what = "the line of a document mark has a line break other than LF"
		case !isMarkLine(text):
			content = content || hasContent(text)
			continue
		case !onlyComment(text[3:]):
			what = "the line of a document mark has content"
		default:
			continue
		}
		p := problem("document-mark", loader.Position{Line: line, Column: 1}, what+": deployers do not agree on what the document is", "write the mark --- on a line of its own")
		p.Severity = loader.Warning
		return &p
	}
	return nil
}
