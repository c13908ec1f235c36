// Package policygenerator makes what the PolicyGenerator of Open Cluster Management makes of manifests:
// policies with a ConfigurationPolicy around them, placements and bindings. The generator is a program
// that kustomize starts as a plugin; here its result is computed, for the fields that decide where
// objects go and whether they are enforced (policy-generator-plugin internal/plugin.go).
package policygenerator

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
)

// Kind and Group name the configuration of the generator.
const (
	Kind  = "PolicyGenerator"
	Group = "policy.open-cluster-management.io"
)

// Is reports whether a document is a configuration of the generator.
func Is(doc *loader.Value) bool {
	return doc.Str("kind") == Kind && strings.HasPrefix(doc.Str("apiVersion"), Group+"/")
}

// Reader reads the manifests that a configuration names, relative to its kustomization.
type Reader interface {
	// Manifests returns the files that a path means, in the order in which they are read: a file, or the
	// YAML files of a folder. It returns an error for a path that is not read.
	Manifests(path string) ([]string, error)
	Documents(file string) ([]*loader.Value, error)
}

// Output is what a configuration yields.
type Output struct {
	Docs []*loader.Value
	// Files are the files that marks refer to, the one of the configuration first.
	Files []string
	// Lacking says what could not be generated.
	Lacking []Lack
}

// Lack is something that is not generated.
type Lack struct {
	At  *loader.Value
	Why string
}

// generator holds what one configuration yields.
type generator struct {
	Output
	config     *loader.Value
	reader     Reader
	namespace  string
	policies   []*loader.Value
	sets       []*loader.Value
	placements []*loader.Value
	// bound are the policies and sets of each placement, in the order in which they come.
	bound []*bound
	// members are the policies of each set.
	members map[string][]string
}

// bound is a placement with what is bound to it.
type bound struct {
	placement      string
	policies, sets []string
	at             *loader.Value
}

// Generate computes the objects of a configuration in a file.
func Generate(config *loader.Value, file string, reader Reader) Output {
	g := &generator{config: config, reader: reader, members: map[string][]string{}}
	g.Files = []string{file}
	g.namespace = config.Str("policyDefaults", "namespace")
	if g.namespace == "" {
		g.lack(config, "policyDefaults.namespace is missing, which the generator requires")
		return g.Output
	}
	for _, policy := range config.List("policies") {
		g.policy(policy)
	}
	for _, set := range config.List("policySets") {
		g.set(set)
	}
	g.namedSets()
	g.bindings()
	g.Docs = slices.Concat(g.policies, g.sets, g.placements, g.Docs)
	return g.Output
}

func (g *generator) lack(at *loader.Value, format string, args ...any) {
	g.Lacking = append(g.Lacking, Lack{at, fmt.Sprintf(format, args...)})
}

// setting returns a field of a policy, or its default.
func (g *generator) setting(policy *loader.Value, path ...string) *loader.Value {
	if v := policy.Get(path...); v != nil {
		return v
	}
	return g.config.Get(append([]string{"policyDefaults"}, path...)...)
}

func (g *generator) isFalse(policy *loader.Value, field string) bool {
	v := g.setting(policy, field)
	return v != nil && v.Text == "false"
}

// policy makes a Policy and, unless only its sets are placed, its placement.
func (g *generator) policy(policy *loader.Value) {
	name := policy.Str("name")
	if name == "" {
		g.lack(policy, "a policy has no name")
		return
	}
	b := builder{policy.Mark}
	made := g.templates(policy)
	spec := b.object("disabled", b.flag(g.setting(policy, "disabled").IsTrue()))
	if action := made.action(); action != "" {
		spec.Fields = append(spec.Fields, loader.Field{Key: "remediationAction", Value: b.text(action)})
	}
	if before := g.dependencies(b, policy); before != nil {
		spec.Fields = append(spec.Fields, loader.Field{Key: "dependencies", Value: before})
	}
	spec.Fields = append(spec.Fields, loader.Field{Key: "policy-templates", Value: b.list(made.list)})
	g.policies = append(g.policies, b.object(
		"apiVersion", b.text(Group+"/v1"), "kind", b.text("Policy"), "metadata", g.metadata(b, name),
		"spec", spec,
	))
	sets := names(g.setting(policy, "policySets"))
	for _, set := range sets {
		g.members[set] = append(g.members[set], name)
	}
	for _, set := range g.config.List("policySets") {
		if slices.Contains(names(set.Get("policies")), name) {
			sets = append(sets, set.Str("name"))
		}
	}
	inSet := len(sets) > 0 && !g.setting(policy, "generatePlacementWhenInSet").IsTrue()
	if !inSet && !g.isFalse(policy, "generatePolicyPlacement") {
		g.place(policy, placementOf(policy.Get("placement"), g.config.Get("policyDefaults", "placement")), name, "")
	}
}

