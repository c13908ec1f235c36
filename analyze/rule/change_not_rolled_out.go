package rule

import (
	"cmp"
	"slices"

	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

var changeNotRolledOut = &Rule{
	ID:       "change-not-rolled-out",
	Title:    "A change of objects that their deployer does not apply",
	Severity: plan.Warning,
	Why: "Flux applies nothing of a Kustomization or HelmRelease with spec.suspend (kustomize-controller and helm-controller return " +
		"early): the plan shows what Git will say, and the cluster stays as it is until it is resumed. An object with " +
		"kustomize.toolkit.fluxcd.io/reconcile: disabled, ssa: Ignore or, once it exists, ssa: IfNotPresent is not updated in the cluster, and neither is a hook of " +
		"Helm that runs for installations alone; the plan shows that. A chart of a Git repository is packaged again only with another version " +
		"(reconcileStrategy: ChartVersion, the default), and an ApplicationSet with applicationsSync: create-only or create-delete does not " +
		"update the Applications that exist. Of the fields in ignoreDifferences Argo CD changes nothing where the sync option " +
		"RespectIgnoreDifferences is set, and where automated syncs end with the change, it waits for a person.",
	Fix:       "Resume the deployer with the change, raise the version of the chart, or be aware that the change comes into force later.",
	HoldsBack: true,
	Compare:   compareRollout,
}

func compareRollout(p *Pair, report Report) {
	reportSuspended(p, report)
	reportHeld(p, report)
	had := map[loader.ID]*loader.Object{}
	if len(p.Frozen) > 0 && p.Base != nil {
		had = loader.ByID(slices.Concat(p.Base.Run.Environment.Objects, p.Base.Run.Environment.Workloads))
	}
	for _, o := range p.Frozen {
		hit := Hit{
			Target: o.ID.String(), At: o.First(), Object: o,
			Title: say("%s is not updated by its deployer (%s), so its change is not rolled out", o.ID, o.Frozen),
		}
		if was := had[o.ID]; was != nil && was.Digest == o.Digest {
			hit.InBase, hit.Title = true, say("%s is removed and stays for now (%s)", o.ID, o.Frozen)
		}
		report(hit)
	}
}

// stopped is the edited objects that one deployer does not apply because it, or another above it, is suspended.
type stopped struct {
	by *loader.Deployer
	// via is the deployer that by applies and that applies the objects; nil if that is by itself.
	via   *loader.Deployer
	first *loader.Object
	n     int
	// inBase is true if only base has the deployer.
	inBase bool
}

// reportSuspended reports what deployers do not apply because they, or others above them, are suspended.
func reportSuspended(p *Pair, report Report) {
	found, base, head := map[[2]loader.ID]*stopped{}, p.Base.deployers(), p.Head.deployers()
	eachEdited(p, func(before, after *loader.Object) {
		o := cmp.Or(after, before)
		if o.Deployer == nil {
			return
		}
		// For a removed object, the deployer in head decides if it still exists.
		own := o.Deployer
		if now := head[own.ID]; now != nil {
			own = now
		}
		was := base[own.ID]
		by, stays := own.StoppedBy(), head[own.ID] != nil
		if by == nil || own != by && own.ID.Kind == by.ID.Kind && stays && (was == nil || was.Content == own.Content) {
			return // a Kustomization below a suspended one goes on
		}
		if now := head[by.ID]; now != nil {
			if by = now.StoppedBy(); by == nil {
				return
			}
		}
		key := [2]loader.ID{by.ID, own.ID}
		t := found[key]
		if t == nil {
			t = &stopped{by: by, first: o, inBase: head[own.ID] == nil}
			if own != by {
				t.via = own
			}
			found[key] = t
		}
		t.n++
	})
	told := map[loader.ID]bool{}
	for _, t := range found {
		told[t.by.ID] = true
		hit := t.hit()
		hit.InBase = head[t.by.ID] == nil
		report(hit)
	}
	for id, d := range head {
		was := base[id]
		if was == nil || !d.Suspended || was.Suspended || told[id] {
			continue
		}
		if n := applies(p.Head, d); n > 0 {
			report(Hit{
				Target: id.String(), At: d.At, Key: []string{"suspended"},
				Title: say("%s is suspended: later changes of its %s do not reach the cluster", id, spelling.Count(n, "object")),
			})
		}
	}
}

// applies counts the objects that a plan covers and that a deployer applies itself.
func applies(side *Environment, d *loader.Deployer) int {
	n := 0
	for _, o := range objectsOf(side) {
		if o.Deployer != nil && o.Deployer.ID == d.ID {
			n++
		}
	}
	return n
}

func (t *stopped) hit() Hit {
	what, verb := say("the change of %s", t.first.ID), "is"
	if t.n > 1 {
		what, verb = say("the changes of %s and %d more", t.first.ID, t.n-1), "are"
	}
	hit := Hit{Target: t.by.ID.String(), At: t.by.At}
	if t.via != nil {
		hit.Key = []string{t.via.ID.String()}
	}
	switch {
	case t.via == nil:
		hit.Title = say("%s is suspended, so %s %s not rolled out", t.by.ID, what, verb)
	case t.inBase:
		hit.Title = say("%s is suspended, so the removed %s stays in the cluster, and %s with it", t.by.ID, t.via.ID, t.first.ID)
	case t.via.ID.Kind == t.by.ID.Kind:
		hit.Title = say("%s is suspended, so the edit of %s, which may change %s, is not rolled out", t.by.ID, t.via.ID, t.first.ID)
	default:
		hit.Title = say("%s is suspended: %s %s rolled out only if it comes from what %s itself reads, such as its chart", t.by.ID, what, verb, t.via.ID)
	}
	return hit
}

// deployers returns the deployers of an environment by identity, with those that apply nothing of interest.
func (s *Environment) deployers() map[loader.ID]*loader.Deployer {
	if s == nil {
		return nil
	}
	out := s.Run.Environment.Deployers()
	for _, part := range s.Run.Environment.Parts {
		if part.Deployer != nil {
			out[part.Deployer.ID] = part.Deployer
		}
	}
	return out
}

// eachEdited visits the objects that differ between the revisions and that a plan covers: objects
// of Gateway API, policies, network policies and Services.
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
	for _, o := range s.Run.Environment.Workloads {
		if selects, _ := network.Selects(o.ID.Group, o.ID.Kind); selects && !o.Context {
			out[o.ID] = o
		}
	}
	return out
}
