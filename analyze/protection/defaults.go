package protection

import (
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// byDefaults compares a field that one side does not set with what the controller uses then: the minimum
// TLS version 1.0 where nobody set one lowers it, and one of 1.2 that is removed changes nothing if 1.2 is
// the default.
func (s *Shift) byDefaults(p catalogue.Protection, before, after *merge.Tree, k *catalogue.Kind) {
	if p.Loosens != catalogue.Lower && p.Loosens != catalogue.Higher || len(p.Unset) > 0 || strings.Contains(p.Path, "*") {
		return
	}
	b, a := before.At(p.Path), after.At(p.Path)
	value, known := k.DefaultOf(p.Path)
	if !known || (b == nil) == (a == nil) {
		return
	}
	unset := &merge.Tree{Value: &loader.Value{Shape: loader.String, Text: value}}
	if b == nil {
		b = unset
	} else {
		a = unset
	}
	f := protectedField{path: catalogue.Pointer(p.Path), before: b, after: a, inBefore: true, inAfter: true}
	if list := s.list(p, f); list != nil {
		*list = append(*list, f.field(p))
	}
}
