package rule

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

var changeNotRolledOut = &Rule{
	ID:       "change-not-rolled-out",
	Title:    "A change of objects that their deployer does not apply",
	Severity: plan.Warning,
	Why: "Flux applies nothing of a Kustomization or HelmRelease with spec.suspend (kustomize-controller and helm-controller return " +
		"early): the plan shows what Git will say, and the cluster stays as it is until it is resumed. An object with " +
		"kustomize.toolkit.fluxcd.io/reconcile: disabled, ssa: Ignore or, once it exists, ssa: IfNotPresent is left as the cluster has it, and the plan shows that.",
	Fix:     "Resume the deployer with the change, or be aware that it comes into force later.",
	Compare: compareSuspended,
}

func compareSuspended(p *Pair, report Report) {
	type touched struct {
		by    *loader.Deployer
		first *loader.Object
		n     int
		// inBase is true if only base has the deployer.
		inBase bool
	}
	found, head := map[loader.ID]*touched{}, p.Head.deployers()
	eachEdited(p, func(before, after *loader.Object) {
		o := cmp.Or(after, before)
		if o.Deployer == nil {
			return
		}
		// For a removed object, the deployer in head decides if it still exists.
		by := o.Deployer
		if now := head[by.ID]; now != nil {
			by = now
		}
		if !by.Suspended {
			return
		}
		t := found[by.ID]
		if t == nil {
			t = &touched{by: by, first: o, inBase: head[by.ID] == nil}
			found[by.ID] = t
		}
		t.n++
	})
	for _, t := range found {
		title := say("%s is suspended, so the change of %s is not rolled out", t.by.ID, t.first.ID)
		if t.n > 1 {
			title = say("%s is suspended, so the changes of %s and %d more are not rolled out", t.by.ID, t.first.ID, t.n-1)
		}
		report(Hit{Target: t.by.ID.String(), At: t.by.At, InBase: t.inBase, Title: title})
	}
	for _, o := range p.Frozen {
		report(Hit{
			Target: o.ID.String(), At: o.First(), Object: o,
			Title: say("%s is left as the cluster has it (%s), so its change is not rolled out", o.ID, o.Frozen),
		})
	}
}

// deployers returns the deployers of an environment by identity.
func (s *Environment) deployers() map[loader.ID]*loader.Deployer {
	out := map[loader.ID]*loader.Deployer{}
	if s == nil {
		return out
	}
	for _, o := range s.Run.Environment.Objects {
		if o.Deployer != nil {
			out[o.Deployer.ID] = o.Deployer
		}
	}
	for _, part := range s.Run.Environment.Parts {
		if part.Deployer != nil {
			out[part.Deployer.ID] = part.Deployer
		}
	}
	return out
}

// eachEdited visits the objects that differ between the revisions and that a plan covers: objects
// of Gateway API, policies and Services.
func eachEdited(p *Pair, visit func(before, after *loader.Object)) {
	base, head := objectsOf(p.Base), objectsOf(p.Head)
	ids := make([]loader.ID, 0, len(base))
	for id := range base {
		ids = append(ids, id)
	}
	for id := range head {
		if base[id] == nil {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, loader.ID.Compare)
	for _, id := range ids {
		before, after := base[id], head[id]
		if before == nil || after == nil || before.Digest != after.Digest {
			visit(before, after)
		}
	}
}

func objectsOf(s *Environment) map[loader.ID]*loader.Object {
	out := map[loader.ID]*loader.Object{}
	if s == nil {
		return out
	}
	for _, o := range s.Run.Environment.Objects {
		if !o.Context && (o.ID.Group == loader.GatewayGroup || o.ID.Group == "" && o.ID.Kind == "Service") {
			out[o.ID] = o
		}
	}
	s.policies(func(p *policy.Policy) { out[p.ID()] = p.Object })
	return out
}
