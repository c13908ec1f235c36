package rule

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var declaredTwice = &Rule{
	ID:       "declared-twice",
	Title:    "One object is declared twice in an environment",
	Severity: plan.Warning,
	Why: "Two manifests of one environment declare the same object. The last one in apply order counts; which that is " +
		"may depend on the tool that applies them.",
	Fix:   "Keep one declaration, or name the environments in the configuration if the two belong to different clusters.",
	Check: checkDeclaredTwice,
}

func checkDeclaredTwice(s *Environment, report Report) {
	for _, d := range s.Run.Environment.Duplicates {
		if id := d.Dropped.ID; !hierarchy.Needs(id.Group, id.Kind) && s.Table.Kind(id.Group, id.Kind) == nil {
			continue // it was read only for its parentRefs, and objects of its kind are not compared
		}
		at, kept := d.Dropped.First(), d.Kept.First()
		report(Hit{
			Target: d.Dropped.ID.String(), Key: []string{at.File}, At: at, Object: d.Dropped,
			Title:   say("%s is declared twice", d.Dropped.ID),
			Detail:  fmt.Sprintf("the declaration in %s is the one that applies", kept.File),
			Related: []plan.Related{{Message: "the declaration that applies", Side: plan.InHead, File: kept.File, Line: kept.Line, Column: kept.Column}},
		})
	}
}
