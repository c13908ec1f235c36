package rule

import (
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// Admission is the id of the rule for rejected objects. Off, it means that they count as they are.
const Admission = "rejected-by-api-server"

var rejectedByAPIServer = &Rule{
	ID:       Admission,
	Title:    "The API server rejects an object",
	Severity: plan.Error,
	Why: "The object violates the schema of its CRD: a type, a limit, or one of its x-kubernetes-validations, or has a version that is not " +
		"served. Applying it fails. The " +
		"cluster keeps the object as it was, and a comparison counts it so; a new object is not created. The schema is that of the CRD in " +
		"the input, else that of the API and release that the message names; an object with fields that this release does not have is of another one, and is not judged, but for a field that is almost one of its own below a Kustomization of Flux, which applies on the server's side. A NetworkPolicy has no CRD; for it the API server's own rules count, as for a workload, whose selector cannot change: its pods keep their labels.",
	Fix: "Correct the field; kubectl apply --dry-run=server shows the same error. Where the cluster has other CRDs, add them to the " +
		"input, or turn the rule off: then every object counts as it is.",
	Check: checkRejectedByAPIServer,
}

var outcomes = map[loader.Outcome]string{
	loader.KeepsOlder: ", so the cluster keeps it as it was", loader.GetsNone: ", so it is not created",
	loader.NeedsDeletion: ", so it must be deleted and created again",
}

func checkRejectedByAPIServer(s *Environment, report Report) {
	for _, r := range s.Run.Environment.Rejected {
		id := r.Object.ID
		if !Decides(s.Table, id) {
			continue
		}
		for _, reason := range r.Reasons {
			if r.Outcome == loader.TakenBefore {
				report(Hit{
					Target: id.String(), Key: []string{reason.Path, reason.Message}, At: r.Object.Position(reason.At), Object: r.Object, Severity: plan.Note,
					Title: say("%s is not valid by %s, nor was it before: %s: %s; the cluster serves another release, or has not taken it", id, r.By, reason.Path, reason.Message),
				})
				continue
			}
			report(Hit{
				Target: id.String(), Key: []string{reason.Path, reason.Message}, At: r.Object.Position(reason.At), Object: r.Object,
				Title: say("%s is rejected%s: %s: %s (%s)", id, outcomes[r.Outcome], reason.Path, reason.Message, r.By), Detail: stopping(r),
			})
		}
	}
}

// stopping says what the deployer of a rejected object does not apply either, or nothing.
func stopping(r loader.Rejection) string {
	if !r.Stops() {
		return ""
	}
	return r.Object.Deployer.ID.Spoken() + " applies nothing until it is corrected"
}

// Decides reports whether an object decides about requests or connections, as others are not analysed.
func Decides(t *catalogue.Table, id loader.ID) bool {
	return hierarchy.Needs(id.Group, id.Kind) || t.Kind(id.Group, id.Kind) != nil || network.IsPolicy(id) || network.Workload(id.Group, id.Kind)
}
