package manifest

import (
	"strings"
	"unicode/utf8"

	"github.com/gwplan/gwplan/loader"
)

// simple decodes the YAML that nearly all manifests are written in, several times faster than the
// general parser: maps and lists in block style, lists and maps in flow style within one line, plain
// and quoted scalars of one line, literal blocks, comments. It gives up at anything else (anchors,
// tags, escapes, folded text, tabs, every mistake), and the general parser reads the document. A
// fuzz test proves that both read the same, with the same positions.
type simple struct {
	w    *walker
	text string
	// next is the offset of the next line, and lines the number of lines before it.
	next, lines int
	// The current line with content, if any: the offsets of its content and its end, and the column
	// of its content, from 0.
	current          bool
	start, end, left int

	// Stacks of the fields and items of the maps and lists being read.
	fields []loader.Field
	items  []*loader.Value
}

// simply decodes one document. It returns false if it is not a simple one.
func (w *walker) simply(data []byte) (tree, bool) {
	if !isSimple(data) {
		return tree{}, false
	}
	// Values share the text instead of having copies of their own.
	s := simple{w: w, text: string(data)}
	if isMark(data) {
		line, _ := cutLine(data)
		s.next, s.lines = min(len(line)+1, len(data)), 1
	}
	w.values, w.fields, w.items, w.encrypted = nil, nil, nil, false
	if !s.peek() || s.left != 0 || s.isItem() {
		return tree{}, false
	}
	root := s.block(1, loader.Mark{})
	if root == nil || s.peek() || mayBeSecret(root.Str("kind")) {
		return tree{}, false
	}
	return tree{root: root, encrypted: w.encrypted}, true
}

// mayBeSecret reports whether an object of a kind is a Secret or may contain some. Their text must
// not stay in memory, where the other values of the document would keep it.
func mayBeSecret(kind string) bool { return kind == "Secret" || strings.HasSuffix(kind, "List") }

// isSimple reports whether a text contains only characters that the parser accepts anywhere.
func isSimple(data []byte) bool {
	for i := 0; i < len(data); i++ {
		c := data[i]
		switch {
		case c >= ' ' && c <= '~', c == '\n':
		case c < utf8.RuneSelf:
			return false
		default:
			r, size := utf8.DecodeRune(data[i:])
			if !isPrintable(r, size) {
				return false
			}
			i += size - 1
		}
	}
	return true
}

// isPrintable reports whether the parser accepts a character that is not ASCII (go.yaml.in/yaml/v3,
// readerc.go).
func isPrintable(r rune, size int) bool {
	switch {
	case r == utf8.RuneError && size == 1, r == '\u2028', r == '\u2029', r == '\uFEFF':
		return false
	}
	return r >= 0xA0 && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000
}

// peek finds the next line with content, unless the current one is still to be read.
func (s *simple) peek() bool {
	for !s.current && s.next < len(s.text) {
		at := s.next
		s.end = len(s.text)
		if i := strings.IndexByte(s.text[at:], '\n'); i >= 0 {
			s.end = at + i
		}
		s.next, s.lines = s.end+1, s.lines+1
		s.start = at
		for s.start < s.end && s.text[s.start] == ' ' {
			s.start++
		}
		s.left = s.start - at
		s.current = s.start < s.end && s.text[s.start] != '#'
	}
	return s.current
}

// skip moves on within the current line, to the offset of other content.
func (s *simple) skip(to int) { s.left, s.start = s.left+to-s.start, to }

// mark returns the position of an offset in the current line.
func (s *simple) mark(at int) loader.Mark {
	return loader.Mark{Line: uint32(s.w.line + s.lines), Column: uint32(s.left + at - s.start + 1)}
}

// isItem reports whether the content of the current line begins with the dash of a list item.
func (s *simple) isItem() bool {
	return s.text[s.start] == '-' && (s.start+1 == s.end || s.text[s.start+1] == ' ')
}

// block reads the map or list that begins at the current line. at is the position of its key, or
// zero if it has none. It returns nil if the document is not simple.
func (s *simple) block(depth int, at loader.Mark) *loader.Value {
	if depth > s.w.limits.Depth {
		return nil
	}
	if at.Line == 0 {
		at = s.mark(s.start)
	}
	if s.isItem() {
		return s.list(s.left, depth, at)
	}
	return s.mapping(s.left, depth, at)
}

