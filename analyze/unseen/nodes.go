package unseen

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/loader"
)

// forNodes finds policies of Cilium for the connections of nodes, which are not followed.
func forNodes(s *search, pair applied.Pair) {
	if pair.Base == nil || pair.Head == nil {
		return
	}
	for _, e := range workloadEdits(s, pair) {
		if selectsNodes(e.Was) || selectsNodes(e.Is) {
			s.add(e.Object().ID.Spoken(), e.Change(), pair.Name(), e.Object().First(), []string{"the connections of nodes"}).Global = true
		}
	}
}

// selectsNodes reports whether a policy of Cilium, or a rule of it, is for nodes.
func selectsNodes(o *loader.Object) bool {
	if o == nil || o.ID.Group != "cilium.io" || o.ID.Kind != "CiliumClusterwideNetworkPolicy" {
		return false
	}
	return o.Spec().Get("nodeSelector") != nil || slices.ContainsFunc(o.Root.List("specs"), func(spec *loader.Value) bool { return spec.Get("nodeSelector") != nil })
}
