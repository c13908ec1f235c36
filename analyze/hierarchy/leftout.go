package hierarchy

import (
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// LeftOut reports whether the controller is known to leave out a rule, so that another rule answers its requests, or none: for
// a match that it does not take, a filter that it does not have, a filter or backend from which it builds no handler, or another
// rule of a route that must have one.
func (r *references) LeftOut(rule *Node) bool {
	if rule.Owner == nil {
		return false
	}
	of := r.of(rule.Owner)
	matching := &of.own.Matching
	several := slices.Contains(of.own.Routes.LoneRule, rule.Owner.Target.Kind) && len(rule.Owner.Value.List("rules")) != 1
	return several || of.unusable(rule.Value) != nil || dropsAll(of, rule.Value) || r.UnlikeServices(rule) != "" ||
		slices.ContainsFunc(rule.Value.List("filters"), func(f *loader.Value) bool {
			return matching.FaultOf(rule.Owner.Target.Kind, f.Str("type")) == implementation.LeavesOut || f.Str("type") == "ExtensionRef" && matching.MissingFilter == implementation.LeavesOut && of.judgeFilter(f).Status == fact.False
		}) ||
		slices.ContainsFunc(rule.Value.List("backendRefs"), func(ref *loader.Value) bool {
			return slices.Contains(matching.Built, implementation.Kind{Group: ref.Str("group"), Name: ref.Str("kind")}) && of.backendCondition(ref).Status == fact.False
		})
}

// UnlikeServices returns the first annotation that the Services of a rule do not have alike although the controller demands it, or
// nothing.
func (r *references) UnlikeServices(rule *Node) string {
	if rule.Owner == nil {
		return ""
	}
	prefix := r.Decider(rule.Owner).Matching.AlikeServices
	refs := rule.Value.List("backendRefs")
	if prefix == "" || len(refs) < 2 {
		return ""
	}
	var services []map[string]string
	keys := map[string]bool{}
	for _, ref := range refs {
		if o := r.Object(BackendID(ref, rule.Namespace())); o != nil && o.ID.Kind == "Service" {
			services = append(services, o.Annotations())
			for key := range o.Annotations() {
				keys[key] = strings.HasPrefix(key, prefix)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		for _, other := range services {
			if keys[key] && other[key] != services[0][key] {
				return key
			}
		}
	}
	return ""
}

// unbuilt says why the controller cannot build a filter from an object that is there, or is empty (Traefik,
// pkg/server/middleware/middlewares.go, buildConstructor and BuildMiddlewareChain). seen are the objects around it, true, and
// those that can be built, false.
func (r *referring) unbuilt(id loader.ID, seen map[loader.ID]bool) string {
	if !slices.Contains(r.own.Matching.Built, implementation.Kind{Group: id.Group, Name: id.Kind}) || id.Kind != "Middleware" {
		return ""
	}
	if around, known := seen[id]; around {
		return id.Spoken() + " is part of itself"
	} else if known {
		return ""
	}
	seen[id] = true
	defer func() { seen[id] = false }()
	o := r.Object(id)
	if o == nil {
		if there, message := r.Present(id); there == fact.False {
			return message
		}
		return ""
	}
	var types []string
	for _, f := range o.Spec().FieldList() {
		if !f.Value.IsNull() {
			types = append(types, f.Key)
		}
	}
	if len(types) > 1 {
		return id.Spoken() + " has several types: " + strings.Join(types, ", ")
	}
	for _, ref := range o.Spec().List("chain", "middlewares") {
		member := loader.ID{Group: id.Group, Kind: id.Kind, Namespace: id.Namespace, Name: ref.Str("name")}
		if namespace := ref.Str("namespace"); namespace != "" {
			member.Namespace = namespace
		}
		if strings.Contains(member.Name, "@") || member.Name == "" { // of another provider
			continue
		}
		if why := r.unbuilt(member, seen); why != "" {
			return why
		}
	}
	return ""
}
