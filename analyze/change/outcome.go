package change

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
)

// outcome is what changed, without the targets.
type outcome struct {
	kind          *catalogue.Kind
	change        plan.ChangeKind
	fields        []plan.Field
	causes        []plan.Cause
	before, after *effective.Policy
}

// outcomes groups equal outcomes. A Change is one outcome with all its targets.
type outcomes struct {
	keys      map[string]int
	found     []gathered
	unchanged []unchangedTarget
}

// unchangedTarget is a target where an edited policy of a kind takes part but the values stay the same.
type unchangedTarget struct {
	kind   *catalogue.Kind
	causes []plan.Cause
	target plan.TargetRef
}

// addUnchanged adds a target whose values stay the same, unless the last added one has the same target,
// kind and causes. The contexts of one target follow each other.
func (o *outcomes) addUnchanged(one unchangedTarget) {
	if n := len(o.unchanged); n > 0 {
		was := o.unchanged[n-1]
		if was.kind == one.kind && was.target == one.target && slices.Equal(was.causes, one.causes) {
			return
		}
	}
	o.unchanged = append(o.unchanged, one)
}

// unchangedBy returns the targets where a cause of a change takes part but the values stay the same,
// each once.
func (o *outcomes) unchangedBy(g gathered) []plan.TargetRef {
	var out []plan.TargetRef
	changes := make(map[plan.TargetRef]bool, len(g.targets))
	for i := range g.targets {
		changes[g.targets[i].Target] = true
	}
	for _, k := range o.unchanged {
		if k.kind == g.kind && !changes[k.target] && slices.ContainsFunc(k.causes, func(c plan.Cause) bool { return slices.Contains(g.causes, c) }) {
			out = append(out, k.target)
		}
	}
	slices.SortFunc(out, compareRefs)
	return slices.Compact(out)
}

type gathered struct {
	outcome
	targets []plan.Target
	// at are the indices of targets.
	at map[targetKey]int
}

// targetKey is equal for targets that differ at most in their contexts.
type targetKey struct {
	target                                                 plan.TargetRef
	certain, ageSensitive, unreadable, notInInput, remains bool
}

func keyOf(t *plan.Target) targetKey {
	return targetKey{t.Target, t.Certain, t.AgeSensitive, t.Unreadable, t.NotInInput, t.Remains}
}

func (o *outcomes) add(one outcome, at plan.Target) {
	if o.keys == nil {
		o.keys = map[string]int{}
	}
	key := one.key()
	i, ok := o.keys[key]
	if !ok {
		i = len(o.found)
		o.keys[key] = i
		o.found = append(o.found, gathered{outcome: one, at: map[targetKey]int{}})
	}
	g := &o.found[i]
	if same, known := g.at[keyOf(&at)]; known {
		addTo(&g.targets[same], at)
		return
	}
	g.at[keyOf(&at)] = len(g.targets)
	g.targets = append(g.targets, at)
}

// addTo adds the contexts of one target to another.
func addTo(t *plan.Target, u plan.Target) {
	switch {
	case t.ContextsBefore == nil && u.ContextsBefore != nil:
		t.ContextsBefore = slices.Clone(t.Contexts)
	case t.ContextsBefore != nil && u.ContextsBefore == nil:
		u.ContextsBefore = u.Contexts
	}
	t.ContextCount += u.ContextCount
	t.Contexts = append(t.Contexts, u.Contexts...)
	t.ContextsBefore = append(t.ContextsBefore, u.ContextsBefore...)
}

// key identifies an outcome by everything except its targets. The encoding cannot fail, because all
// values are JSON values.
func (o *outcome) key() string {
	data, _ := json.Marshal(struct {
		Change plan.ChangeKind
		Fields []plan.Field
		Causes []plan.Cause
		Names  []string
	}{o.change, o.fields, o.causes, o.policies()})
	if o.kind == nil {
		return string(data)
	}
	return o.kind.String() + string(data)
}