func (s *simple) mapping(left, depth int, at loader.Mark) *loader.Value {
	from, seen := len(s.fields), keys{}
	for s.peek() && s.left == left {
		key, colon, ok := s.key(s.start, s.end)
		if !ok {
			return nil
		}
		if _, ok := seen.add(key, false, s.lines); !ok {
			return nil
		}
		v := s.value(colon+1, left, depth+1, s.mark(s.start))
		if v == nil {
			return nil
		}
		s.fields = append(s.fields, loader.Field{Key: key, Value: v})
	}
	if s.current && s.left > left {
		return nil
	}
	fields := append(s.room().cutFields(len(s.fields)-from), s.fields[from:]...)
	s.fields = s.fields[:from]
	return s.put(loader.Value{Shape: loader.Map, Fields: fields, Mark: at})
}

func (s *simple) list(left, depth int, at loader.Mark) *loader.Value {
	from := len(s.items)
	for s.peek() && s.left == left && s.isItem() {
		v := s.item(left, depth+1)
		if v == nil {
			return nil
		}
		s.items = append(s.items, v)
	}
	if s.current && s.left > left {
		return nil
	}
	items := append(s.room().cutItems(len(s.items)-from), s.items[from:]...)
	s.items = s.items[:from]
	return s.put(loader.Value{Shape: loader.List, Items: items, Mark: at})
}

// item reads what follows the dash of a list item.
func (s *simple) item(left, depth int) *loader.Value {
	at := s.blanks(s.start+1, s.end)
	if at == s.end {
		s.current = false
		if !s.peek() || s.left <= left {
			return nil
		}
		return s.block(depth, loader.Mark{})
	}
	s.skip(at)
	if _, _, isMap := s.key(at, s.end); isMap || s.isItem() {
		return s.block(depth, loader.Mark{})
	}
	return s.inline(at, left, depth, loader.Mark{})
}

// value reads the value of a key in the current line, from the offset after its colon. left is the
// column of the key.
func (s *simple) value(from, left, depth int, key loader.Mark) *loader.Value {
	at := s.blanks(from, s.end)
	if at < s.end && s.text[at] != '#' {
		return s.inline(at, left, depth, key)
	}
	s.current = false
	if s.peek() && (s.left > left || s.left == left && s.isItem()) {
		return s.block(depth, key)
	}
	return s.put(loader.Value{Mark: key})
}

// inline reads the value at an offset of the current line, which begins there and mostly ends
// there. left is the column of the map or list around it.
func (s *simple) inline(at, left, depth int, key loader.Mark) *loader.Value {
	var v *loader.Value
	var end int
	switch s.text[at] {
	case '|':
		return s.literal(at, left)
	case '[', '{':
		v, end = s.flow(at, depth, key)
	case '"', '\'':
		var text string
		var ok bool
		if text, end, ok = s.quoted(at); ok {
			v = s.scalar(text, "!!str", s.mark(at))
		}
	default:
		return s.plain(at)
	}
	if v == nil || !s.onlyComment(end) {
		return nil
	}
	s.current = false
	return v
}

// onlyComment reports whether the rest of the current line is blank or a comment.
func (s *simple) onlyComment(from int) bool {
	at := s.blanks(from, s.end)
	return at == s.end || at > from && s.text[at] == '#'
}

func (s *simple) blanks(at, end int) int {
	for at < end && s.text[at] == ' ' {
		at++
	}
	return at
}

// plain reads a plain scalar up to the end of the line or a comment.
func (s *simple) plain(at int) *loader.Value {
	switch c := s.text[at]; c {
	case '?', ':', ',', ']', '}', '#', '&', '*', '!', '>', '%', '@', '`':
		return nil
	case '-':
		if at+1 == s.end || !isAlphanumeric(s.text[at+1]) {
			return nil
		}
	}
	end := s.end
	for i := at; i < s.end; i++ {
		switch s.text[i] {
		case ':':
			if i+1 == s.end || s.text[i+1] == ' ' {
				return nil
			}
		case '#':
			if s.text[i-1] == ' ' {
				end = i
			}
		}
		if end != s.end {
			break
		}
	}
	for s.text[end-1] == ' ' {
		end--
	}
	mark := s.mark(at)
	s.current = false
	return s.scalar(s.text[at:end], "", mark)
}

