package manifest

import (
	"strings"
	"unicode/utf8"

	"github.com/gwplan/gwplan/loader"
)

// simple decodes the YAML that nearly all manifests are written in, several times faster than the
// general parser: maps and lists in block style, lists and maps in flow style within one line, plain
// and quoted scalars, literal blocks, comments, anchors of scalars and their aliases. It gives up at anything
// else (other anchors, tags, folded blocks, tabs, every mistake), and the general parser reads the document. A fuzz test proves
// that both read the same, with the same positions.
type simple struct {
	w  *walker
	in lineReader

	// anchors are the scalars that have one, by its name. aliases counts their aliases, and text their bytes.
	anchors        map[string]*loader.Value
	aliases, bytes int

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
	s := simple{w: w, in: lineReader{text: string(data), before: w.line}}
	if isMark(data) {
		line, _ := cutLine(data)
		s.in.next, s.in.lines = min(len(line)+1, len(data)), 1
	}
	w.values, w.fields, w.items, w.encrypted = nil, nil, nil, false
	if !s.in.peek() || s.in.left != 0 || s.in.isItem() {
		return tree{}, false
	}
	root := s.block(1, loader.Mark{})
	if root == nil || s.in.peek() || mayBeSecret(root.Str("kind")) {
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

// block reads the map or list that begins at the current line. at is the position of its key, or
// zero if it has none. It returns nil if the document is not simple.
func (s *simple) block(depth int, at loader.Mark) *loader.Value {
	if depth > s.w.limits.Depth {
		return nil
	}
	if at.Line == 0 {
		at = s.in.mark(s.in.start)
	}
	if s.in.isItem() {
		return s.list(s.in.left, depth, at)
	}
	return s.mapping(s.in.left, depth, at)
}

func (s *simple) mapping(left, depth int, at loader.Mark) *loader.Value {
	from, seen := len(s.fields), keys{}
	for s.in.peek() && s.in.left == left {
		key, colon, ok := s.in.key(s.in.start, s.in.end)
		if !ok {
			return nil
		}
		if _, ok := seen.add(key, false, s.in.lines); !ok {
			return nil
		}
		v := s.value(colon+1, left, depth+1, s.in.mark(s.in.start))
		if v == nil {
			return nil
		}
		s.fields = append(s.fields, loader.Field{Key: key, Value: v})
	}
	if s.in.current && s.in.left > left {
		return nil
	}
	fields := append(s.room().cutFields(len(s.fields)-from), s.fields[from:]...)
	s.fields = s.fields[:from]
	return s.put(loader.Value{Shape: loader.Map, Fields: fields, Mark: at})
}

func (s *simple) list(left, depth int, at loader.Mark) *loader.Value {
	from := len(s.items)
	for s.in.peek() && s.in.left == left && s.in.isItem() {
		v := s.item(left, depth+1)
		if v == nil {
			return nil
		}
		s.items = append(s.items, v)
	}
	if s.in.current && s.in.left > left {
		return nil
	}
	items := append(s.room().cutItems(len(s.items)-from), s.items[from:]...)
	s.items = s.items[:from]
	return s.put(loader.Value{Shape: loader.List, Items: items, Mark: at})
}

// item reads what follows the dash of a list item.
func (s *simple) item(left, depth int) *loader.Value {
	at := s.in.blanks(s.in.start+1, s.in.end)
	if at == s.in.end {
		s.in.current = false
		if !s.in.peek() || s.in.left <= left {
			return nil
		}
		return s.below(left, depth, loader.Mark{})
	}
	s.in.skip(at)
	if _, _, isMap := s.in.key(at, s.in.end); isMap || s.in.isItem() {
		return s.block(depth, loader.Mark{})
	}
	return s.inline(at, left, depth, loader.Mark{})
}

// value reads the value of a key in the current line, from the offset after its colon. left is the
// column of the key.
func (s *simple) value(from, left, depth int, key loader.Mark) *loader.Value {
	at := s.in.blanks(from, s.in.end)
	if at < s.in.end && s.in.text[at] != '#' {
		return s.inline(at, left, depth, key)
	}
	s.in.current = false
	if s.in.peek() && (s.in.left > left || s.in.left == left && s.in.isItem()) {
		return s.below(left, depth, key)
	}
	return s.put(loader.Value{Mark: key, Blank: true})
}

// below reads the value that begins in the line after its key or dash, which is in column left.
func (s *simple) below(left, depth int, key loader.Mark) *loader.Value {
	if _, _, isMap := s.in.key(s.in.start, s.in.end); isMap || s.in.isItem() {
		return s.block(depth, key)
	}
	return s.inline(s.in.start, left, depth, key)
}

// inline reads the value at an offset of the current line, which begins there and mostly ends
// there. left is the column of the map or list around it.
func (s *simple) inline(at, left, depth int, key loader.Mark) *loader.Value {
	var v *loader.Value
	var end int
	mark := s.in.mark(at)
	switch s.in.text[at] {
	case '|':
		text, ok := s.in.literal(at, left)
		if !ok {
			return nil
		}
		return s.scalar(text, "!!str", mark)
	case '&':
		return s.anchored(at, left, depth, key)
	case '*':
		v, end = s.alias(at)
	case '[', '{':
		v, end = s.flow(at, depth, key)
	case '"', '\'':
		var text string
		var ok bool
		if text, end, ok = s.in.quotedLines(at, left); ok {
			v = s.scalar(text, "!!str", mark)
		}
	default:
		text, ok := s.in.plain(at, left)
		if !ok {
			return nil
		}
		return s.scalar(text, "", mark)
	}
	if v == nil || !s.in.onlyComment(end) {
		return nil
	}
	s.in.current = false
	return v
}

func (s *simple) scalar(text, tag string, mark loader.Mark) *loader.Value {
	v, trouble := s.w.word(text, tag, mark)
	if trouble != "" {
		return nil
	}
	return s.put(v)
}

// piece is for how many values room is made at once: for as many as the rest of the text may hold,
// within limits.
func (s *simple) piece() int {
	return min(max((len(s.in.text)-s.in.next)/bytesPerValue, fewValues), moreValues)
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
