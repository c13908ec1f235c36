package analyze_test

import (
	"slices"
	"strings"
)

// admits says whether a parentRef of a route leads to a listener or Service.
// What is not known admits.
func (r *reference) admits(parent step, route, ref doc) bool {
	if parent.level == "Frontend" {
		return true
	}
	section := str(ref, "sectionName")
	if parent.value == nil {
		return section == parent.section || section == "" && parent.section == "?"
	}
	if section != "" && section != parent.section || ref["port"] != nil && ref["port"] != parent.value["port"] {
		return false
	}
	if p := str(parent.value, "protocol"); p != "HTTP" && p != "HTTPS" {
		return false
	}
	return r.fromNamespace(parent, namespaceOf(route)) && sharesHost(str(parent.value, "hostname"), spec(route)["hostnames"])
}

func (r *reference) fromNamespace(listener step, namespace string) bool {
	switch str(sub(sub(listener.value, "allowedRoutes"), "namespaces"), "from") {
	case "All":
		return true
	case "Selector":
		return r.blue(namespace, everyNamespace)
	}
	return listener.namespace == namespace
}

// sharesHost asks of every name in sight whether both sides would serve it.
func sharesHost(listener string, route any) bool {
	hosts, _ := route.([]any)
	if listener == "" || len(hosts) == 0 {
		return true
	}
	names := []string{"a.example.com", "b.example.com", "c.b.example.com", "x.c.b.example.com", "other.org"}
	return slices.ContainsFunc(names, func(name string) bool {
		return serves(listener, name) && slices.ContainsFunc(hosts, func(h any) bool { return serves(h.(string), name) })
	})
}

func serves(host, name string) bool {
	return host == name || strings.HasPrefix(host, "*.") && strings.HasSuffix(name, host[1:])
}

// refersTo says whether a rule's reference to a backend may lead there.
func (r *reference) refersTo(rule, backend step) bool {
	if backend.value == nil && r.complete {
		return false
	}
	route := r.objects[rule.node]
	return r.onlyMesh(route) || r.mayCross(kindOf(route), rule.namespace, backend)
}

func (r *reference) onlyMesh(route doc) bool {
	return !slices.ContainsFunc(list(spec(route), "parentRefs"), func(ref doc) bool { return str(ref, "kind") != "Service" })
}

// mayCross says whether a reference may leave its namespace: with a
// ReferenceGrant there, or where grants may not be in the input as the target
// itself is not.
func (r *reference) mayCross(kind, namespace string, to step) bool {
	if namespace == to.namespace || to.value == nil && !r.complete {
		return true
	}
	grant, ok := r.objects["ReferenceGrant/"+to.namespace+"/grant"]
	if !ok {
		return false
	}
	toKind, _, _ := strings.Cut(to.node, "/")
	from := func(f doc) bool { return str(f, "kind") == kind && str(f, "namespace") == namespace }
	return slices.ContainsFunc(list(spec(grant), "from"), from) &&
		slices.ContainsFunc(list(spec(grant), "to"), func(t doc) bool { return str(t, "kind") == toKind })
}

// Reading plain manifests.

func kindOf(d doc) string { return d["kind"].(string) }

func nameOf(d doc) string { return d["metadata"].(doc)["name"].(string) }

func lastPart(node string) string { return node[strings.LastIndexByte(node, '/')+1:] }

func namespaceOf(d doc) string { return str(d["metadata"].(doc), "namespace") }

func spec(d doc) doc { return sub(d, "spec") }

func sub(d doc, key string) doc {
	out, _ := d[key].(doc)
	return out
}

func str(d doc, key string) string {
	out, _ := d[key].(string)
	return out
}

// list are the maps in a list.
func list(d doc, key string) []doc {
	items, _ := d[key].([]any)
	var out []doc
	for _, item := range items {
		out = append(out, item.(doc))
	}
	return out
}
