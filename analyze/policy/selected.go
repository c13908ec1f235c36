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

// selectors are those of a policy for kinds that it can target: controllers look for no others
// (Envoy Gateway internal/gatewayapi/helpers.go, getPolicyTargetRefs).
func (p *Policy) selectors() []*loader.Value {
	var out []*loader.Value
	for _, form := range p.Kind.Target.Refs {
		if form.Form != "selectors" {
			continue
		}
		for _, item := range p.Object.Spec().List(form.Path) {
			group := loader.GatewayGroup
			if g := item.Get("group"); g != nil {
				group = g.Text
			}
			if target, _ := p.Kind.allows(group, item.Str("kind")); target {
				out = append(out, item)
			}
		}
	}
	return out
}
