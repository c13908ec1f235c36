package network

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/loader"
)

// World is who may talk to whom in one revision of an environment. Only one goroutine may use it at a
// time.
type World struct {
	*universe
	// Policies are in the order in which they are asked.
	Policies []*Policy
	views    *views
	compiled []*compiledPolicy
	// selecting are the indexes of the compiled policies that may select each endpoint, in their order.
	selecting [][]int
	// reaches caches the results of reach, by what they depend on.
	reaches map[string]reach
	keys    [2][]string
	// profiles caches what the egress policies of endpoints allow.
	profiles []egressProfile
}

// New returns the world of one revision.
func New(s Side) *World {
	policies := policiesOf(s)
	return newWorld(newUniverse([]Side{s}, [][]*Policy{policies}), s, policies)
}

// perLookup is how many steps it takes to look up the labels of an endpoint.
const perLookup = 3

func newWorld(u *universe, s Side, policies []*Policy) *World {
	w := &World{universe: u, Policies: policies, reaches: map[string]reach{}}
	objects := map[loader.ID]*loader.Object{}
	for _, o := range s.Objects {
		objects[o.ID] = o
	}
	list := make([]*view, len(u.endpoints))
	for i, e := range u.endpoints {
		list[i] = viewOf(e, objects, s.Namespaces)
	}
	w.views = newViews(list)
	w.selecting = make([][]int, len(list))
	for _, p := range policies {
		if u.cut || !u.effort.spend(perLookup*p.cost()*len(list)) {
			break // the world says nothing
		}
		c := w.views.compile(p)
		c.perhaps.each(func(i int) { w.selecting[i] = append(w.selecting[i], len(w.compiled)) })
		w.compiled = append(w.compiled, c)
	}
	for _, d := range directions {
		w.keys[d] = make([]string, len(u.endpoints))
	}
	return w
}

// reach is which endpoints may be the other end, for each class of ports.
type reach []portReach

// portReach has the endpoints whose connections are surely or perhaps allowed on some ports.
type portReach struct {
	Range
	sure, perhaps set
}

// at returns the part of a reach that has a range, which is part of a class.
func (r reach) at(of Range) *portReach {
	i, _ := slices.BinarySearchFunc(r, of, func(p portReach, q Range) int {
		if p.Protocol != q.Protocol {
			return int(p.Protocol) - int(q.Protocol)
		}
		if p.To < q.From {
			return -1
		}
		if p.From > q.From {
			return 1
		}
		return 0
	})
	return &r[i]
}

// reach returns with whom an endpoint may talk in one direction, as far as the policies on its own side
// decide.
func (w *World) reach(i int, d Direction) reach {
	k := w.key(i, d)
	if r, ok := w.reaches[k]; ok {
		return r
	}
	r := w.evaluate(w.applied(i, d))
	w.reaches[k] = r
	return r
}

// key identifies what the reach of an endpoint depends on: the policies that select it and, for named
// ports, its own ports.
func (w *World) key(i int, d Direction) string {
	if w.keys[d][i] == "" {
		w.effort.spend(len(w.selecting[i]))
		var b strings.Builder
		b.WriteString(d.String())
		for _, n := range w.selecting[i] {
			p := w.compiled[n]
			b.WriteByte(' ')
			b.WriteString(strconv.Itoa(n))
			if !p.sure.has(i) {
				b.WriteByte('?')
			}
			for r := range p.rules[d] {
				rule := &p.rules[d][r]
				if len(rule.named) > 0 {
					ports, doubted := w.views.resolve(rule.named, i)
					fmt.Fprint(&b, []Range(ports), doubted)
				}
				if rule.Near != nil {
					fmt.Fprint(&b, rule.Near.holds(w.views.list[i]))
				}
			}
		}
		w.keys[d][i] = b.String()
	}
	return w.keys[d][i]
}

