package policy

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// MaySelect names what is not rendered and may give a policy the targets that it selects and
// of which none is in the input, or "".
func (p *Policy) MaySelect(g *hierarchy.Graph) string {
	if len(p.References) > 0 || len(p.selectors()) == 0 {
		return ""
	}
	return g.Producer(loader.ID{Namespace: p.Object.ID.Namespace})
}

// Selected are the declared targets of a policy that selects objects, by their kinds: nobody
// knows their names.
func (p *Policy) Selected() []hierarchy.Target {
	var out []hierarchy.Target
	for _, item := range p.selectors() {
		out = append(out, hierarchy.Target{ID: loader.ID{
			Group: item.Str("group"), Kind: item.Str("kind"), Namespace: p.Object.ID.Namespace, Name: "*",
		}})
	}
	return out
}

func (p *Policy) selectors() []*loader.Value {
	var out []*loader.Value
	for _, form := range p.Kind.Target.Refs {
		if form.Form == "selectors" {
			out = append(out, p.Object.Spec().List(form.Path)...)
		}
	}
	return out
}
