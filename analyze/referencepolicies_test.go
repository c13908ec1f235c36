package analyze_test

import (
	"cmp"
	"slices"
	"strings"
)

// refKind is what the reference knows of a kind.
type refKind struct {
	name string
	// levels are those that the kind has, nil for all; "@" is the Namespace
	// right above a level.
	levels []string
	// effective is the level of its effective targets, "" for the declared ones.
	effective string
	direct    bool
	fold      func([]layer) doc
}

func gepLevels() []string {
	return strings.Fields("GatewayClass @Gateway Gateway Listener @ListenerSet ListenerSet @Route Route Rule @Backend Backend Port")
}

// refKinds are the kinds of testKinds, and the two that are assumed.
func refKinds() []refKind {
	kuadrant := []string{"Gateway", "Listener", "Route", "Rule"}
	return []refKind{
		{name: "GepPolicy", levels: gepLevels(), effective: "Rule", fold: foldHigherDictates},
		{name: "PortPolicy", levels: gepLevels(), effective: "Port", fold: foldHigherDictates},
		{name: "OlderPolicy", levels: gepLevels(), effective: "Rule", fold: foldOlder},
		{name: "AssumedPolicy", effective: "Rule", fold: foldHigherDictates},
		{name: "UnitsPolicy", levels: kuadrant, effective: "Rule", fold: foldUnits},
		{name: "ClosestPolicy", levels: append(kuadrant, "ListenerSet"), effective: "Rule", fold: foldClosest},
		{name: "ListenerPolicy", levels: []string{"Gateway", "Listener"}, effective: "Listener", direct: true, fold: foldDirect},
		{name: "TLSPolicy", levels: []string{"Backend", "Port"}, effective: "Port", direct: true, fold: foldDirect},
		{name: "DirectPolicy", direct: true, fold: foldDirect},
	}
}

// layer is the policies of one level of a context, the oldest first.
type layer struct {
	level    string
	policies []refPolicy
}

type refPolicy struct {
	name, age       string
	spec            doc
	strategy        string
	override        bool
	lower, upper    doc
	mergeType       string
	hasBoth, beside bool
}

// attached are the policies of a kind by declared target.
func (r *reference) attached(k refKind) map[string][]refPolicy {
	out := map[string][]refPolicy{}
	if k.name == "AssumedPolicy" && !slices.ContainsFunc(r.docs, pointsAtKnownKind) {
		return out
	}
	for _, d := range r.docs {
		if kindOf(d) != k.name {
			continue
		}
		p := readPolicy(d)
		if p.beside || p.hasBoth && k.name != "OlderPolicy" && !r.older(k) {
			continue
		}
		for _, ref := range targetsOf(d) {
			if to, ok := r.target(k, d, ref); ok && !slices.ContainsFunc(out[to], func(o refPolicy) bool { return o.name == p.name }) {
				out[to] = append(out[to], p)
			}
		}
	}
	for _, policies := range out {
		slices.SortFunc(policies, func(a, b refPolicy) int { return cmp.Or(cmp.Compare(a.age, b.age), cmp.Compare(a.name, b.name)) })
	}
	return out
}

// pointsAtKnownKind says what makes a kind without entry and CRD a policy kind.
func pointsAtKnownKind(d doc) bool {
	return kindOf(d) == "AssumedPolicy" &&
		slices.ContainsFunc(targetsOf(d), func(ref doc) bool { return str(ref, "kind") != "Virtual" })
}

func targetsOf(d doc) []doc {
	if ref, ok := spec(d)["targetRef"].(doc); ok {
		return []doc{ref}
	}
	return list(spec(d), "targetRefs")
}

// target is the node that a reference names, if it may be attached to.
func (r *reference) target(k refKind, policy, ref doc) (string, bool) {
	own, kind, group := namespaceOf(policy), str(ref, "kind"), str(ref, "group")
	namespace := own
	field := strings.Contains("GepPolicy PortPolicy OlderPolicy AssumedPolicy DirectPolicy", k.name)
	if ns := str(ref, "namespace"); ns != "" && field {
		namespace = ns
	}
	switch kind {
	case "GatewayClass":
		s := r.step("", group, kind, "", str(ref, "name"))
		return s.node, s.value != nil || !r.complete
	case "Namespace":
		return "Namespace/" + str(ref, "name"), str(ref, "name") == own
	}
	s := r.step("", group, kind, namespace, str(ref, "name"))
	s.section = str(ref, "sectionName")
	switch {
	case s.value == nil && r.complete && kind != "Virtual", !r.mayCross(kindOf(policy), own, s):
		return "", false
	case s.value != nil && s.section != "" && !hasSection(s.value, s.section):
		return "", false
	}
	return s.String(), true
}

