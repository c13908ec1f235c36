package network

import "math/bits"

// set is a set of endpoints, by their index.
type set []uint64

func newSet(size int) set { return make(set, (size+63)/64) }

func (s set) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s set) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

func (s set) clone() set { return append(set(nil), s...) }

// join adds the members of another set.
func (s set) join(t set) {
	for i, word := range t {
		s[i] |= word
	}
}

// keep removes all but the members of another set.
func (s set) keep(t set) {
	for i, word := range t {
		s[i] &= word
	}
}

// drop removes the members of another set.
func (s set) drop(t set) {
	for i, word := range t {
		s[i] &^= word
	}
}

func (s set) and(t set) set     { out := s.clone(); out.keep(t); return out }
func (s set) without(t set) set { out := s.clone(); out.drop(t); return out }

func (s set) empty() bool {
	for _, word := range s {
		if word != 0 {
			return false
		}
	}
	return true
}

func (s set) equal(t set) bool {
	for i, word := range s {
		if word != t[i] {
			return false
		}
	}
	return true
}

func (s set) count() int {
	n := 0
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// each visits the members in order.
func (s set) each(visit func(i int)) {
	for at, word := range s {
		for word != 0 {
			visit(at*64 + bits.TrailingZeros64(word))
			word &= word - 1
		}
	}
}

// key identifies a set by its content.
func (s set) key() string {
	out := make([]byte, 0, 8*len(s))
	for _, word := range s {
		for shift := 0; shift < 64; shift += 8 {
			out = append(out, byte(word>>shift))
		}
	}
	return string(out)
}
