package network

// affected returns the endpoints whose callers may differ between two worlds: those whose own policies treat some other
// endpoint differently, and those that the policies of some other endpoint treat differently. Most edits affect few
// endpoints, and only these are compared in full.
func (d *Difference) affected() set {
	out := newSet(len(d.Before.views.list))
	type pair struct{ before, after string }
	ingress, egress := map[pair]bool{}, map[pair]set{}
	for i := range d.Before.views.list {
		in := pair{d.Before.key(i, Ingress), d.After.key(i, Ingress)}
		differs, known := ingress[in]
		if !known {
			differs = !differing(d.Before.reach(i, Ingress), d.After.reach(i, Ingress)).empty()
			ingress[in] = differs
		}
		if differs {
			out.add(i)
		}
		eg := pair{d.Before.key(i, Egress), d.After.key(i, Egress)}
		if egress[eg] == nil {
			egress[eg] = differing(d.Before.reach(i, Egress), d.After.reach(i, Egress))
			out.join(egress[eg])
		}
	}
	return out
}

// differing returns the endpoints that two reaches treat differently on some port.
func differing(b, a reach) set {
	out := newSet(64 * len(b[0].sure))
	for i, j := 0, 0; i < len(b) && j < len(a); {
		x, y := &b[i], &a[j]
		for at := range out {
			out[at] |= (x.sure[at] ^ y.sure[at]) | (x.perhaps[at] ^ y.perhaps[at])
		}
		// Both are divisions of all ports, in the same order.
		if x.To <= y.To {
			i++
		}
		if y.To <= x.To {
			j++
		}
	}
	return out
}
