package rule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// reportUndiscovered reports the Namespaces that istiod does not read any longer by their labels, where something is in them that it
// served.
func reportUndiscovered(p *Pair, report Report) {
	discoveries := inventory.DiscoveriesOf(p.Head.Run.Environment)
	by := discoveries.Selecting()
	if len(by) == 0 {
		return
	}
	served := sync.OnceValue(func() map[string][]string { return servedByNamespace(p.Head.Run.Environment) })
	for _, o := range p.Head.Run.Environment.Objects {
		if o.ID.Group != "" || o.ID.Kind != "Namespace" || o.Context {
			continue
		}
		before := p.Base.Run.Graph.Object(o.ID)
		if before == nil || before.Digest == o.Digest || !discoveries.Reads(before) || discoveries.Reads(o) {
			continue
		}
		lost := served()[o.ID.Name]
		if len(lost) == 0 {
			continue
		}
		report(Hit{
			Target: o.ID.String(), Key: []string{"discovery"}, At: o.Position(cmp.Or(o.Root.Get("metadata", "labels"), o.Root.Get("metadata"))), Object: o,
			Title:  fmt.Sprintf("Namespace %s is no longer read by Istio, for which %s not exist", o.ID.Name, doesOrDo(lost)),
			Detail: "the discoverySelectors of " + spelling.AtMost(2, by) + " select the namespaces that it reads, and this one no longer",
		})
	}
}

// doesOrDo names objects with the verb of a sentence about what they do.
func doesOrDo(names []string) string {
	switch len(names) {
	case 1:
		return names[0] + " does"
	case 2:
		return spelling.And(names) + " do"
	}
	return spelling.AtMost(2, names) + " do"
}

// servedByNamespace names, by namespace, that of which istiod makes configuration: routes, Gateways, policies of Istio and Services.
func servedByNamespace(env *loader.Environment) map[string][]string {
	out := map[string][]string{}
	for _, o := range env.Objects {
		if o.ID.Namespace != "" && !o.Context && (hierarchy.Needs(o.ID.Group, o.ID.Kind) || strings.HasSuffix(o.ID.Group, ".istio.io")) &&
			!network.Workload(o.ID.Group, o.ID.Kind) && o.ID.Kind != "Secret" && o.ID.Kind != "ConfigMap" {
			out[o.ID.Namespace] = append(out[o.ID.Namespace], o.ID.Spoken())
		}
	}
	for _, names := range out {
		slices.Sort(names)
	}
	return out
}
