package effective

// trace records the origin of contexts of a flow, as long as it has fewer than maxSamples samples.
func (w *walk) trace(at int32, from origin, samples uint8) {
	f := &w.at.flows[at]
	if !w.sampled || f.samples >= maxSamples {
		return
	}
	link := int32(len(w.at.origins))
	w.at.origins = append(w.at.origins, from)
	if f.first == none {
		f.first = link
	} else {
		w.at.origins[f.last].next = link
	}
	f.last = link
	f.samples = min(maxSamples, f.samples+samples)
}

// show converts the flows of a node to the exported form for visitors.
func (w *walk) show(at *Joint) []Flow {
	w.shown = w.shown[:0]
	for i := range at.flows {
		f := &at.flows[i]
		one := Flow{States: f.states, Certain: f.certain, Count: f.count}
		if w.sampled && (w.kind == nil || w.join.Differ(w.kind, at) || f.states[Base] != f.states[Head]) {
			one.Samples = at.samples(int32(i))
		}
		w.shown = append(w.shown, one)
	}
	return w.shown
}

// samples returns some contexts of a flow. For a node with effective targets below it they are
// built once and cached.
func (joint *Joint) samples(i int32) []*Path {
	if !joint.inner {
		return joint.contexts(i)
	}
	if joint.paths == nil {
		joint.paths = make([][]*Path, len(joint.flows))
	}
	if joint.paths[i] == nil {
		joint.paths[i] = joint.contexts(i)
	}
	return joint.paths[i]
}

func (joint *Joint) contexts(i int32) []*Path {
	f := &joint.flows[i]
	out := make([]*Path, 0, f.samples)
	for at := f.first; at != none && len(out) < maxSamples; at = joint.origins[at].next {
		from := joint.origins[at]
		if from.edge < 0 {
			out = append(out, &Path{Node: joint})
			continue
		}
		in := &joint.in[from.edge]
		above := in.parent.samples(from.from)
		for _, up := range above[:min(len(above), maxSamples-len(out))] {
			if in.via != nil {
				up = &Path{Node: in.via, Up: up}
			}
			out = append(out, &Path{Node: joint, Up: up})
		}
	}
	return out
}

// forget drops the flows of a node when no node below it needs them any more.
func (joint *Joint) forget() { joint.flows, joint.origins, joint.paths = nil, nil, nil }
