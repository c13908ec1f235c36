package policy

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// reader reads one policy.
type reader struct {
	policy *Policy
	graph  *hierarchy.Graph
	target catalogue.TargetEntry
}

// finder looks up what references name.
type finder struct {
	reader
	// outside returns the nodes for targets outside the hierarchy.
	outside func(hierarchy.Target) *hierarchy.Node
}

// targets reads the target references of a policy.
type targets struct {
	finder
	pointers    pointers
	selectables *selectables
}

// references reads every declared target of a policy.
func (r targets) references() []*Reference {
	var out []*Reference
	for _, form := range r.target.Refs {
		v := r.policy.Object.Spec().At(form.Path)
		switch form.Form {
		case catalogue.ExtensionRef:
			out = append(out, r.pointedAt(r.pointers.filters[r.policy.ID()], catalogue.Filter)...)
			continue
		case catalogue.ReverseAnnotation:
			out = append(out, r.annotated(form)...)
			continue
		}
		switch {
		case v.IsNull():
		case form.Form == "one":
			out = append(out, r.bySections(v, form)...)
		case form.Form == "list":
			for _, item := range v.Items {
				out = append(out, r.byItem(item, form)...)
			}
		case form.Form == catalogue.HostForm:
			out = append(out, r.byHost(v)...)
		case form.Form == catalogue.NameOrLabels:
			out = append(out, r.byNameOrLabels(v, form)...)
		case form.Form == "selectors":
			for _, item := range v.Items {
				out = append(out, r.bySelector(item, form)...)
			}
		case form.Form == catalogue.Parents && len(out) == 0:
			for _, item := range v.Items {
				out = append(out, r.byItem(item, form)...)
			}
		case form.Form == catalogue.WorkloadSelector && len(out) == 0 && len(v.Fields) > 0:
			out = append(out, r.byWorkload(v)...)
		}
	}
	if r.target.Via == "parametersRef" {
		out = append(out, r.pointedAt(r.pointers.parameters[r.policy.ID()], catalogue.Own)...)
	}
	if len(out) == 0 && r.target.None == "namespace" {
		out = append(out, r.everything())
	}
	return out
}

// byItem reads one item of a list of references.
func (r targets) byItem(item *loader.Value, form catalogue.RefEntry) []*Reference {
	if selector := item.Get("selector"); selector != nil && item.Str("kind") == "Pod" && item.Get("name") == nil {
		if refs := r.byPods(selector); len(refs) > 0 {
			return refs
		}
	}
	ref := item
	if form.Object != "" {
		if ref = item.Get(form.Object); ref == nil {
			out := &Reference{Policy: r.policy, Ref: item}
			out.refuse(Invalid, "the item has no "+form.Object)
			return []*Reference{out}
		}
	}
	ports := item.List(form.Ports)
	if form.Ports == "" || len(ports) == 0 {
		return r.bySections(ref, form)
	}
	var out []*Reference
	service := loader.ID{Group: ref.Str("group"), Kind: ref.Str("kind"), Namespace: r.namespace(ref), Name: ref.Str("name")}
	for _, port := range ports {
		if number := port.Get("port"); number != nil {
			out = append(out, r.byName(ref, form, r.graph.PortName(service, number.Text)))
		}
	}
	return out
}

// byNameOrLabels reads a reference that names an object or, without a name, selects objects of
// that kind in the policy's namespace by labels. An empty selector selects all.
func (r targets) byNameOrLabels(v *loader.Value, form catalogue.RefEntry) []*Reference {
	if !v.Get("name").IsNull() {
		return []*Reference{r.byName(v, form, "")}
	}
	selector := v.Get("selector")
	if selector == nil {
		selector = &loader.Value{Shape: loader.Map, Mark: v.Mark}
	}
	var out []*Reference
	for _, o := range r.graph.ObjectsOf(form.Group, form.Kind, r.policy.Object.ID.Namespace) {
		matched := inventory.Labels{Values: o.Labels()}.Matches(selector)
		if matched == fact.False {
			continue
		}
		ref := &Reference{Policy: r.policy, Ref: v, Target: hierarchy.Target{ID: o.ID}, Accepted: matched, Reason: Accepted}
		r.find(ref)
		out = append(out, ref)
	}
	return out
}

// bySections reads one reference by name, once for each section if it has a list of sections.
func (r targets) bySections(ref *loader.Value, form catalogue.RefEntry) []*Reference {
	if encrypted(ref) {
		return r.anyTarget(ref)
	}
	if form.Section == "" {
		return []*Reference{r.byName(ref, form, "")}
	}
	sections := ref.Get(form.Section)
	if sections != nil && (sections.Shape == loader.Int || sections.Shape == loader.Float || sections.Shape == loader.Bool) {
		out := r.byName(ref, form, sections.Text)
		out.refuse(Invalid, form.Section+" is no string; put it in quotes")
		return []*Reference{out}
	}
	if sections == nil || sections.Shape != loader.List || len(sections.Items) == 0 {
		return []*Reference{r.byName(ref, form, ref.Str(form.Section))}
	}
	var out []*Reference
	for _, section := range sections.Items {
		out = append(out, r.byName(ref, form, section.Text))
	}
	return out
}

