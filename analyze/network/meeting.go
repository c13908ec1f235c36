package network

import (
	"maps"
	"slices"
)

// maxMeeting is how many pods have the labels of two selectors at once.
const maxMeeting = 150

// meeting adds pods with the labels of two selectors at once, of which one is a policy's subject and one is of a policy
// that differs between the revisions: they are selected by both, and what one policy allows them the other may not
// (Kubernetes, network policies: "the policies are additive"; Cilium and Calico alike). Whether there are such pods is
// not known, unless workloads of the namespace are known for each selector.
func (p *presumer) meeting(policies [][]*Policy) {
	all := p.labelSources(policies)
	left := maxMeeting
	namespace := map[string][]int{}
	for i, e := range p.endpoints {
		if e.Form == Pods && e.Namespace != "" {
			namespace[e.Namespace] = append(namespace[e.Namespace], i)
		}
	}
	for _, x := range all {
		for _, y := range all {
			if !x.differs || !x.subject && !y.subject || !p.effort.spend(1) || !combinable(x.labels, y.labels) {
				continue
			}
			both := maps.Clone(x.labels)
			maps.Copy(both, y.labels)
			for _, name := range common(x.where, y.where) {
				switch {
				case name == "" || p.runs(name, both) || p.runs(name, x.labels) && p.runs(name, y.labels):
					continue
				case left == 0:
					return
				}
				e := &Endpoint{Namespace: name, labels: both}
				if _, known := p.index[e.key()]; known {
					continue
				}
				left--
				e.parts = p.partsOf(namespace, e, x.labels, y.labels)
				p.addPod(e)
			}
		}
	}
}

// labelSource is the labels of pods that a selector of a policy selects.
type labelSource struct {
	presumedPods
	subject, differs bool
}

// labelSources returns the labels that the selectors of policies select, each once.
func (p *presumer) labelSources(policies [][]*Policy) []labelSource {
	var out []labelSource
	at := map[string]int{}
	differ := differingPolicies(policies)
	for _, list := range policies {
		for _, policy := range list {
			subjects := len(policy.Subjects)
			eachPeer([]*Policy{policy}, func(_ *Policy, peer Peer) {
				subject := subjects > 0
				subjects--
				of, ok := p.selection(peer)
				if !ok {
					return
				}
				labels, ok := of.example()
				if !ok || len(labels) == 0 {
					return
				}
				if !of.limited {
					of.where = []string{""}
				}
				key := labelText(labels) + "\x00" + peer.String()
				n, known := at[key]
				if !known {
					n = len(out)
					at[key] = n
					out = append(out, labelSource{presumedPods: presumedPods{labels, of.where}})
				}
				out[n].subject = out[n].subject || subject
				out[n].differs = out[n].differs || differ[policy.Object.Digest]
			})
		}
	}
	return out
}

// differingPolicies are the contents of the policies that one revision alone has.
func differingPolicies(policies [][]*Policy) map[[16]byte]bool {
	sides := map[[16]byte]int{}
	for n, list := range policies {
		for _, p := range list {
			sides[p.Object.Digest] |= 1 << n
		}
	}
	out := map[[16]byte]bool{}
	for digest, in := range sides {
		out[digest] = len(policies) > 1 && in != 1<<len(policies)-1
	}
	return out
}

// combinable reports whether pods can have the labels of both, and have more than those of either.
func combinable(x, y map[string]string) bool {
	for key, value := range x {
		if other, has := y[key]; has && other != value {
			return false
		}
	}
	return !holdsAll(x, y) && !holdsAll(y, x)
}

// runs reports whether a workload of a namespace has some labels; one without a value may have any.
func (p *presumer) runs(namespace string, labels map[string]string) bool {
	return !p.effort.spend(len(p.known)) || slices.ContainsFunc(p.known, func(k knownPod) bool {
		return k.namespace == namespace && hasAny(k.pod.labels.Values, labels)
	})
}

// hasAny reports whether labels have all of some; one without a value may have any.
func hasAny(labels, some map[string]string) bool {
	for key, value := range some {
		if got, has := labels[key]; !has || value != "" && got != value {
			return false
		}
	}
	return true
}

// partsOf returns the endpoints that stand for some of the labels of pods: those without a manifest that have no others, and
// workloads with either selector's.
func (p *presumer) partsOf(namespace map[string][]int, e *Endpoint, x, y map[string]string) []int {
	out := []int{}
	p.effort.spend(len(namespace[e.Namespace]))
	for _, i := range namespace[e.Namespace] {
		switch other := p.endpoints[i]; {
		case other.presumed() && holdsAll(e.labels, other.labels):
			out = append(out, i)
		case !other.presumed() && slices.ContainsFunc(p.templates[other.Workload], func(pod *pod) bool { return hasAny(pod.labels.Values, x) || hasAny(pod.labels.Values, y) }):
			out = append(out, i)
		}
	}
	return out
}

// partsReach returns who may call what stands for parts of the labels of an endpoint, before and after, in turn.
func partsReach(c *comparing, i int) []reach {
	var out []reach
	for _, part := range c.After.views.list[i].parts {
		both, known := c.called[part]
		if !known {
			both = [2]reach{c.Before.callers(part), c.After.callers(part)}
			c.called[part] = both
		}
		out = append(out, both[0], both[1])
	}
	return out
}

// differently returns the sources whose connections are opened, or cut, at least perhaps.
func differently(before, after *portReach, opened bool) set {
	if !opened {
		before, after = after, before
	}
	return union(after.sure.without(before.sure), after.perhaps.without(before.perhaps))
}

// differentlyAt returns those at any of several destinations.
func differentlyAt(beforeAndAfter []reach, class Range, opened bool) set {
	var out set
	for n := 0; n+1 < len(beforeAndAfter); n += 2 {
		one := differently(beforeAndAfter[n].at(class), beforeAndAfter[n+1].at(class), opened)
		if out == nil {
			out = one
		}
		out.join(one)
	}
	return out
}

// dropMet takes out of a difference what is told already: that of pods with fewer of the labels, as a source or as the
// destination.
func dropMet(c *comparing, from, sources, parts set) {
	from.drop(parts)
	from.each(func(j int) {
		if slices.ContainsFunc(c.After.views.list[j].parts, sources.has) {
			from[j/64] &^= 1 << (j % 64)
		}
	})
}

// sources are those of a difference that are equally certain.
type sources struct {
	from set
	sure bool
}

// certainty divides sources by whether it is sure that there are such pods at both ends.
func certainty(c *comparing, i int, from set, sure bool) []sources {
	if c.After.views.list[i].met() {
		sure = false
	}
	if !sure {
		return []sources{{from, false}}
	}
	known, met := from.clone(), newSet(len(c.After.views.list))
	from.each(func(j int) {
		if c.After.views.list[j].met() {
			met.add(j)
		}
	})
	known.drop(met)
	return slices.DeleteFunc([]sources{{known, true}, {met, false}}, func(s sources) bool { return s.from.empty() })
}
