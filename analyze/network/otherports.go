package network

// byRemainingPorts shortens the description of a change that covers nearly all ports: it describes the few remaining ports
// instead, if every connection of the change has the same answer on them, either that of the other ports or the
// opposite. sofar are the only ports that were allowed before connections were opened, now those that are still allowed
// after connections were cut.
func (c describing) byRemainingPorts(f *found) (ports, sofar, now Ports) {
	rest := f.ports.Rest()
	pairs := f.from.count() * f.to.count()
	if !f.sure || len(f.except) > 0 || f.ports.All() || len(rest) == 0 || len(rest) >= len(f.ports) || pairs > maxUntold || !c.After.effort.spend(pairs*len(rest)) {
		return f.ports, nil, nil
	}
	excepted, same := 0, 0
	f.from.each(func(from int) {
		f.to.each(func(to int) {
			var kept []Range
			for _, r := range rest {
				kept = append(kept, c.exceptionPorts(f.opened, from, to, r)...)
			}
			switch left := rest.minus(portsOf(kept)); {
			case len(kept) == 0:
				same++
			case len(left) == 0:
				excepted++
			}
		})
	})
	switch {
	case same == pairs && f.opened:
		return allPorts(), rest, nil
	case same == pairs:
		return allPorts(), nil, nil // the others were denied before
	case excepted == pairs && !f.opened:
		return f.ports, nil, rest
	}
	return f.ports, nil, nil
}
