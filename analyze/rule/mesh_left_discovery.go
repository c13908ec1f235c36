package rule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// reportUndiscovered reports the Namespaces that istiod does not read any longer by their labels, where something is in them that it
// served.
func reportUndiscovered(p *Pair, report Report) {
	selectors := inventory.Discoveries(p.Head.Run.Environment)
	if len(selectors) == 0 {
		return
	}
	for _, o := range p.Head.Run.Environment.Objects {
		if o.ID.Group != "" || o.ID.Kind != "Namespace" || o.Context {
			continue
		}
		before := p.Base.Run.Graph.Object(o.ID)
		if before == nil || before.Digest == o.Digest {
			continue
		}
		for _, d := range selectors {
			if !d.Reads(before) || d.Reads(o) {
				continue
			}
			if lost := servedIn(p.Head.Run.Environment, o.ID.Name); len(lost) > 0 {
				report(Hit{
					Target: o.ID.String(), Key: []string{"discovery"}, At: o.Position(cmp.Or(o.Root.Get("metadata", "labels"), o.Root.Get("metadata"))), Object: o,
					Title:  fmt.Sprintf("Namespace %s is no longer read by Istio: %s not exist for it", o.ID.Name, doesOrDo(lost)),
					Detail: "the discoverySelectors of " + d.By + " select the namespaces that it reads, and this one no longer",
				})
			}
			break
		}
	}
}

// doesOrDo names objects with the verb of a sentence about what they do.
func doesOrDo(names []string) string {
	if len(names) == 1 {
		return names[0] + " does"
	}
	return spelling.AtMost(2, names) + " do"
}

// servedIn names what is in a namespace of which istiod makes configuration: routes, Gateways, policies of Istio and Services.
func servedIn(env *loader.Environment, namespace string) []string {
	var out []string
	for _, o := range env.Objects {
		if o.ID.Namespace == namespace && !o.Context && (hierarchy.Needs(o.ID.Group, o.ID.Kind) || strings.HasSuffix(o.ID.Group, ".istio.io")) &&
			!network.Workload(o.ID.Group, o.ID.Kind) && o.ID.Kind != "Secret" && o.ID.Kind != "ConfigMap" {
			out = append(out, o.ID.Spoken())
		}
	}
	slices.Sort(out)
	return out
}
