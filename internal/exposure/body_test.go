package exposure_test

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
)

// row is a protecting field of a kind, with a strong value that protects and a weak one that
// protects less. The value absent means that the field is not set.
type row struct {
	entry *catalogue.Entry
	catalogue.Protection
	// steps are the segments of the path in the spec, which may differ from the path in the
	// effective policy.
	steps []string
	// beside are other fields of the spec, without which the row has no effect.
	beside       doc
	strong, weak any
	// refers means that the value is a reference to a provider.
	refers bool
}

type nothing struct{}

var absent = nothing{}

// rows returns the protecting fields of a kind with their values.
func rows(r *rand.Rand, e *catalogue.Entry) []row {
	protects := slices.Concat([]catalogue.Protection{}, e.Protects)
	var out []row
	for _, p := range protects {
		one := row{entry: e, Protection: p, beside: doc{}}
		one.spell()
		one.values(r, protects)
		out = append(out, one)
	}
	return out
}

// spell finds the path in a spec for a path in an effective policy. They differ where values
// are collected from several policies, because the effective path then contains the name of
// the policy, and where a controller moves a field.
func (w *row) spell() {
	path := w.Path
	switch w.entry.ID {
	case "istio/AuthorizationPolicy":
		action, rest, _ := strings.Cut(path, ".")
		w.beside["action"] = action
		path = strings.TrimPrefix(strings.TrimPrefix(rest, "*"), ".")
		if !strings.HasPrefix(path, "rules") {
			w.beside["rules"] = []any{doc{"from": []any{doc{"source": doc{"principals": []any{"one"}}}}}}
		}
	case "agentgateway/AgentgatewayPolicy":
		for _, phase := range []string{"PreRouting", "PostRouting"} {
			if rest, ok := strings.CutPrefix(path, "traffic."+phase); ok {
				path = "traffic" + rest
				w.beside["traffic.phase"] = phase
			}
		}
		for _, collected := range w.entry.Merge.Accumulate {
			path = strings.Replace(path, collected+".*", collected, 1)
		}
	case "kgateway/TrafficPolicy":
		for _, b := range w.entry.Merge.Levels.Beside {
			if rest, ok := strings.CutPrefix(path, b.Path+".*"); ok {
				path = b.Path + rest
				w.beside[b.Path+".extensionRef.name"] = "provider"
				w.refers = rest == ""
			}
		}
	default:
		if field := w.entry.Spec.Under; field != "" {
			name, rest, _ := strings.Cut(path, ".")
			w.beside[field] = strings.Replace(name, "*", "correlation-id", 1)
			path = rest
		} else if collects(w.entry) {
			path = strings.TrimPrefix(strings.TrimPrefix(path, "*"), ".")
		}
	}
	if path != "" {
		w.steps = strings.Split(path, ".")
	}
}

// collects reports whether an effective policy of a kind is a map of policies by name.
func collects(e *catalogue.Entry) bool {
	return slices.ContainsFunc(e.Protects, func(p catalogue.Protection) bool { return strings.HasPrefix(p.Path, "*") })
}

// values chooses the values of the field before and after.
func (w *row) values(r *rand.Rand, protects []catalogue.Protection) {
	below := slices.ContainsFunc(protects, func(p catalogue.Protection) bool { return strings.HasPrefix(p.Path, w.Path+".") })
	one, other := any("one"), any("other")
	if strings.HasSuffix(w.Path, ".uri") { // what is no URI may be refused
		one, other = "https://one.example.com", "https://other.example.com"
	}
	if below {
		one, other = doc{"inner": "one"}, doc{"inner": "other"}
	}
	if w.refers {
		one = doc{"extensionRef": doc{"name": "provider"}}
		delete(w.beside, strings.Join(w.steps, ".")+".extensionRef.name")
	}
	switch w.Loosens {
	case catalogue.Removed, catalogue.Gone:
		w.strong, w.weak = one, absent
	case catalogue.Added, catalogue.Admits:
		w.strong, w.weak = absent, any(true)
		if order := orderOf(protects, w.Path); len(order) > 0 {
			w.weak = order[0]
		} else if below || strings.HasSuffix(w.Path, "*") {
			w.weak = other
		}
	case catalogue.Higher:
		w.strong, w.weak = 10, 20+r.IntN(100)
	case catalogue.Lower:
		at := 1 + r.IntN(max(len(w.Order)-1, 1))
		if len(w.Order) == 0 {
			w.strong, w.weak = 20+r.IntN(100), 10
			return
		}
		w.strong, w.weak = w.Order[at], w.Order[r.IntN(at)]
	case catalogue.Changed:
		w.strong, w.weak = one, other
	default:
	}
}

