package unseen

import (
	"cmp"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/loader"
)

// parameters finds ConfigMaps with the parameters of Gateways and GatewayClasses that change: of which type the Service is,
// what the pods are given (Istio, Kubernetes Gateway API, Automated Deployment; Gateway API, GatewayInfrastructure.parametersRef).
// Parameters of other kinds are followed, or told as objects of kinds that are not.
func parameters(s *search, pair applied.Pair, told map[string]bool) {
	if pair.Base == nil || pair.Head == nil {
		return
	}
	before, after := pair.Base.ByID(), pair.Head.ByID()
	for _, o := range pair.Head.Objects {
		ref := cmp.Or(o.Spec().Get("infrastructure", "parametersRef"), o.Spec().Get("parametersRef"))
		if o.ID.Group != loader.GatewayGroup || ref.Str("kind") != "ConfigMap" {
			continue
		}
		id := loader.ID{Kind: "ConfigMap", Namespace: cmp.Or(ref.Str("namespace"), o.ID.Namespace), Name: ref.Str("name")}
		was, is := before[id], after[id]
		says := []string{o.ID.Spoken()}
		switch {
		case told[id.String()] || was == nil && is == nil:
		case was == nil:
			s.add(id.Spoken(), "added", pair.Name(), is.First(), says).Global = true
		case is == nil:
			s.add(id.Spoken(), "removed", pair.Name(), was.First(), says).Global = true
		case was.Digest != is.Digest:
			s.add(id.Spoken(), "changed", pair.Name(), is.First(), says).Global = true
		}
	}
}
