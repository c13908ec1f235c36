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
		by := slices.Concat(routers[loader.ID{Group: id.Group, Namespace: id.Namespace, Name: id.Name}], routers[inAnnotation(id)])
		for _, named := range inValues(id) {
			by = append(by, routers[named]...)
		}
		if o.Context || told[id.String()] || len(by) == 0 || s.Table.Kind(id.Group, id.Kind) == nil {
			continue
		}
		slices.Sort(by)
		s.add(id.Spoken(), e.Change(), pair.Name(), o.First(), slices.Compact(by)).Global = true
	}
}

// The groups of the filters that are named without their kind.
const (
	kong    = "configuration.konghq.com"
	traefik = "traefik.io"
)

// addRouters adds the requests of objects that route them outside Gateway API, by the filters that they name: without kind,
// or as an annotation has them.
func addRouters(routers map[loader.ID][]string, env *loader.Environment) {
	for _, o := range env.Objects {
		ingress := o.ID.Group == "networking.k8s.io" && o.ID.Kind == "Ingress"
		if o.Context || !ingress && (o.ID.Group != traefik || !strings.HasPrefix(o.ID.Kind, "IngressRoute")) {
			continue
		}
		add := func(id loader.ID) { routers[id] = append(routers[id], "the requests of "+o.ID.Spoken()) }
		eachField(o.Spec(), func(key string, v *loader.Value) {
			for _, item := range v.Items {
				if name := item.Str("name"); key == "middlewares" && name != "" {
					add(loader.ID{Group: traefik, Namespace: cmp.Or(item.Str("namespace"), o.ID.Namespace), Name: name})
				}
			}
		})
		for name := range strings.SplitSeq(o.Annotations()[loader.KongPlugins], ",") {
			add(loader.ID{Group: kong, Namespace: o.ID.Namespace, Name: strings.TrimSpace(name)})
			add(loader.ID{Group: kong, Name: strings.TrimSpace(name)}) // a KongClusterPlugin
		}
		for name := range strings.SplitSeq(o.Annotations()[loader.TraefikMiddlewares], ",") {
			add(loader.ID{Group: traefik, Name: strings.TrimSpace(name)})
		}
	}
}

// inAnnotation names an object as annotations of Traefik do, without its kind: NAMESPACE-NAME@kubernetescrd (Traefik,
// Kubernetes Ingress, router.middlewares).
func inAnnotation(id loader.ID) loader.ID {
	return loader.ID{Group: id.Group, Name: id.Namespace + "-" + id.Name + "@kubernetescrd"}
}

// addCharted adds the routes that a chart makes of its values, by the filters that these name as a filter of a route, a route of
// Traefik or an annotation does.
func addCharted(routers map[loader.ID][]string, g *loader.Gap) {
	add := func(group, namespace, name string) {
		id := loader.ID{Group: group, Namespace: namespace, Name: name}
		if by := "the routes of " + g.String(); name != "" && !slices.Contains(routers[id], by) {
			routers[id] = append(routers[id], by)
		}
	}
	eachField(g.Values, func(key string, v *loader.Value) {
		switch key {
		case "extensionRef":
			add(v.Str("group"), g.Namespace, v.Str("name"))
		case "middlewares":
			for _, item := range v.Items {
				add(loader.Hashed(traefik), cmp.Or(item.Str("namespace"), g.Namespace), item.Str("name"))
			}
		case loader.KongPlugins:
			for name := range strings.SplitSeq(v.Text, ",") {
				add(loader.Hashed(kong), g.Namespace, name)
				add(loader.Hashed(kong), "", name) // a KongClusterPlugin
			}
		case loader.TraefikMiddlewares:
			for name := range strings.SplitSeq(v.Text, ",") {
				add(loader.Hashed(traefik), "", name)
			}
		}
	})
}

// inValues names an object as the values of a gap do: in its own namespace, in a namespace that they name, or as an annotation does.
func inValues(id loader.ID) []loader.ID {
	group, annotated := loader.Hashed(id.Group), inAnnotation(id)
	return []loader.ID{
		{Group: group, Namespace: id.Namespace, Name: loader.Hashed(id.Name)},
		{Group: group, Namespace: loader.Hashed(id.Namespace), Name: loader.Hashed(id.Name)},
		{Group: group, Name: loader.Hashed(annotated.Name)},
	}
}