// orderOf returns the ordered words of a field, if any row of the field has them.
func orderOf(protects []catalogue.Protection, path string) []string {
	for _, p := range protects {
		if p.Path == path && len(p.Order) > 0 {
			return p.Order
		}
	}
	return nil
}

// spec returns a spec of the row's kind in which the field has a value.
func (w *row) spec(a attachment, value any) doc {
	spec, body := doc{}, doc{}
	for path, value := range w.beside {
		set(body, path, value)
	}
	if empty := w.entry.Spec.Empty; empty != "" {
		body[empty] = doc{"unrelated": doc{"keep": "this"}}
	}
	if len(w.steps) > 0 {
		w.build(body, 0, value)
	}
	if bodies := w.entry.Spec.Bodies; len(bodies) > 0 && bodies[0].Path != "" {
		set(spec, bodies[0].Path, body)
		return spec
	}
	return body
}

// build sets the value in d at the steps of the path from index at on. Each parent gets a
// second field, so that it still exists when the value is absent.
func (w *row) build(d doc, at int, value any) {
	step := w.steps[at]
	last := at+1 == len(w.steps)
	if last {
		if value != absent {
			d[step] = value
		}
		return
	}
	if w.steps[at+1] != "*" {
		below, ok := d[step].(doc)
		if !ok {
			below = doc{"keep": "this"}
		}
		w.build(below, at+1, value)
		d[step] = below
		return
	}
	if at+2 == len(w.steps) {
		d[step] = w.items(at, value)
		return
	}
	item := doc{"keep": "this"}
	w.build(item, at+2, value)
	d[step] = w.list(at, "first", item)
}

// items returns a list or map with one other item, followed by the value if it is present.
func (w *row) items(at int, value any) any {
	inner, isDoc := value.(doc)
	if w.keyed(at) || isDoc {
		list := w.list(at, "kept", doc{"inner": "kept"})
		if value == absent {
			return list
		}
		if !isDoc {
			inner = doc{"inner": value}
		}
		switch more := w.list(at, "moving", clone(inner).(doc)).(type) {
		case doc:
			list.(doc)["moving"] = more["moving"]
		case []any:
			list = append(list.([]any), more...)
		}
		return list
	}
	kept := "kept"
	if strings.HasSuffix(w.Path, "tls.ciphers.*") { // what is no cipher is refused
		if kept = "AES256-SHA"; value != absent {
			value = "AES128-SHA"
		}
	}
	if value == absent {
		return []any{kept}
	}
	return []any{kept, value}
}

// keyed reports whether the items at a step merge by key.
func (w *row) keyed(at int) bool {
	path := strings.Join(w.steps[:at+1], ".") + ".*"
	return slices.ContainsFunc(w.entry.Merge.Units, func(unit string) bool { return unit == path || strings.HasPrefix(unit, path+".") })
}

// list returns a list with one item, or a map with one key.
func (w *row) list(at int, name string, item doc) any {
	if w.keyed(at) && !slices.ContainsFunc(w.entry.Merge.Lists, func(l catalogue.ListEntry) bool { return l.Path == strings.Join(w.steps[:at+1], ".") }) {
		return doc{name: item}
	}
	item["name"] = name
	if strings.HasSuffix(strings.Join(w.steps[:at+1], "."), "routeConfigurations") {
		item["routeIdentifier"] = doc{"kind": "HTTPRoute"}
	}
	if slot := w.slot(at); slot != "" {
		item[slot] = []any{doc{"name": name}}
	}
	for _, l := range w.entry.Merge.Lists {
		if l.Path == strings.Join(w.steps[:at+1], ".") && l.Key != "" && l.Key != "name" {
			item[l.Key] = name
			if l.Key == "port" {
				item[l.Key] = 80
			}
		}
	}
	return []any{item}
}

// slot returns the field that lets the items of a list count side by side, or "".
func (w *row) slot(at int) string {
	for _, l := range w.entry.Merge.Lists {
		if l.Path == strings.Join(w.steps[:at+1], ".") && (at+2 >= len(w.steps) || w.steps[at+2] != l.Slot) {
			return l.Slot
		}
	}
	return ""
}
