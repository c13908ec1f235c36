package ocm

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/tree"
)

// placed is a policy at a cluster.
type placed struct {
	policy deploy.Object
	// binding brings it there, inputs are the places that decide it.
	binding loader.ID
	inputs  []loader.Position
	decision
	// placing identifies what decides whether the cluster is chosen, if it is not known whether it is; else it is "".
	placing string
	// enforced means that a binding turns its action to enforce.
	enforced bool
}

// policies adds what the policies give to the clusters that their bindings reach: at least one without
// subFilter. Any of them, and the restricted ones, may turn the action to enforce (governance-policy-propagator
// controllers/propagator, singleClusterDecision).
func (h *Hub) policies(out map[string]*Cluster) {
	bound := h.bindings()
	for _, p := range h.byKind["Policy"] {
		at := map[string]*placed{}
		for _, b := range bound[p.AsObject().ID] {
			h.bind(at, p, b, out)
		}
		for _, name := range slices.Sorted(maps.Keys(at)) { // in order: the last ones may be too much
			if len(at[name].inputs) > 0 {
				out[name].place(at[name])
			}
		}
	}
}

// bind adds a policy to the clusters that a binding reaches.
func (h *Hub) bind(at map[string]*placed, p deploy.Object, b binding, clusters map[string]*Cluster) {
	ref := b.Root.Get("placementRef")
	id := loader.ID{Group: ref.Str("apiGroup"), Kind: ref.Str("kind"), Namespace: b.Namespace, Name: ref.Str("name")}
	decisions, known := h.decisions(id)
	if !known {
		decisions = h.missing(id, clusters)
	}
	if !h.effort.spend(len(decisions)) {
		return
	}
	for name, d := range decisions {
		if b.excluded[name] {
			continue
		}
		one := at[name]
		if one == nil {
			one = &placed{policy: p, decision: unknown("")}
			at[name] = one
		}
		one.enforced = one.enforced || strings.EqualFold(b.Root.Str("bindingOverrides", "remediationAction"), enforce)
		if b.Root.Str("subFilter") == "restricted" {
			continue
		}
		if len(one.inputs) == 0 || one.unknown && d.chosen {
			one.decision, one.binding, one.placing = d, b.AsObject().ID, placing(h, id, d)
		}
		one.inputs = append(one.inputs, h.places(name, b.Object, id)...)
	}
}

