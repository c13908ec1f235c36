package policygenerator

import (
	"cmp"

	"github.com/gwplan/gwplan/loader"
)

// dependencies returns the policies that must be compliant before a policy is in force: those that it names,
// else those of the defaults; the policy before it if policies are ordered (internal/plugin.go,
// createPolicy).
func (g *generator) dependencies(b builder, policy *loader.Value) *loader.Value {
	if g.config.Get("policyDefaults", "orderPolicies").IsTrue() {
		n := len(g.policies)
		if n == 0 {
			return nil
		}
		return b.list([]*loader.Value{g.dependency(b, b.object("name", b.text(g.policies[n-1].Str("metadata", "name"))))})
	}
	return g.completed(b, g.setting(policy, "dependencies"))
}

// wait adds to a template what must be compliant before it is in force: what the policy or its manifest names,
// or the template before it if manifests are ordered (internal/utils.go, getPolicyTemplates).
func (g *generator) wait(b builder, policy, manifest *loader.Value, templates []*loader.Value) {
	last := templates[len(templates)-1]
	others := g.completed(b, g.own(manifest, policy, "extraDependencies"))
	if g.setting(policy, "orderManifests").IsTrue() {
		others = nil
		if n := len(templates); n > 1 {
			before := templates[n-2].Get("objectDefinition")
			others = b.list([]*loader.Value{b.object(
				"apiVersion", b.text(before.Str("apiVersion")), "compliance", b.text("Compliant"), "kind", b.text(before.Str("kind")), "name", b.text(before.Str("metadata", "name")),
			)})
		}
	}
	if others != nil {
		last.Fields = append(last.Fields, loader.Field{Key: "extraDependencies", Value: others})
	}
}

// completed returns dependencies with the fields that are left out, or nil if there are none.
func (g *generator) completed(b builder, dependencies *loader.Value) *loader.Value {
	var out []*loader.Value
	for _, one := range dependencies.ItemList() {
		out = append(out, g.dependency(b, one))
	}
	if out == nil {
		return nil
	}
	return b.list(out)
}

// dependency fills in the fields of one dependency (internal/plugin.go, applyDefaultDependencyFields).
func (g *generator) dependency(b builder, one *loader.Value) *loader.Value {
	kind := cmp.Or(one.Str("kind"), "Policy")
	out := b.object(
		"apiVersion", b.text(cmp.Or(one.Str("apiVersion"), Group+"/v1")), "compliance", b.text(cmp.Or(one.Str("compliance"), "Compliant")),
		"kind", b.text(kind), "name", b.text(one.Str("name")),
	)
	namespace := one.Str("namespace")
	if namespace == "" && kind == "Policy" {
		namespace = g.config.Str("policyDefaults", "namespace")
	}
	if namespace != "" {
		out.Fields = append(out.Fields, loader.Field{Key: "namespace", Value: b.text(namespace)})
	}
	return out
}
