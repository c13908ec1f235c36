package change

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/feature"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// Difference is the result of a comparison of two runs of one environment.
type Difference struct {
	// Changes are sorted by policy kind, kind of change and first target.
	Changes  []Compared
	Policies []PolicyVerdicts
	// Join is the joined hierarchies, for rules that need both sides. It is nil if no object
	// differs.
	Join *effective.Join
	// Unrendered are the objects that may exist on the side that does not declare them.
	Unrendered *applied.Unrendered
}

// PolicyVerdicts is a policy that was added or removed, or whose verdict changed.
type PolicyVerdicts struct {
	ID   loader.ID
	Node string
	// Formerly is the policy of base that was renamed or moved to this one in head. SameEffect
	// means that the rename changes no effective configuration.
	Formerly      loader.ID
	SameEffect    bool
	Before, After *plan.Verdict
	Causes        []plan.Cause
	Fingerprint   string
}

// Options are the inputs of a comparison besides the two runs.
type Options struct {
	// Environment names the environment, for fingerprints.
	Environment string
	// Unreadable are the files that each side could not read. It is unknown whether objects that
	// the other side declares there were added or removed.
	Unreadable [2]map[string]bool
	// Content returns an id of a file's content on each side, or "" if the side does not have the
	// file. Either function may be nil.
	Content [2]func(file string) string
	// Hunks returns the lines of a file that differ; it may be nil.
	Hunks func(file string) []loader.Hunk
}

// Between compares two runs of one environment. One run is nil for an environment that was added or
// removed. Swapping the runs mirrors the result.
func Between(base, head *effective.Run, o Options) *Difference {
	edits, unrendered := findEdits(base, head), applied.NewUnrendered(environmentOf(base), environmentOf(head))
	if len(edits) == 0 && base != nil && head != nil && feature.Same(base.Environment, head.Environment) && inventory.SameManagedLabels(base.Environment, head.Environment) {
		return &Difference{Unrendered: unrendered}
	}
	p := counterparts(base, head)
	edits.rename(p)
	edits.elsewhere(o)
	c := &sides{
		options: o, edits: edits, pairs: p, runs: [2]*effective.Run{base, head},
		join: effective.NewJoin(base, head, p.before()), causesOf: map[loader.ID]plan.Cause{}, unrendered: unrendered,
	}
	(&declarations{c}).ownChanges()
	e := &effects{sides: c, seen: map[*policy.Policy]bool{}, sets: map[*policy.Set][]*policy.Policy{}, paired: map[*catalogue.Kind]map[loader.ID]loader.ID{}}
	for _, k := range c.kinds() {
		e.policyChanges(k)
	}
	policies := (&verdicts{e}).all()
	return &Difference{Changes: c.outcomes.changes(o.Environment), Policies: policies, Join: c.join, Unrendered: unrendered}
}

func environmentOf(run *effective.Run) *loader.Environment {
	if run == nil {
		return nil
	}
	return run.Environment
}

// sides are two runs of one environment, what was edited between them, and the outcomes found
// so far.
type sides struct {
	options Options
	edits   edits
	// pairs are the renamed nodes. It is nil if there is only one side.
	pairs    *pairs
	runs     [2]*effective.Run
	join     *effective.Join
	outcomes outcomes
	// causesOf caches the positions of edits.
	causesOf   map[loader.ID]plan.Cause
	unrendered *applied.Unrendered
}

// declarations compares the configuration in routes, listeners and Gateways themselves.
type declarations struct {
	*sides
}

// effects compares effective policies.
type effects struct {
	*sides
	// seen are the policies in states that differ. Their verdicts may differ, too.
	seen map[*policy.Policy]bool
	// sets caches the edited policies of each set.
	sets map[*policy.Set][]*policy.Policy
	// paired caches the renamed policies of each kind, from base to head.
	paired map[*catalogue.Kind]map[loader.ID]loader.ID
	// onward is that of the kind which is compared.
	onward *onward
}

// verdicts compares the verdicts on policies.
type verdicts struct {
	*effects
}

