package network

import "slices"

// maxStill is how many words may say who can still connect.
const maxStill = 4

// whoStillConnects says who can still connect where nearly everything no longer can, in words that follow "only": fewer than those
// that name all who cannot. It returns none where these are few, or where the others are many.
func (c describing) whoStillConnects(f *found, words []string, source bool) []string {
	fixed := f.end(!source).count()
	if f.opened || len(f.except) > 0 || len(words) <= maxMissing || !c.After.views.mostly(f.end(source)) || fixed > maxFixedEnds || !c.After.effort.spend(fixed*len(c.After.views.list)*len(f.ports)) {
		return nil
	}
	var surely, perhaps []alike // by the ports
	for i, v := range c.After.views.list {
		if f.end(source).has(i) || c.gone.has(i) || v.met() || source && (v.Form == Names || v.Form == Nodes) {
			continue
		}
		one := newSet(len(c.After.views.list))
		one.add(i)
		kept := c.kept(f, one, f.ports, source)
		switch sure := kept.minus(c.doubted(f, i, kept, source)); {
		case len(sure) > 0:
			surely = together(surely, sure, one)
		case len(kept) > 0 && f.sure: // else it is in the same doubt as those that are meant
			perhaps = together(perhaps, kept, one)
		}
	}
	out := append(c.stillWords(f, surely, ""), c.stillWords(f, perhaps, "perhaps ")...)
	if len(out) == 0 || len(out) > maxStill || len(out) >= len(words) {
		return nil
	}
	return out
}

// mostly reports whether a set of endpoints has most of what there may be: what is outside the cluster, or in namespaces
// that nothing is known of.
func (v *views) mostly(s set) bool {
	outside := true
	var pods []int
	for i, e := range v.list {
		switch {
		case e.Form == Addresses:
			outside = outside && s.has(i)
		case e.Form == Pods && s.has(i):
			pods = append(pods, i)
		}
	}
	return outside || v.foreign(pods)
}

// doubted returns those of some ports on which it is not known whether an end is an exception.
func (c describing) doubted(f *found, end int, ports Ports, source bool) Ports {
	var out []Range
	for _, r := range ports {
		f.end(!source).each(func(j int) {
			from, to := end, j
			if !source {
				from, to = j, end
			}
			out = append(out, c.exceptionPorts(!f.opened, from, to, r)...)
		})
	}
	return portsOf(out)
}

// together adds ends to those with the same ports.
func together(list []alike, ports Ports, ends set) []alike {
	if i := slices.IndexFunc(list, func(a alike) bool { return slices.Equal(a.ports, ports) }); i >= 0 {
		list[i].members.join(ends)
		return list
	}
	return append(list, alike{ports, ends})
}

func (c describing) stillWords(f *found, list []alike, perhaps string) []string {
	var out []string
	for _, a := range list {
		on := ""
		if !slices.Equal(a.ports, f.ports) {
			on = " on " + a.ports.String()
		}
		for _, w := range c.After.views.within(a.members, c.gone) {
			out = append(out, perhaps+w+on)
		}
	}
	return out
}
