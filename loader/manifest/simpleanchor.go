package manifest

import "github.com/gwplan/gwplan/loader"

// anchored reads a scalar with an anchor, in the line of the anchor.
func (s *simple) anchored(at, left, depth int, key loader.Mark) *loader.Value {
	mark := s.in.mark(at)
	name, end := s.in.anchor(at)
	value := s.in.blanks(end, s.in.end)
	if name == "" || value == end || value == s.in.end {
		return nil
	}
	switch s.in.text[value] {
	case '&', '*', '|', '[', '{', '#':
		return nil
	}
	v := s.inline(value, left, depth, key)
	if v == nil {
		return nil
	}
	v.Mark = mark // the properties of a value belong to it
	if s.anchors == nil {
		s.anchors = map[string]*loader.Value{}
	}
	s.anchors[name] = v
	return v
}

// alias reads an alias. It returns the offset after it.
func (s *simple) alias(at int) (*loader.Value, int) {
	name, end := s.in.anchor(at)
	v := s.anchors[name]
	if v == nil {
		return nil, 0
	}
	// The general parser reports what is too much.
	s.aliases, s.bytes = s.aliases+1, s.bytes+len(v.Text)
	if s.aliases > s.w.limits.AliasNodes || s.bytes > maxAliasText {
		return nil, 0
	}
	out := *v
	out.Mark = s.in.mark(at)
	return s.put(out), end
}

// anchor reads the name of an anchor or alias, after its indicator, and returns the offset after it.
func (r *lineReader) anchor(at int) (name string, end int) {
	end = at + 1
	for end < r.end && (isAlphanumeric(r.text[end]) || r.text[end] == '_' || r.text[end] == '-') {
		end++
	}
	return r.text[at+1 : end], end
}
