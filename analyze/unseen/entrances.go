package unseen

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// entrances finds Services that lead to the proxies of a Gateway beside the one that its controller makes, and that select others or
// have other ports after the change: what comes in through them, such as from a tunnel, is not followed.
func entrances(s *search, pair applied.Pair, told map[string]bool) {
	for _, e := range s.edits.of(pair) {
		o := e.Object()
		if o.ID.Group != "" || o.ID.Kind != "Service" || o.Context || told[o.ID.String()] {
			continue
		}
		var leads []string
		for _, form := range []*loader.Object{e.Was, e.Is} {
			if gateway := gatewaySelected(form); gateway != "" {
				leads = append(leads, "the requests to "+gateway)
			}
		}
		same := e.Was != nil && e.Is != nil && loader.Equal(e.Was.Spec().Get("selector"), e.Is.Spec().Get("selector")) && loader.Equal(e.Was.Spec().Get("ports"), e.Is.Spec().Get("ports"))
		if len(leads) > 0 && !same {
			s.add(o.ID.Spoken(), e.Change(), pair.Name(), o.First(), slices.Compact(leads)).Global = true
		}
	}
}

// gatewaySelected returns the Gateway whose proxies a Service selects by the labels of a controller, "" if it selects none. The Service
// may be nil.
func gatewaySelected(service *loader.Object) string {
	if service == nil {
		return ""
	}
	selector := service.Spec().Get("selector")
	if name := selector.Str(hierarchy.GatewayNameLabel); name != "" {
		return "Gateway " + service.ID.Namespace + "/" + name
	}
	for _, own := range implementation.All() {
		if p := own.Proxies; p.NameLabel != "" && selector.Str(p.NameLabel) != "" {
			return "Gateway " + cmp.Or(selector.Str(p.NamespaceLabel), service.ID.Namespace) + "/" + selector.Str(p.NameLabel)
		}
	}
	return ""
}
