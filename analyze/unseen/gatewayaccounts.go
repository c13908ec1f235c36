package unseen

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// gatewayAccounts finds Gateways of Istio that send by another ServiceAccount than those of base, because they have
// another name or class, where policies of a mesh admit or deny an account that no Gateway has any longer.
func gatewayAccounts(s *search, pair applied.Pair) {
	if pair.Base == nil || pair.Head == nil {
		return
	}
	was, is := accountsOfGateways(pair.Base), accountsOfGateways(pair.Head)
	var named []namedAccount
	for _, before := range was {
		if slices.ContainsFunc(is, before.same) {
			continue
		}
		if named == nil {
			named = namedAccounts(pair.Head)
		}
		for _, after := range is {
			by := policiesThat(named, func(n namedAccount) bool {
				return n.is(before.namespace, before.account) && !n.is(after.namespace, after.account)
			})
			if len(by) > 0 && !slices.ContainsFunc(was, after.same) {
				s.add(after.gateway.ID.Spoken(), plan.EditChanged, pair.Name(), after.gateway.First(), by).Account = after.namespace + "/" + after.account
			}
		}
	}
}

// gatewayAccount is the ServiceAccount of the proxies of a Gateway.
type gatewayAccount struct {
	gateway            *loader.Object
	namespace, account string
}

func (a gatewayAccount) same(b gatewayAccount) bool {
	return a.namespace == b.namespace && a.account == b.account
}

// accountsOfGateways are the ServiceAccounts of the Gateways that Istio deploys (istio
// pilot/pkg/config/kube/gatewaycommon/deploymentcontroller.go, configureGateway; gateway_utils.go, GetDefaultName).
func accountsOfGateways(env *loader.Environment) []gatewayAccount {
	classes := map[string]bool{"istio": true}
	for _, o := range env.Objects {
		if o.ID.Group == loader.GatewayGroup && o.ID.Kind == "GatewayClass" {
			controller := o.Spec().Str("controllerName")
			own := implementation.For(controller)
			classes[o.ID.Name] = own.OfIstio() && own.Routes.Controller == controller
		}
	}
	var out []gatewayAccount
	for _, o := range env.Objects {
		class := o.Spec().Str("gatewayClassName")
		if o.ID.Group != loader.GatewayGroup || o.ID.Kind != "Gateway" || !classes[class] {
			continue
		}
		account := cmp.Or(o.Annotations()["gateway.istio.io/service-account"], o.ID.Name+"-"+class)
		out = append(out, gatewayAccount{o, o.ID.Namespace, account})
	}
	return out
}