func hasSection(value doc, name string) bool {
	for _, field := range []string{"listeners", "rules", "ports"} {
		if slices.ContainsFunc(list(value, field), func(d doc) bool { return str(d, "name") == name }) {
			return true
		}
	}
	return false
}

// has says whether a kind has a level; any kind may target what stands apart.
func (k refKind) has(level string) bool {
	return k.levels == nil || level == "Outside" || slices.Contains(k.levels, level)
}

// layers are the policies on the way of a context, from the root down. A
// Namespace stands right above each object in it and counts once.
func (k refKind) layers(t trail, at map[string][]refPolicy) []layer {
	if k.direct {
		return k.nearest(t, at)
	}
	var out []layer
	passed := map[string]bool{}
	push := func(level, target string) {
		policies, isNamespace := at[target], level[0] == '@'
		if len(policies) == 0 || !k.has(level) || isNamespace && passed[target] {
			return
		}
		passed[target] = passed[target] || isNamespace
		out = append(out, layer{level: strings.TrimPrefix(level, "@"), policies: policies})
	}
	for _, s := range t {
		if s.section == "" && s.namespace != "" {
			push("@"+s.level, "Namespace/"+s.namespace)
		}
		push(s.level, s.String())
	}
	return out
}

// nearest is the layer that counts for a Direct kind, which does not span: the
// policies of the section, else those of its object (GEP-2648).
func (k refKind) nearest(t trail, at map[string][]refPolicy) []layer {
	last := t.last()
	for _, target := range []string{last.String(), last.node} {
		if policies := at[target]; len(policies) > 0 {
			return []layer{{level: last.level, policies: policies}}
		}
	}
	return nil
}

// effectiveAt says whether a context ends at an effective target of the kind.
func (r *reference) effectiveAt(k refKind, t trail, at map[string][]refPolicy) bool {
	last := t.last()
	declared := len(at[last.String()]) > 0
	switch {
	case last.level == k.effective:
		return true
	case last.level == "Outside":
		return declared
	case k.name == "AssumedPolicy":
		return declared && (last.level == "Backend" || last.level == "Port")
	case k.name == "DirectPolicy":
		return declared
	}
	// A Direct policy on something without sections is effective there.
	return k.direct && declared && k.has(last.level) && !r.hasParts(last)
}

func (r *reference) hasParts(s step) bool {
	switch s.level {
	case "Gateway":
		found := false
		r.listeners(s, func(step) { found = true })
		return found
	case "Backend":
		return !r.orphan(s)
	}
	return false
}

// orphan says whether no rule refers to a Service, or to a port of it.
func (r *reference) orphan(backend step) bool {
	orphan := true
	refer := func(s step) { orphan = orphan && s.String() != backend.String() }
	for _, d := range r.docs {
		for _, rule := range list(spec(d), "rules") {
			from := trail{{namespace: namespaceOf(d), value: rule}}
			for _, ref := range list(rule, "backendRefs") {
				s := r.backendOf(ref, namespaceOf(d))
				refer(s)
				r.ports(from.with(s), refer)
			}
		}
	}
	return orphan
}

// strays are the contexts of targets that nothing leads to: those of Direct
// policies, which are there for whoever comes, and those outside the hierarchy.
func (r *reference) strays(k refKind, at map[string][]refPolicy) []trail {
	var out []trail
	for target := range at {
		object, section, _ := strings.Cut(target, "#")
		parts := strings.Split(object, "/")
		s := step{level: "Backend", node: object, section: section, namespace: parts[1]}
		switch {
		case parts[0] == "Virtual.virtual.dev":
			s.level = "Outside"
		case parts[0] != "Service" || !k.direct || !r.orphan(s) || r.objects[object] == nil:
			continue
		case section != "":
			s.level = "Outside"
		}
		out = append(out, trail{s})
	}
	return out
}