// own returns a field of a manifest, of its policy or of the defaults.
func (g *generator) own(manifest, policy *loader.Value, field string) *loader.Value {
	if v := manifest.Get(field); v != nil {
		return v
	}
	return g.setting(policy, field)
}

// word returns a setting as text: of a manifest, its policy, the defaults, else the generator's own.
func (g *generator) word(manifest, policy *loader.Value, field, byDefault string) string {
	return cmp.Or(manifest.Str(field), policy.Str(field), g.config.Str("policyDefaults", field), byDefault)
}

// manifest returns the objects of an entry of manifests, with positions in their files.
func (g *generator) manifest(entry *loader.Value) []*loader.Value {
	if len(entry.List("patches")) > 0 {
		g.lack(entry, "patches of manifests are not applied")
		return nil
	}
	files, err := g.reader.Manifests(entry.Str("path"))
	if err != nil {
		g.lack(entry, "%v", err)
		return nil
	}
	var out []*loader.Value
	for _, file := range files {
		docs, err := g.reader.Documents(file)
		if err != nil {
			g.lack(entry, "%v", err)
			continue
		}
		index := uint32(len(g.Files))
		g.Files = append(g.Files, file)
		for _, doc := range docs {
			if doc == nil || doc.Shape != loader.Map {
				continue
			}
			if strings.HasPrefix(doc.Str("apiVersion"), Group) && doc.Str("kind") == "Policy" {
				g.lack(entry, "a Policy is for the hub itself, and the generator refuses the one in %s", file)
				continue
			}
			out = append(out, deploy.Remarked(doc, func(m loader.Mark) loader.Mark {
				m.File = index
				return m
			}))
		}
	}
	return out
}

// set makes a PolicySet and its placement.
func (g *generator) set(set *loader.Value) {
	name := set.Str("name")
	g.members[name] = append(g.members[name], names(set.Get("policies"))...)
	placed := set.Get("generatePolicySetPlacement")
	if placed == nil {
		placed = g.config.Get("policySetDefaults", "generatePolicySetPlacement")
	}
	if placed == nil || placed.Text != "false" {
		g.place(set, placementOf(set.Get("placement"), g.config.Get("policySetDefaults", "placement")), "", name)
	}
}

// namedSets makes the PolicySets, also those that only policies name.
func (g *generator) namedSets() {
	var all []string
	for name := range g.members {
		all = append(all, name)
	}
	slices.Sort(all)
	for _, name := range all {
		b := builder{g.config.Mark}
		members := slices.Compact(slices.Sorted(slices.Values(g.members[name])))
		g.sets = append(g.sets, b.object(
			"apiVersion", b.text(Group+"/v1beta1"), "kind", b.text("PolicySet"), "metadata", g.metadata(b, name), "spec", b.object("policies", b.texts(members)),
		))
		declared := slices.ContainsFunc(g.config.List("policySets"), func(set *loader.Value) bool { return set.Str("name") == name })
		byDefault := g.config.Get("policySetDefaults", "generatePolicySetPlacement")
		if !declared && (byDefault == nil || byDefault.Text != "false") {
			g.place(g.config, g.config.Get("policySetDefaults", "placement"), "", name)
		}
	}
}

func (g *generator) metadata(b builder, name string) *loader.Value {
	return b.object("name", b.text(name), "namespace", b.text(g.namespace))
}

// names returns the texts of a list.
func names(list *loader.Value) []string {
	var out []string
	for _, item := range list.ItemList() {
		out = append(out, item.Text)
	}
	return out
}