// kinds returns the kinds that have policies on either side, in the order of base, then of head.
func (c *sides) kinds() []*catalogue.Kind {
	var out []*catalogue.Kind
	have := map[*catalogue.Kind]bool{}
	for _, r := range c.runs {
		if r == nil {
			continue
		}
		for _, k := range r.Attached.Kinds {
			if !have[k] {
				have[k] = true
				out = append(out, k)
			}
		}
	}
	return out
}

// policyChanges compares the effective policies of one kind at every effective target.
func (c *effects) policyChanges(k *catalogue.Kind) {
	c.onward = newOnward(k)
	c.join.Flows(k, func(at *effective.Joint, flows []effective.Flow) {
		d := pairFlows(c.differing(k, at, flows))
		for _, both := range d.pairs {
			c.comparePair(k, at, both)
		}
		for _, f := range d.lost {
			c.alone(k, at, f, effective.Base)
		}
		for _, f := range d.gained {
			c.alone(k, at, f, effective.Head)
		}
	})
	if c.onward != nil {
		for _, h := range c.onward.held {
			if !c.onward.moved(c.join, h) {
				c.outcomes.add(h.outcome, h.target)
			}
		}
	}
}

// addUnlessHeld adds an outcome at a target, unless it is held back.
func (c *effects) addUnlessHeld(at *effective.Joint, one outcome, target plan.Target) {
	if !c.onward.hold(at, one, target) {
		c.outcomes.add(one, target)
	}
}

// differing returns the flows that must be compared. Equal states result in equal effective
// policies, unless the specs also depend on the target.
func (c *effects) differing(k *catalogue.Kind, at *effective.Joint, flows []effective.Flow) []effective.Flow {
	if c.join.Differ(k, at) {
		return flows
	}
	return slices.DeleteFunc(flows, func(f effective.Flow) bool { return f.States[effective.Base] == f.States[effective.Head] })
}

// comparePair compares the effective policies of a context and its counterpart in head.
func (c *effects) comparePair(k *catalogue.Kind, at *effective.Joint, p pair) {
	if frontOf(at) && cameOrWent(at) {
		return // declared on one side only: reported as an object that was added or removed
	}
	states := [2]effective.State{p.before.States[effective.Base], p.after.States[effective.Head]}
	if states[effective.Base] == states[effective.Head] && !c.join.Differ(k, at) {
		return
	}
	if c.doubted(k, at, p) {
		return
	}
	if c.join.Alike(k, states[effective.Base], states[effective.Head]) {
		if beaten := c.beatenAlike(k, states); beaten != nil {
			c.outcomes.addUnchanged(unchangedTarget{kind: k, causes: c.edited(beaten), target: refOf(at.Any())})
		}
		if c.onward != nil {
			c.onward.addUnchanged(at, c.policy(k, at, effective.Head, p.after))
		}
		return
	}
	before := c.policy(k, at, effective.Base, p.before)
	after := c.policy(k, at, effective.Head, p.after)
	c.note(before, after)
	d := c.diff(k, before, after)
	if len(d.fields) == 0 {
		if c.beaten(before) || c.beaten(after) {
			c.outcomes.addUnchanged(unchangedTarget{kind: k, causes: c.causes(nil, before, after, p), target: refOf(at.Any())})
		}
		c.onward.addUnchanged(at, after)
		return
	}
	c.addUnlessHeld(at, outcome{
		kind: k, change: plan.FieldChange, fields: d.fields, before: before, after: after,
		causes: c.causes(d.sources, before, after, p),
	}, c.target(at, p, before, after))
}

