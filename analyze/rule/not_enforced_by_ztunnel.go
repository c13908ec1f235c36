package rule

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/analyze/settle"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

var notEnforcedByZtunnel = &Rule{
	ID:       "not-enforced-by-ztunnel",
	Title:    "ztunnel does not enforce an AuthorizationPolicy as it is written",
	Severity: plan.Error,
	Why: "In ambient mode ztunnel enforces the AuthorizationPolicies that name no target, and it sees connections, not requests. " +
		"It leaves out a rule of ALLOW that asks for methods, paths or other attributes of HTTP, so that what the rule allows is " +
		"refused. It applies a rule of DENY without these attributes, or not at all. It does not know CUSTOM " +
		"(Istio pilot/pkg/serviceregistry/ambient/authorization.go, convertAuthorizationPolicy).",
	Fix:      "Deploy a waypoint and name it, or the Service, in targetRefs. Rules without attributes of HTTP can stay with ztunnel.",
	Security: true,
	Check:    checkZtunnel,
}

func checkZtunnel(s *Environment, report Report) {
	ambient := s.Run.Graph.Ambient()
	if len(ambient) == 0 {
		return
	}
	s.policies(func(p *policy.Policy) {
		id := p.ID()
		if id.Group != "security.istio.io" || id.Kind != "AuthorizationPolicy" || p.Invalid != "" || !forZtunnel(p.Object.Spec()) || p.Object.Annotations()["istio.io/dry-run"] == "true" {
			return
		}
		at := id.Namespace
		if id.Namespace == p.Kind.Target.Root {
			at = ambient[0]
		}
		does, http := enforcedByZtunnel(p.Object.Spec())
		if does.what == "" || !slices.Contains(ambient, at) {
			return
		}
		report(Hit{
			Target: id.String(), Key: http, Severity: does.severity, Object: p.Object,
			At:     p.Object.Position(cmp.Or(p.Object.Spec().Get("rules"), p.Object.Spec().Get("action"), p.Object.Root.Get("spec"))),
			Title:  say("%s %s", id, does.what),
			Detail: "the label istio.io/dataplane-mode: ambient of Namespace " + at + " puts its pods behind ztunnel; pods with a sidecar enforce the policy as it is written",
		})
	})
}

// forZtunnel reports whether ztunnel enforces a policy: one without targets, unless it selects the pods of a Gateway.
func forZtunnel(spec *loader.Value) bool {
	return spec.Get("targetRefs").IsEmpty() && spec.Get("targetRef").IsEmpty() &&
		spec.Get("selector", "matchLabels", hierarchy.GatewayNameLabel) == nil
}

// departure says how what ztunnel does departs from a policy.
type departure struct {
	what     string
	severity plan.Severity
}

// enforcedByZtunnel returns how ztunnel departs from a policy, and because of which attributes. The text is empty if it does
// not.
func enforcedByZtunnel(spec *loader.Value) (departure, []string) {
	action := cmp.Or(spec.Str("action"), "ALLOW")
	if action == "CUSTOM" {
		return departure{"has no effect at ztunnel, which does not know the action CUSTOM", plan.Error}, []string{action}
	}
	rules := spec.List("rules")
	enforced, http := settle.AtZtunnel(action, rules)
	if len(http) == 0 || action != "ALLOW" && action != "DENY" {
		return departure{}, nil
	}
	because := " at ztunnel, which does not know " + spelling.And(http)
	switch {
	case action == "ALLOW" && len(enforced) == 0:
		return departure{"allows nothing" + because, plan.Error}, http
	case action == "ALLOW":
		return departure{"allows less than it says" + because, plan.Warning}, http
	case len(enforced) == 0:
		return departure{"denies nothing" + because, plan.Error}, http
	case len(enforced) < len(rules):
		return departure{"does not apply as written" + because, plan.Error}, http
	}
	return departure{"denies more than it says" + because, plan.Warning}, http
}
