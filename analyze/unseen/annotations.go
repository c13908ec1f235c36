package unseen

import (
	"slices"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// acting are prefixes of annotations by which others act for a Gateway, a listener set or a route: who makes its DNS
// records and certificates, and which load balancer stands before it.
var acting = []string{
	"external-dns.alpha.kubernetes.io/", "external-dns.kubernetes.io/", "cert-manager.io/",
	"service.beta.kubernetes.io/", "service.kubernetes.io/", "networking.gke.io/", "cloud.google.com/",
	"lbipam.cilium.io/", "io.cilium/", "metallb.io/", "metallb.universe.tf/", "gateway.istio.io/",
}

// ofControllers are prefixes of annotations by which a controller treats the requests of an object in another way: of
// routes, of Services, of Namespaces (Kong Ingress Controller internal/annotations; Linkerd, Reference, Proxy
// Configuration; Istio, Resource Annotations; Traefik, HAProxy and NGINX, annotations of Ingress and Service).
var ofControllers = []string{
	"konghq.com/", "linkerd.io/", "config.linkerd.io/", "retry.linkerd.io/", "timeout.linkerd.io/", "balancer.linkerd.io/",
	"networking.istio.io/", "sidecar.istio.io/", "traffic.sidecar.istio.io/", "ambient.istio.io/",
	"traefik.ingress.kubernetes.io/", "haproxy.org/", "haproxy-ingress.github.io/", "nginx.org/", "k8s.apisix.apache.org/",
}

// ofMeshes are those of them by which the proxies of a mesh send requests to a Service.
var ofMeshes = []string{"retry.linkerd.io/", "timeout.linkerd.io/", "balancer.linkerd.io/"}

// ofIngresses are prefixes of annotations by which controllers treat the requests of an Ingress.
var ofIngresses = []string{
	"nginx.ingress.kubernetes.io/", "ingress.kubernetes.io/", "alb.ingress.kubernetes.io/", "appgw.ingress.kubernetes.io/", "ingress.cilium.io/",
}

// classes are annotations that leave an object to another controller, or to none (Kong Ingress Controller
// internal/annotations, IngressClassKey).
var classes = []string{"kubernetes.io/ingress.class"}

// followed are annotations with such a prefix that the analysis reads.
var followed = []string{loader.KongPlugins}

// annotations finds Gateways, listener sets and routes of which such an annotation changes, and Services and Namespaces
// which a controller treats in another way because of one.
func (s *search) annotations(pair applied.Pair) {
	shapers := sync.OnceValue(func() []*loader.Object { return shapersOf(pair.Head) })
	getting := sync.OnceValue(func() map[loader.ID][]string { return senders(pair.Head) })
	for _, e := range s.edits.of(pair) {
		was, o := e.Was, e.Is
		if was == nil || o == nil || o.Context {
			continue
		}
		prefixes := annotated(o.ID)
		if o.ID.Kind == "Service" && len(prefixes) > 0 && len(getting()[o.ID]) == 0 {
			prefixes = ofMeshes // no route sends requests there
		}
		if changed := changedAnnotations(was.Annotations(), o.Annotations(), prefixes); len(changed) > 0 {
			s.add(o.ID.Spoken(), plan.EditChanged, pair.Name(), placed(o, "annotations", changed[0]), changed).ForOthers = true
		}
		if by := shapedBy(shapers, was.Labels(), o.Labels()); len(by) > 0 {
			s.add(o.ID.Spoken(), plan.EditChanged, pair.Name(), placed(o, "labels", by[0]), by).ForOthers = true
		}
		if revised(was, o) {
			s.add(o.ID.Spoken(), plan.EditChanged, pair.Name(), placed(o, "labels", revision), []string{revision}).ForOthers = true
		}
	}
}

// placed is the position of a label or an annotation, or what is closest to it.
func placed(o *loader.Object, field, key string) loader.Position {
	list := o.Root.Get("metadata", field)
	if one := list.Get(key); one != nil {
		return o.Position(one)
	}
	return o.Position(list)
}

// revision is the label by which a Namespace or a Gateway belongs to a revision of Istio's control plane (istio
// pilot/pkg/config/kube/gateway/controller.go, and Istio, Canary Upgrades).
const revision = "istio.io/rev"

// revised reports whether an object gets another revision of Istio. A Namespace that leaves the mesh is a finding.
func revised(was, is *loader.Object) bool {
	before, after := was.Labels()[revision], is.Labels()[revision]
	return before != after && (is.ID.Kind == "Gateway" || after != "" && (before != "" || was.Labels()["istio-injection"] == "enabled"))
}

// annotated returns the prefixes of the annotations of an object that others act by.
func annotated(id loader.ID) []string {
	switch {
	case id.Group == "configuration.konghq.com":
		return classes
	case id.Group == "" && (id.Kind == "Service" || id.Kind == "Namespace"):
		return ofControllers
	case id.Group == loader.GatewayGroup && hierarchy.LevelOf(id.Group, id.Kind) != hierarchy.LevelOutside:
		return slices.Concat(acting, ofControllers)
	}
	return nil
}

// changedAnnotations returns the annotations by which others act that differ, sorted.
func changedAnnotations(before, after map[string]string, prefixes []string) []string {
	var out []string
	add := func(key string) {
		was, had := before[key]
		is, has := after[key]
		if hasPrefix(key, prefixes) && !slices.Contains(followed, key) && (had != has || was != is) && !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	for key := range before {
		add(key)
	}
	for key := range after {
		add(key)
	}
	slices.Sort(out)
	return out
}

func hasPrefix(key string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
}