// policies returns the names of the policies that are in force before or after.
func (o *outcome) policies() []string {
	var names []string
	for _, e := range []*effective.Policy{o.before, o.after} {
		if e == nil {
			continue
		}
		for _, s := range e.Shares {
			if s.Enforcement != plan.Overridden {
				names = append(names, s.Policy.ID().String())
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// declared returns the declared targets of the policies in force that are among the causes, of both revisions.
func (o *outcome) declared() []plan.Declared {
	at := map[string][]string{}
	for _, e := range []*effective.Policy{o.before, o.after} {
		if e == nil {
			continue
		}
		for _, s := range e.Shares {
			id := s.Policy.ID().String()
			if s.Enforcement == plan.Overridden || !slices.ContainsFunc(o.causes, func(c plan.Cause) bool { return c.Object == id }) {
				continue
			}
			for _, ref := range s.Policy.References[:min(len(s.Policy.References), maxDeclared)] {
				at[id] = append(at[id], ref.Target.String())
			}
		}
	}
	var out []plan.Declared
	for _, id := range slices.Sorted(maps.Keys(at)) {
		slices.Sort(at[id])
		out = append(out, plan.Declared{Policy: id, Targets: slices.Compact(at[id])})
	}
	return out
}

// maxDeclared is how many declared targets of a policy are listed for each revision.
const maxDeclared = 20

// changes returns the sorted Changes of all outcomes.
func (o *outcomes) changes(environment string) []Compared {
	out := make([]Compared, 0, len(o.found))
	for _, g := range o.found {
		slices.SortFunc(g.targets, compareTargets)
		for i := range g.targets {
			finish(&g.targets[i])
		}
		c := Compared{
			Change: plan.Change{
				Kind: g.change, Targets: g.targets, Fields: g.fields, Causes: g.causes,
				Policies: g.policies(), Declared: g.declared(), Kept: o.unchangedBy(g),
			},
			policyKind: g.kind, before: g.before, after: g.after,
		}
		if g.kind != nil {
			c.PolicyKind = &plan.GroupKind{Group: g.kind.Group, Kind: g.kind.Name()}
		}
		c.Fingerprint = c.fingerprint(environment)
		out = append(out, c)
	}
	slices.SortStableFunc(out, compareChanges)
	tellApart(out)
	return out
}

// maxContexts is how many contexts of a target are listed; ContextCount is
// exact.
const maxContexts = 8

// finish sorts the contexts and cuts them at the limit.
func finish(t *plan.Target) {
	t.Contexts, t.ContextsBefore = finishContexts(t.Contexts), finishContexts(t.ContextsBefore)
}

func finishContexts(contexts [][]string) [][]string {
	slices.SortFunc(contexts, slices.Compare[[]string])
	contexts = slices.CompactFunc(contexts, slices.Equal[[]string])
	return contexts[:min(len(contexts), maxContexts)]
}

func compareRefs(a, b plan.TargetRef) int {
	return cmp.Or(
		cmp.Compare(a.Group, b.Group), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace),
		cmp.Compare(a.Name, b.Name), cmp.Compare(a.Section, b.Section),
	)
}

func compareTargets(a, b plan.Target) int {
	return cmp.Or(
		compareRefs(a.Target, b.Target),
		compareBool(b.Certain, a.Certain), compareBool(a.AgeSensitive, b.AgeSensitive),
	)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func compareChanges(a, b Compared) int {
	return cmp.Or(
		strings.Compare(a.sortKey(), b.sortKey()),
		compareTargets(a.Targets[0], b.Targets[0]),
		cmp.Compare(a.Fingerprint, b.Fingerprint),
	)
}

// sortKey sorts changes without a policy kind first, then by policy kind.
func (c *Compared) sortKey() string {
	kind := ""
	if c.PolicyKind != nil {
		kind = c.PolicyKind.Group + "/" + c.PolicyKind.Kind
	}
	return kind + "\x00" + string(c.Kind)
}
