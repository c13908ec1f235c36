package unseen

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/loader"
)

// routed finds filters that change and that an object outside Gateway API names, such as the Middleware of an IngressRoute or
// the plugin of an Ingress, or the values of a chart that is not rendered: what they do to the requests of that is not followed.
func routed(s *search, pair applied.Pair, told map[string]bool) {
	changed := s.edits.of(pair)
	if len(changed) == 0 {
		return
	}
	routers := map[loader.ID][]string{}
	for _, env := range []*loader.Environment{pair.Base, pair.Head} {
		addRouters(routers, env)
		for i := range env.Gaps {
			addCharted(routers, &env.Gaps[i])
		}
	}
	for _, e := range changed {
		o, id := e.Object(), e.Object().ID
		by := slices.Concat(routers[loader.ID{Group: id.Group, Namespace: id.Namespace, Name: id.Name}], routers[inAnnotation(id)], routers[inValues(id)])
		if o.Context || told[id.String()] || len(by) == 0 || s.Table.Kind(id.Group, id.Kind) == nil {
			continue
		}
		slices.Sort(by)
		s.add(id.Spoken(), e.Change(), pair.Name(), o.First(), slices.Compact(by)).Global = true
	}
}

// kongPlugins is the annotation that names plugins (Kong Ingress Controller internal/annotations, ExtractKongPluginsFromAnnotations).
const kongPlugins = "konghq.com/plugins"

// addRouters adds the requests of objects that route them outside Gateway API, by the filters that they name: without kind,
// or as an annotation has them.
func addRouters(routers map[loader.ID][]string, env *loader.Environment) {
	for _, o := range env.Objects {
		ingress := o.ID.Group == "networking.k8s.io" && o.ID.Kind == "Ingress"
		if o.Context || !ingress && (o.ID.Group != "traefik.io" || !strings.HasPrefix(o.ID.Kind, "IngressRoute")) {
			continue
		}
		add := func(id loader.ID) { routers[id] = append(routers[id], "the requests of "+o.ID.Spoken()) }
		eachField(o.Spec(), func(key string, v *loader.Value) {
			for _, item := range v.Items {
				if name := item.Str("name"); key == "middlewares" && name != "" {
					add(loader.ID{Group: "traefik.io", Namespace: cmp.Or(item.Str("namespace"), o.ID.Namespace), Name: name})
				}
			}
		})
		for name := range strings.SplitSeq(o.Annotations()[kongPlugins], ",") {
			add(loader.ID{Group: "configuration.konghq.com", Namespace: o.ID.Namespace, Name: strings.TrimSpace(name)})
		}
		for name := range strings.SplitSeq(o.Annotations()["traefik.ingress.kubernetes.io/router.middlewares"], ",") {
			add(loader.ID{Group: "traefik.io", Name: strings.TrimSpace(name)})
		}
	}
}

// inAnnotation names an object as annotations of Traefik do, without its kind: NAMESPACE-NAME@kubernetescrd (Traefik,
// Kubernetes Ingress, router.middlewares).
func inAnnotation(id loader.ID) loader.ID {
	return loader.ID{Group: id.Group, Name: id.Namespace + "-" + id.Name + "@kubernetescrd"}
}

// addCharted adds the routes that a chart makes of its values, by the filters that these name as an extensionRef or an annotation
// does.
func addCharted(routers map[loader.ID][]string, g *loader.Gap) {
	eachField(g.Values, func(key string, v *loader.Value) {
		id := loader.ID{Group: v.Str("group"), Namespace: g.Namespace, Name: v.Str("name")}
		if key == kongPlugins {
			id.Group, id.Name = loader.Hashed("configuration.konghq.com"), v.Text
		} else if key != "extensionRef" {
			return
		}
		if by := "the routes of " + g.String(); id.Name != "" && !slices.Contains(routers[id], by) {
			routers[id] = append(routers[id], by)
		}
	})
}

// inValues names an object as the values of a gap do.
func inValues(id loader.ID) loader.ID {
	return loader.ID{Group: loader.Hashed(id.Group), Namespace: id.Namespace, Name: loader.Hashed(id.Name)}
}
