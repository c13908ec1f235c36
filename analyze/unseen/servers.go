package unseen

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// servers finds workloads whose pods a Server of Linkerd, which stays as it is, no longer selects or newly selects: by their
// labels, or because their port has another name. Other policies hold for these pods then, or the default of the mesh
// (linkerd2 policy-controller/k8s/index/src/inbound/index.rs, PolicyIndex and PodIndex).
func servers(s *search, pair applied.Pair) {
	if pair.Base == nil || pair.Head == nil {
		return
	}
	var selecting []*loader.Object
	edited := map[loader.ID]bool{}
	for _, e := range s.edits.of(pair) {
		id := e.Object().ID
		edited[id] = true
		if e.Was != nil && e.Is != nil && id.Group == "policy.linkerd.io" && id.Kind == "Server" && selectsOtherwise(e.Was, e.Is) {
			s.add(id.Spoken(), plan.EditChanged, pair.Name(), e.Is.First(), []string{"the pods that enter or leave it"}).Global = true
		}
	}
	for _, o := range pair.Head.Objects {
		if o.ID.Group == "policy.linkerd.io" && o.ID.Kind == "Server" && !edited[o.ID] && !o.Spec().Get("podSelector").IsNull() {
			selecting = append(selecting, o)
		}
	}
	if len(selecting) == 0 {
		return
	}
	was := loader.ByID(pair.Base.Workloads)
	for _, o := range pair.Head.Workloads {
		before := was[o.ID]
		if before == nil || before.Digest == o.Digest {
			continue
		}
		var by []string
		for _, server := range selecting {
			if server.ID.Namespace == o.ID.Namespace && serves(server, before) != serves(server, o) {
				by = append(by, server.ID.Spoken())
			}
		}
		if len(by) > 0 {
			s.add(o.ID.Spoken(), plan.EditChanged, pair.Name(), o.First(), slices.Compact(by)).Relabelled = true
		}
	}
}

// selectsOtherwise reports whether a Server selects other pods or another port than before: what leaves it has the default
// policy of the mesh.
func selectsOtherwise(was, is *loader.Object) bool {
	return slices.ContainsFunc([]string{"podSelector", "externalWorkloadSelector", "port"}, func(field string) bool {
		return !loader.Equal(was.Spec().Get(field), is.Spec().Get(field))
	})
}

// serves reports whether a Server selects the pods of a workload and a port that they have. A port without a name is any.
func serves(server, workload *loader.Object) bool {
	labels, ports, _ := network.PodsOf(workload)
	port := server.Spec().Get("port")
	named := port != nil && port.Shape == loader.String && !isNumber(port.Text)
	has := func(p string) bool { name, _, _ := strings.Cut(p, " "); return name == port.Text }
	return (inventory.Labels{Values: labels}).Matches(server.Spec().Get("podSelector")) == fact.True && (!named || slices.ContainsFunc(ports, has))
}
