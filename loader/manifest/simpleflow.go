package manifest

import "github.com/gwplan/gwplan/loader"

// flow reads the map or list in flow style at an offset of the current line. It returns the offset
// after it.
func (s *simple) flow(at, depth int, key loader.Mark) (*loader.Value, int) {
	if depth > s.w.limits.Depth {
		return nil, 0
	}
	if key.Line == 0 {
		key = s.in.mark(at)
	}
	if s.in.text[at] == '[' {
		return s.flowList(at, depth, key)
	}
	return s.flowMap(at, depth, key)
}

func (s *simple) flowList(at, depth int, mark loader.Mark) (*loader.Value, int) {
	from := len(s.items)
	for more := true; more; {
		if at = s.in.blanks(at+1, s.in.end); at < s.in.end && s.in.text[at] == ']' && len(s.items) == from {
			break
		}
		v, end := s.flowValue(at, depth+1, loader.Mark{})
		if v == nil {
			return nil, 0
		}
		s.items = append(s.items, v)
		if at, more = s.in.another(end, ']'); at < 0 {
			return nil, 0
		}
	}
	items := append(s.room().cutItems(len(s.items)-from), s.items[from:]...)
	s.items = s.items[:from]
	return s.put(loader.Value{Shape: loader.List, Items: items, Mark: mark}), at + 1
}

func (s *simple) flowMap(at, depth int, mark loader.Mark) (*loader.Value, int) {
	from, seen := len(s.fields), keys{}
	for more := true; more; {
		if at = s.in.blanks(at+1, s.in.end); at < s.in.end && s.in.text[at] == '}' && len(s.fields) == from {
			break
		}
		if at >= s.in.end {
			return nil, 0
		}
		key, colon, ok := s.in.key(at, s.in.end)
		if !ok || colon+1 == s.in.end {
			return nil, 0
		}
		if _, ok := seen.add(key, false, s.in.lines); !ok {
			return nil, 0
		}
		v, end := s.flowValue(s.in.blanks(colon+1, s.in.end), depth+1, s.in.mark(at))
		if v == nil {
			return nil, 0
		}
		s.fields = append(s.fields, loader.Field{Key: key, Value: v})
		if at, more = s.in.another(end, '}'); at < 0 {
			return nil, 0
		}
	}
	fields := append(s.room().cutFields(len(s.fields)-from), s.fields[from:]...)
	s.fields = s.fields[:from]
	return s.put(loader.Value{Shape: loader.Map, Fields: fields, Mark: mark}), at + 1
}

// flowValue reads a value within a flow. It returns the offset after it.
func (s *simple) flowValue(at, depth int, key loader.Mark) (*loader.Value, int) {
	if at >= s.in.end {
		return nil, 0
	}
	switch c := s.in.text[at]; {
	case c == '[' || c == '{':
		return s.flow(at, depth, key)
	case c == '*':
		return s.alias(at)
	case c == '"' || c == '\'':
		text, end, ok := s.in.quoted(at)
		if !ok || !isASCII(text) {
			return nil, 0
		}
		return s.scalar(text, "!!str", s.in.mark(at)), end
	case isAlphanumeric(c), c == '/':
		end := at
		for end < s.in.end && isKeyByte(s.in.text[end]) {
			end++
		}
		return s.scalar(s.in.text[at:end], "", s.in.mark(at)), end
	}
	return nil, 0
}
