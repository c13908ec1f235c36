package policy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// MaySelect names a source in the policy's namespace that is not rendered and may contain
// targets for its selectors, none of which is in the input. It is "" if there is no such source.
func (p *Policy) MaySelect(g *hierarchy.Graph) string {
	if len(p.References) > 0 || len(p.selectors()) == 0 {
		return ""
	}
	return g.Producer(loader.ID{Namespace: p.Object.ID.Namespace})
}

// SelectsInVain returns the first selector that no object of the policy's namespace matches, or that matches one which no route
// and no policy leads to, and why the policy is not attached there, or nil (agentgateway, plugins/traffic_plugin.go,
// TranslateAgentgatewayPolicy).
func SelectsInVain(p *Policy, g *hierarchy.Graph) (selector *loader.Value, why string) {
	if len(p.References) > 0 && !g.Whole() {
		return nil, "" // something else of the cluster may match
	}
	for _, item := range p.selectors() {
		group := loader.GatewayGroup
		if written := item.Get("group"); written != nil {
			group = written.Text
		}
		matched := fact.False
		for _, o := range g.ObjectsOf(group, item.Str("kind"), p.Object.ID.Namespace) {
			selected := matches(o, item)
			if matched = max(matched, selected); selected != fact.True {
				continue
			}
			if !slices.ContainsFunc(p.References, func(ref *Reference) bool { return ref.Target.ID == o.ID }) {
				return item, o.ID.Spoken() + " belongs to no Gateway"
			}
		}
		if matched == fact.False {
			return item, "a selector of it selects nothing"
		}
	}
	return nil, ""
}

// Selected are the declared targets of a policy that selects objects. Each has the kind and the
// name *, because the names are unknown.
func (p *Policy) Selected() []hierarchy.Target {
	var out []hierarchy.Target
	for _, item := range p.selectors() {
		out = append(out, hierarchy.Target{ID: loader.ID{
			Group: item.Str("group"), Kind: item.Str("kind"), Namespace: p.Object.ID.Namespace, Name: "*",
		}})
	}
	return out
}

// selectors are the policy's selectors for kinds that it can target. Controllers ignore the
// others (Envoy Gateway internal/gatewayapi/helpers.go, getPolicyTargetRefs).
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
			if target, _ := p.Kind.Allows(group, item.Str("kind")); target {
				out = append(out, item)
			}
		}
	}
	return out
}
