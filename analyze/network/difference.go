package network

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/loader"
)

// Difference is what changes between two revisions of an environment.
type Difference struct {
	// Before and After are the worlds of both revisions, over the same endpoints.
	Before, After *World
	// Changes are sets of connections that are newly allowed or denied.
	Changes []Change
	// Exposed are the workloads that no policy isolates any more.
	Exposed []Exposure
	// Filtered are the policies whose rules admit other requests.
	Filtered []FilterChange
}

// Change is a set of connections that one revision allows and the other denies. To keep the description short, From
// and To may also cover connections that had the second revision's answer before. Except names those that keep the
// other answer.
type Change struct {
	// Opened is true for connections that are newly allowed.
	Opened bool
	// Sure is false if what is not known may make both revisions alike.
	Sure bool
	// From and To are the ends in words: every connection from one of From to one of To.
	From, To []string
	Ports    Ports
	// SoFar are the only ports on which an opened connection was allowed before, Now those on which alone one that is cut is still
	// allowed; empty if there is none, or too much to say.
	SoFar, Now Ports
	// Except are ends whose connections differ on fewer ports: "Deployment web/front on 8080/TCP" is not
	// newly allowed or denied.
	Except []string
	// StillFrom and StillTo are set for one of the ends of connections that are denied, where nearly everything is at that
	// end: those that can still connect, or to which one still can.
	StillFrom, StillTo []string
	// DependsOn says on what it depends whether anything differs, if Sure is false and it is about labels of a namespace.
	DependsOn string
	// Targets are the workloads among To, or among From where To is outside the cluster.
	Targets []loader.ID
	// Sources are the workloads among From, if there is nothing else.
	Sources []loader.ID
	// Pairs counts the pairs of endpoints.
	Pairs int
	Edits []Edit
}

// Exposure is a workload that was isolated in a direction and is no longer.
//
// Where no manifest has the pods, Workload is zero and Name says which they are.
type Exposure struct {
	Workload loader.ID
	Name     string
	// Formerly is the name of a renamed workload in the first revision.
	Formerly  string
	Direction Direction
	Edits     []Edit
	// New means that no manifest has such pods, and that they have a label by which the second revision alone divides pods,
	// with another value than those that a policy selects by it: there may be none.
	New bool
}

// Edit is an edited object that a change comes from. One of the objects is nil if the object came or
// went.
type Edit struct{ Before, After *loader.Object }

// Compare returns the differences between two revisions, of connections between what both have (see lasting).
func Compare(base, head Side) *Difference {
	c := differences(base, head)
	c.finish()
	c.exposed()
	filtering{c}.filters()
	filtering{c}.admitted()
	slices.SortFunc(c.Filtered, func(a, b FilterChange) int { return a.Edit.id().Compare(b.Edit.id()) })
	if c.After.Exceeded() {
		c.Changes, c.Exposed = nil, nil
	}
	return c.Difference
}

// differences finds what differs for each endpoint.
func differences(base, head Side) *comparing {
	policies := [][]*Policy{policiesOf(base), policiesOf(head)}
	u := newUniverse([]Side{base, head}, policies)
	was, is := base.byID(), head.byID()
	now := renames(was, is)
	d := &Difference{Before: newWorld(u, withWorkloads(base, head, now), policies[0]), After: newWorld(u, withWorkloads(head, base, nil), policies[1])}
	c := &comparing{Difference: d, at: map[string]int{}, called: map[int][2]reach{}, was: was, is: is, now: now, lasting: lastingOf(u, base, head, now)}
	c.affected().each(func(i int) {
		if !c.lasting.alone(i) {
			c.compare(i)
		}
	})
	return c
}

// comparing collects the differences of two worlds.
type comparing struct {
	*Difference
	was, is map[loader.ID]*loader.Object
	// now are the new names of workloads that are renamed, by the old ones.
	now map[loader.ID]loader.ID
	lasting
	// called caches the callers in both worlds of what stands for parts of the labels of other pods.
	called map[int][2]reach
	// found are the differences by destination, at indexes them by what they have in common.
	found []*found
	at    map[string]int
}