// doubted reports a context that may lose what policies set that attached for certain in base: manifests no longer tell in head that they do,
// such as by the labels of the target. It returns true if nothing else differs.
func (c *effects) doubted(k *catalogue.Kind, at *effective.Joint, p pair) bool {
	base, head := p.before.States[effective.Base], p.after.States[effective.Head]
	if at.Nodes[effective.Head] == nil || !effective.IsDoubtful(c.runs[effective.Head], head) {
		return false
	}
	certain, _ := effective.ByCertainty(c.runs[effective.Base], base)
	_, doubtful := effective.ByCertainty(c.runs[effective.Head], head)
	lost := map[string]bool{}
	for id := range doubtful {
		lost[id.String()] = certain[id]
	}
	before, after := c.policy(k, at, effective.Base, p.before), c.policy(k, at, effective.Head, p.after)
	sure := effective.Sure(c.runs[effective.Head], k, head, at.Nodes[effective.Head])
	d := c.diff(k, before, sure)
	fields := slices.DeleteFunc(d.fields, func(f plan.Field) bool { return f.BeforeSource == nil || !lost[f.BeforeSource.Object] })
	if len(fields) == 0 {
		return false
	}
	c.note(before, after)
	own := slices.DeleteFunc(d.sources, func(o *loader.Object) bool { return !lost[o.ID.String()] })
	causes := c.edited(appendObjects(own, at.Nodes[effective.Head]))
	if len(causes) == 0 {
		causes = c.causes(own, before, after, p)
	}
	o := outcome{kind: k, change: plan.FieldChange, fields: fields, before: before, after: sure, causes: causes}
	c.addUnlessHeld(at, o, c.target(at, p, before, after))
	return len(c.diff(k, before, after).fields) == 0
}

// frontOf reports whether a target receives requests from outside: a Gateway, ListenerSet or
// listener.
func frontOf(at *effective.Joint) bool {
	switch at.Level {
	case hierarchy.LevelGateway, hierarchy.LevelListenerSet, hierarchy.LevelListener:
		return true
	default:
		return false
	}
}

// beaten reports whether an edited policy takes part in an effective policy but is fully
// overridden.
func (c *effects) beaten(e *effective.Policy) bool {
	if e == nil {
		return false
	}
	return slices.ContainsFunc(e.Shares, func(s effective.Share) bool {
		_, edited := c.edits[s.Policy.ID()]
		return edited && s.Enforcement == plan.Overridden
	})
}

// alone reports a context that has no counterpart on the other side. If its target was added or
// removed, the change lists the fields. If the target only lost or gained the attachment, it does
// not, because the attachment explains them all.
func (c *effects) alone(k *catalogue.Kind, at *effective.Joint, f effective.Flow, side effective.Side) {
	p := pair{before: f, after: f}
	only := c.policy(k, at, side, f)
	if only == nil {
		return
	}
	o := outcome{kind: k}
	var before, after *effective.Policy
	if side == effective.Base {
		before, o.change = only, plan.Detached
	} else {
		after, o.change = only, plan.Attached
	}
	c.note(before, after)
	o.before, o.after = before, after
	d := c.diff(k, before, after)
	switch {
	case at.Level == hierarchy.LevelOutside && c.has(1-side, at.Nodes[side]):
		// A node outside the hierarchy exists only while a policy targets it.
		o.fields, o.change = d.fields, plan.FieldChange
	case at.Nodes[1-side] == nil || at.Nodes[1-side].Object == nil && at.Nodes[side].Object != nil:
		o.fields = d.fields
		o.change = map[effective.Side]plan.ChangeKind{effective.Base: plan.Removed, effective.Head: plan.Added}[side]
	}
	if len(d.fields) == 0 {
		return
	}
	o.causes = c.causes(d.sources, before, after, p)
	c.addUnlessHeld(at, o, c.target(at, p, before, after))
}

func (c *effects) policy(k *catalogue.Kind, at *effective.Joint, side effective.Side, f effective.Flow) *effective.Policy {
	return c.runs[side].Policy(k, f.States[side], at.Nodes[side])
}

// note records the policies whose verdicts may change because of a difference.
func (c *effects) note(policies ...*effective.Policy) {
	for _, p := range policies {
		if p == nil {
			continue
		}
		for _, share := range p.Shares {
			c.seen[share.Policy] = true
		}
	}
}

