package network

import (
	"maps"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// views are the endpoints as one revision has them.
type views struct {
	list []*view
	// pods are the indexes of pods by their namespace, other those of pods in a namespace that is known only by labels
	// that a selector names. everywhere are all endpoints.
	pods       map[string][]int
	other      []int
	everywhere []int
}

func newViews(list []*view) *views {
	v := &views{list: list, pods: map[string][]int{}, everywhere: make([]int, len(list))}
	for i, e := range list {
		v.everywhere[i] = i
		switch {
		case e.Form != Pods:
		case e.namespaceLabels != nil:
			v.other = append(v.other, i)
		default:
			v.pods[e.Namespace] = append(v.pods[e.Namespace], i)
		}
	}
	return v
}

// fill adds the endpoints of a peer, and those that may be of it. The namespaces of pods are asked first,
// once each: most pods of a cluster are in another one.
func (v *views) fill(sure, perhaps set, p Peer) {
	var names []inNamespace
	var selectors []inNamespaces
	for _, c := range p {
		switch c := c.(type) {
		case inNamespace:
			names = append(names, c)
		case inNamespaces:
			selectors = append(selectors, c)
		}
	}
	switch {
	case len(names) > 0:
		v.add(sure, perhaps, p, v.pods[names[0].name])
		v.add(sure, perhaps, p, v.other)
	case len(selectors) > 0:
		for _, group := range v.pods {
			if selectors[0].holds(v.list[group[0]]) != fact.False {
				v.add(sure, perhaps, p, group)
			}
		}
		v.add(sure, perhaps, p, v.other)
	default:
		v.add(sure, perhaps, p, v.everywhere)
	}
}

// add adds those of some endpoints that are of a peer, or may be.
func (v *views) add(sure, perhaps set, p Peer, among []int) {
	for _, i := range among {
		switch p.holds(v.list[i]) {
		case fact.True:
			sure.add(i)
			perhaps.add(i)
		case fact.Unknown:
			perhaps.add(i)
		case fact.False:
		}
	}
}

func viewOf(e *Endpoint, objects map[loader.ID]*loader.Object, namespaces Namespaces) *view {
	v := &view{Endpoint: e}
	if e.Form != Pods {
		return v
	}
	switch {
	case e.presumed():
		v.pod = &pod{labels: inventory.Labels{Values: e.labels, Partial: e.proxy != ""}}
	default:
		if v.object = objects[e.Workload]; v.object == nil {
			v.pod = &pod{}
		} else {
			v.pod = podOf(v.object)
		}
	}
	if e.Namespace == "" {
		v.namespace = inventory.Labels{Values: e.namespaceLabels}
		return v
	}
	v.namespace = namespaces.NamespaceLabels(e.Namespace)
	if len(e.namespaceLabels) > 0 && v.namespace.Partial {
		values := maps.Clone(v.namespace.Values)
		maps.Copy(values, e.namespaceLabels)
		v.namespace.Values = values
	}
	return v
}
