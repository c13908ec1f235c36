package unseen

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// topologyMode is the annotation of a Service that decides which of its endpoints get requests (Kubernetes, topology
// aware routing; Envoy Gateway, internal/gatewayapi/route.go).
const topologyMode = "service.kubernetes.io/topology-mode"

// services finds Services that something in the input sends requests to and that change in what the plan does not
// compare: those of policies and Backends, and fields that decide between endpoints.
func (s *search) services() {
	for i, pair := range s.Pairs {
		var by map[loader.ID][]string
		var told map[string]bool
		for _, e := range s.edits.of(pair) {
			o, was, is := e.Object(), e.Was, e.Is
			if o.ID.Kind != "Service" || o.ID.Group != "" || was == nil || was.Context {
				continue
			}
			fields := differing(was, is)
			if is != nil && was.Annotations()[topologyMode] != is.Annotations()[topologyMode] {
				fields = append(fields, topologyMode)
			}
			if len(fields) == 0 {
				continue
			}
			if by == nil {
				by, told = senders(pair.Head), mentioned(&s.Plan[i])
			}
			if told[o.ID.String()] {
				fields = slices.DeleteFunc(fields, compared)
			}
			to := by[o.ID]
			if is == nil { // a finding tells of a route without its backend
				to = slices.DeleteFunc(slices.Clone(to), func(name string) bool { return strings.Contains(name, "Route ") })
			}
			if len(to) > 0 && len(fields) > 0 {
				s.add(o.ID.Spoken(), e.Change(), pair.Name(), o.First(), fields).Behind = to
			}
		}
	}
}

// compared reports whether the plan compares a field of Services with all that follows from it.
func compared(field string) bool {
	return slices.Contains([]string{"ports", "selector", "type", "externalName", "clusterIP", "clusterIPs"}, field)
}

// mentioned are the objects that cause a change of a plan, or that change.
func mentioned(env *plan.Environment) map[string]bool {
	out := map[string]bool{}
	for i := range env.Changes {
		for _, cause := range env.Changes[i].Causes {
			out[cause.Object] = true
		}
		for _, t := range env.Changes[i].Targets {
			out[t.Target.ID().String()] = true
		}
	}
	return out
}

// senders are the objects of an environment that send requests to Services, by the Service: through references, and
// through hostnames and addresses of Services.
func senders(env *loader.Environment) map[loader.ID][]string {
	hosts := map[string]loader.ID{}
	for _, o := range env.Objects {
		if o.ID.Kind == "Service" && o.ID.Group == "" {
			if ip := o.Spec().Str("clusterIP"); ip != "" && ip != "None" {
				hosts[ip] = o.ID
			}
		}
	}
	out := map[loader.ID][]string{}
	for _, o := range env.Objects {
		if o.ID.Kind == "Service" || o.Context || certifies(o.ID) {
			continue
		}
		name := o.ID.Spoken()
		eachService(o.Spec(), "", o.ID.Namespace, hosts, func(id loader.ID) {
			out[id] = appendOther(out[id], name)
		})
	}
	return out
}

// certifies reports whether an object asks for a certificate. The names in it are not where it sends requests.
func certifies(id loader.ID) bool { return id.Group == "cert-manager.io" }

// eachService visits the Services that a value refers to.
func eachService(v *loader.Value, key, namespace string, hosts map[string]loader.ID, visit func(loader.ID)) {
	if v == nil {
		return
	}
	switch v.Shape {
	case loader.Map:
		name := v.Get("name")
		if name != nil && v.Get("port") != nil && (v.Get("kind") == nil || v.Str("kind") == "Service") && v.Str("group") == "" && strings.Contains(strings.ToLower(key), "ref") {
			in := namespace
			if own := v.Str("namespace"); own != "" {
				in = own
			}
			visit(loader.ID{Kind: "Service", Namespace: in, Name: name.Text})
		}
		for _, f := range v.Fields {
			eachService(f.Value, f.Key, namespace, hosts, visit)
		}
	case loader.List:
		for _, item := range v.Items {
			eachService(item, key, namespace, hosts, visit)
		}
	case loader.String:
		if id, known := hosts[v.Text]; known {
			visit(id)
			return
		}
		if id, ok := serviceAt(v.Text); ok {
			visit(id)
		}
	case loader.Null, loader.Bool, loader.Int, loader.Float:
	}
}

// serviceAt returns the Service whose name in the cluster is the host of a URL, or a text with or without a port.
func serviceAt(text string) (id loader.ID, ok bool) {
	if _, rest, isURL := strings.Cut(text, "://"); isURL {
		text = rest
	}
	text, _, _ = strings.Cut(text, "/")
	text, _, _ = strings.Cut(text, ":")
	parts := strings.Split(text, ".")
	if len(parts) < 3 || parts[2] != "svc" {
		return loader.ID{}, false
	}
	return loader.ID{Kind: "Service", Namespace: parts[1], Name: parts[0]}, true
}
