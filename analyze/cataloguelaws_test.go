package analyze_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/selection"
)

// lawful is a small world for the policies of one kind: one object of each kind
// that may be targeted.
type lawful struct {
	*world
	entry  *catalogue.Entry
	groups map[string]string
}

func newLawful(seed uint64, e *catalogue.Entry, groups map[string]string) *lawful {
	l := &lawful{world: newWorld(2*seed + 1), entry: e, groups: groups}
	controller := "acme.io/c"
	if len(e.Controllers) > 0 {
		controller = e.Controllers[0]
	}
	class := object("gateway.networking.k8s.io/v1", "GatewayClass", "", "c0")
	class["spec"] = doc{"controllerName": controller}
	gateway := object("gateway.networking.k8s.io/v1", "Gateway", "n0", "g0")
	gateway["spec"] = doc{
		"gatewayClassName": "c0", "allowedListeners": doc{"namespaces": doc{"from": "Same"}},
		"listeners": []any{doc{"name": "l0", "port": 80, "protocol": "HTTP"}, doc{"name": "l1", "port": 81, "protocol": "HTTP"}},
	}
	set := object("gateway.networking.k8s.io/v1", "ListenerSet", "n0", "s0")
	set["spec"] = doc{"parentRef": doc{"name": "g0"}, "listeners": []any{doc{"name": "l2", "port": 82, "protocol": "HTTP"}}}
	service := object("v1", "Service", "n0", "b0")
	service["spec"] = doc{"selector": doc{"app": "b"}, "ports": []any{doc{"name": "web", "port": 80}}}
	l.docs = []doc{class, gateway, set, service, object("v1", "Namespace", "", "n0")}
	for i, kind := range []string{"HTTPRoute", "GRPCRoute"} {
		route := object("gateway.networking.k8s.io/v1", kind, "n0", fmt.Sprintf("r%d", i))
		backends := []any{doc{"name": "b0", "port": 80}}
		route["spec"] = doc{
			"hostnames": []any{fmt.Sprintf("r%d.example", i)}, "parentRefs": []any{doc{"name": "g0"}, doc{"kind": "ListenerSet", "name": "s0"}},
			"rules": []any{doc{"name": "rule-0", "backendRefs": backends}, doc{"name": "rule-1", "backendRefs": backends}},
		}
		l.docs = append(l.docs, route)
	}
	for _, target := range e.Targets(groups) {
		group, kind, _ := strings.Cut(target, "/")
		if !slices.ContainsFunc(l.docs, func(d doc) bool { return d["kind"] == kind }) {
			l.docs = append(l.docs, object(strings.TrimPrefix(group+"/v1", "/"), kind, "n0", "x0"))
		}
	}
	return l
}

// policy adds a policy with a spec of its own. Where the kind's policies name
// targets, it names one of those given, or any.
func (l *lawful) policy(name string, body catalogue.Body, targets ...string) doc {
	version := "v1"
	if len(l.entry.Versions) > 0 {
		version = l.entry.Versions[0]
	}
	d := object(l.entry.Group+"/"+version, l.entry.Kind, "n0", name)
	proper := l.proper()
	spec := doc{}
	put(spec, body.Path, maps.Clone(proper))
	if body.Strategy != "" && !strings.HasPrefix(body.Strategy, "=") {
		if values := l.strategies(); len(values) > 0 {
			put(spec, body.Strategy, l.pick(values...))
		}
	}
	if m := l.entry.Merge.Levels.Mode; m != nil {
		put(spec, m.Field, l.pick(slices.Sorted(maps.Keys(m.Values))...))
	}
	if field := l.entry.Spec.Under; field != "" {
		proper[field], spec[field] = "correlation-id", "correlation-id"
	}
	l.target(name, spec, targets)
	if l.entry.Scope == "Cluster" {
		delete(d["metadata"].(doc), "namespace")
	}
	if l.entry.Spec.Root {
		maps.Copy(d, spec)
	} else {
		d["spec"] = spec
	}
	l.add(d)
	if spec["host"] != nil { // names the target, and is no part of what counts there
		return doc{"trafficPolicy": spec["trafficPolicy"]}
	}
	return proper
}

func (l *lawful) strategies() []string {
	s := l.entry.Merge.Levels.Select
	if s == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.Values)), func(v string) bool { return v == "" })
}

// proper is a small spec proper.
func (l *lawful) proper() doc {
	keys := []string{"alpha", "beta", "gamma"}
	if len(l.entry.Spec.Proper) > 0 {
		keys = l.entry.Spec.Proper
	}
	out := doc{}
	for _, key := range keys {
		if key == l.entry.Spec.Empty || len(out) == 0 || l.chance(2) {
			out[key] = doc{l.pick("a", "b"): l.IntN(9), "c": doc{"d": l.IntN(9)}}
		}
	}
	if l.entry.Spec.Empty != "" && out[l.entry.Spec.Empty] == nil {
		out[l.entry.Spec.Empty] = doc{l.pick("a", "b"): l.IntN(9)}
	}
	return out
}

