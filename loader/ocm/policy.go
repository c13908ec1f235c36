package ocm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// placed is a policy at a cluster.
type placed struct {
	policy deploy.Object
	// binding brings it there, inputs are the places that decide it.
	binding loader.ID
	inputs  []loader.Position
	decision
	// enforced means that a binding turns its action to enforce.
	enforced bool
}

// policies adds what the policies give to the clusters that their bindings reach: at least one without
// subFilter. Any of them, and the restricted ones, may turn the action to enforce (governance-policy-propagator
// controllers/propagator, singleClusterDecision).
func (h *Hub) policies(out map[string]*Cluster) {
	for _, p := range h.byKind["Policy"] {
		at := map[string]*placed{}
		for _, binding := range h.byKind["PlacementBinding"] {
			h.bind(at, p, binding, out)
		}
		for name, one := range at {
			if len(one.inputs) > 0 {
				out[name].place(one)
			}
		}
	}
}

// bind adds a policy to the clusters that a binding reaches.
func (h *Hub) bind(at map[string]*placed, p, binding deploy.Object, clusters map[string]*Cluster) {
	ref := binding.Root.Get("placementRef")
	id := loader.ID{Group: ref.Str("apiGroup"), Kind: ref.Str("kind"), Namespace: binding.Namespace, Name: ref.Str("name")}
	decisions, known := h.decisions(id)
	for name := range clusters {
		d, chosen := decisions[name]
		switch {
		case !h.names(binding, p, name):
			continue
		case !known:
			d = unknown("its " + deploy.Clip(id.Kind+" "+id.Name) + " is not in the input")
		case !chosen:
			continue
		}
		one := at[name]
		if one == nil {
			one = &placed{policy: p, decision: unknown("")}
			at[name] = one
		}
		one.enforced = one.enforced || strings.EqualFold(binding.Root.Str("bindingOverrides", "remediationAction"), enforce)
		if binding.Root.Str("subFilter") == "restricted" {
			continue
		}
		if len(one.inputs) == 0 || one.unknown && d.chosen {
			one.decision, one.binding = d, binding.AsObject().ID
		}
		one.inputs = append(one.inputs, h.places(name, binding, id)...)
	}
}

// names reports whether a binding names a policy for a cluster, also through a set of policies, which may
// exclude clusters.
func (h *Hub) names(binding, p deploy.Object, cluster string) bool {
	if p.Namespace != binding.Namespace {
		return false
	}
	return slices.ContainsFunc(binding.Root.List("subjects"), func(subject *loader.Value) bool {
		switch subject.Str("kind") {
		case "Policy":
			return subject.Str("name") == p.Name
		case "PolicySet":
			return slices.ContainsFunc(h.byKind["PolicySet"], func(set deploy.Object) bool {
				return set.Namespace == binding.Namespace && set.Name == subject.Str("name") && holds(set, p.Name) && !excludes(set, p.Name, cluster)
			})
		}
		return false
	})
}

func holds(set deploy.Object, policy string) bool {
	return slices.ContainsFunc(set.Root.List("spec", "policies"), func(name *loader.Value) bool { return name.Text == policy })
}

func excludes(set deploy.Object, policy, cluster string) bool {
	return slices.ContainsFunc(set.Root.List("spec", "exclusions"), func(e *loader.Value) bool {
		return e.Str("policyName") == policy && slices.ContainsFunc(e.List("clusterNames"), func(name *loader.Value) bool { return name.Text == cluster })
	})
}

// places returns where it is written that a cluster is chosen: the placement, the cluster, the binding.
func (h *Hub) places(cluster string, binding deploy.Object, placement loader.ID) []loader.Position {
	var out []loader.Position
	for _, d := range []deploy.Object{h.placements[placement], h.clusters[cluster], binding} {
		if d.Root != nil {
			out = append(out, d.AsObject().First())
		}
	}
	return out
}

// The actions of a policy. Inform only reports.
const (
	enforce = "enforce"
	inform  = "inform"
)

// place adds a policy to a cluster, and the objects that it enforces there. Of the templates only
// ConfigurationPolicies give objects; other kinds are refused or judge what is there.
func (c *Cluster) place(p *placed) {
	spec := p.policy.Root.Get("spec")
	if disabled := spec.Get("disabled"); disabled != nil && disabled.Text == "true" {
		return
	}
	own := strings.ToLower(spec.Str("remediationAction"))
	if p.enforced {
		own = enforce
	}
	does := own
	for _, template := range spec.List("policy-templates") {
		definition := template.Get("objectDefinition")
		if group, _, _ := strings.Cut(definition.Str("apiVersion"), "/"); group != policyGroup || definition.Str("kind") != "ConfigurationPolicy" {
			continue
		}
		action := actionOf(own, definition.Str("spec", "remediationAction"))
		if does == "" {
			does = action
		}
		if action == enforce {
			c.configure(p, definition.Get("spec"))
		}
	}
	if does == "" {
		does = inform
	}
	o := p.policy.AsObject()
	c.Placed = append(c.Placed, loader.Placed{Object: o.ID, At: o.First(), By: p.binding, Inputs: p.inputs, Action: does, Certain: !p.unknown, Why: p.why})
}