// quoted reads a quoted scalar that has no escapes besides a doubled single quote. It returns the
// offset after it.
func (s *simple) quoted(at int) (text string, end int, ok bool) {
	quote := s.text[at]
	doubled := false
	for i := at + 1; i < s.end; i++ {
		switch c := s.text[i]; {
		case c == '\\' && quote == '"':
			return "", 0, false
		case c != quote:
		case quote == '\'' && i+1 < s.end && s.text[i+1] == quote:
			doubled = true
			i++
		default:
			text = s.text[at+1 : i]
			if doubled {
				text = strings.ReplaceAll(text, "''", "'")
			}
			return text, i + 1, true
		}
	}
	return "", 0, false
}

// literal reads a literal block, of which the indicator is at an offset of the current line.
func (s *simple) literal(at, left int) *loader.Value {
	header, mark := s.text[at:s.end], s.mark(at)
	if header != "|" && header != "|-" {
		return nil
	}
	s.current = false
	var out strings.Builder
	indent, blank := -1, 0
	for s.next < len(s.text) {
		size := strings.IndexByte(s.text[s.next:], '\n')
		if size < 0 {
			return nil
		}
		line := s.text[s.next : s.next+size]
		spaces := len(line) - len(strings.TrimLeft(line, " "))
		if indent < 0 && spaces < len(line) {
			if indent = spaces; indent <= left {
				return nil
			}
		}
		switch {
		case indent < 0 && size > 0:
			return nil
		case indent < 0, spaces == len(line) && size <= indent:
			blank++
		case spaces < indent:
			return s.chomp(out.String(), header, mark)
		default:
			for range blank {
				out.WriteByte('\n')
			}
			blank = 0
			out.WriteString(line[indent:])
			out.WriteByte('\n')
		}
		s.next, s.lines = s.next+size+1, s.lines+1
	}
	return s.chomp(out.String(), header, mark)
}

// chomp ends a literal block as its header says.
func (s *simple) chomp(text, header string, mark loader.Mark) *loader.Value {
	if text == "" {
		return nil
	}
	if header == "|-" {
		text = strings.TrimSuffix(text, "\n")
	}
	return s.scalar(text, "!!str", mark)
}

func (s *simple) scalar(text, tag string, mark loader.Mark) *loader.Value {
	v, trouble := s.w.word(text, tag, mark)
	if trouble != "" {
		return nil
	}
	return s.put(v)
}

// maxKey is below the length of a key that the parser accepts.
const maxKey = 512

// key reads the key at an offset, if a colon and the end of the line or a blank follow. It returns
// the offset of the colon.
func (s *simple) key(at, end int) (name string, colon int, ok bool) {
	tag := ""
	switch c := s.text[at]; {
	case c == '"' || c == '\'':
		tag = "!!str"
		if name, colon, ok = s.quoted(at); !ok || name == "" || !isASCII(name) {
			return "", 0, false
		}
	case isAlphanumeric(c), c == '_', c == '.', c == '/':
		colon = at
		for colon < end && isKeyByte(s.text[colon]) {
			colon++
		}
		name = s.text[at:colon]
	default:
		return "", 0, false
	}
	if colon-at > maxKey || colon >= end || s.text[colon] != ':' || colon+1 < end && s.text[colon+1] != ' ' {
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

// piece is for how many values room is made at once: for as many as the rest of the text may hold,
// within limits.
func (s *simple) piece() int {
	return min(max((len(s.text)-s.next)/bytesPerValue, fewValues), moreValues)
}

// A value takes this many bytes of text on average.
const (
	bytesPerValue = 24
	fewValues     = 4
)

// room returns the walker with room for fields and items.
func (s *simple) room() *walker {
	if cap(s.w.fields) == len(s.w.fields) {
		s.w.fields = make([]loader.Field, 0, s.piece())
	}
	if cap(s.w.items) == len(s.w.items) {
		s.w.items = make([]*loader.Value, 0, s.piece()/2)
	}
	return s.w
}

func (s *simple) put(v loader.Value) *loader.Value {
	if len(s.w.values) == cap(s.w.values) {
		s.w.values = make([]loader.Value, 0, s.piece())
	}
	return s.w.put(v)
}
