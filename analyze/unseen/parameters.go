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
	changed := map[loader.ID]applied.Edit{}
	for _, e := range s.edits.of(pair) {
		if id := e.Object().ID; id.Group == "" && id.Kind == "ConfigMap" && !told[id.String()] {
			changed[id] = e
		}
	}
	if len(changed) == 0 {
		return
	}
	for _, o := range pair.Head.Objects {
		ref := cmp.Or(o.Spec().Get("infrastructure", "parametersRef"), o.Spec().Get("parametersRef"))
		if o.ID.Group != loader.GatewayGroup || ref.Str("kind") != "ConfigMap" {
			continue
		}
		id := loader.ID{Kind: "ConfigMap", Namespace: cmp.Or(ref.Str("namespace"), o.ID.Namespace), Name: ref.Str("name")}
		if e, differs := changed[id]; differs {
			s.add(id.Spoken(), e.Change(), pair.Name(), e.Object().First(), []string{o.ID.Spoken()}).Global = true
		}
	}
}
