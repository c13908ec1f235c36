package analyze

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// acting are prefixes of annotations by which others act for a Gateway, a listener set or a route: who makes its DNS
// records and certificates, and which load balancer stands before it.
var acting = []string{
	"external-dns.alpha.kubernetes.io/", "external-dns.kubernetes.io/", "cert-manager.io/",
	"service.beta.kubernetes.io/", "service.kubernetes.io/", "networking.gke.io/", "cloud.google.com/",
	"lbipam.cilium.io/", "io.cilium/", "metallb.io/", "metallb.universe.tf/", "gateway.istio.io/", "networking.istio.io/",
}

// annotations finds Gateways, listener sets and routes of which such an annotation changes.
func (s *search) annotations(pair environmentPair) {
	if pair.base == nil || pair.head == nil {
		return
	}
	before := byID(pair.base)
	for _, o := range pair.head.Objects {
		was := before[o.ID]
		if was == nil || o.Context || o.ID.Group != loader.GatewayGroup || was.Digest == o.Digest || hierarchy.LevelOf(o.ID.Group, o.ID.Kind) == hierarchy.LevelOutside {
			continue
		}
		if changed := changedAnnotations(was.Annotations(), o.Annotations()); len(changed) > 0 {
			at := o.First()
			if list := o.Root.Get("metadata", "annotations"); list != nil {
				at = o.Position(list)
				if one := list.Get(changed[0]); one != nil {
					at = o.Position(one)
				}
			}
			s.add(o.ID.Spoken(), "changed", pair.name(), at, changed).ForOthers = true
		}
	}
}

// changedAnnotations returns the annotations by which others act that differ, sorted.
func changedAnnotations(before, after map[string]string) []string {
	var out []string
	add := func(key string) {
		acts := slices.ContainsFunc(acting, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
		if acts && before[key] != after[key] && !slices.Contains(out, key) {
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
