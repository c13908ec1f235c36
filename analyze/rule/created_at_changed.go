package rule

import (
	"cmp"
	"time"

	"github.com/gwplan/gwplan/analyze/plan"
)

var createdAtChanged = &Rule{
	ID:       "created-at-changed",
	Title:    "A change sets the age of a policy that exists already",
	Severity: plan.Warning,
	Why: "The annotation gwplan.dev/created-at and metadata.creationTimestamp decide which of two policies wins. " +
		"The times of base count in this plan; after the merge those of head would.",
	Fix:     "Keep the time that the object has in the cluster.",
	Compare: compareCreatedAt,
}

func compareCreatedAt(p *Pair, report Report) {
	if p.Base == nil || p.Head == nil {
		return
	}
	for _, policy := range p.Head.Run.Attached.Policies {
		before := p.Base.Run.Graph.Object(policy.ID())
		if before == nil {
			continue
		}
		was, is := created(before), created(policy.Object)
		if sameTime(was, is) {
			continue
		}
		report(Hit{
			Target: policy.ID().String(), At: policy.Object.Position(policy.Object.Root.Get("metadata")), Object: policy.Object,
			Title: say("the creation time of %s changes from %s to %s", policy.ID(), cmp.Or(was, "none"), cmp.Or(is, "none")),
		})
	}
}

// sameTime reports whether two texts are the same, or the same time.
func sameTime(a, b string) bool {
	was, err := time.Parse(time.RFC3339, a)
	if err != nil {
		return a == b
	}
	is, err := time.Parse(time.RFC3339, b)
	return err == nil && was.Equal(is)
}