// compare compares the callers of one endpoint. Policies of neither end apply to connections between
// two endpoints outside the cluster.
func (c *comparing) compare(i int) {
	if c.After.Exceeded() {
		return
	}
	before, after := c.Before.callers(i), c.After.callers(i)
	var ranges []Range
	for _, r := range []reach{before, after} {
		for _, p := range r {
			ranges = append(ranges, p.Range)
		}
	}
	one := map[string]*found{}
	var order []string
	alike := partsReach(c, i)
	for _, r := range alike {
		for _, p := range r {
			ranges = append(ranges, p.Range)
		}
	}
	for _, class := range classes(ranges) {
		b, a := before.at(class), after.at(class)
		for _, k := range []struct {
			opened, sure bool
			from         set
		}{
			{true, true, a.sure.without(b.perhaps)},
			{true, false, union(a.sure.without(b.sure).and(b.perhaps), a.perhaps.without(b.perhaps).without(a.sure))},
			{false, true, b.sure.without(a.perhaps)},
			{false, false, union(b.sure.without(a.sure).and(a.perhaps), b.perhaps.without(a.perhaps).without(b.sure))},
		} {
			k.from.drop(c.ignored(i))
			c.drop(i, class, k.opened, k.from)
			dropMet(c, k.from, differently(b, a, k.opened), differentlyAt(alike, class, k.opened))
			if k.from.empty() {
				continue
			}
			for _, part := range certainty(c, i, k.from, k.sure) {
				key := fmt.Sprint(k.opened, part.sure, part.from.key())
				if one[key] == nil {
					one[key] = &found{opened: k.opened, sure: part.sure, from: part.from}
					order = append(order, key)
				}
				one[key].ports = portsOf(append(one[key].ports, class))
			}
		}
	}
	for _, key := range order {
		c.add(i, one[key])
	}
}

func union(s, t set) set { out := s.clone(); out.join(t); return out }

// ignored returns the sources that do not count for a destination: itself, and for one outside the
// cluster all others outside.
func (c *comparing) ignored(i int) set {
	out := newSet(len(c.Before.views.list))
	if v := c.Before.views.list[i]; v.Form != Pods {
		for j, w := range c.Before.views.list {
			if w.Form != Pods {
				out.add(j)
			}
		}
	} else {
		for j, w := range c.Before.views.list {
			// Domain names are ends of egress alone, and a pod's own node always reaches it, which Cilium knows as host
			// (pkg/policy/mapstate.go, determineAllowLocalhostIngress).
			if w.Form == Names || w.Form == Nodes || w.Form == Entities && w.Name == "host" {
				out.add(j)
			}
		}
	}
	return out
}

// add adds what differs for a destination to the destinations with the same difference.
func (c *comparing) add(i int, f *found) {
	if !c.After.effort.spend(32 * len(f.from)) {
		return
	}
	f.edits = c.editsOf(i, f)
	key := fmt.Sprint(f.opened, f.sure, []Range(f.ports), editNames(f.edits), f.from.key())
	n, known := c.at[key]
	if !known {
		n = len(c.found)
		c.at[key] = n
		f.to = newSet(len(c.Before.views.list))
		c.found = append(c.found, f)
	}
	c.found[n].to.add(i)
}

func (e Edit) id() loader.ID {
	if e.After != nil {
		return e.After.ID
	}
	return e.Before.ID
}