// byName reads one reference by name and judges it.
func (r targets) byName(ref *loader.Value, form catalogue.RefEntry, section string) *Reference {
	out := &Reference{Policy: r.policy, Ref: ref, Accepted: fact.True, Reason: Accepted}
	id := r.identify(out, form)
	target, sections := r.policy.Kind.Allows(id.Group, id.Kind)
	if form.Ignores && target && !sections {
		section = ""
	}
	section, numbered := r.portNumber(id, form, section)
	forbidden, held := r.policy.forbids(id.Kind, section)
	out.Target, out.numbered = hierarchy.Target{ID: id, Section: section}, form.Numbers
	switch {
	case id.Name == "" && ref.Get("selector") != nil && target:
		out.Accepted, out.Reason, out.Message = fact.Unknown, NotInInput, "the labels of a "+id.Kind+" are not read"
		return out
	case id.Name == "":
		out.refuse(Invalid, "the reference has no name")
	case !target:
		out.refuse(Invalid, fmt.Sprintf("%s cannot target %s", r.policy.Kind.Name(), ofGroup(r.policy.Kind, id)))
	case r.policy.Kind.RootOnly(id.Group, id.Kind) && !r.spans():
		out.refuse(Invalid, fmt.Sprintf("only namespace %s may hold a %s that targets a %s", r.target.Root, r.policy.Kind.Name(), id.Kind))
	case !r.classAllowed(id):
		out.refuse(Invalid, fmt.Sprintf("%s can target only the GatewayClass %s", r.policy.Kind.Name(), strings.Join(r.target.Classes, ", ")))
	case !numbered:
		out.refuse(Invalid, notNumbered(id, section))
	case forbidden != "" && !held:
		out.refuse(Invalid, forbidden)
	case section != "" && !sections:
		out.refuse(Invalid, fmt.Sprintf("%s cannot target a section of %s", r.policy.Kind.Name(), id.Kind))
	case out.Accepted == fact.True:
		r.cross(out)
	}
	if out.Accepted != fact.False {
		r.find(out)
		r.atPort(out, form)
		r.andNamesakes(out, form)
		r.bind(out)
	}
	if r.target.ByMerging && out.Accepted == fact.True {
		byMerging(r, out)
	}
	if held && out.Accepted != fact.False {
		out.refuse(Invalid, forbidden)
		out.Holds = true
	}
	return out
}

func (r *Reference) refuse(reason, message string) {
	r.Accepted, r.Reason, r.Message = fact.False, reason, message
}

// identify reads group, kind, namespace and name. It tolerates a version after the group, a
// missing group of a well-known kind and a kind in another case, and adds a note. For kinds of
// the catalogue it also makes the reference Invalid, because the API server rejects it.
func (r reader) identify(out *Reference, form catalogue.RefEntry) loader.ID {
	ref := out.Ref
	id := loader.ID{Group: ref.Str("group"), Kind: ref.Str("kind"), Name: ref.Str("name")}
	if id.Kind == "" && form.Kind != "" {
		id.Group, id.Kind = cmp.Or(id.Group, form.Group), form.Kind
	}
	if form.Form == catalogue.Parents && ref.Get("group") == nil {
		id.Group = form.Group
	}
	tolerate := func(text string) {
		r.policy.Notes = append(r.policy.Notes, Note{Text: text, At: ref})
		if !r.policy.Kind.Assumed() && r.policy.Kind.Origin != catalogue.FromConfig {
			out.refuse(Invalid, text)
		}
	}
	if group, version, ok := strings.Cut(id.Group, "/"); ok {
		tolerate(fmt.Sprintf("the reference's group has a version, %q", version))
		id.Group = group
	}
	if id.Group == "core" {
		id.Group = "" // no API group has this name, and several controllers treat it as the empty one
	}
	known := false
	for _, w := range catalogue.WellKnown {
		known = known || w.Group == id.Group && w.Kind == id.Kind
	}
	for _, w := range catalogue.WellKnown {
		if known || !strings.EqualFold(w.Kind, id.Kind) {
			continue
		}
		if ref.Get("group") == nil && w.Group != "" {
			tolerate(fmt.Sprintf("the reference has no group; %s is meant", w.Group))
			id.Group = w.Group
		}
		if w.Group == id.Group && w.Kind != id.Kind {
			tolerate(fmt.Sprintf("the reference's kind is written %q; %s is meant", id.Kind, w.Kind))
			id.Kind = w.Kind
		}
	}
	if !hierarchy.ClusterScoped(id.Group, id.Kind) {
		id.Namespace = r.namespace(ref)
	}
	return id
}