// target returns the target of a change, with its contexts.
func (c *sides) target(at *effective.Joint, p pair, before, after *effective.Policy) plan.Target {
	t := plan.Target{
		Target: refOf(at.Any()), ContextCount: p.after.Count, Unreadable: c.unreadable(at, p, before, after),
	}
	if n := at.Any(); n.Owner != nil {
		for _, s := range n.Owner.Sections {
			if s.Level == n.Level && s.Value != nil {
				t.Sections++
			}
		}
	}
	t.Certain = c.certain(p) && !t.Unreadable && !c.mayBeUnrendered(at) && !ofUnrendered(c, before, after)
	if p.after.States[effective.Head] != effective.Absent {
		t.Contexts = contexts(p.after, effective.Head)
	} else {
		t.Contexts = contexts(p.before, effective.Base)
		t.ContextCount = p.before.Count
	}
	if p.moved() {
		t.ContextsBefore = contexts(p.before, effective.Base)
	}
	for _, e := range []*effective.Policy{before, after} {
		if e != nil {
			t.AgeSensitive = t.AgeSensitive || e.AgeSensitive
			t.Certain = t.Certain && !e.Uncertain
		}
	}
	return t
}

func (c *sides) certain(p pair) bool {
	certain := true
	if p.before.States[effective.Base] != effective.Absent {
		certain = certain && p.before.Certain[effective.Base]
	}
	if p.after.States[effective.Head] != effective.Absent {
		certain = certain && p.after.Certain[effective.Head]
	}
	return certain
}

// mayBeUnrendered reports whether a target that only one side declares may come from something that the other side does not
// render: from the same deployer, or from the chart of the release whose name the target's name starts with.
func (c *sides) mayBeUnrendered(at *effective.Joint) bool {
	for side, n := range at.Nodes {
		if !declared(n) || declared(at.Nodes[1-side]) || c.runs[1-side] == nil {
			continue
		}
		if c.unrendered.On(1-side, n.Object) {
			return true
		}
		by, may := c.runs[1-side].Graph.Installer(n.Target.ID)
		if !may || gives(c.runs[1-side].Environment, by) {
			continue
		}
		if was, too := c.runs[side].Graph.Installer(n.Target.ID); too && was == by && sameGap(c.runs[side].Environment, c.runs[1-side].Environment, by) {
			continue // the declaring side has the same release, so it does not install the object
		}
		return true
	}
	return false
}

// gives reports whether the input contains objects of a release. Its content is then known.
func gives(env *loader.Environment, release loader.ID) bool {
	return slices.ContainsFunc(env.Objects, func(o *loader.Object) bool { return o.Deployer != nil && o.Deployer.ID == release })
}

// sameGap reports whether an unrendered release has the same content on both sides.
func sameGap(a, b *loader.Environment, release loader.ID) bool {
	content := func(env *loader.Environment) (out [16]byte) {
		for _, g := range env.Gaps {
			if g.IsReleaseOf(release) {
				out = g.Content
			}
		}
		return out
	}
	return content(a) == content(b)
}

// unreadable reports whether a target, a node on its contexts or a policy there is missing on one
// side only because that side could not read the file that declares it.
func (c *sides) unreadable(at *effective.Joint, p pair, policies ...*effective.Policy) bool {
	if c.unread(at) {
		return true
	}
	for _, f := range []effective.Flow{p.before, p.after} {
		for _, sample := range f.Samples {
			for step := sample; step != nil; step = step.Up {
				if c.unread(step.Node) {
					return true
				}
			}
		}
	}
	for _, e := range policies {
		if e != nil && slices.ContainsFunc(e.Shares, func(s effective.Share) bool { return c.unreadObject(s.Policy.Object) }) {
			return true
		}
	}
	return false
}

func (c *sides) unread(at *effective.Joint) bool {
	return slices.ContainsFunc(at.Nodes[:], func(n *hierarchy.Node) bool { return declared(n) && c.unreadObject(n.Object) })
}

// unreadObject reports whether an object is on one side only because the other side could not read
// its file.
func (c *sides) unreadObject(o *loader.Object) bool {
	e, edited := c.edits[o.ID]
	if !edited || e.before != nil && e.after != nil || len(o.Files) == 0 {
		return false
	}
	missing := effective.Base
	if e.after == nil {
		missing = effective.Head
	}
	return c.options.Unreadable[missing][o.Files[0]]
}

func contexts(f effective.Flow, side effective.Side) [][]string {
	out := make([][]string, 0, len(f.Samples))
	for _, s := range f.Samples {
		out = append(out, s.Context(side))
	}
	return out
}

func refOf(n *hierarchy.Node) plan.TargetRef {
	return plan.Ref(n.Target.ID, n.Target.Section)
}