// finish joins differences and puts them into words.
func (c *comparing) finish() {
	list := c.grouped(c.grouped(c.found, true), false)
	d := describing{c}
	for _, f := range list {
		if !c.After.effort.spend(4 * len(c.After.views.list)) {
			return
		}
		change := Change{
			Opened: f.opened, Sure: f.sure, Edits: f.edits, Except: f.except,
			From: d.words(f, true), To: d.words(f, false), Pairs: f.from.count() * f.to.count(), DependsOn: d.dependsOn(f),
		}
		change.Ports, change.SoFar, change.Now = d.byRemainingPorts(f)
		if change.StillFrom = d.whoStillConnects(f, change.From, true); len(change.StillFrom) == 0 {
			change.StillTo = d.whoStillConnects(f, change.To, false)
		}
		change.Targets = c.targets(f.to)
		if sources := c.targets(f.from); len(sources) == f.from.count() {
			change.Sources = sources
		}
		if len(change.Targets) == 0 || len(change.Sources) == 1 && f.to.count() > 1 {
			change.Targets = c.targets(f.from)
		}
		c.Changes = append(c.Changes, change)
	}
	slices.SortStableFunc(c.Changes, func(a, b Change) int {
		return cmp.Or(
			compareBool(!a.Opened, !b.Opened), compareBool(!a.Sure, !b.Sure),
			strings.Compare(strings.Join(a.To, " "), strings.Join(b.To, " ")), strings.Compare(strings.Join(a.From, " "), strings.Join(b.From, " ")),
			strings.Compare(a.Ports.String(), b.Ports.String()),
		)
	})
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

func (c *comparing) targets(s set) []loader.ID {
	var out []loader.ID
	s.each(func(i int) {
		if v := c.After.views.list[i]; v.Form == Pods && !v.presumed() {
			out = append(out, v.Workload)
		}
	})
	slices.SortFunc(out, loader.ID.Compare)
	return out
}

// exposed finds the endpoints that are isolated in the first revision only: workloads that both have, also under
// another name, and pods without a manifest in namespaces where no workload is exposed by the same edits.
func (c *comparing) exposed() {
	var presumed []Exposure
	keys := sync.OnceValue(c.newKeys)
	told := map[string]bool{}
	for i, v := range c.After.views.list {
		switch {
		case v.Form != Pods, v.met(), v.presumed() && c.surelyGone(i), !v.presumed() && (c.was[v.Workload] == nil || c.is[v.Workload] == nil):
			continue
		}
		for _, d := range directions {
			if !denies(c.Before, i, d) || c.After.isolated(i, d) || c.After.mayDenyAll(i, d) {
				continue
			}
			e := Exposure{Workload: v.Workload, Name: v.String(), Direction: d, Edits: c.isolating(i, d)}
			if len(e.Edits) == 0 { // what isolated it decides in another way, such as a tier of Calico
				if e.Edits = opening(c, i, d); len(e.Edits) == 0 {
					continue // its own rules deny as much as before
				}
			}
			if v.presumed() {
				for key := range v.labels {
					e.New = e.New || keys()[key]
				}
				presumed = append(presumed, e)
				continue
			}
			told[editKey(e)] = true
			c.Exposed = append(c.Exposed, e)
		}
	}
	c.renamed()
	for _, e := range presumed {
		if key := editKey(e); !told[key] {
			told[key] = true // the first one stands for those with further labels
			c.Exposed = append(c.Exposed, e)
		}
	}
}

// newKeys are the keys of labels by which a policy of the second revision selects pods, and that no selector of the first one
// is about: an edit divides pods by them.
func (c *comparing) newKeys() map[string]bool {
	known, out := map[string]bool{}, map[string]bool{}
	eachPeer(c.Before.Policies, func(_ *Policy, peer Peer) {
		for _, s := range peer.selectors() {
			example, _ := s.Example()
			for _, labels := range append(slices.Concat(s.Others(), s.Excluded()), example) {
				maps.Copy(known, keysOf(labels))
			}
		}
	})
	for _, p := range c.After.Policies {
		for _, subject := range p.Subjects {
			for _, s := range subject.selectors() {
				example, _ := s.Example()
				maps.Copy(out, keysOf(example))
			}
		}
	}
	maps.DeleteFunc(out, func(key string, _ bool) bool { return known[key] })
	return out
}

func keysOf(labels map[string]string) map[string]bool {
	out := map[string]bool{}
	for key := range labels {
		out[key] = true
	}
	return out
}

// selectors are those of the labels of pods.
func (p Peer) selectors() []Selector {
	var out []Selector
	for _, one := range p {
		switch one := one.(type) {
		case pods:
			out = append(out, one.selector)
		case calicoPods:
			out = append(out, one.selector)
		}
	}
	return out
}

// opening returns the edits by which connections of an endpoint are allowed in a direction that were not.
func opening(c *comparing, i int, d Direction) []Edit {
	for _, f := range c.found {
		if f.opened && (d == Ingress && f.to.has(i) || d == Egress && f.from.has(i)) {
			return f.edits
		}
	}
	return nil
}

// editKey identifies the direction and the edits of an exposure.
func editKey(e Exposure) string {
	return e.Direction.String() + "\x00" + strings.Join(editNames(e.Edits), " ")
}

// isolating returns the edits by which an endpoint is not isolated any more.
func (c *comparing) isolating(i int, d Direction) []Edit {
	var out []Edit
	for _, p := range c.Before.compiled {
		if !p.Isolates[d] || !p.perhaps.has(i) {
			continue
		}
		edit := Edit{c.was[p.Object.ID], c.is[p.Object.ID]}
		if edit.After == nil || edit.Before.Digest != edit.After.Digest {
			out = append(out, edit)
		}
	}
	v := c.After.views.list[i]
	for _, id := range []loader.ID{v.Workload, {Kind: "Namespace", Name: v.Namespace}} {
		if e := (Edit{c.was[id], c.is[id]}); len(out) == 0 && e.Before != nil && e.After != nil && e.Before.Digest != e.After.Digest {
			out = append(out, e)
		}
	}
	return out
}
