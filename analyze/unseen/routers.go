package unseen

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/loader"
)

// routed finds policies and filters that change and that an object outside Gateway API names, such as the Middleware of an
// IngressRoute or the plugin of an Ingress: what it does to the requests of that is not followed.
func routed(s *search, pair applied.Pair, told map[string]bool) {
	if pair.Base == nil || pair.Head == nil {
		return
	}
	before, after := pair.Base.ByID(), pair.Head.ByID()
	visit := func(o *loader.Object, change string) {
		if o.Context || told[o.ID.String()] || s.Table.Kind(o.ID.Group, o.ID.Kind) == nil {
			return
		}
		var by []string
		for _, env := range []*loader.Environment{pair.Head, pair.Base} {
			by = append(by, routersOf(env, o.ID)...)
		}
		slices.Sort(by)
		if by = slices.Compact(by); len(by) > 0 {
			s.add(o.ID.Spoken(), change, pair.Name(), o.First(), by).Global = true
		}
	}
	for _, o := range pair.Head.Objects {
		if was := before[o.ID]; was == nil {
			visit(o, "added")
		} else if was.Digest != o.Digest {
			visit(o, "changed")
		}
	}
	for _, o := range pair.Base.Objects {
		if after[o.ID] == nil {
			visit(o, "removed")
		}
	}
}

// routersOf are the objects outside Gateway API that route requests and name an object.
func routersOf(env *loader.Environment, id loader.ID) []string {
	var out []string
	for _, o := range env.Objects {
		if !routes(o.ID) || o.Context {
			continue
		}
		found := annotationsName(o, id)
		eachField(o.Spec(), func(_ string, v *loader.Value) {
			for _, item := range append([]*loader.Value{v}, v.Items...) {
				found = found || item.Str("name") == id.Name && (item.Str("namespace") == id.Namespace || item.Str("namespace") == "" && o.ID.Namespace == id.Namespace)
			}
		})
		if found {
			out = append(out, "the requests of "+o.ID.Spoken())
		}
	}
	return out
}

// routes reports whether objects of this identity route requests outside Gateway API.
func routes(id loader.ID) bool {
	switch id.Group {
	case "networking.k8s.io":
		return id.Kind == "Ingress"
	case "traefik.io":
		return strings.HasPrefix(id.Kind, "IngressRoute")
	}
	return false
}

// annotationsName reports whether the annotations of an Ingress name an object: plugins of Kong by their names, middlewares of
// Traefik as NAMESPACE-NAME@kubernetescrd (Kong Ingress Controller internal/annotations, ExtractKongPluginsFromAnnotations;
// Traefik, Kubernetes Ingress, router.middlewares).
func annotationsName(o *loader.Object, id loader.ID) bool {
	names := func(key, name string) bool {
		return slices.ContainsFunc(strings.Split(o.Annotations()[key], ","), func(one string) bool { return strings.TrimSpace(one) == name })
	}
	switch id.Group {
	case "configuration.konghq.com":
		return o.ID.Namespace == id.Namespace && names("konghq.com/plugins", id.Name)
	case "traefik.io":
		return names("traefik.ingress.kubernetes.io/router.middlewares", id.Namespace+"-"+id.Name+"@kubernetescrd")
	}
	return false
}
