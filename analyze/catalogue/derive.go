package catalogue

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// policyLabel marks the CRDs of policy kinds (gateway-api apis/v1/policy_types.go,
// PolicyLabelKey). Its value is compared case-insensitively. The label is only a hint, because
// real projects misuse it.
const policyLabel = "gateway.networking.k8s.io/policy"

// describes are kinds that name a target to tell something of it, and set nothing there.
var describes = map[GroupKind]bool{
	// Kuadrant/developer-portal-controller, APIProduct: an entry of a catalogue of APIs, which shows the policies of its route.
	{"devportal.kuadrant.io", "APIProduct"}: true,
}

// Describes reports whether objects of a kind name a target to tell something of it, and set nothing there.
func Describes(group, kind string) bool { return describes[GroupKind{group, kind}] }

// Suspect is the CRD of a derived policy kind that does not follow GEP-713.
type Suspect struct {
	CRD *loader.Object
	// Kind is the kind that was derived from it.
	Kind *Kind
	// Why lists the rules of the GEP that it does not follow.
	Why []string
}

// addCRDs derives kinds from the CustomResourceDefinitions among the objects. A CRD defines a
// policy kind if it has the policy label or a target reference in its schema.
func (t *Table) addCRDs(objects []*loader.Object) {
	for _, o := range objects {
		if o.ID.Group != "apiextensions.k8s.io" || o.ID.Kind != "CustomResourceDefinition" {
			continue
		}
		derived := deriveKind(o)
		if derived == nil {
			continue
		}
		key := GroupKind{derived.Group, derived.Entry.Kind}
		if t.kinds[key] != nil {
			continue
		}
		t.kinds[key] = derived
		if why := departures(o, derived); len(why) > 0 {
			t.Suspects = append(t.Suspects, Suspect{CRD: o, Kind: derived, Why: why})
		}
	}
}

// deriveKind returns the policy kind that a CRD defines, or nil if it defines none.
func deriveKind(crd *loader.Object) *Kind {
	group, kind := crd.Spec().Str("group"), crd.Spec().Str("names", "kind")
	label := crd.Labels()[policyLabel]
	properties := specProperties(crd)
	target := targetProperty(properties)
	if label == "" && target == nil || kind == "" || Describes(group, kind) {
		return nil
	}
	e := assume(group, kind, label)
	e.Scope = crd.Spec().Str("scope")
	e.Merge.Units = stringMaps(properties)
	if properties.Get("parentRefs") != nil {
		// A route kind: routes of one parent all count, and none wins over another.
		e.Merge.Levels = LevelMerge{Algorithm: "collect", Direction: Defaults, Hops: NoHops}
		e.Merge.Same = SameMerge{Algorithm: "collect", Tie: Ordered}
		e.Order = []string{"namespace", "name"}
		e.Spec.Bodies = []Body{{Path: "", Direction: Defaults}}
	}
	k := compile(e, nil, FromCRD)
	way := "a schema with target references"
	if label != "" {
		k.CRDLabel = &label
		way = fmt.Sprintf("the label %s=%s", policyLabel, label)
	}
	k.Notes = append(k.Notes, fmt.Sprintf(
		"%s is known only from its CRD (%s): GEP-713's defaults are assumed", k, way))
	return k
}

// specProperties are the properties of spec in the CRD's newest listed version.
func specProperties(crd *loader.Object) *loader.Value {
	for _, v := range slices.Backward(crd.Spec().List("versions")) {
		if p := v.Get("schema", "openAPIV3Schema", "properties", "spec", "properties"); p != nil {
			return p
		}
	}
	return nil
}

// targetProperty is the schema of a target reference, or nil. A field of that name counts only
// if it has kind and either name or matchLabels; otherwise it means something else.
func targetProperty(properties *loader.Value) *loader.Value {
	for _, name := range []string{"targetRef", "targetRefs", "targetSelectors"} {
		p := properties.Get(name)
		fields := p.Get("properties")
		if items := p.Get("items"); items != nil {
			fields = items.Get("properties")
		}
		if fields.Get("kind") != nil && (fields.Get("name") != nil || fields.Get("matchLabels") != nil) {
			return p
		}
	}
	return nil
}