// places returns where it is written that a cluster is chosen: the placement, the cluster, the binding.
func (h *Hub) places(cluster string, binding deploy.Object, placement loader.ID) []loader.Position {
	var out []loader.Position
	for _, d := range []deploy.Object{h.placements[placement], h.clusters[cluster].Object, binding} {
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
	if !c.hub.effort.spend(placedSteps) {
		return
	}
	own := strings.ToLower(spec.Str("remediationAction"))
	if p.enforced {
		own = enforce
	}
	does, configures := cmp.Or(own, inform), false
	for _, template := range spec.List("policy-templates") {
		definition := template.Get("objectDefinition")
		if group, _, _ := strings.Cut(definition.Str("apiVersion"), "/"); group != policyGroup || definition.Str("kind") != "ConfigurationPolicy" {
			continue
		}
		action := actionOf(own, definition.Str("spec", "remediationAction"))
		if !configures || action == enforce {
			does, configures = action, true
		}
		if action == enforce {
			c.configure(p, definition)
		}
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

// configure adds the objects that a ConfigurationPolicy requires in the cluster and removes those that it forbids
// (config-policy-controller controllers/configurationpolicy_controller.go).
func (c *Cluster) configure(p *placed, configuration *loader.Value) {
	spec := configuration.Get("spec")
	templates := spec.List("object-templates")
	if raw := spec.Get("object-templates-raw"); !raw.IsNull() {
		var plain bool
		if templates, plain = plainTemplates(raw); !plain {
			c.doubt(p, raw, "object-templates-raw is a template that is not rendered")
			return
		}
	}
	// The annotation on the policy is for templates of the hub, that on its template for those of the cluster.
	f := filling{cluster: c.Name, labels: c.labels, policy: p.policy, configMaps: c.hub.configMaps, hub: !disabled(p.policy.Root), local: !disabled(configuration)}
	for _, template := range templates {
		definition := template.Get("objectDefinition")
		how := compliance{
			object: strings.ToLower(template.Str("complianceType")), metadata: strings.ToLower(template.Str("metadataComplianceType")),
			recreate: template.Str("recreateOption") == "Always",
			prunes:   strings.HasPrefix(spec.Str("pruneObjectBehavior"), "Delete"), policy: p.policy.AsObject().ID,
		}
		switch {
		case definition.Str("metadata", "name") != "":
			c.give(p, f, definition, spec.Get("namespaceSelector"), how)
		case template.Get("objectSelector") != nil:
			c.doubt(p, template, "which objects it changes is decided in the cluster")
		}
		// Without a name and a selector it only reports.
	}
}

// plainTemplates returns the items of object-templates-raw if its text has no template: it is the list as YAML. All of it
// stands where the text does.
func plainTemplates(raw *loader.Value) (list []*loader.Value, plain bool) {
	if raw.Shape != loader.String || strings.Contains(raw.Text, "{{") {
		return nil, false
	}
	docs, problems := manifest.Parse([]byte(raw.Text), manifest.Limits{})
	if len(problems) > 0 || len(docs) != 1 || docs[0].Shape != loader.List {
		return nil, false
	}
	for _, item := range docs[0].Items {
		list = append(list, deploy.Remarked(item, func(loader.Mark) loader.Mark { return raw.Mark }))
	}
	return list, true
}

func disabled(root *loader.Value) bool {
	off, err := strconv.ParseBool(root.Str("metadata", "annotations", policyGroup+"/disable-templates"))
	return off && err == nil
}

// give adds an object to the cluster, or removes it. One without a namespace is meant in each namespace that
// a selector chooses, and in none without.
func (c *Cluster) give(p *placed, f filling, definition, namespaces *loader.Value, how compliance) {
	if p.unknown {
		c.doubt(p, definition, p.why)
		return
	}
	root := definition
	if templated(definition) {
		if !c.hub.effort.spend(valueSteps * size(definition, maxSteps)) {
			return
		}
		if contains(definition, "skipObject") {
			c.doubt(p, definition, "a template decides in the cluster whether it is skipped")
			return
		}
		root = f.filled(definition)
	}
	for _, field := range [][]string{{"apiVersion"}, {"kind"}, {"metadata", "name"}, {"metadata", "namespace"}} {
		switch v := root.Get(field...); {
		case v != nil && v.Opaque:
			c.doubt(p, v, "its "+field[len(field)-1]+" is a template that is filled in the cluster")
			return
		case v.IsNull() && len(field) == 1:
			c.doubt(p, definition, "its template has no "+field[0])
			return
		}
	}
	group, _ := tree.SplitVersion(root.Str("apiVersion"))
	if root.Str("metadata", "namespace") != "" || c.hub.kinds.ClusterScoped(group, root.Str("kind")) {
		c.add(p, root, how)
		return
	}
	c.scattered = append(c.scattered, scattered{p, root, namespaces, how})
}

// add adds an object, if it is of interest, or removes it.
func (c *Cluster) add(p *placed, root *loader.Value, how compliance) {
	from := p.policy
	o := deploy.Object{Root: root, Files: from.Files, Listed: from.Listed, Inputs: slices.Concat(from.Inputs, p.inputs), Deployer: deployer(from), Frozen: how.frozen}
	o.Identify()
	if how.object != mustNotHave {
		c.note(o)
	}
	if !c.hub.kinds.Matters(o.Group, o.Kind, o.Root) {
		c.hub.effort.spend(1)
		return
	}
	if !c.hub.effort.spend(objectSteps) {
		return
	}
	id := o.AsObject().ID
	by := from.AsObject().ID
	c.touched[by] = append(c.touched[by], id)
	if how.object == mustNotHave {
		c.removed[id] = by
		return
	}
	if how.policy.Name != "" {
		c.compliances[id] = how
	}
	i, given := c.index[id]
	if c.removed[id] == by {
		delete(c.removed, id) // templates of one policy are followed in their order
		how.recreate = true
	}
	switch {
	case !given || from.Kind != "Policy":
		c.append(id, o)
	case c.hub.effort.spend(valueSteps * (size(c.Objects[i].Root, maxSteps) + size(o.Root, maxSteps))):
		var fought bool
		if c.Objects[i], fought = (merger{&c.hub.effort}).enforced(c.Objects[i], o, how); fought {
			c.report(p, root, "are not certain", "another policy or work sets other values in "+deploy.Clip(id.String()))
		}
	}
}

// gives reports whether the cluster has an object.
func (c *Cluster) gives(id loader.ID) bool {
	_, given := c.index[id]
	return given
}

// append adds an object that the cluster does not have.
func (c *Cluster) append(id loader.ID, o deploy.Object) {
	if !c.gives(id) {
		c.index[id] = len(c.Objects)
	}
	c.Objects = append(c.Objects, o)
}

// settle adds the objects of selected namespaces, now that these are known, and removes the objects that
// some policy has the cluster not have.
func (c *Cluster) settle() {
	known := slices.Sorted(maps.Keys(c.given))
	for _, s := range c.scattered {
		c.scatter(s, known)
	}
	c.Objects = slices.DeleteFunc(c.Objects, func(o deploy.Object) bool {
		_, removed := c.removed[o.AsObject().ID]
		return removed
	})
	clear(c.index)
	for i, o := range c.Objects {
		if id := o.AsObject().ID; !c.gives(id) {
			c.index[id] = i
		}
	}
	for i, p := range c.Placed {
		c.Placed[i].Gives = c.touched[p.Object]
	}
	slices.SortFunc(c.Placed, func(a, b loader.Placed) int { return a.Object.Compare(b.Object) })
}

// doubt records that the objects that a policy may give are not known.
func (c *Cluster) doubt(p *placed, at *loader.Value, why string) {
	c.report(p, at, "are not known", why)
}

// report records what is missing of the objects that a policy gives.
func (c *Cluster) report(p *placed, at *loader.Value, missing, why string) {
	if !c.hub.effort.spend(placedSteps) {
		return
	}
	c.Gaps = append(c.Gaps, c.hub.gap(p.policy, p.placing))
	message := fmt.Sprintf("the objects of %s %s in the managed cluster %s: %s", p.policy.Kind, deploy.Quote(p.policy.Name), missing, deploy.Clip(why))
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
