package rule

import (
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

var kindChanged = &Rule{
	ID:       "kind-changed",
	Title:    "A change edits what kind of policy a CRD defines",
	Severity: plan.Warning,
	Why: "Base and head would classify the kind differently. Both are computed in base's way, so that a plan compares " +
		"like with like; after the merge the new way holds.",
	Fix:     "Review the CRD's policy label and schema.",
	Compare: compareKinds,
}

func compareKinds(p *Pair, report Report) {
	if p.Head == nil {
		return
	}
	for _, k := range p.Head.Table.Changed {
		if at := classifyingObject(p.Head, k); at != nil {
			report(Hit{
				Target: at.ID.String(), Key: []string{k.String()}, At: at.First(), Object: at,
				Title: say("after this change %s looks like another kind of policy; this plan reads it as base does (%s)", k, k.Class()),
			})
		}
	}
}

// classifyingObject returns the object from which head would classify a kind: its CRD, else one of its
// policies.
func classifyingObject(s *Environment, k *catalogue.Kind) *loader.Object {
	for _, o := range s.Run.Environment.Objects {
		if o.ID.Kind == "CustomResourceDefinition" && o.Spec().Str("group") == k.Group && o.Spec().Str("names", "kind") == k.Name() {
			return o
		}
	}
	for _, p := range s.Run.Attached.Policies {
		if p.Kind == k {
			return p.Object
		}
	}
	return nil
}
