package exposure_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/protection"
)

// mutation is one edit of a world. If it loosens, a finding of at least the severity least is
// expected. If it has no effect, no finding is expected.
type mutation struct {
	name string
	// least is the minimum severity of the expected finding; empty means no finding.
	least plan.Severity
	make  func(r *rand.Rand) (before, after *world)
	// beside is the same mutation with its target in the input, if this one is without.
	beside *mutation
}

// loosenings maps the way in which a field loosens to the expected severity. A removed field
// or a lower mode is an error.
var loosenings = map[catalogue.Loosening]plan.Severity{
	catalogue.Removed: plan.Error, catalogue.Gone: plan.Error, catalogue.Lower: plan.Error, catalogue.Higher: plan.Warning, catalogue.Added: plan.Warning, catalogue.Changed: plan.Warning, catalogue.Admits: plan.Warning,
}

func due(p catalogue.Protection) plan.Severity {
	if p.What == protection.Exposure || p.Loosens == catalogue.Lower && len(p.Order) == 0 {
		return plan.Warning // requests need no less, or the field is a number, not a mode
	}
	return loosenings[p.Loosens]
}

// rowMutations returns mutations that loosen each protecting field of a kind at each target.
func rowMutations(e *catalogue.Entry) []mutation {
	var out []mutation
	for i, p := range e.Protects {
		for _, a := range attachments(e) {
			if !serves(e, p, a) {
				continue
			}
			name := strings.TrimRight(fmt.Sprintf("%s %s %s (%s at %s %s)", e.ID, p.Path, p.Loosens, a.form.Form, a.part, a.section), " ")
			out = append(out, mutation{name: name, least: due(p), make: func(r *rand.Rand) (*world, *world) {
				one := rows(r, e)[i]
				before := worldFor(r, e, p)
				after := before.clone()
				before.attach(e, a, "guard", one.spec(a, one.strong))
				after.attach(e, a, "guard", one.spec(a, one.weak))
				switch {
				case len(one.steps) > 0:
				case p.Loosens == catalogue.Added:
					delete(before.docs, "policy")
				default:
					delete(after.docs, "policy")
				}
				return before, after
			}})
		}
	}
	return out
}

// serves reports whether a field has an effect at the target of an attachment.
func serves(e *catalogue.Entry, p catalogue.Protection, a attachment) bool {
	kind := map[string]string{"gateway": "Gateway", "set": "ListenerSet", "route": "HTTPRoute", "grpc": "GRPCRoute", "service": "Service"}[a.part]
	for _, only := range e.Spec.Only {
		field, _, _ := strings.Cut(only.Field, "=")
		path := strings.NewReplacer("PreRouting.", "", "PostRouting.", "").Replace(p.Path)
		if path != field && !strings.HasPrefix(path, field+".") || strings.Contains(only.Field, "=PreRouting") && !strings.Contains(p.Path, "PreRouting") {
			continue
		}
		if only.Whole && a.section != "" || len(only.Kinds) > 0 && !slices.Contains(only.Kinds, kind) {
			return false
		}
	}
	return !strings.Contains(p.Path, "PreRouting") || kind == "Gateway" || kind == "ListenerSet"
}

// guarded returns a world with one protecting policy, attached as given. It returns false if
// the kind has no suitable field.
func guarded(r *rand.Rand, e *catalogue.Entry, a attachment) (*world, bool) {
	var useful []row
	for _, one := range rows(r, e) {
		if due(one.Protection) == plan.Error && serves(e, one.Protection, a) && one.Loosens != catalogue.Lower {
			useful = append(useful, one)
		}
	}
	if len(useful) == 0 {
		return nil, false
	}
	one := useful[r.IntN(len(useful))]
	w := worldFor(r, e, one.Protection)
	w.attach(e, a, "guard", one.spec(a, one.strong))
	return w, true
}
