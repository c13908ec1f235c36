package rule

import "fmt"

var kindChanged = &Rule{
	ID:       "kind-changed",
	Title:    "A change edits what kind of policy a CRD defines",
	Severity: Warning,
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
		for _, o := range p.Head.Run.Environment.Objects {
			if o.ID.Kind == "CustomResourceDefinition" && o.Spec().Str("group") == k.Group && o.Spec().Str("names", "kind") == k.Name() {
				report(Hit{
					Target: o.ID.String(), At: first(o), Object: o,
					Message: fmt.Sprintf("the CRD of %s makes it another kind of policy; this plan reads it as base does (%s)", k, k.Class()),
				})
			}
		}
	}
}
