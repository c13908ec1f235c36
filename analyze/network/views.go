package network

import (
	"maps"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// views are the endpoints as one revision has them.
type views []*view

func viewOf(e *Endpoint, objects map[loader.ID]*loader.Object, namespaces Namespaces) *view {
	v := &view{Endpoint: e}
	if e.Form != Pods {
		return v
	}
	switch {
	case e.Presumed():
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

// fill adds the endpoints for which something is true, and those for which it may be.
func (v views) fill(sure, perhaps set, holds func(*view) fact.Fact) {
	for i, e := range v {
		switch holds(e) {
		case fact.True:
			sure.add(i)
			perhaps.add(i)
		case fact.Unknown:
			perhaps.add(i)
		case fact.False:
		}
	}
}
