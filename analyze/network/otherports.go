package network

// others tells a change of nearly all ports by the few others, where all connections that are meant are alike on those: the
// same answer as on all ports, or the other one. sofar are the only ports that were allowed before an opening, now those
// that still are after a cut.
func (c describing) others(f *found) (ports, sofar, now Ports) {
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
