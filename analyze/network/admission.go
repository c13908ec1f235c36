package network

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// admission is what policies let through at an endpoint only for some requests: to or from which peers, on which
// ports.
type admission struct {
	only  string
	ports Ports
	peers set
	rule  *Rule
}

func (a *admission) key() string { return fmt.Sprint(a.only, []Range(a.ports), a.peers.key()) }

// meets reports whether some of a list are about the same peers on the same ports.
func (a *admission) meets(list []admission) bool {
	return slices.ContainsFunc(list, func(o admission) bool {
		return !a.peers.and(o.peers).empty() && slices.ContainsFunc(a.ports, func(r Range) bool { return len(o.ports.minus(o.ports.minus(Ports{r}))) > 0 })
	})
}

// text is an admission in words: "HTTP GET /a from pods with app=web on 8080/TCP".
func (a *admission) text(d Direction, only string) string {
	return fmt.Sprintf("%s %s %s on %s", only, [...]string{"from", "to"}[d], a.rule.PeersText(), a.rule.PortsText())
}

// admissions returns the rules in force at an endpoint that admit only some requests. What another rule admits without
// a condition is not among them (Cilium Documentation/security/policy/language.rst, layer 7 examples).
func (w *World) admissions(i int, d Direction) []admission {
	var free, out []admission
	for _, policy := range w.applied(i, d) {
		for r := range policy.rules {
			rule := &policy.rules[r]
			one := admission{only: rule.Only, ports: rule.ports, peers: rule.perhaps, rule: rule.Rule}
			switch {
			case rule.Action != Allow || rule.Doubt != "":
			case !rule.filters():
				free = append(free, one)
			default:
				out = append(out, one)
			}
		}
	}
	for n := range out {
		for _, f := range free {
			if !slices.ContainsFunc(out[n].ports, func(r Range) bool { return !f.ports.covers(r) }) {
				out[n].peers = out[n].peers.without(f.peers)
			}
		}
	}
	return slices.DeleteFunc(out, func(a admission) bool { return a.peers.empty() })
}

// admitted compares which requests endpoints admit on connections that both revisions allow, whichever policy does.
func (c filtering) admitted() {
	found := map[loader.ID]*FilterChange{}
	for _, f := range c.Filtered {
		found[f.Edit.id()] = nil // its own rules tell it
	}
	c.conditional().each(func(i int) {
		if c.alone(i) || c.After.views.list[i].met() {
			return
		}
		for _, d := range directions {
			was, is := c.Before.admissions(i, d), c.After.admissions(i, d)
			if !c.Before.effort.spend((len(was) + len(is) + 1) * (len(was) + len(is) + 1)) {
				return
			}
			gone, come := c.staying(i, d, was, is), c.staying(i, d, is, was)
			if len(gone)+len(come) == 0 {
				continue
			}
			for _, edit := range c.admitting(i, d, gone, come) {
				one, known := found[edit.id()]
				switch {
				case known && one == nil:
					continue
				case !known:
					one = &FilterChange{Edit: edit, Narrows: true}
					found[edit.id()] = one
				}
				one.Narrows = one.Narrows && len(gone) == 0 && !slices.ContainsFunc(come, func(a admission) bool { return a.meets(was) })
				for _, a := range gone {
					one.Before = appendNew(one.Before, a.text(d, a.only))
				}
				for _, a := range come {
					one.After = appendNew(one.After, a.text(d, a.only))
				}
				if len(come) == 0 {
					for _, a := range gone {
						one.After = appendNew(one.After, a.text(d, "any request"))
					}
				}
			}
		}
	})
	for _, one := range found {
		if one != nil {
			slices.Sort(one.Before)
			slices.Sort(one.After)
			c.Filtered = append(c.Filtered, *one)
		}
	}
}

func appendNew(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// conditional returns the pods that some policy with a condition on requests selects.
func (c filtering) conditional() set {
	out := newSet(len(c.Before.views.list))
	for _, w := range []*World{c.Before, c.After} {
		for _, p := range w.compiled {
			for _, d := range directions {
				if slices.ContainsFunc(p.rules[d], func(r compiledRule) bool { return r.filters() && r.Action == Allow }) {
					out.join(p.perhaps)
				}
			}
		}
	}
	return out
}

// staying returns the admissions that another list does not have, and whose connections both revisions allow.
func (c filtering) staying(i int, d Direction, list, other []admission) []admission {
	var out []admission
	for _, a := range list {
		if slices.ContainsFunc(other, func(o admission) bool { return o.key() == a.key() }) {
			continue
		}
		for _, r := range a.ports {
			port := Range{r.Protocol, r.From, r.From}
			if !a.peers.without(c.come).without(c.gone).and(c.Before.reach(i, d).at(port).perhaps).and(c.After.reach(i, d).at(port).perhaps).empty() {
				out = append(out, a)
				break
			}
		}
	}
	return out
}

// admitting returns the edits that change what an endpoint admits: of the policies that select it, or else of the
// workloads and namespaces at both ends.
func (c filtering) admitting(i int, d Direction, changed ...[]admission) []Edit {
	out := edits{comparing: c.comparing}
	for _, w := range []*World{c.Before, c.After} {
		for _, a := range w.applied(i, d) {
			out.add(a.policy.Object.ID)
		}
	}
	if len(out.list) > 0 {
		return out.sorted()
	}
	ends := newSet(len(c.Before.views.list))
	ends.add(i)
	for _, a := range slices.Concat(changed...) {
		ends.join(a.peers)
	}
	ends.each(func(j int) {
		if v := c.Before.views.list[j]; v.Form == Pods {
			out.add(v.Workload)
			out.add(loader.ID{Kind: "Namespace", Name: v.Namespace})
		}
	})
	return out.sorted()
}