// stringMaps are the dotted paths, relative to a body or the bare spec, of maps with string
// values in the schema. In the older dialect such maps merge as one value.
func stringMaps(properties *loader.Value) []string {
	var paths []string
	var walk func(p *loader.Value, path string)
	walk = func(p *loader.Value, path string) {
		if p.Str("additionalProperties", "type") == "string" {
			paths = append(paths, path)
		}
		for _, f := range p.Get("properties").FieldList() {
			walk(f.Value, merge.Join(path, f.Key))
		}
	}
	for _, f := range properties.FieldList() {
		switch f.Key {
		case "default", "defaults", "override", "overrides":
			walk(f.Value, "")
		default:
			walk(f.Value, f.Key)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// departures lists the rules of GEP-713 that the CRD of a derived kind does not follow.
func departures(crd *loader.Object, k *Kind) []string {
	var why []string
	properties := specProperties(crd)
	if k.CRDLabel == nil {
		why = append(why, "it has no label "+policyLabel)
	} else if l := *k.CRDLabel; l != string(Direct) && l != string(Inherited) {
		why = append(why, fmt.Sprintf("its label says %q, the GEP has Direct and Inherited", l))
	}
	if properties != nil && targetProperty(properties) == nil {
		why = append(why, "its spec has no target references")
	} else if properties.Get("targetRef") != nil && properties.Get("targetRefs") == nil {
		why = append(why, "it has a single targetRef; the GEP has a list targetRefs")
	}
	return why
}

// assume is the entry of a kind for which only the policy label, or nothing, is known (design:
// Direct if the label says so; otherwise Inherited with Atomic Defaults, effective at each route
// rule).
func assume(group, kind, label string) Entry {
	e := Entry{
		Group: group, Kind: kind, Verified: "none",
		Target: TargetEntry{
			Refs: []RefEntry{
				{Path: "targetRef", Form: "one", Section: "sectionName"},
				{Path: "targetRefs", Form: "list", Section: "sectionName"},
				{Path: "targetSelectors", Form: "selectors"},
				// A route kind that had target references first (Envoy AI Gateway's
				// AIGatewayRoute) attaches by either field. The default group and kind are those
				// of a parentRef.
				{Path: "parentRefs", Form: Parents, Section: "sectionName", Group: loader.GatewayGroup, Kind: "Gateway"},
			},
			Namespace: InField,
		},
		Spec: SpecEntry{
			Common: []string{"targetRef", "targetRefs", "targetSelectors", "parentRefs", "strategy"},
			Bodies: []Body{
				{Path: "defaults", Direction: Defaults, Strategy: "strategy"},
				{Path: "overrides", Direction: Overrides, Strategy: "strategy"},
				{Path: "default", Direction: Defaults, Strategy: "strategy"},
				{Path: "override", Direction: Overrides, Strategy: "strategy"},
				{Path: "", Direction: Defaults, Strategy: "strategy"},
			},
		},
	}
	if strings.EqualFold(label, string(Direct)) {
		e.Class = string(Direct)
		e.Merge.Levels.Algorithm, e.Merge.Levels.Hops = "none", NoHops
		e.Merge.Same = SameMerge{Algorithm: "none", Tie: Oldest}
		return e
	}
	e.Class = string(Inherited)
	e.Effective = []string{"Route:rule"}
	e.Merge.Levels = LevelMerge{
		Algorithm: "atomic", Direction: FromBody, Hops: AllHops,
		Select: &Select{Field: "strategy", At: lessSpecific, Values: map[string]string{
			"": "atomic", "atomic": "atomic", "patch": "leaf", "merge": "leaf",
		}},
	}
	return e
}
