package network

import (
	"maps"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// maxPresumed limits how many endpoints without a manifest there are.
const maxPresumed = 20_000

// presumer adds the pods that selectors select and no manifest has.
type presumer struct {
	*universe
	sides      []Side
	namespaces []string
	// known are the pods of all workloads, with their namespaces.
	known []knownPod
	// templates are the pods of each workload, in either revision.
	templates map[loader.ID][]*pod
	count     int
	// examples are pods with the labels of a selector, exceptions the labels that a selector excludes, each alone.
	examples, exceptions []presumedPods
}

// presumedPods are labels of pods in some namespaces; "" is any.
type presumedPods struct {
	labels map[string]string
	where  []string
}

type knownPod struct {
	pod       *pod
	namespace string
}

// pods reads the templates of all workloads.
func (p *presumer) pods() {
	for _, s := range p.sides {
		for _, o := range s.Objects {
			if Workload(o.ID.Group, o.ID.Kind) {
				pod := podOf(o)
				p.known = append(p.known, knownPod{pod, o.ID.Namespace})
				p.templates[o.ID] = append(p.templates[o.ID], pod)
			}
		}
	}
}

func (p *presumer) policies(list []*Policy) {
	seen := map[string]bool{}
	eachPeer(list, func(_ *Policy, peer Peer) {
		if text := peer.String(); !seen[text] {
			seen[text] = true
			p.presume(peer)
		}
	})
}

// presumed is what a peer about pods selects.
type presumed struct {
	selectors []Selector
	// where are the namespaces; limited means that they are not all.
	where   []string
	limited bool
	// absent are labels of namespaces that it selects and no namespace has.
	absent []map[string]string
}

// selection returns what a peer selects, or false if it is not about pods.
func (p *presumer) selection(peer Peer) (out presumed, ok bool) {
	out.where = p.namespaces
	for _, c := range peer {
		switch c := c.(type) {
		case pods:
			out.selectors = append(out.selectors, c.selector)
		case calicoPods:
			out.selectors = append(out.selectors, c.selector)
		case inNamespace:
			out.where, out.limited = []string{c.name}, true
		case inNamespaces:
			matches := func(_ string, l inventory.Labels) fact.Fact { return c.selector.Matches(l) }
			selected := slices.DeleteFunc(slices.Clone(out.where), func(name string) bool { return !p.selected(matches, name) })
			if example, ok := c.selector.Example(); ok && len(selected) == 0 {
				out.absent = append(out.absent, example)
			}
			out.absent = append(out.absent, p.absent(c.selector)...)
			out.where, out.limited = selected, out.limited || c.selector.String() != ""
		case calicoNamespaces:
			out.where = slices.DeleteFunc(slices.Clone(out.where), func(name string) bool { return !p.selected(c.selects, name) })
			out.limited = true
		case not, unknown:
		default:
			return presumed{}, false
		}
	}
	return out, true
}

// example returns labels that are selected.
func (p *presumed) example() (map[string]string, bool) {
	example := map[string]string{}
	for _, s := range p.selectors {
		one, ok := s.Example()
		if !ok {
			return nil, false
		}
		maps.Copy(example, one)
	}
	return example, true
}

// presume adds pods for a peer in each namespace that it selects, where it selects no workload.
func (p *presumer) presume(peer Peer) {
	of, ok := p.selection(peer)
	if !ok {
		return
	}
	selectors, where, limited := of.selectors, of.where, of.limited
	example, ok := of.example()
	if !ok {
		return
	}
	for _, labels := range of.absent {
		name := labels[nameLabel]
		p.addPod(&Endpoint{Namespace: name, namespaceLabels: labels})
		if len(example) > 0 {
			p.addPod(&Endpoint{Namespace: name, namespaceLabels: labels, labels: example})
		}
	}
	scope := where
	if !limited {
		scope = []string{""}
	}
	alternatives := false
	for _, s := range selectors {
		for _, other := range s.Others() {
			alternatives = true
			p.labelled(where, limited, other)
		}
		for _, excluded := range s.Excluded() {
			p.labelled(where, limited, excluded)
			p.except(s, excluded, scope)
		}
	}
	if len(example) == 0 {
		return // the pods without labels stand for these
	}
	p.examples = append(p.examples, presumedPods{example, scope})
	switch {
	case !limited: // a workload in one namespace does not stand for pods of others
		p.addPod(&Endpoint{labels: example})
		return
	case alternatives: // a workload with another of them does not stand for these
		p.labelled(where, limited, example)
		return
	}
	for _, name := range where {
		if !p.taken(selectors, name) {
			p.addPod(&Endpoint{Namespace: name, labels: example})
		}
	}
}

// absent returns the labels that a selector selects besides its example and no namespace in the input has.
func (p *presumer) absent(s Selector) []map[string]string {
	return slices.DeleteFunc(s.Others(), func(labels map[string]string) bool {
		return !p.effort.spend(len(p.namespaces)) || slices.ContainsFunc(p.namespaces, func(name string) bool {
			return slices.ContainsFunc(p.sides, func(side Side) bool { return holdsAll(side.Namespaces.NamespaceLabels(name).Values, labels) })
		})
	})
}

// except notes the label by which a selector leaves pods out, up to the limit.
func (p *presumer) except(s Selector, excluded map[string]string, scope []string) {
	if len(p.exceptions) == maxCombined {
		return
	}
	base, _ := s.Example()
	one := map[string]string{}
	for key, value := range excluded {
		if was, has := base[key]; !has || was != value {
			one[key] = value
		}
	}
	known := slices.ContainsFunc(p.exceptions, func(e presumedPods) bool { return maps.Equal(e.labels, one) && slices.Equal(e.where, scope) })
	if !known {
		p.exceptions = append(p.exceptions, presumedPods{one, scope})
	}
}

// The limits of combining labels that selectors exclude with those that others select: how many of the former, and how
// many pods come of it.
const (
	maxCombined     = 20
	maxCombinedPods = 2_000
)

// combine adds pods that one policy selects and that another one leaves out by a further label: for these the first
// policy may be the only one.
func (p *presumer) combine() {
	most := min(p.count+maxCombinedPods, maxPresumed)
	for _, e := range p.exceptions {
		if !p.effort.spend(len(p.examples)) {
			return
		}
		for _, x := range p.examples {
			if p.count >= most {
				return
			}
			if slices.ContainsFunc(slices.Collect(maps.Keys(e.labels)), func(key string) bool { _, has := x.labels[key]; return has }) {
				continue
			}
			both := maps.Clone(x.labels)
			maps.Copy(both, e.labels)
			for _, name := range common(x.where, e.where) {
				p.labelled([]string{name}, name != "", both)
			}
		}
	}
}

// common returns the namespaces that two lists have in common, where "" is any.
func common(a, b []string) []string {
	switch {
	case slices.Contains(a, ""):
		return b
	case slices.Contains(b, ""):
		return a
	}
	return slices.DeleteFunc(slices.Clone(a), func(name string) bool { return !slices.Contains(b, name) })
}

// labelled adds pods with some labels in each namespace where no workload has them.
func (p *presumer) labelled(where []string, limited bool, labels map[string]string) {
	if !limited {
		where = []string{""}
	}
	for _, name := range where {
		known := name != "" && (!p.effort.spend(len(p.known)) || slices.ContainsFunc(p.known, func(k knownPod) bool {
			return k.namespace == name && holdsAll(k.pod.labels.Values, labels)
		}))
		if !known {
			p.addPod(&Endpoint{Namespace: name, labels: labels})
		}
	}
}

// nameLabel is the label with the name of a namespace, which the API server sets.
const nameLabel = "kubernetes.io/metadata.name"

// selected reports whether a namespace is selected by its name and labels in some revision.
func (p *presumer) selected(selects func(string, inventory.Labels) fact.Fact, name string) bool {
	return p.effort.spend(1) && slices.ContainsFunc(p.sides, func(side Side) bool {
		return selects(name, side.Namespaces.NamespaceLabels(name)) == fact.True
	})
}

// taken reports whether selectors select the pods of a workload in a namespace.
func (p *presumer) taken(selectors []Selector, namespace string) bool {
	return !p.effort.spend(len(p.known)) || slices.ContainsFunc(p.known, func(k knownPod) bool {
		return k.namespace == namespace &&
			!slices.ContainsFunc(selectors, func(s Selector) bool { return k.pod.matches(s) != fact.True })
	})
}

func (p *presumer) addPod(e *Endpoint) {
	if p.count >= maxPresumed {
		p.cut = true
		return
	}
	p.count++
	p.add(e)
}