// namespace is the namespace of a reference's target: the policy's own, unless the kind's
// references may name another one.
func (r reader) namespace(ref *loader.Value) string {
	own := r.policy.Object.ID.Namespace
	switch r.target.Namespace {
	case catalogue.InField, catalogue.AnyScope:
		if ns := ref.Str("namespace"); ns != "" {
			return ns
		}
	default:
	}
	return own
}

// cross checks a reference to another namespace. Cluster-scoped policies may target anything,
// and a GatewayClass has no namespace.
func (r reader) cross(out *Reference) {
	own := r.policy.Object.ID.Namespace
	to := out.Target.ID
	namespace := to.Namespace
	if isNamespace(to) {
		namespace = to.Name
	}
	if own == "" || namespace == "" || namespace == own || r.target.Namespace == catalogue.AnyScope {
		return
	}
	if isNamespace(to) {
		out.refuse(Invalid, fmt.Sprintf("a policy in namespace %s cannot target Namespace %s", own, to.Name))
		return
	}
	switch permitted := r.graph.Permits(r.policy.Object.ID, to); permitted {
	case fact.False:
		out.refuse(RefNotAllowed, fmt.Sprintf("no ReferenceGrant in namespace %s lets %s of namespace %s target %s",
			namespace, r.policy.Kind.Name(), own, to.Spoken()))
	case fact.Unknown:
		out.Accepted, out.Reason = fact.Unknown, NotInInput
		out.Message = fmt.Sprintf("a ReferenceGrant in namespace %s is not in the input", namespace)
	case fact.True:
	}
}

func isNamespace(id loader.ID) bool { return id.Group == "" && id.Kind == "Namespace" }

// bySelector reads one item of targetSelectors: it selects every object of the kind with
// matching labels, in the policy's namespace or, with a ReferenceGrant, in others (Envoy Gateway
// internal/gatewayapi/helpers.go). It silently skips objects in other namespaces without a
// grant, and objects without the section that the item names (kgateway).
func (r targets) bySelector(item *loader.Value, form catalogue.RefEntry) []*Reference {
	var out []*Reference
	group := loader.GatewayGroup
	if g := item.Get("group"); g != nil {
		group = g.Text
	}
	kind := item.Str("kind")
	target, sections := r.policy.Kind.Allows(group, kind)
	if !target {
		return nil
	}
	namespaces := item.Get("namespaces")
	list := r.selectables.everywhere(r.graph, group, kind)
	if from := namespaces.Str("from"); from != "All" && from != "Selector" {
		list = r.selectables.in(r.graph, group, kind, r.policy.Object.ID.Namespace)
	}
	for _, n := range list {
		id := n.Target.ID
		matched := n.matches(item)
		if matched != fact.False {
			matched = r.inNamespaces(namespaces, id).And(matched)
		}
		if matched == fact.False {
			continue
		}
		ref := &Reference{
			Policy: r.policy, Ref: item, Target: n.Target, Accepted: matched, Reason: Accepted, Nodes: []*hierarchy.Node{n.Node},
		}
		written := item.Str(form.Section)
		if form.Ignores && !sections {
			written = ""
		}
		section, numbered := r.portNumber(id, form, written)
		if form.Section != "" && section != "" && numbered {
			if !form.Lacking && !hasSection(n.Object, section) && !(form.Numbers && hasPort(n.Object, written)) {
				continue
			}
			ref.Target.Section, ref.Nodes, ref.numbered = section, nil, form.Numbers
			r.find(ref)
		}
		r.atPort(ref, form)
		r.andNamesakes(ref, form)
		if text, held := r.policy.forbids(id.Kind, written); text != "" {
			ref.Holds = held && ref.Accepted != fact.False
			ref.refuse(Invalid, text)
		}
		if !numbered {
			ref.refuse(Invalid, notNumbered(id, section))
		}
		if matched == fact.Unknown {
			ref.Reason, ref.Message = NotInInput, "labels or grants that the selector needs are not in the input"
		}
		out = append(out, ref)
	}
	return out
}

func (r targets) inNamespaces(stanza *loader.Value, id loader.ID) fact.Fact {
	var selected fact.Fact
	switch stanza.Str("from") {
	case "All":
		selected = fact.True
	case "Selector":
		selected = r.graph.NamespaceLabels(id.Namespace).Matches(stanza.Get("selector"))
	default:
		selected = fact.Of(id.Namespace == r.policy.Object.ID.Namespace)
	}
	if selected == fact.False {
		return fact.False
	}
	return selected.And(r.graph.Permits(r.policy.Object.ID, id))
}

func matches(o *loader.Object, selector *loader.Value) fact.Fact {
	return inventory.Labels{Values: o.Labels()}.Matches(selector)
}

// ofGroup names a kind that a policy cannot target, with its group if the policy can target the kind of that name in another one.
func ofGroup(k *catalogue.Kind, id loader.ID) string {
	switch {
	case id.Kind == "":
		return "a reference without a kind"
	case len(catalogue.GroupsOf(k, id.Kind)) == 0:
		return id.Kind
	case id.Group == "":
		return id.Kind + " of the core group"
	}
	return id.Kind + " of the group " + id.Group
}
