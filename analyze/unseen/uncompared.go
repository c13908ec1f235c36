package unseen

import (
	"maps"
	"reflect"
	"slices"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/loader"
)

// uncompared finds the network policies and the workloads with other labels or ports of their pods in an environment of which
// the run could not compare the connections.
func uncompared(s *search, pair applied.Pair) {
	if !s.Uncompared[pair.Name()] || pair.Base == nil || pair.Head == nil {
		return
	}
	for _, e := range workloadEdits(s, pair) {
		if id := e.Object().ID; network.IsPolicy(id) || repodded(e) {
			s.add(id.Spoken(), e.Change(), pair.Name(), e.Object().First(), nil).Uncompared = true
		}
	}
}

// workloadEdits returns the workloads and network policies that differ between the sides of a pair, sorted by ID, with head as the
// cluster will have it.
func workloadEdits(s *search, pair applied.Pair) []applied.Edit {
	pair, _ = pair.Applied(s.Base, s.Head)
	was, is := loader.ByID(pair.Base.Workloads), loader.ByID(pair.Head.Workloads)
	ids := maps.Clone(was)
	maps.Copy(ids, is)
	var out []applied.Edit
	for _, id := range slices.SortedFunc(maps.Keys(ids), loader.ID.Compare) {
		if e := (applied.Edit{Was: was[id], Is: is[id]}); e.Was == nil || e.Is == nil || e.Was.Digest != e.Is.Digest {
			out = append(out, e)
		}
	}
	return out
}

// repodded reports whether the pods of a workload have other labels or ports.
func repodded(e applied.Edit) bool {
	if e.Was == nil || e.Is == nil {
		return false // its coming or going is told itself
	}
	labels, ports, _ := network.PodsOf(e.Was)
	others, otherPorts, _ := network.PodsOf(e.Is)
	return !reflect.DeepEqual(labels, others) || !reflect.DeepEqual(ports, otherPorts)
}
