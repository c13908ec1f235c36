package analyze_test

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// everyNamespace guesses that all namespaces of a world have the label that
// selectors ask for.
const everyNamespace = "n0 n1"

// guesses are all that the labels of namespaces without a manifest can be: those
// named have the label.
func guesses() []string { return []string{"", "n0", "n1", everyNamespace} }

// rival is a listener among all that share a Gateway.
type rival struct {
	owner string
	// place is that of its owner in order of precedence, 0 for the Gateway.
	place    int
	listener doc
}

// loses says whether a listener below the end of a context loses a conflict
// whatever the namespaces are. Where its ListenerSet is not allowed, it takes no
// part, and nothing leads to it.
func (r *reference) loses(t trail, listener step) bool {
	parent := t.last()
	gateway := parent
	if parent.level == "ListenerSet" && len(t) > 1 {
		gateway = t[len(t)-2]
	}
	if gateway.value == nil {
		return false
	}
	return !slices.Contains(r.verdicts(gateway, parent.node, listener.section), false)
}

// verdicts say whether a listener loses, for each guess by which it takes part.
func (r *reference) verdicts(gateway step, owner, name string) []bool {
	var out []bool
	for _, guess := range guesses() {
		all := r.rivals(gateway, guess)
		for _, x := range all {
			if x.owner == owner && str(x.listener, "name") == name {
				out = append(out, lost(x, all))
			}
		}
	}
	return out
}

func (r *reference) rivals(gateway step, guess string) []*rival {
	var out []*rival
	for _, l := range list(gateway.value, "listeners") {
		out = append(out, &rival{owner: gateway.node, place: 0, listener: l})
	}
	for i, set := range r.setsOf(gateway, guess) {
		for _, l := range list(spec(set), "listeners") {
			out = append(out, &rival{owner: nodeOf(set), place: i + 1, listener: l})
		}
	}
	return out
}

// setsOf are the ListenerSets that a Gateway allows: the oldest first, then by
// name (GEP-1713, Listener Precedence).
func (r *reference) setsOf(gateway step, guess string) []doc {
	var out []doc
	for _, d := range r.docs {
		if kindOf(d) == "ListenerSet" && r.parentOf(sub(spec(d), "parentRef"), namespaceOf(d)).node == gateway.node && r.allows(gateway, d, guess) {
			out = append(out, d)
		}
	}
	name := func(d doc) string { return namespaceOf(d) + "/" + nameOf(d) }
	slices.SortFunc(out, func(a, b doc) int {
		return cmp.Or(cmp.Compare(str(sub(a, "metadata"), "creationTimestamp"), str(sub(b, "metadata"), "creationTimestamp")), cmp.Compare(name(a), name(b)))
	})
	return out
}

// allows says whether a Gateway takes a ListenerSet; by default it does not.
func (r *reference) allows(gateway step, set doc, guess string) bool {
	switch str(sub(sub(gateway.value, "allowedListeners"), "namespaces"), "from") {
	case "All":
		return true
	case "Same":
		return gateway.namespace == namespaceOf(set)
	case "Selector":
		return r.blue(namespaceOf(set), guess)
	}
	return gateway.value == nil
}

// blue says whether a namespace has the label that selectors ask for.
func (r *reference) blue(namespace, guess string) bool {
	if ns, declared := r.objects["Namespace/"+namespace]; declared {
		return str(sub(sub(ns, "metadata"), "labels"), "team") == "blue"
	}
	return !r.complete && strings.Contains(guess, namespace)
}

// lost says whether a listener is not distinct: first its protocol has to be that
// of the port, then its hostname one that no other has.
func lost(x *rival, all []*rival) bool {
	if beaten(x, all, otherProtocol) {
		return true
	}
	left := slices.DeleteFunc(slices.Clone(all), func(y *rival) bool { return beaten(y, all, otherProtocol) })
	return beaten(x, left, sameHost)
}

