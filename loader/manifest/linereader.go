package manifest

import (
	"strings"
	"unicode/utf8"

	"github.com/gwplan/gwplan/loader"
)

// lineReader reads the texts of a simple document line by line: keys, scalars, blanks and
// comments. It does not know what they mean.
type lineReader struct {
	text string
	// before is the number of lines before the text.
	before int
	// next is the offset of the next line, and lines the number of lines before it.
	next, lines int
	// The current line with content, if any: the offsets of its content and its end, and the column
	// of its content, from 0.
	current          bool
	start, end, left int
}

// peek finds the next line with content, unless the current one is still to be read.
func (r *lineReader) peek() bool {
	for !r.current && r.next < len(r.text) {
		at := r.next
		r.end = len(r.text)
		if i := strings.IndexByte(r.text[at:], '\n'); i >= 0 {
			r.end = at + i
		}
		r.next, r.lines = r.end+1, r.lines+1
		r.start = at
		for r.start < r.end && r.text[r.start] == ' ' {
			r.start++
		}
		r.left = r.start - at
		r.current = r.start < r.end && r.text[r.start] != '#'
	}
	return r.current
}

// skip moves on within the current line, to the offset of other content.
func (r *lineReader) skip(to int) { r.left, r.start = r.left+to-r.start, to }

// mark returns the position of an offset in the current line.
func (r *lineReader) mark(at int) loader.Mark {
	return loader.Mark{Line: uint32(r.before + r.lines), Column: uint32(r.left + at - r.start + 1)}
}

// isItem reports whether the content of the current line begins with the dash of a list item.
func (r *lineReader) isItem() bool {
	return r.text[r.start] == '-' && (r.start+1 == r.end || r.text[r.start+1] == ' ')
}

// onlyComment reports whether the rest of the current line is blank or a comment.
func (r *lineReader) onlyComment(from int) bool {
	at := r.blanks(from, r.end)
	return at == r.end || at > from && r.text[at] == '#'
}

func (r *lineReader) blanks(at, end int) int {
	for at < end && r.text[at] == ' ' {
		at++
	}
	return at
}

// quoted reads a quoted scalar that has no escapes besides a doubled single quote. It returns the
// offset after it.
func (r *lineReader) quoted(at int) (text string, end int, ok bool) {
	quote := r.text[at]
	doubled := false
	for i := at + 1; i < r.end; i++ {
		switch c := r.text[i]; {
		case c == '\\' && quote == '"':
			return "", 0, false
		case c != quote:
		case quote == '\'' && i+1 < r.end && r.text[i+1] == quote:
			doubled = true
			i++
		default:
			text = r.text[at+1 : i]
			if doubled {
				text = strings.ReplaceAll(text, "''", "'")
			}
			return text, i + 1, true
		}
	}
	return "", 0, false
}

// maxKey is below the length of a key that the parser accepts.
const maxKey = 512

// key reads the key at an offset, if a colon and the end of the line or a blank follow. It returns
// the offset of the colon.
func (r *lineReader) key(at, end int) (name string, colon int, ok bool) {
	tag := ""
	switch c := r.text[at]; {
	case c == '"' || c == '\'':
		tag = "!!str"
		if name, colon, ok = r.quoted(at); !ok || name == "" || !isASCII(name) {
			return "", 0, false
		}
	case isAlphanumeric(c), c == '_', c == '.', c == '/':
		colon = at
		for colon < end && isKeyByte(r.text[colon]) {
			colon++
		}
		name = r.text[at:colon]
	default:
		return "", 0, false
	}
	if colon-at > maxKey || colon >= end || r.text[colon] != ':' || colon+1 < end && r.text[colon+1] != ' ' {
		return "", 0, false
	}
	name, trouble := keyText(name, tag)
	return name, colon, trouble == ""
}

