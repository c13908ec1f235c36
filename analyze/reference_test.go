package analyze_test

import (
	"fmt"
	"slices"
	"strings"
)

// reference says what contexts there are by enumerating every path. It is
// written from the Gateway API and GEP-713, on plain manifests, and shares
// nothing with the packages that it checks.
type reference struct {
	objects  map[string]doc
	docs     []doc
	complete bool
}

func newReference(docs []doc, complete bool) *reference {
	r := &reference{objects: map[string]doc{}, docs: docs, complete: complete}
	for _, d := range docs {
		r.objects[nodeOf(d)] = d
	}
	return r
}

// step is one node of a context.
type step struct {
	level, node, section, namespace string
	// value is the node's part of its object, nil for a placeholder.
	value doc
}

func (s step) String() string {
	if s.section == "" {
		return s.node
	}
	return s.node + "#" + s.section
}

// trail is a context from its root down.
type trail []step

func (t trail) last() step { return t[len(t)-1] }

func (t trail) context() []string {
	var out []string
	for _, s := range t {
		out = append(out, s.String())
	}
	return out
}

func (t trail) with(s step) trail { return append(slices.Clone(t), s) }

// trails are all contexts of any length.
func (r *reference) trails() []trail {
	var out []trail
	var walk func(trail)
	walk = func(t trail) {
		out = append(out, t)
		for _, s := range r.below(t) {
			walk(t.with(s))
		}
	}
	for _, root := range r.roots() {
		walk(trail{root})
	}
	return out
}

// roots are GatewayClasses, Gateways without one, mesh Services, and what is
// referred to as a parent and is not in the input.
func (r *reference) roots() []step {
	found := map[string]step{}
	for _, d := range r.docs {
		switch kindOf(d) {
		case "GatewayClass":
			found[nodeOf(d)] = r.step("GatewayClass", gatewayGroup, "GatewayClass", "", nameOf(d))
		case "Gateway":
			s := r.step("Gateway", gatewayGroup, "Gateway", namespaceOf(d), nameOf(d))
			if class := str(s.value, "gatewayClassName"); class != "" {
				s = r.step("GatewayClass", gatewayGroup, "GatewayClass", "", class)
			}
			found[s.node] = s
		case "ListenerSet":
			r.placeholder(found, r.parentOf(spec(d)["parentRef"].(doc), namespaceOf(d)))
		case "HTTPRoute", "GRPCRoute":
			for _, ref := range list(spec(d), "parentRefs") {
				r.placeholder(found, r.parentOf(ref, namespaceOf(d)))
			}
		}
	}
	var out []step
	for _, s := range found {
		out = append(out, s)
	}
	return out
}

// placeholder keeps a parent from which contexts begin.
func (r *reference) placeholder(found map[string]step, parent step) {
	if parent.value == nil && !r.complete || parent.level == "Frontend" && parent.value != nil {
		found[parent.level+parent.node] = parent
	}
}

func (r *reference) step(level, group, kind, namespace, name string) step {
	s := step{level: level, node: node(group, kind, namespace, name), namespace: namespace}
	if d, ok := r.objects[s.node]; ok {
		s.value = doc{}
		if sp, ok := d["spec"].(doc); ok {
			s.value = sp
		}
	}
	return s
}

// parentOf is what a parentRef names.
func (r *reference) parentOf(ref doc, namespace string) step {
	if ns := str(ref, "namespace"); ns != "" {
		namespace = ns
	}
	kind := str(ref, "kind")
	if kind == "Service" {
		return r.step("Frontend", "", "Service", namespace, str(ref, "name"))
	}
	if kind == "" {
		kind = "Gateway"
	}
	return r.step(kind, gatewayGroup, kind, namespace, str(ref, "name"))
}

// below are the nodes one step below the end of a context.
func (r *reference) below(t trail) []step {
	var out []step
	last := t.last()
	add := func(s step) {
		if !slices.ContainsFunc(out, func(o step) bool { return o.String() == s.String() }) {
			out = append(out, s)
		}
	}
	switch last.level {
	case "GatewayClass":
		for _, d := range r.docs {
			if kindOf(d) == "Gateway" && str(spec(d), "gatewayClassName") == lastPart(last.node) {
				add(r.step("Gateway", gatewayGroup, "Gateway", namespaceOf(d), nameOf(d)))
			}
		}
	case "Gateway", "ListenerSet":
		r.listeners(last, func(s step) {
			if !r.loses(t, s) {
				add(s)
			}
		})
		if last.level == "Gateway" {
			r.sets(last, add)
		}
	case "Listener", "Frontend":
		r.routes(last, add)
	case "Route":
		for i, rule := range list(last.value, "rules") {
			s := last
			s.level, s.section, s.value = "Rule", ruleName(rule, i), rule
			add(s)
		}
	case "Rule":
		r.backends(t, add)
	case "Backend":
		r.ports(t, add)
	}
	return out
}

func ruleName(rule doc, i int) string {
	if name := str(rule, "name"); name != "" {
		return name
	}
	return fmt.Sprintf("rule[%d]", i)
}

// listeners are those that a parent declares, or those that somebody names of
// a parent that is not in the input.
func (r *reference) listeners(parent step, add func(step)) {
	s := parent
	s.level = "Listener"
	for _, l := range list(parent.value, "listeners") {
		s.section, s.value = str(l, "name"), l
		add(s)
	}
	if parent.value != nil {
		return
	}
	for _, d := range r.docs {
		if !strings.HasSuffix(kindOf(d), "Route") {
			continue
		}
		for _, ref := range list(spec(d), "parentRefs") {
			if r.parentOf(ref, namespaceOf(d)).node == parent.node {
				if s.section = str(ref, "sectionName"); s.section == "" {
					s.section = "?"
				}
				add(s)
			}
		}
	}
}

func (r *reference) sets(gateway step, add func(step)) {
	for _, d := range r.setsOf(gateway, everyNamespace) {
		add(r.step("ListenerSet", gatewayGroup, "ListenerSet", namespaceOf(d), nameOf(d)))
	}
}

func (r *reference) routes(parent step, add func(step)) {
	for _, d := range r.docs {
		if !strings.HasSuffix(kindOf(d), "Route") {
			continue
		}
		for _, ref := range list(spec(d), "parentRefs") {
			if p := r.parentOf(ref, namespaceOf(d)); p.node == parent.node && r.admits(parent, d, ref) {
				add(r.step("Route", gatewayGroup, kindOf(d), namespaceOf(d), nameOf(d)))
			}
		}
	}
}

func (r *reference) backends(t trail, add func(step)) {
	rule := t.last()
	for _, ref := range list(rule.value, "backendRefs") {
		if s := r.backendOf(ref, rule.namespace); r.refersTo(rule, s) {
			add(s)
		}
	}
}

func (r *reference) backendOf(ref doc, namespace string) step {
	if ns := str(ref, "namespace"); ns != "" {
		namespace = ns
	}
	return r.step("Backend", "", "Service", namespace, str(ref, "name"))
}

// ports are those through which the rule of a context reaches its backend.
func (r *reference) ports(t trail, add func(step)) {
	backend, rule := t.last(), t[len(t)-2]
	for _, ref := range list(rule.value, "backendRefs") {
		if r.backendOf(ref, rule.namespace).node != backend.node {
			continue
		}
		s := backend
		s.level, s.section = "Port", fmt.Sprint(ref["port"])
		for _, p := range list(backend.value, "ports") {
			if p["port"] == ref["port"] && str(p, "name") != "" {
				s.section = str(p, "name")
			}
		}
		add(s)
	}
}
