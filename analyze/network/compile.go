package network

import "fmt"

// compiledPolicy is a policy with the endpoints that it selects and that its rules are about.
type compiledPolicy struct {
	*Policy
	// sure and perhaps are the endpoints that it selects.
	sure, perhaps set
	rules         [2][]compiledRule
}

type compiledRule struct {
	*Rule
	sure, perhaps set
	ports         Ports
	// named are the named ports of ingress, whose numbers depend on the pods that are selected.
	named []PortMatch
	// doubted means that it is not known whether the rule is about ports.
	doubted bool
}

// cost is how many conditions a policy asks of each endpoint.
func (p *Policy) cost() int {
	n := 1 + len(p.Subjects)
	for _, d := range directions {
		for i := range p.Rules[d] {
			n++
			for _, peer := range p.Rules[d][i].Peers {
				n += len(peer)
			}
		}
	}
	return n
}

func (v *views) compile(p *Policy) *compiledPolicy {
	c := &compiledPolicy{Policy: p, sure: newSet(len(v.list)), perhaps: newSet(len(v.list))}
	if p.Invalid != "" {
		return c
	}
	for _, s := range p.Subjects {
		v.fill(c.sure, c.perhaps, append(Peer{selectable{}}, s...))
	}
	for _, d := range directions {
		for i := range p.Rules[d] {
			c.rules[d] = append(c.rules[d], v.compileRule(&p.Rules[d][i], d)...)
		}
	}
	return c
}

func (v *views) compileRule(r *Rule, d Direction) []compiledRule {
	c := compiledRule{Rule: r, sure: newSet(len(v.list)), perhaps: newSet(len(v.list))}
	if r.Peers == nil {
		v.fill(c.sure, c.perhaps, nil)
	}
	for _, p := range r.Peers {
		v.fill(c.sure, c.perhaps, p)
	}
	if r.Doubt != "" {
		c.sure = newSet(len(v.list))
	}
	if r.Ports == nil {
		c.ports = allPorts()
		return []compiledRule{c}
	}
	var ranges []Range
	for _, p := range r.Ports {
		if p.Name == "" {
			ranges = append(ranges, p.Range)
		} else {
			c.named = append(c.named, p)
		}
	}
	c.ports = portsOf(ranges)
	if d == Ingress || len(c.named) == 0 {
		return []compiledRule{c}
	}
	return append([]compiledRule{{Rule: r, sure: c.sure, perhaps: c.perhaps, ports: c.ports}}, v.byName(&c)...)
}

// byName divides a rule of egress with named ports by the numbers that these have at the other ends.
func (v *views) byName(c *compiledRule) []compiledRule {
	at := map[string]int{}
	var out []compiledRule
	c.perhaps.each(func(i int) {
		ports, doubted := v.resolve(c.named, i)
		if len(ports) == 0 {
			return
		}
		k := fmt.Sprint([]Range(ports), doubted)
		n, known := at[k]
		if !known {
			n = len(out)
			at[k] = n
			out = append(out, compiledRule{Rule: c.Rule, sure: newSet(len(v.list)), perhaps: newSet(len(v.list)), ports: ports, doubted: doubted})
		}
		out[n].perhaps.add(i)
		if c.sure.has(i) && !doubted {
			out[n].sure.add(i)
		}
	})
	return out
}

// resolve returns the ports that an endpoint calls by some names. They are in doubt where no manifest
// has the endpoint; addresses have no named ports.
func (v *views) resolve(names []PortMatch, i int) (ports Ports, doubted bool) {
	e := v.list[i]
	var ranges []Range
	for _, p := range names {
		switch {
		case e.Form != Pods:
		case e.object == nil:
			ranges, doubted = append(ranges, whole(p.Protocol)), true
		default:
			ranges = append(ranges, e.pod.named(p.Name, p.Protocol)...)
		}
	}
	return portsOf(ranges), doubted
}
