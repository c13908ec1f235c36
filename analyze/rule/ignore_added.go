package rule

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// ignoreAdded reports new annotations of objects. The entries of the configuration are compared
// elsewhere.
var ignoreAdded = &Rule{
	ID:       "ignore-added",
	Title:    "A change silences findings",
	Severity: plan.Warning,
	Why: "Head adds an entry to `ignore`, lowers the severity of a rule, annotates an object with `gwplan.dev/ignore`, or deletes or " +
		"changes the facts in the configuration, such as `kinds` and `complete`. This plan judges by what base says; after the merge " +
		"findings are silent, or other things count.",
	Fix:     "Review whether the reason holds, and name as few targets as it needs.",
	Compare: compareAnnotations,
}

// compareAnnotations reports the annotations that newly silence a rule.
func compareAnnotations(p *Pair, report Report) {
	if p.Head == nil {
		return
	}
	for _, o := range p.Head.Run.Environment.Objects {
		added := annotatedRules(o)
		if len(added) == 0 {
			continue
		}
		if p.Base != nil {
			if before := p.Base.Run.Graph.Object(o.ID); before != nil {
				known := annotatedRules(before)
				added = slices.DeleteFunc(added, func(id string) bool { return slices.Contains(known, id) })
			}
		}
		for _, id := range added {
			at := o.Root.Get("metadata", "annotations", ignoreAnnotation)
			report(Hit{
				Target: o.ID.String(), Key: []string{id}, At: o.Position(at),
				Title: say("an annotation of %s ignores %s from now on", o.ID, id),
			})
		}
	}
}

// Lowered is a rule whose severity is lower in head's configuration than in base's.
type Lowered struct {
	Rule     string
	From, To plan.Severity
	// At is in head's configuration, or in base's if InBase.
	At     loader.Position
	InBase bool
}

// Altered is something else about head's configuration that changes what is reported after the merge.
type Altered struct {
	// Severity is that of the finding, if it is not the rule's own.
	Severity     plan.Severity
	Key, Message string
	At           loader.Position
	InBase       bool
}

// AddedIgnores returns the findings about what head's configuration newly silences.
func (s *Settings) AddedIgnores() []plan.Finding {
	var out []plan.Finding
	if s.severityOf(ignoreAdded, "") == plan.Off {
		return nil
	}
	add := func(at loader.Position, inBase bool, own plan.Severity, message string, key ...string) {
		f := plan.Finding{
			Rule: ignoreAdded.ID, Severity: s.severityOf(ignoreAdded, own), Target: at.File, File: at.File, Line: at.Line, Column: at.Column,
			Title: message, Message: message, State: plan.New, Fingerprint: change.Fingerprint(append([]string{ignoreAdded.ID}, key...)...),
		}
		if inBase {
			f.Side = plan.InBase
		}
		out = append(out, f)
	}
	for _, i := range s.Added {
		add(i.At, false, "", fmt.Sprintf("head adds an ignore entry for rule %s at %s: %s", i.Rule, i.where(), i.Reason), i.Rule, i.Target)
	}
	for _, l := range s.Lowered {
		add(l.At, l.InBase, "", fmt.Sprintf("head lowers the severity of rule %s from %s to %s", l.Rule, l.From, l.To), l.Rule, string(l.To))
	}
	for _, a := range s.Altered {
		add(a.At, a.InBase, a.Severity, a.Message, "configuration", a.Key)
	}
	return sorted(out)
}
