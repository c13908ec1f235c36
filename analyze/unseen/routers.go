package unseen

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/loader"
)

// routed finds filters that change and that an object outside Gateway API names, such as the Middleware of an IngressRoute or
// the plugin of an Ingress: what they do to the requests of that is not followed.
func routed(s *search, pair applied.Pair, told map[string]bool) {
	changed := s.edits.of(pair)
	if len(changed) == 0 {
		return
	}
	routers := map[loader.ID][]string{}
	for _, env := range []*loader.Environment{pair.Base, pair.Head} {
		addRouters(routers, env)
	}
	for _, e := range changed {
		o, id := e.Object(), e.Object().ID
		by := slices.Concat(routers[loader.ID{Group: id.Group, Namespace: id.Namespace, Name: id.Name}], routers[inAnnotation(id)])
		if o.Context || told[id.String()] || len(by) == 0 || s.Table.Kind(id.Group, id.Kind) == nil {
			continue
		}
		slices.Sort(by)
		s.add(id.Spoken(), e.Change(), pair.Name(), o.First(), slices.Compact(by)).Global = true
	}
}

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
		// Kong Ingress Controller internal/annotations, ExtractKongPluginsFromAnnotations.
		for name := range strings.SplitSeq(o.Annotations()["konghq.com/plugins"], ",") {
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
