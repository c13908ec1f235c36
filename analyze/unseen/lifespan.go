package unseen

import (
	"strings"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// expiring are labels and annotations because of which a controller deletes an object after a time (Kyverno, Cleanup Rules, TTL label;
// kube-janitor, README).
var expiring = []string{"cleanup.kyverno.io/ttl", "janitor/ttl", "janitor/expires"}

// lifespans finds objects that, as head has them, others may delete or ignore although the tree keeps them: with an owner, whose
// absence has the garbage collector delete them (kubernetes pkg/controller/garbagecollector/garbagecollector.go,
// attemptToDeleteItem), with a time to live, and objects of Istio that are for another revision of its control plane (istio
// pkg/config/model.go, LabelsInRevision).
func lifespans(s *search, pair applied.Pair) {
	for _, e := range s.edits.of(pair) {
		was, o := e.Was, e.Is
		if was == nil || o == nil || o.Context {
			continue
		}
		owners := o.Root.Get("metadata", "ownerReferences")
		if !owners.IsEmpty() && !loader.Equal(owners, was.Root.Get("metadata", "ownerReferences")) {
			s.add(o.ID.Spoken(), plan.EditChanged, pair.Name(), o.Position(owners), []string{"metadata.ownerReferences"}).ForOthers = true
		}
		for _, key := range expiring {
			if at, has := o.Labels()[key]; has && at != was.Labels()[key] {
				s.add(o.ID.Spoken(), plan.EditChanged, pair.Name(), placed(o, "labels", key), []string{key}).ForOthers = true
			}
			if at, has := o.Annotations()[key]; has && at != was.Annotations()[key] {
				s.add(o.ID.Spoken(), plan.EditChanged, pair.Name(), placed(o, "annotations", key), []string{key}).ForOthers = true
			}
		}
		if strings.HasSuffix(o.ID.Group, ".istio.io") && was.Labels()[revision] != o.Labels()[revision] {
			s.add(o.ID.Spoken(), plan.EditChanged, pair.Name(), placed(o, "labels", revision), []string{revision}).ForOthers = true
		}
	}
}
