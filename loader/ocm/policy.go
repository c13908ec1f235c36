package ocm

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
)

// placed is a policy at a cluster, by one binding.
type placed struct {
	policy  deploy.Object
	binding deploy.Object
	decision
	// override is the remediationAction of the binding.
	override string
	// inputs are the places that decide that it reaches the cluster.
	inputs []loader.Position
}

// policies adds what the policies give to the clusters that their bindings reach.
func (h *Hub) policies(out map[string]*Cluster) {
	for _, binding := range h.byKind["PlacementBinding"] {
		ref := binding.Root.Get("placementRef")
		id := loader.ID{Group: ref.Str("apiGroup"), Kind: ref.Str("kind"), Namespace: binding.Namespace, Name: ref.Str("name")}
		decisions, known := h.decisions(id)
		policies := h.subjects(binding)
		for name, c := range out {
			d, chosen := decisions[name]
			switch {
			case !known:
				d = unknown("its " + deploy.Clip(id.Kind+" "+id.Name) + " is not in the input")
			case !chosen:
				continue
			}
			inputs := h.places(name, binding, id)
			for _, p := range policies {
				c.place(placed{policy: p, binding: binding, decision: d, override: binding.Root.Str("bindingOverrides", "remediationAction"), inputs: inputs})
			}
		}
	}
}

// places returns where it is written that a cluster is chosen: the binding, the placement, the cluster.
func (h *Hub) places(cluster string, binding deploy.Object, placement loader.ID) []loader.Position {
	out := []loader.Position{binding.AsObject().First()}
	for _, d := range []deploy.Object{h.placements[placement], h.clusters[cluster]} {
		if d.Root != nil {
			out = append(out, d.AsObject().First())
		}
	}
	return out
}

// subjects returns the policies that a binding names, also through sets of policies.
func (h *Hub) subjects(binding deploy.Object) []deploy.Object {
	var out []deploy.Object
	named := func(name string) {
		for _, p := range h.byKind["Policy"] {
			if p.Namespace == binding.Namespace && p.Name == name {
				out = append(out, p)
			}
		}
	}
	for _, subject := range binding.Root.List("subjects") {
		switch subject.Str("kind") {
		case "Policy":
			named(subject.Str("name"))
		case "PolicySet":
			for _, set := range h.byKind["PolicySet"] {
				if set.Namespace != binding.Namespace || set.Name != subject.Str("name") {
					continue
				}
				for _, name := range set.Root.List("spec", "policies") {
					named(name.Text)
				}
			}
		}
	}
	return out
}

// place adds a policy to a cluster, and the objects that it enforces there.
func (c *Cluster) place(p placed) {
	spec := p.policy.Root.Get("spec")
	if disabled := spec.Get("disabled"); disabled != nil && disabled.Text == "true" {
		return
	}
	o, by := p.policy.AsObject(), p.binding.AsObject()
	at := loader.Placed{Object: o.ID, At: o.First(), By: by.ID, Inputs: p.inputs, Action: action(p.override, spec.Str("remediationAction"), ""), Certain: !p.unknown, Why: p.why}
	for _, template := range spec.List("policy-templates") {
		definition := template.Get("objectDefinition")
		if group, _, _ := strings.Cut(definition.Str("apiVersion"), "/"); group != policyGroup {
			if definition != nil && at.Action == enforce {
				c.give(p, definition, nil)
			}
			continue
		}
		if definition.Str("kind") != "ConfigurationPolicy" {
			continue // operators and certificates: no objects of their own
		}
		own := definition.Get("spec")
		does := action(p.override, spec.Str("remediationAction"), own.Str("remediationAction"))
		at.Action = cmp.Or(at.Action, does)
		if does == enforce {
			c.configure(p, own)
		}
	}
	c.Placed = append(c.Placed, at)
}

// The actions of a policy. Inform only reports.
const (
	enforce = "enforce"
	inform  = "inform"
)

// action returns what a policy does: as its binding says, else the policy, else its template
// (governance-policy-propagator, replicatedpolicy; config-policy-controller).
func action(override, policy, template string) string {
	for _, word := range []string{override, policy, template} {
		if word != "" {
			return strings.ToLower(word)
		}
	}
	return inform
}

// configure adds the objects that a ConfigurationPolicy has its cluster have.
func (c *Cluster) configure(p placed, spec *loader.Value) {
	if raw := spec.Get("object-templates-raw"); !raw.IsNull() {
		c.doubt(p, raw, "object-templates-raw is a template that is not rendered")
		return
	}
	for _, template := range spec.List("object-templates") {
		if strings.EqualFold(template.Str("complianceType"), "mustnothave") {
			continue
		}
		definition := template.Get("objectDefinition")
		if definition == nil || template.Get("objectSelector") != nil {
			c.doubt(p, template, "which objects it changes is decided in the cluster")
			continue
		}
		c.give(p, definition, spec.Get("namespaceSelector"))
	}
}

// give adds an object to the cluster. One without a namespace goes to each namespace that a selector names;
// patterns are matched in the cluster.
func (c *Cluster) give(p placed, definition, namespaces *loader.Value) {
	if p.unknown {
		c.doubt(p, definition, p.why)
		return
	}
	root := filled(definition, c.Name)
	var names []string
	if root.Str("metadata", "namespace") == "" {
		for _, item := range namespaces.List("include") {
			if strings.ContainsAny(item.Text, "*?[") {
				c.doubt(p, item, "which namespaces match "+deploy.Quote(item.Text)+" is known in the cluster")
				continue
			}
			names = append(names, item.Text)
		}
	}
	if len(names) == 0 {
		c.add(p.policy, root, p.inputs)
		return
	}
	for _, name := range names {
		c.add(p.policy, inNamespace(root, name), p.inputs)
	}
}

// add adds an object. inputs are the places because of which the cluster gets it.
func (c *Cluster) add(from deploy.Object, root *loader.Value, inputs []loader.Position) {
	o := deploy.Object{Root: root, Files: from.Files, Listed: from.Listed, Inputs: slices.Concat(from.Inputs, inputs), Deployer: deployer(from)}
	o.Identify()
	c.Objects = append(c.Objects, o)
}

// doubt records that a policy may give objects that are not known.
func (c *Cluster) doubt(p placed, at *loader.Value, why string) {
	c.Gaps = append(c.Gaps, gap(p.policy))
	problem := deploy.Complain("ocm-policy", "the objects of Policy "+deploy.Quote(p.policy.Name)+" in cluster "+deploy.Quote(c.Name)+" are not known: "+deploy.Clip(why), "").Problem(p.policy.AsObject().Position(at))
	problem.Severity = loader.Note
	c.Problems = append(c.Problems, problem)
}

// inNamespace returns an object with a namespace.
func inNamespace(root *loader.Value, name string) *loader.Value {
	out := *root
	out.Fields = append([]loader.Field{}, root.Fields...)
	for i, f := range out.Fields {
		if f.Key == "metadata" {
			meta := *f.Value
			meta.Fields = append([]loader.Field{{Key: "namespace", Value: &loader.Value{Shape: loader.String, Text: name, Mark: f.Value.Mark}}}, f.Value.Fields...)
			out.Fields[i].Value = &meta
		}
	}
	return &out
}
