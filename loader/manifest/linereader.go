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

// plain reads a plain scalar up to the end of the line or a comment.
func (r *lineReader) plain(at int) (text string, ok bool) {
	switch c := r.text[at]; c {
	case '?', ':', ',', ']', '}', '#', '&', '*', '!', '>', '%', '@', '`':
		return "", false
	case '-':
		if at+1 == r.end || !isAlphanumeric(r.text[at+1]) {
			return "", false
		}
	}
	end := r.end
	for i := at; i < r.end; i++ {
		switch r.text[i] {
		case ':':
			if i+1 == r.end || r.text[i+1] == ' ' {
				return "", false
			}
		case '#':
			if r.text[i-1] == ' ' {
				end = i
			}
		}
		if end != r.end {
			break
		}
	}
	for r.text[end-1] == ' ' {
		end--
	}
	r.current = false
	return r.text[at:end], true
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