// actionOf returns what a template does: the action of the policy replaces its own, except that one which
// only informs stays so (governance-policy-framework-addon controllers/templatesync, overrideRemediationAction).
func actionOf(policy, template string) string {
	template = strings.ToLower(template)
	switch {
	case template == "informonly":
		return inform
	case policy != "":
		return policy
	case template != "":
		return template
	}
	return inform
}

// configure adds the objects that a ConfigurationPolicy has its cluster have, and removes those that it
// must not have (config-policy-controller controllers/configurationpolicy_controller.go).
func (c *Cluster) configure(p *placed, spec *loader.Value) {
	if raw := spec.Get("object-templates-raw"); !raw.IsNull() {
		c.doubt(p, raw, "object-templates-raw is a template that is not rendered")
		return
	}
	for _, template := range spec.List("object-templates") {
		definition := template.Get("objectDefinition")
		if definition.Str("metadata", "name") == "" {
			if template.Get("objectSelector") != nil {
				c.doubt(p, template, "which objects it changes is decided in the cluster")
			}
			continue // without a name it only reports
		}
		compliance := strings.ToLower(template.Str("complianceType"))
		c.give(p, definition, spec.Get("namespaceSelector"), compliance)
	}
}

// give adds an object to the cluster, or removes it. One without a namespace is meant in each namespace that
// a selector chooses, and in none without.
func (c *Cluster) give(p *placed, definition, namespaces *loader.Value, compliance string) {
	if p.unknown {
		c.doubt(p, definition, p.why)
		return
	}
	root := definition
	if p.policy.Root.Str("metadata", "annotations", policyGroup+"/disable-templates") != "true" {
		root = filling{c.Name, c.labels, p.policy}.filled(definition)
	}
	group, _ := tree.SplitVersion(root.Str("apiVersion"))
	if root.Str("metadata", "namespace") != "" || c.clusterScoped(group, root.Str("kind")) {
		c.add(p.policy, root, p.inputs, compliance)
		return
	}
	c.scattered = append(c.scattered, scattered{p, root, namespaces, compliance})
}

// add adds an object. inputs are the places because of which the cluster gets it.
func (c *Cluster) add(from deploy.Object, root *loader.Value, inputs []loader.Position, compliance string) {
	o := deploy.Object{Root: root, Files: from.Files, Listed: from.Listed, Inputs: slices.Concat(from.Inputs, inputs), Deployer: deployer(from)}
	o.Identify()
	switch compliance {
	case "mustnothave":
		c.removed = append(c.removed, o)
	case "mustonlyhave":
		c.Objects = append(c.Objects, o)
	default:
		i := slices.IndexFunc(c.Objects, func(d deploy.Object) bool { return sameIdentity(d, o) })
		if i < 0 {
			c.Objects = append(c.Objects, o)
			return
		}
		c.Objects[i] = merged(c.Objects[i], o)
	}
}

func sameIdentity(a, b deploy.Object) bool {
	return a.Group == b.Group && a.Kind == b.Kind && a.Namespace == b.Namespace && a.Name == b.Name
}

// settle adds the objects of selected namespaces, now that these are known, and removes the objects that some policy has the cluster not have.
func (c *Cluster) settle() {
	for _, s := range c.scattered {
		c.scatter(s)
	}
	c.Objects = slices.DeleteFunc(c.Objects, func(o deploy.Object) bool {
		return slices.ContainsFunc(c.removed, func(r deploy.Object) bool { return sameIdentity(o, r) })
	})
	slices.SortFunc(c.Placed, func(a, b loader.Placed) int { return a.Object.Compare(b.Object) })
}

// doubt records that the objects that a policy may give are not known.
func (c *Cluster) doubt(p *placed, at *loader.Value, why string) { c.report(p, at, "are not known", why) }

// report records what is missing of the objects that a policy gives.
func (c *Cluster) report(p *placed, at *loader.Value, missing, why string) {
	c.Gaps = append(c.Gaps, gap(p.policy))
	message := fmt.Sprintf("the objects of Policy %s in cluster %s %s: %s", deploy.Quote(p.policy.Name), deploy.Quote(c.Name), missing, deploy.Clip(why))
	problem := deploy.Complain("ocm-policy", message, "").Problem(p.policy.AsObject().Position(at))
	problem.Severity = loader.Note
	c.Problems = append(c.Problems, problem)
}

// inNamespace returns an object with a namespace.
func inNamespace(root *loader.Value, name string) *loader.Value {
	out := *root
	out.Fields = slices.Clone(root.Fields)
	for i, f := range out.Fields {
		if f.Key == "metadata" {
			meta := *f.Value
			meta.Fields = append([]loader.Field{{Key: "namespace", Value: &loader.Value{Shape: loader.String, Text: name, Mark: f.Value.Mark}}}, f.Value.Fields...)
			out.Fields[i].Value = &meta
		}
	}
	return &out
}