func isKeyByte(c byte) bool {
	return isAlphanumeric(c) || c == '_' || c == '.' || c == '/' || c == '-'
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// another finds the comma or the closing bracket after an item. The offset is -1 if there is
// neither.
func (r *lineReader) another(from int, closing byte) (at int, more bool) {
	at = r.blanks(from, r.end)
	switch {
	case at == r.end:
		return -1, false
	case r.text[at] == ',':
		return at, true
	case r.text[at] == closing:
		return at, false
	}
	return -1, false
}

// plain reads a plain scalar, whose lines after the first one are indented further than left.
func (r *lineReader) plain(at, left int) (text string, ok bool) {
	switch c := r.text[at]; c {
	case '?', ':', ',', ']', '}', '#', '&', '*', '!', '>', '%', '@', '`':
		return "", false
	case '-':
		if at+1 == r.end || !isAlphanumeric(r.text[at+1]) {
			return "", false
		}
	}
	end, ok := r.plainLine(at, r.end)
	if !ok {
		return "", false
	}
	r.current = false
	text = strings.TrimRight(r.text[at:end], " ")
	if end != r.end {
		return text, true // a comment ends the scalar
	}
	return r.continued(text, left)
}

// plainLine returns where the text of a line of a plain scalar ends: at the end of the line or at a comment.
func (r *lineReader) plainLine(at, end int) (to int, ok bool) {
	for i := at; i < end; i++ {
		switch r.text[i] {
		case ':':
			if i+1 == end || r.text[i+1] == ' ' {
				return 0, false
			}
		case '#':
			if i > at && r.text[i-1] == ' ' {
				return i, true
			}
		}
	}
	return end, true
}

// further returns the next line with content if it is indented further than left, and the number of blank lines
// before it. It does not move on.
func (r *lineReader) further(left int) (from, end, blank int, ok bool) {
	for at := r.next; at < len(r.text); {
		end = len(r.text)
		if i := strings.IndexByte(r.text[at:], '\n'); i >= 0 {
			end = at + i
		}
		if from = r.blanks(at, end); from < end {
			return from, end, blank, from-at > left
		}
		at = end + 1
		blank++
	}
	return 0, 0, 0, false
}

// moveOn makes a line that further returned the last one that was read.
func (r *lineReader) moveOn(end, blank int) { r.next, r.lines = end+1, r.lines+blank+1 }

// folded is what a line break in a scalar becomes, with the blank lines after it.
func folded(blank int) string {
	if blank == 0 {
		return " "
	}
	return strings.Repeat("\n", blank)
}

// continued adds the further lines of a plain scalar to its first one.
func (r *lineReader) continued(first string, left int) (text string, ok bool) {
	var out strings.Builder
	for {
		from, end, blank, deeper := r.further(left)
		if !deeper || r.text[from] == '#' {
			break
		}
		to, ok := r.plainLine(from, end)
		if !ok {
			return "", false
		}
		if out.Len() == 0 {
			out.WriteString(first)
		}
		out.WriteString(folded(blank))
		out.WriteString(strings.TrimRight(r.text[from:to], " "))
		r.moveOn(end, blank)
		if to != end {
			break
		}
	}
	if out.Len() == 0 {
		return first, true
	}
	return out.String(), true
}

// quotedLines reads a quoted scalar of one or more lines, of which those after the first one are indented
// further than left. It returns the offset after it, in the line that is then the current one.
func (r *lineReader) quotedLines(at, left int) (text string, end int, ok bool) {
	quote := r.text[at]
	var out strings.Builder
	from, to := at+1, r.end
	for first := true; ; first = false {
		closing := r.closing(quote, from, to)
		if closing >= 0 {
			text, ok = unquoted(r.text[from:closing], quote)
			if first || !ok {
				return text, closing + 1, ok
			}
			out.WriteString(text)
			return out.String(), closing + 1, true
		}
		if text, ok = unquoted(strings.TrimRight(r.text[from:to], " "), quote); !ok {
			return "", 0, false
		}
		out.WriteString(text)
		next, end, blank, deeper := r.further(left)
		if !deeper {
			return "", 0, false
		}
		out.WriteString(folded(blank))
		r.moveOn(end, blank)
		from, to, r.end = next, end, end
	}
}

// closing returns the offset of the quote that ends a scalar, -1 if it is not in these bytes.
func (r *lineReader) closing(quote byte, from, to int) int {
	for i := from; i < to; i++ {
		switch c := r.text[i]; {
		case c == '\\' && quote == '"':
			i++
		case c != quote:
		case quote == '\'' && i+1 < to && r.text[i+1] == quote:
			i++
		default:
			return i
		}
	}
	return -1
}

// escapes are those that are read here; any other one is left to the parser.
var escapes = map[byte]byte{'"': '"', '\\': '\\', 'n': '\n', 't': '\t', ' ': ' '}

// unquoted replaces doubled quotes and escapes in a line of a quoted scalar. It returns false for an escape that
// is not read here, such as that of the end of the line.
func unquoted(text string, quote byte) (string, bool) {
	if quote == '\'' {
		return strings.ReplaceAll(text, "''", "'"), true
	}
	at := strings.IndexByte(text, '\\')
	if at < 0 {
		return text, true
	}
	var out strings.Builder
	for ; at >= 0; at = strings.IndexByte(text, '\\') {
		if at+1 == len(text) || escapes[text[at+1]] == 0 {
			return "", false
		}
		out.WriteString(text[:at])
		out.WriteByte(escapes[text[at+1]])
		text = text[at+2:]
	}
	out.WriteString(text)
	return out.String(), true
}

// literal reads a literal block, of which the indicator is at an offset of the current line.
func (r *lineReader) literal(at, left int) (text string, ok bool) {
	header := r.text[at:r.end]
	if header != "|" && header != "|-" {
		return "", false
	}
	r.current = false
	var out strings.Builder
	indent, blank := -1, 0
	for r.next < len(r.text) {
		size := strings.IndexByte(r.text[r.next:], '\n')
		if size < 0 {
			return "", false
		}
		line := r.text[r.next : r.next+size]
		spaces := len(line) - len(strings.TrimLeft(line, " "))
		if indent < 0 && spaces < len(line) {
			if indent = spaces; indent <= left {
				return "", false
			}
		}
		switch {
		case indent < 0 && size > 0:
			return "", false
		case indent < 0, spaces == len(line) && size <= indent:
			blank++
		case spaces < indent:
			return chomp(out.String(), header)
		default:
			for range blank {
				out.WriteByte('\n')
			}
			blank = 0
			out.WriteString(line[indent:])
			out.WriteByte('\n')
		}
		r.next, r.lines = r.next+size+1, r.lines+1
	}
	return chomp(out.String(), header)
}

// chomp ends a literal block as its header says.
func chomp(text, header string) (string, bool) {
	if header == "|-" {
		return strings.TrimSuffix(text, "\n"), text != ""
	}
	return text, text != ""
}