// put sets a value at a dotted path.
func put(d doc, path string, value any) {
	if path == "" {
		maps.Copy(d, value.(doc))
		return
	}
	key, rest, deeper := strings.Cut(path, ".")
	if !deeper {
		if had, ok := d[key].(doc); ok {
			if more, ok := value.(doc); ok {
				maps.Copy(had, more)
				return
			}
		}
		d[key] = value
		return
	}
	below, ok := d[key].(doc)
	if !ok {
		below = doc{}
		d[key] = below
	}
	put(below, rest, value)
}

// target points from the policy to a target, or from a target to the policy.
func (l *lawful) target(name string, spec doc, wanted []string) {
	e := l.entry
	for _, ref := range e.Target.Refs {
		switch ref.Form {
		case "one", "list":
			one := l.reference(ref, wanted)
			if one == nil {
				continue
			}
			if ref.Form == "list" {
				put(spec, ref.Path, []any{one})
			} else {
				put(spec, ref.Path, one)
			}
			return
		}
	}
	id := doc{"group": e.Group, "kind": e.Kind, "name": name}
	if e.Target.Via != "" {
		if !slices.Contains(e.Target.Allowed, "gw/Gateway") {
			id["namespace"] = "n0"
			l.find("GatewayClass")["spec"].(doc)["parametersRef"] = id
			return
		}
		l.find("Gateway")["spec"].(doc)["infrastructure"] = doc{"parametersRef": id}
		return
	}
	for _, ref := range e.Target.Refs {
		switch ref.Form {
		case "extension-ref":
			rule := l.find("HTTPRoute")["spec"].(doc)["rules"].([]any)[0].(doc)
			rule["filters"] = []any{doc{"type": "ExtensionRef", "extensionRef": id}}
			return
		case "host":
			meta := l.find("Service")["metadata"].(doc)
			put(spec, ref.Path, fmt.Sprint(meta["name"], ".", meta["namespace"], ".svc.cluster.local"))
			delete(spec, "exportTo")
			delete(spec, "workloadSelector")
			delete(spec, "subsets")
			spec["trafficPolicy"] = doc{l.pick("a", "b"): l.IntN(9)}
			return
		case "reverse-annotation":
			l.find("Service")["metadata"].(doc)["annotations"] = doc{strings.TrimPrefix(ref.Path, "annotation:"): name}
			return
		}
	}
}

func (l *lawful) find(kind string) doc {
	return l.docs[slices.IndexFunc(l.docs, func(d doc) bool { return d["kind"] == kind })]
}

// reference names one of the allowed targets, with a section now and then.
func (l *lawful) reference(form catalogue.RefEntry, wanted []string) doc {
	sections := map[string][]string{"Gateway": {"l0", "l1"}, "ListenerSet": {"l2"}, "HTTPRoute": {"rule-0"}, "GRPCRoute": {"rule-1"}, "Service": {"web"}}
	var all []doc
	for _, text := range l.entry.Target.Allowed {
		object, section, hasSection := strings.Cut(text, ":")
		object, _, _ = strings.Cut(object, "?")
		object, _, _ = strings.Cut(object, "@")
		group, kind, _ := strings.Cut(object, "/")
		if full, ok := l.groups[group]; ok {
			group = full
		}
		i := slices.IndexFunc(l.docs, func(d doc) bool { return d["kind"] == kind })
		if i < 0 || len(wanted) > 0 && !slices.Contains(wanted, kind) {
			continue
		}
		ref := doc{"group": group, "kind": kind, "name": nameOf(l.docs[i])}
		if names := sections[kind]; hasSection && section != "" && form.Section != "" && l.chance(2) && len(names) > 0 {
			ref[form.Section] = l.pick(names...)
		}
		all = append(all, ref)
	}
	if len(all) == 0 {
		return nil
	}
	return all[l.IntN(len(all))]
}

func (l *lawful) effective(t *testing.T, o analyze.Options) []plan.Effective {
	t.Helper()
	return analyze.ListEffective(snapshot(".", files(l.docs)...), selection.Selection{}, o).Environments[0].Effective
}

// bodies are those that a spec can stand in.
func (l *lawful) bodies() []catalogue.Body {
	if len(l.entry.Spec.Bodies) == 0 {
		return []catalogue.Body{{}}
	}
	return l.entry.Spec.Bodies
}

