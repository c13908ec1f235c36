package exposure_test

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
)

// attachment is one way in which the policies of a kind attach to a target.
type attachment struct {
	form catalogue.RefEntry
	// part is the key of the target in the world. section is a section name of the target.
	part, section string
}

// parts maps the kinds that entries allow to the keys of their objects in a world.
var parts = map[string][]string{
	"gw/Gateway": {"gateway"}, "gw/ListenerSet": {"set"}, "gw/HTTPRoute": {"route"}, "gw/GRPCRoute": {"grpc"}, "core/Service": {"service"},
	"gw/GatewayClass": {"class"}, "l5d/Server": {"server"}, "core/Namespace": {"namespace"},
}

var sections = map[string]string{"gateway": "web", "set": "more", "route": "rule-0", "grpc": "rule-0", "service": "http"}

// attachments returns the ways in which policies of a kind attach to the objects of a world.
func attachments(e *catalogue.Entry) []attachment {
	var out []attachment
	for _, form := range e.Target.Refs {
		switch form.Form {
		case "extension-ref":
			out = append(out, attachment{form, "route", ""}, attachment{form, "grpc", ""})
			continue
		case "reverse-annotation":
			for _, kind := range []string{"core/Service", "gw/HTTPRoute", "gw/GRPCRoute"} {
				if slices.ContainsFunc(e.Target.Allowed, func(word string) bool { return strings.HasPrefix(word, kind) }) {
					out = append(out, attachment{form, parts[kind][0], ""})
				}
			}
			continue
		case "workload-selector", "host":
			out = append(out, attachment{form, "service", ""})
			continue
		case "name-or-labels":
			out = append(out, attachment{form, "server", ""})
			continue
		}
		for _, allowed := range e.Target.Allowed {
			kind, section, _ := strings.Cut(allowed, ":")
			kind, root, isRoot := strings.Cut(kind, "@")
			if isRoot && root == "root" {
				continue
			}
			for _, part := range parts[kind] {
				out = append(out, attachment{form, part, ""})
				if section != "" && form.Section != "" && sections[part] != "" {
					out = append(out, attachment{form, part, sections[part]})
				}
			}
		}
	}
	if e.Target.Via != "" {
		for _, kind := range []string{"gw/Gateway", "gw/GatewayClass"} {
			if slices.Contains(e.Target.Allowed, kind) {
				out = append(out, attachment{catalogue.RefEntry{Form: "via"}, parts[kind][0], ""})
			}
		}
	}
	// Keep GRPCRoute targets only if the entry allows them, also for extension-ref.
	return slices.DeleteFunc(out, func(a attachment) bool {
		return a.part == "grpc" && !slices.ContainsFunc(e.Target.Allowed, func(word string) bool { return strings.HasPrefix(word, "gw/GRPCRoute") })
	})
}

// attach adds a policy with a spec to the world and attaches it to a target.
func (w *world) attach(e *catalogue.Entry, a attachment, name string, spec doc) {
	version := "v1"
	if len(e.Versions) > 0 {
		version = e.Versions[0]
	}
	complete(e, spec)
	w.put("policy", e.Group+"/"+version, e.Kind, name, spec)
	if e.ID == "kgateway/TrafficPolicy" { // an extension that is not there makes the policy invalid
		w.put("extension", "gateway.kgateway.dev/v1alpha1", "GatewayExtension", "provider", doc{
			"extAuth": doc{"inner": "one"}, "extProc": doc{"inner": "one"}, "jwt": doc{"inner": "one"}, "oauth2": doc{"inner": "one"}, "rateLimit": doc{"inner": "one"},
		})
	}
	w.bare = e.Spec.Root
	if e.Scope == "Cluster" {
		delete(w.meta("policy"), "namespace")
	}
	if a.part == "server" || strings.HasPrefix(e.ID, "linkerd/") {
		w.put("server", "policy.linkerd.io/v1beta3", "Server", "app", doc{"podSelector": doc{"matchLabels": doc{"app": "app"}}, "port": 80})
		w.meta("server")["labels"] = doc{"app": "app"}
	}
	if e.Target.Bound != "" {
		w.meta("service")["labels"] = doc{e.Target.Bound: "waypoint"}
	}
	id := doc{"group": e.Group, "kind": e.Kind, "name": name}
	switch a.form.Form {
	case "one":
		set(spec, a.form.Path, w.reference(a))
	case "list":
		set(spec, a.form.Path, []any{w.reference(a)})
	case "selectors":
		ref := w.reference(a)
		delete(ref, "name")
		w.meta(a.part)["labels"] = doc{"guarded": "yes"}
		ref["matchLabels"] = doc{"guarded": "yes"}
		set(spec, a.form.Path, []any{ref})
	case "name-or-labels":
		set(spec, a.form.Path, doc{"name": w.meta(a.part)["name"]})
	case "workload-selector":
		set(spec, a.form.Path, doc{"app": "app"})
	case "host":
		set(spec, a.form.Path, w.meta(a.part)["name"])
	case "extension-ref":
		w.rule(a.part, 0)["filters"] = []any{doc{"type": "ExtensionRef", "extensionRef": id}}
	case "reverse-annotation":
		w.meta(a.part)["annotations"] = doc{strings.TrimPrefix(a.form.Path, "annotation:"): name}
	case "via":
		id["namespace"] = w.namespace
		if a.part == "class" {
			w.spec("class")["parametersRef"] = id
			return
		}
		delete(id, "namespace")
		w.spec("gateway")["infrastructure"] = doc{"parametersRef": id}
	}
}

// complete adds the references without which a controller rejects a policy that sets what needs them.
func complete(e *catalogue.Entry, spec doc) {
	for _, r := range e.Required {
		at, there := any(spec), true
		for step := range strings.SplitSeq(r.In, ".") {
			var d doc
			if d, there = at.(doc); there {
				at, there = d[step]
			}
			if !there {
				break
			}
		}
		if d, isMap := at.(doc); there && isMap && d[r.Field] == nil && r.Field == "caCertificateRefs" {
			d[r.Field] = []any{doc{"group": "", "kind": "Secret", "name": "ca"}}
		}
	}
}

// reference returns the reference of a policy to its target.
func (w *world) reference(a attachment) doc {
	target := w.docs[a.part]
	group, _, versioned := strings.Cut(target["apiVersion"].(string), "/")
	if !versioned {
		group = ""
	}
	ref := doc{"group": group, "kind": target["kind"], "name": target["metadata"].(doc)["name"]}
	if a.section != "" {
		if a.form.Section == "sectionNames" {
			ref[a.form.Section] = []any{a.section}
		} else {
			ref[a.form.Section] = a.section
		}
	}
	if a.form.Object != "" {
		return doc{a.form.Object: ref}
	}
	return ref
}

// set sets a value at a dotted path.
func set(d doc, path string, value any) {
	steps := strings.Split(path, ".")
	for _, step := range steps[:len(steps)-1] {
		below, ok := d[step].(doc)
		if !ok {
			below = doc{}
			d[step] = below
		}
		d = below
	}
	d[steps[len(steps)-1]] = value
}