// beaten asks every other listener: those of the Gateway beat all, those of one
// ListenerSet each other, unless one falls to the Gateway, and those of an
// earlier ListenerSet what comes later, unless they are beaten themselves.
func beaten(x *rival, all []*rival, clash func(a, b *rival) bool) bool {
	return beatenByGateway(x, all, clash) || slices.ContainsFunc(all, func(y *rival) bool {
		switch {
		case y == x || y.place > x.place || !clash(x, y):
			return false
		case y.place == x.place:
			return !beatenByGateway(y, all, clash)
		}
		return !beaten(y, all, clash)
	})
}

func beatenByGateway(x *rival, all []*rival, clash func(a, b *rival) bool) bool {
	return slices.ContainsFunc(all, func(y *rival) bool { return y != x && y.place == 0 && clash(x, y) })
}

// otherProtocol says whether a port cannot have both protocols. UDP is apart;
// HTTPS and TLS go together.
func otherProtocol(a, b *rival) bool {
	tls := func(protocol string) bool { return protocol == "HTTPS" || protocol == "TLS" }
	p, q := str(a.listener, "protocol"), str(b.listener, "protocol")
	return a.listener["port"] == b.listener["port"] && p != q && p != "UDP" && q != "UDP" && !(tls(p) && tls(q))
}

// sameHost says whether nothing tells two listeners apart whose protocols go
// together; TCP and UDP have no hostnames.
func sameHost(a, b *rival) bool {
	udp := func(r *rival) bool { return str(r.listener, "protocol") == "UDP" }
	return a.listener["port"] == b.listener["port"] && udp(a) == udp(b) && !otherProtocol(a, b) &&
		str(a.listener, "hostname") == str(b.listener, "hostname")
}

// outcomes are what can become of a listener among others.
func outcomes() []string {
	return []string{"distinct", "lost inside a Gateway", "lost to a Gateway", "lost to a ListenerSet", "lost by a guess"}
}

// conflicts are the verdicts on all listeners of a world that take part, and how
// many came to which outcome.
func (r *reference) conflicts() (verdicts, counts map[string]int) {
	verdicts, counts = map[string]int{}, map[string]int{}
	for _, d := range r.docs {
		if kindOf(d) != "Gateway" {
			continue
		}
		gateway := r.step("Gateway", gatewayGroup, "Gateway", namespaceOf(d), nameOf(d))
		all := r.rivals(gateway, everyNamespace)
		clash := func(a, b *rival) bool { return otherProtocol(a, b) || sameHost(a, b) }
		for _, x := range all {
			name := str(x.listener, "name")
			guessed := r.verdicts(gateway, x.owner, name)
			outcome, conflicted := "lost to a ListenerSet", "true"
			switch {
			case !slices.Contains(guessed, true):
				outcome, conflicted = "distinct", "false"
			case slices.Contains(guessed, false):
				outcome, conflicted = "lost by a guess", "unknown"
			case x.place == 0:
				outcome = "lost inside a Gateway"
			case beatenByGateway(x, all, clash):
				outcome = "lost to a Gateway"
			}
			verdicts[x.owner+"#"+name+" conflicted: "+conflicted]++
			counts[outcome]++
		}
	}
	return verdicts, counts
}

// engineConflicts are the verdicts on the listeners of Gateways in the input and
// of ListenerSets that these do not refuse.
func engineConflicts(r *effective.Run) map[string]int {
	out := map[string]int{}
	for _, n := range r.Graph.Nodes {
		if n.Level != hierarchy.LevelListener || n.Value == nil {
			continue
		}
		taking := func(e *hierarchy.Edge) bool { return e.Open() && e.Parent.Value != nil }
		if n.Owner.Level == hierarchy.LevelGateway || slices.ContainsFunc(n.Owner.Up, taking) {
			out[n.String()+" conflicted: "+n.Condition(hierarchy.ConflictedIs).Status.String()]++
		}
	}
	return out
}
