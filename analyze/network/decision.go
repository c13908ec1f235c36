package network

import "github.com/gwplan/gwplan/analyze/fact"

// Step is a rule, or the isolation by a policy, that takes part in a decision.
type Step struct {
	Policy *Policy
	// Rule is nil where the policy denies because none of its tier's rules takes the connection.
	Rule *Rule
	// Sure is false if it is not known whether the rule applies.
	Sure bool
}

// Action is what the step does with the connection.
func (s Step) Action() Action {
	if s.Rule == nil {
		return Deny
	}
	return s.Rule.Action
}

// Decision is what the policies of one end say of a connection.
type Decision struct {
	Allowed fact.Fact
	// Steps are in the order in which they are asked. There are none if no policy has a say.
	Steps []Step
}

// decider collects what the policies of one end say of a connection.
type decider struct {
	Decision
	other                      int
	port                       Range
	mayAllow, mayDeny, mayPass bool
}

// decide asks the policies of one end, tier by tier, about a connection with the other end on one port
// of the destination. It does for a single connection what evaluate does for all.
func (w *World) decide(i, other int, d Direction, port Range) Decision {
	return decide(w.applied(i, d), other, port)
}

func decide(policies []applied, other int, port Range) Decision {
	c := decider{other: other, port: port}
	open := true
	for from := 0; from < len(policies) && open; {
		to := from
		for to < len(policies) && policies[to].policy.Tier == policies[from].policy.Tier {
			to++
		}
		open = c.tier(policies[from:to])
		from = to
	}
	c.mayAllow = c.mayAllow || open
	switch {
	case !c.mayDeny:
		c.Allowed = fact.True
	case !c.mayAllow:
		c.Allowed = fact.False
	}
	return c.Decision
}

// tier asks the policies of one tier. It returns whether the connection may be left to the next.
func (c *decider) tier(policies []applied) bool {
	c.mayPass = false
	open, isolated := true, fact.False
	var by *Policy
	for from := 0; from < len(policies); {
		first, rest := policies[from].policy.Policy, open
		for ; from < len(policies) && abreast(first, policies[from].policy.Policy); from++ {
			a := &policies[from]
			left := c.ask(a, open)
			if a.isolates {
				now := isolated.Or(fact.Of(a.sure).Or(fact.Unknown))
				if left && (now != isolated || by == nil) {
					by = a.policy.Policy
				}
				isolated = now
			}
			rest = rest && (left || !a.sure)
		}
		open = rest
	}
	if open && by != nil {
		c.Steps = append(c.Steps, Step{Policy: by, Sure: isolated == fact.True})
		c.mayDeny = true
	}
	return c.mayPass || open && isolated != fact.True
}

// ask asks the rules of one policy. It returns whether the connection may still be open if the policy selects the pods.
func (c *decider) ask(a *applied, open bool) bool {
	for n := range a.rules {
		r := &a.rules[n]
		if !open || !r.ports.covers(c.port) || !r.perhaps.has(c.other) {
			continue
		}
		sure := !r.doubted && r.sure.has(c.other)
		c.Steps = append(c.Steps, Step{Policy: a.policy.Policy, Rule: r.Rule, Sure: a.sure && sure})
		switch r.Action {
		case Allow:
			c.mayAllow = true
		case Deny:
			c.mayDeny = true
		case Pass:
			c.mayPass = true
		}
		open = !sure
	}
	return open
}