// applied is a policy with the rules in force at an endpoint.
type applied struct {
	policy *compiledPolicy
	sure   bool
	rules  []compiledRule
	// isolates says whether it denies what no rule takes.
	isolates bool
}

// applied returns the policies that select an endpoint, in their order, with named ports resolved.
func (w *World) applied(i int, d Direction) []applied {
	var out []applied
	for _, n := range w.selecting[i] {
		p := w.compiled[n]
		if !p.Isolates[d] && len(p.rules[d]) == 0 {
			continue
		}
		a := applied{policy: p, sure: p.sure.has(i), isolates: p.Isolates[d]}
		for _, r := range p.rules[d] {
			near := r.Near.holds(w.views.list[i])
			if near == fact.False {
				continue
			}
			named := r.named
			r.named, r.doubted = nil, r.doubted || near == fact.Unknown
			a.rules = append(a.rules, r)
			if len(named) > 0 {
				ports, doubted := w.views.resolve(named, i)
				r.ports, r.doubted = ports, r.doubted || doubted
				a.rules = append(a.rules, r)
			}
		}
		out = append(out, a)
	}
	return out
}

// evaluate asks the policies tier by tier. A connection is perhaps allowed if some value of what is not known allows
// it, and surely allowed if no value denies it.
func (w *World) evaluate(policies []applied) reach {
	var ranges []Range
	for _, a := range policies {
		for _, r := range a.rules {
			ranges = append(ranges, r.ports...)
		}
	}
	everything := newSet(len(w.views.list))
	for i := range w.views.list {
		everything.add(i)
	}
	divided := classes(ranges)
	if !w.effort.spend(len(divided) * len(everything) * (16 + len(ranges))) {
		divided = classes(nil)
	}
	var out reach
	for _, class := range divided {
		allowed, denied := newSet(len(w.views.list)), newSet(len(w.views.list))
		open := everything.clone()
		for from := 0; from < len(policies); {
			to := from
			for to < len(policies) && policies[to].policy.Tier == policies[from].policy.Tier {
				to++
			}
			open = tier(policies[from:to], class, open, allowed, denied)
			from = to
		}
		allowed.join(open)
		out = append(out, portReach{Range: class, sure: everything.without(denied), perhaps: allowed})
	}
	return out
}

// tier asks the policies of one tier about the endpoints that are open. It adds to those that may be
// allowed and denied, and returns those that may be left to the next tier. Policies abreast each may be
// the first one.
func tier(policies []applied, class Range, open, allowed, denied set) set {
	open = open.clone()
	next, left := newSet(64*len(open)), newSet(64*len(open)) // left is open where a policy that isolates selects the pods
	isolated := fact.False
	for from := 0; from < len(policies); {
		rest := open.clone()
		first := policies[from].policy.Policy
		for ; from < len(policies) && abreast(first, policies[from].policy.Policy); from++ {
			a := policies[from]
			after := a.ask(class, open.clone(), allowed, denied, next)
			if a.isolates {
				isolated = isolated.Or(fact.Of(a.sure).Or(fact.Unknown))
				left.join(after)
			}
			if a.sure {
				rest.keep(after)
			}
		}
		open = rest
	}
	if isolated != fact.False {
		denied.join(open.and(left))
	}
	if isolated != fact.True {
		next.join(open)
	}
	return next
}

// ask asks the rules of one policy about the endpoints that are open, and returns those that may still be if the policy
// selects the pods: it denies by default only what its own rules do not take, also where it is not known whether it
// selects them.
func (a *applied) ask(class Range, open, allowed, denied, next set) set {
	for i := range a.rules {
		r := &a.rules[i]
		if !r.ports.covers(class) {
			continue
		}
		taken := r.perhaps.and(open)
		switch r.Action {
		case Allow:
			allowed.join(taken)
		case Deny:
			denied.join(taken)
		case Pass:
			next.join(taken)
		}
		if !r.doubted {
			open.drop(r.sure)
		}
	}
	return open
}
