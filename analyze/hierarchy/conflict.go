package hierarchy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// judgeConflicts finds the listeners of a Gateway that are not distinct. A result that depends on a
// ListenerSet which may or may not be allowed is unknown. A result that depends on the age of a
// ListenerSet is marked.
func (l *listeners) judgeConflicts(gateway *Node, own *implementation.Implementation) {
	var with map[*Node]*contender
	for i, sets := range l.completions(gateway) {
		if outcome := l.contend(gateway, sets, own); i == 0 {
			with = outcome
		} else {
			hedge(with, outcome)
		}
	}
	l.noteConflicts(with)
}

// manyNamespaces is the largest number of undecided namespaces for which completions tries all
// combinations.
const manyNamespaces = 6

// completions returns lists of participating ListenerSets in order of precedence, one list for each
// possible outcome. An undecided namespace is one that may or may not be allowed. The first list
// allows them all, the others each smaller combination. With too many namespaces, the others hold
// one ListenerSet each: a listener that loses to the Gateway or inside its own ListenerSet loses in
// each list, and every other loss is reported as unknown.
func (l *listeners) completions(gateway *Node) [][]*Node {
	var unknown []string
	sets := slices.DeleteFunc(l.setsOf(gateway), func(set *Node) bool { return admission(set, gateway) == fact.False })
	for _, set := range sets {
		if admission(set, gateway) == fact.Unknown && !slices.Contains(unknown, set.Namespace()) {
			unknown = append(unknown, set.Namespace())
		}
	}
	out := [][]*Node{sets}
	if len(unknown) > manyNamespaces {
		for _, set := range sets {
			out = append(out, []*Node{set})
		}
		return out
	}
	for ways := range 1<<len(unknown) - 1 {
		out = append(out, slices.DeleteFunc(slices.Clone(sets), func(set *Node) bool {
			i := slices.Index(unknown, set.Namespace())
			return admission(set, gateway) == fact.Unknown && ways>>i&1 == 0
		}))
	}
	return out
}

// admittedSets returns the ListenerSets that a Gateway allows.
func (l *listeners) admittedSets(gateway *Node) []*Node {
	return slices.DeleteFunc(l.setsOf(gateway), func(set *Node) bool { return admission(set, gateway) != fact.True })
}

// hedge marks the contenders that have a different result in another completion.
func hedge(with, other map[*Node]*contender) {
	for n, c := range other {
		known := with[n]
		if (known.lost != "") == (c.lost != "") {
			continue
		}
		known.unsure = true
		if known.lost == "" {
			known.lost, known.rivals = c.lost, c.rivals
		}
	}
}

// noteConflicts writes the lost conflicts into the conditions of listeners, and updates the edges
// to these listeners.
func (l *listeners) noteConflicts(contenders map[*Node]*contender) {
	for n, c := range contenders {
		if c.lost == "" || c.silent {
			continue
		}
		status, reason := fact.True, c.lost
		if c.unsure {
			status, reason = fact.Unknown, NotInInput
		}
		condition := n.condition(ConflictedIs, status, reason, conflictMessage(c), conflictPlace(n.Value, c))
		condition.AgeSensitive = l.agesDecide(c)
		condition.quiet, condition.rejected = c.quiet && !c.unsure, c.rejected
		for _, rival := range c.rivals {
			condition.Involves = append(condition.Involves, rival.Target.ID)
		}
		n.Conditions.set(condition)
	}
	l.closeConflicted(contenders)
}

// closeConflicted sets the edges to listeners that lost to not admitted, or to unknown: nothing is
// reached through these listeners.
func (l *listeners) closeConflicted(contenders map[*Node]*contender) {
	for n := range contenders {
		c := n.Condition(ConflictedIs)
		if c == nil || c.Status == fact.False {
			continue
		}
		for _, e := range n.Up {
			if admitted := c.Status.Not(); admitted < e.Admitted {
				e.Admitted, e.Reason, e.Message, e.AgeSensitive = admitted, c.Reason, c.Message, c.AgeSensitive
			}
		}
	}
}

// agesDecide reports whether another age of a ListenerSet, or of a Gateway that is merged with
// others, could change the result of a conflict.
func (l *listeners) agesDecide(c *contender) bool {
	if slices.ContainsFunc(c.rivals, func(r *Node) bool { return r.Owner.Level < c.owner.Level }) {
		return false // a Gateway has precedence over its ListenerSets at any age
	}
	if l.Implementation(GatewayOf(c.owner)).Sets.ByName {
		return false
	}
	return slices.ContainsFunc(c.rivals, func(r *Node) bool {
		return r.Owner != c.owner && r.Owner.Level == c.owner.Level && l.ages.Order(c.owner.Object, r.Owner.Object).Unsure
	})
}

func conflictMessage(c *contender) string {
	if c.lost == reservedPort {
		return "port " + c.port + " is reserved for the proxy itself"
	}
	names := make([]string, 0, len(c.rivals))
	for _, r := range c.rivals {
		names = append(names, r.Spoken())
	}
	slices.Sort(names)
	if len(names) == maxRivals {
		names[maxRivals-1] = "others"
	}
	what := fmt.Sprintf("port %s", c.port)
	if c.lost == hostConflict {
		what += " and " + hostText(c.hostname)
	}
	return fmt.Sprintf("shares %s with %s", what, strings.Join(slices.Compact(names), ", "))
}

// hostText describes the hostname of a listener.
func hostText(hostname string) string {
	if hostname == "" {
		return "every hostname"
	}
	return fmt.Sprintf("hostname %q", hostname)
}

func conflictPlace(listener *loader.Value, c *contender) *loader.Value {
	if c.lost == hostConflict && listener.Get("hostname") != nil {
		return listener.Get("hostname")
	}
	return orValue(listener.Get("port"), listener)
}

// admission returns whether a Gateway admits a ListenerSet.
func admission(set, gateway *Node) fact.Fact {
	for _, e := range set.Up {
		if e.Parent == gateway {
			return e.Admitted
		}
	}
	return fact.False
}
