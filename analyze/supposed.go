package analyze

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/analyze/traffic"
	"github.com/gwplan/gwplan/loader"
)

// suppose adds to the plan of an environment what is wrong if objects are gone that base declares, head does not, and that
// something which is not rendered may hold. Most repositories have a chart that is not rendered in each namespace: without
// this, the removal of the only Service of a route would pass in silence. Head is analysed once more, with these objects
// taken as gone; what differs then is told as perhaps.
func (c *comparison) suppose(runs runs, known *rule.Pair, env *plan.Environment) {
	list := untraced(runs)
	if len(list) == 0 || !refersTo(runs.pair.Head, list) {
		return
	}
	leave, ok := c.Parts.Enter("the effects of objects that may be removed", env.Name)
	if !ok {
		return
	}
	defer leave()
	supposed := map[loader.ID]bool{}
	for _, u := range list {
		supposed[u.ID] = true
	}
	pair := runs.pair
	runs.after = c.run(pair.Head, c.table, revision{
		ages: c.ages(pair), states: runs.states, skipped: c.head.Skipped, other: pair.Base, unread: runs.unread[1], supposed: supposed,
	})
	found, blamed := rule.Supposed(known, env.Findings, c.side(pair, runs.after, c.table), list)
	if len(found) == 0 {
		return
	}
	env.Findings = rule.WithSupposed(env.Findings, found)
	leaveRequests, ok := c.Parts.Enter("the section of requests", env.Name)
	if !ok {
		return
	}
	defer leaveRequests()
	d := change.Between(runs.before, runs.after, c.changes(runs, c.base, c.head))
	env.Requests = traffic.Supposed(env.Requests, known, c.rules(runs, d), blamed, c.Filter.request)
}

// untraced returns the objects that base declares and head does not, although head could read their file, and for which
// it is not known whether they are gone. It leaves out objects that their deployer keeps in the cluster, and objects
// that another object of the input makes. Objects of a deployer that is no longer rendered are reported as a change of
// that deployer.
func untraced(runs runs) []rule.Untraced {
	base, head := runs.pair.Base, runs.pair.Head
	if base == nil || head == nil || runs.after == runs.before {
		return nil
	}
	deployers := head.Deployers()
	lacks := func(d *loader.Deployer) bool {
		return slices.ContainsFunc(head.Gaps, func(g loader.Gap) bool { return g.CoversAllOf(d) })
	}
	var out []rule.Untraced
	for _, o := range base.Objects {
		id := o.ID
		switch graph := runs.after.Graph; {
		case o.Context || o.NamespaceAssumed || graph.Object(id) != nil || graph.External(id) || graph.Unread(id.Group, id.Kind):
		case len(o.Files) > 0 && runs.unread[1][o.Files[0]]:
		case o.Deployer != nil && (o.Deployer.KeptBy(deployers) != nil || lacks(o.Deployer)):
		case graph.ExistsOutside(id) != fact.Unknown:
		default:
			if u, held := holder(id, runs); held {
				out = append(out, u)
			}
		}
	}
	return out
}

// holder names what may hold an object that head does not have. If several may, one that comes with the change or has the
// object's name is the most likely.
func holder(id loader.ID, runs runs) (u rule.Untraced, held bool) {
	graph := runs.after.Graph
	releases, made := graph.MayInstall(id)
	if made {
		return u, false
	}
	base, head := runs.pair.Base, runs.pair.Head
	u.ID = id
	if g := newGap(head, base, id.Namespace); g != nil {
		u.Holder, u.Comes = placed(g.String(), g.Position), true
		if g.By != (loader.ID{}) {
			u.Holder = placed(g.By.Spoken(), g.Position)
		}
		return u, true
	}
	if len(releases) == 0 {
		return u, false
	}
	most := -1
	for _, r := range releases {
		o, was := graph.Object(r.By), runs.before.Graph.Object(r.By)
		rank := 0
		switch {
		case was == nil:
			rank = 2
		case r.Called(id.Name):
			rank = 1
		}
		if rank > most {
			most, u.Holder = rank, placed(r.By.Spoken(), o.First())
			u.Comes, u.Changes = was == nil, rank == 1 && was.Digest != o.Digest
		}
	}
	if most == 0 && len(releases) > 1 {
		u.Holder = fmt.Sprintf("one of the %d HelmReleases of namespace %s", len(releases), id.Namespace)
	}
	return u, true
}

func placed(name string, at loader.Position) string {
	if at.File == "" {
		return name
	}
	return fmt.Sprintf("%s (%s)", name, at)
}

// refersTo reports whether an object of an environment has the name of one of some objects among its values. What a
// ReferenceGrant permits does not name it.
func refersTo(env *loader.Environment, list []rule.Untraced) bool {
	names := map[string]bool{}
	for _, u := range list {
		if u.ID.Kind == "ReferenceGrant" {
			return true
		}
		names[u.ID.Name] = true
	}
	var named func(v *loader.Value) bool
	named = func(v *loader.Value) bool {
		if v == nil {
			return false
		}
		return v.Shape == loader.String && names[v.Text] ||
			slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return named(f.Value) }) || slices.ContainsFunc(v.Items, named)
	}
	return slices.ContainsFunc(env.Objects, func(o *loader.Object) bool { return named(o.Spec()) })
}
