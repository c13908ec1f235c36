package generate

import (
	"fmt"

	"github.com/gwplan/gwplan/loader"
)

// planPolicy generates the RateLimitPolicy with the name and target of a PlanPolicy. It has one
// limit per tier, not below defaults or overrides, so the limits are atomic defaults (Kuadrant
// cmd/extensions/plan-policy/internal/controller/planpolicy_reconciler.go,
// buildDesiredRateLimitPolicy, and api/v1alpha1/planpolicy_types.go, ToRateLimits).
func planPolicy(o *loader.Object) *loader.Object {
	spec := o.Spec()
	plans, target := spec.Get("plans"), spec.Get("targetRef")
	if len(plans.ItemList()) == 0 || target == nil {
		return nil
	}
	limits := mapping(plans)
	at := map[string]int{}
	for _, plan := range plans.ItemList() {
		tier := plan.Get("tier")
		if tier == nil {
			continue
		}
		limit := mapping(plan,
			field{"when", list(tier, predicate(tier, fmt.Sprintf(`auth.kuadrant.plan == "%s"`, tier.Text)))},
			field{"rates", rates(plan.Get("limits"), plan)},
		)
		// If two plans have the same tier, the later one counts.
		if i, twice := at[tier.Text]; twice {
			limits.Fields[i].Value = limit
			continue
		}
		at[tier.Text] = len(limits.Fields)
		limits.Fields = append(limits.Fields, loader.Field{Key: tier.Text, Value: limit})
	}
	return object(o, "kuadrant.io", "v1", "RateLimitPolicy", mapping(spec, field{"targetRef", target}, field{"limits", limits}))
}

// windows are the periods of the limits that have predefined names.
var windows = [...]struct{ name, window string }{
	{"daily", "24h"}, {"weekly", "168h"}, {"monthly", "730h"}, {"yearly", "8760h"},
}

func rates(limits, plan *loader.Value) *loader.Value {
	at := limits
	if at == nil {
		at = plan
	}
	out := list(at)
	for _, w := range windows {
		if limit := limits.Get(w.name); !limit.IsNull() {
			out.Items = append(out.Items, mapping(limit, field{"limit", limit}, field{"window", text(limit, w.window)}))
		}
	}
	out.Items = append(out.Items, limits.List("custom")...)
	return out
}
