package analyze_test

import "fmt"

// testKinds are a configuration with a kind for each way in which policies
// merge. AssumedPolicy is in none: only its objects tell of it; DirectPolicy is
// known by its CRD alone.
const testKinds = `
- {profile: gep, group: test.dev, kind: GepPolicy}
- {profile: gep, group: test.dev, kind: PortPolicy, effective: ["Backend:port"]}
- {profile: gep-older, group: test.dev, kind: OlderPolicy}
- profile: kuadrant-do
  group: test.dev
  kind: UnitsPolicy
  target: {unnamedRules: null}
  spec: {proper: [limits], empty: limits}
  merge: {units: ["limits.*"]}
- {profile: eg-inherit, group: test.dev, kind: ClosestPolicy}
- profile: gwapi-direct
  group: test.dev
  kind: ListenerPolicy
  target: {refs: [{path: targetRef, form: one, section: sectionName}], namespace: same}
  levels: [Gateway, "Gateway:listener"]
  effective: ["Gateway:listener"]
- profile: gwapi-direct
  group: test.dev
  kind: TLSPolicy
  target: {refs: [{path: targetRef, form: one, section: sectionName}], namespace: same}
  levels: [Backend, "Backend:port"]
  effective: ["Backend:port"]
`

// targets are the kinds that the policies of a kind are given as targets: those
// on the levels that it has.
func targets() map[string][]string {
	gep := []string{"Gateway", "Gateway", "HTTPRoute", "HTTPRoute", "ListenerSet", "Service", "Namespace", "GatewayClass", "Virtual"}
	return map[string][]string{
		"GepPolicy": gep, "PortPolicy": gep, "AssumedPolicy": gep, "OlderPolicy": gep[:8],
		"UnitsPolicy":    {"Gateway", "HTTPRoute", "GRPCRoute"},
		"ClosestPolicy":  {"Gateway", "ListenerSet", "HTTPRoute", "HTTPRoute"},
		"ListenerPolicy": {"Gateway"}, "TLSPolicy": {"Service"},
		"DirectPolicy": {"Gateway", "ListenerSet", "HTTPRoute", "Service"},
	}
}

func (w *world) policies(n int) {
	kinds := []string{"GepPolicy", "AssumedPolicy", "PortPolicy", "OlderPolicy", "UnitsPolicy", "ClosestPolicy", "ListenerPolicy", "TLSPolicy", "DirectPolicy"}
	// Two kinds of a world at most, so that policies of one kind meet.
	some := []string{w.pick(kinds...), w.pick(kinds...)}
	if w.narrow {
		some = some[:1]
	}
	for range n {
		w.policy(w.pick(some...))
	}
}

// directCRD tells what DirectPolicy is; it is part of every world.
func directCRD() doc {
	d := object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "directpolicies.test.dev")
	d["metadata"].(doc)["labels"] = doc{"gateway.networking.k8s.io/policy": "Direct"}
	d["spec"] = doc{"group": "test.dev", "names": doc{"kind": "DirectPolicy"}, "scope": "Namespaced", "versions": []any{}}
	return d
}

func (w *world) policy(kind string) {
	d := object("test.dev/v1", kind, w.namespace(), w.name("p", 8))
	if age := w.IntN(4); age > 0 {
		d["metadata"].(doc)["creationTimestamp"] = fmt.Sprintf("2024-01-0%dT00:00:00Z", age)
	}
	d["spec"] = w.spec(kind)
	spec := d["spec"].(doc)
	if _, single := map[string]bool{"UnitsPolicy": true, "ListenerPolicy": true, "TLSPolicy": true}[kind]; single || !w.chance(4) {
		spec["targetRef"] = w.target(kind)
	} else {
		spec["targetRefs"] = []any{w.target(kind), w.target(kind)}
	}
	w.add(d)
}

func (w *world) target(kind string) doc {
	to := w.pick(targets()[kind]...)
	if w.narrow {
		to = w.pick(targets()[kind][0], to)
	}
	ref := doc{"group": gatewayGroup, "kind": to}
	switch to {
	case "Gateway", "ListenerSet":
		ref["name"] = w.name(map[string]string{"Gateway": "g", "ListenerSet": "s"}[to], 2)
		w.section(ref, "l0", "l1", "nope")
	case "HTTPRoute", "GRPCRoute":
		ref["name"] = w.name("r", 3)
		w.section(ref, "rule-0", "rule-1", "rule[0]")
	case "Service":
		ref["group"], ref["name"] = "", w.name("b", 3)
		w.section(ref, "web", "web", "nope")
	case "Namespace":
		ref["group"], ref["name"] = "", w.namespace()
	case "GatewayClass":
		ref["name"] = w.name("c", 2)
	case "Virtual":
		ref["group"], ref["name"] = "virtual.dev", "v0"
	}
	if w.chance(6) {
		ref["namespace"] = w.namespace()
	}
	return ref
}

func (w *world) section(ref doc, names ...string) {
	if w.chance(3) {
		ref["sectionName"] = w.pick(names...)
	}
}

// spec is a random spec of a kind without its targets.
func (w *world) spec(kind string) doc {
	switch kind {
	case "GepPolicy", "PortPolicy", "AssumedPolicy":
		return w.gepSpec(kind)
	case "OlderPolicy":
		return w.bodies("default", "override")
	case "UnitsPolicy":
		body := doc{"limits": w.fields()}
		if direction := w.pick("", "defaults", "overrides"); direction != "" {
			w.choose(body, "merge", "atomic")
			return doc{direction: body}
		}
		return body
	case "ClosestPolicy":
		spec := w.fields()
		if m := w.pick("", "StrategicMerge", "JSONMerge"); m != "" {
			spec["mergeType"] = m
		}
		return spec
	}
	return w.fields()
}

func (w *world) gepSpec(kind string) doc {
	if kind == "AssumedPolicy" && w.chance(20) {
		return w.bodies("defaults", "overrides") // the whole kind speaks the older dialect then
	}
	body := w.fields()
	direction := w.pick("", "defaults", "overrides", "overrides")
	if direction == "" {
		w.choose(body, "patch", "patch", "atomic", "merge", "other")
		return body
	}
	if w.chance(2) {
		w.choose(body, "patch", "patch", "atomic")
		return doc{direction: body}
	}
	spec := doc{direction: body}
	w.choose(spec, "patch", "patch", "atomic")
	if w.chance(30) {
		spec["beside"] = 1 // a body beside bare fields
	}
	return spec
}

func (w *world) choose(d doc, strategies ...string) {
	if s := w.pick(append(strategies, "")...); s != "" {
		d["strategy"] = s
	}
}

func (w *world) bodies(lower, upper string) doc {
	switch w.IntN(3) {
	case 0:
		return doc{lower: w.fields()}
	case 1:
		return doc{upper: w.fields()}
	}
	return doc{lower: w.fields(), upper: w.fields()}
}

// fields are a few fields that collide in value and in shape.
func (w *world) fields() doc {
	out := doc{}
	if w.narrow {
		out["a"] = w.value(2)
		return out
	}
	for range 1 + w.IntN(3) {
		out[w.pick("a", "b", "c")] = w.value(2)
	}
	return out
}

func (w *world) value(depth int) any {
	switch n := w.IntN(10); {
	case n == 0:
		return nil
	case n == 1:
		return []any{w.IntN(3), "x"}
	case n == 2:
		return w.pick("red", "green")
	case n < 6 && depth > 0:
		out := doc{}
		for range w.IntN(3) {
			out[w.pick("x", "y", "z")] = w.value(depth - 1)
		}
		return out
	}
	return w.IntN(4)
}