// unwrapped is the spec proper of an effective policy.
func unwrapped(e plan.Effective, bodies []catalogue.Body) any {
	var spec any = map[string]any(e.Spec)
	if own, ok := e.Spec[e.Policies[0].Policy]; ok {
		return own // collected
	}
	if allowing, ok := e.Spec["ALLOW"].(map[string]any); ok && allowing[e.Policies[0].Policy] != nil {
		return allowing[e.Policies[0].Policy] // collected by action
	}
	if named, ok := e.Spec["correlation-id"]; ok {
		return named
	}
	if !slices.ContainsFunc(bodies, func(b catalogue.Body) bool { return b.Path == "" }) {
		for key := range strings.SplitSeq(bodies[0].Path, ".") {
			spec = spec.(map[string]any)[key]
		}
	}
	return spec
}

const lawSeeds = 12

// For every kind of the catalogue: with one policy the effective spec is its
// spec; the order of files does not matter; no value is without a source.
func TestLawsOfEveryKind(t *testing.T) {
	o := options(t, "[]")
	o.Complete = true
	for i := range o.Catalogue.Entries {
		e := &o.Catalogue.Entries[i]
		t.Run(strings.ReplaceAll(e.ID, "/", "_"), func(t *testing.T) {
			t.Parallel()
			met := 0
			for seed := range uint64(lawSeeds) {
				l := newLawful(seed, e, o.Catalogue.Groups)
				bodies := l.bodies()
				want := jsonText(l.policy("p0", bodies[l.IntN(len(bodies))]))
				for _, got := range l.effective(t, o) {
					met++
					if text := jsonText(unwrapped(got, bodies)); text != want {
						t.Errorf("one policy at %s: got %s, want %s\nin this world:\n%s", got.Target, text, want, manifests(l.docs))
					}
				}
				for n := range 3 {
					l.policy(fmt.Sprintf("p%d", n+1), bodies[l.IntN(len(bodies))])
				}
				first := l.effective(t, o)
				for _, e := range first {
					for _, f := range e.Fields {
						if f.Source.Object == "" || f.Source.Line == 0 {
							t.Errorf("%s of %s has no source", f.Path, e.Target)
						}
					}
				}
				l.Shuffle(len(l.docs), func(i, j int) { l.docs[i], l.docs[j] = l.docs[j], l.docs[i] })
				if again := l.effective(t, o); jsonText(again) != jsonText(first) {
					t.Errorf("another order of files gives\n%s\ninstead of\n%s", jsonText(again), jsonText(first))
				}
			}
			// What these three target is written in ways that are not followed.
			beyond := []string{"azure/BackendLoadBalancingPolicy", "linkerd/ServerAuthorization", "gke/GCPServerTLSPolicy"}
			if met == 0 && !slices.Contains(beyond, e.ID) {
				t.Error("a single policy of this kind is in force nowhere")
			}
		})
	}
}

// What a Gateway's policy overrides is beaten by nothing below it, in every kind
// that has overrides.
func TestOverridesOfEveryKind(t *testing.T) {
	o := options(t, "[]")
	o.Complete = true
	met := map[string]int{}
	for i := range o.Catalogue.Entries {
		e := &o.Catalogue.Entries[i]
		at := slices.IndexFunc(e.Spec.Bodies, func(b catalogue.Body) bool { return b.Direction == "overrides" })
		if at < 0 || !slices.ContainsFunc(e.Targets(o.Catalogue.Groups), func(k string) bool { return strings.HasSuffix(k, "/Gateway") }) {
			continue
		}
		for seed := range uint64(lawSeeds) {
			l := newLawful(seed, e, o.Catalogue.Groups)
			l.policy("p0", e.Spec.Bodies[at], "Gateway")
			for n := range 3 {
				bodies := l.bodies()
				l.policy(fmt.Sprintf("p%d", n+1), bodies[l.IntN(len(bodies))], "HTTPRoute", "GRPCRoute")
			}
			top := e.Kind + "." + e.Group + "/n0/p0"
			alone := map[string]any{}
			only := *l.world
			only.docs = slices.DeleteFunc(slices.Clone(l.docs), func(d doc) bool { return d["kind"] == e.Kind && nameOf(d) != "p0" })
			for _, one := range (&lawful{world: &only, entry: e}).effective(t, o) {
				for _, f := range one.Fields {
					alone[f.Path] = f.Value
				}
			}
			for _, got := range l.effective(t, o) {
				if !slices.ContainsFunc(got.Policies, func(p plan.PolicyShare) bool { return p.Policy == top }) {
					continue
				}
				met[e.ID]++
				fields := map[string]any{}
				for _, f := range got.Fields {
					fields[f.Path] = f.Value
				}
				for path, value := range alone {
					if !reflect.DeepEqual(fields[path], value) {
						t.Errorf("%s: %s at %s is %v, though %s overrides it with %v\nin this world:\n%s", e.ID, path, got.Target, fields[path], top, value, manifests(l.docs))
					}
				}
			}
		}
	}
	if len(met) < 4 {
		t.Errorf("overrides were met in %v alone", met)
	}
}
