package rule

import (
	"fmt"
	"strings"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
)

// ignoreStale needs the result of all other rules for the entries of the configuration; Check looks at annotations.
var ignoreStale = &Rule{
	ID:       "ignore-stale",
	Title:    "An entry of ignore silences nothing",
	Severity: plan.Note,
	Why: "The finding was fixed, its target has another name, or the entry has expired (then a warning). If it stays, it will silence " +
		"the next finding that happens to fit. A line of the annotation `gwplan.dev/ignore` that has expired or cannot be read is a warning, too.",
	Fix:   "Delete the entry, or correct its target. A line of the annotation is `RULE: reason` or `RULE (until 2027-06-30): reason`.",
	Check: checkAnnotations,
}

// maxLines is how many lines of one annotation are reported.
const maxLines = 5

// checkAnnotations reports the lines of annotations that cannot be read, name no rule or have expired.
func checkAnnotations(s *Environment, report Report) {
	for _, o := range s.Run.Environment.Objects {
		if o.Context || !IsAnnotated(o) {
			continue
		}
		reported := 0
		for line := range strings.Lines(o.Annotations()[ignoreAnnotation]) {
			why := useless(s, line)
			if why == "" {
				continue
			}
			if reported++; reported > maxLines {
				break
			}
			report(Hit{
				Target: o.ID.String(), Key: []string{strings.TrimSpace(line)}, At: o.Position(o.Root.Get("metadata", "annotations", ignoreAnnotation)), Object: o, Severity: plan.Warning,
				Title:  say("%s: the line %.100q of its annotation %s %s", o.ID, strings.TrimSpace(line), ignoreAnnotation, why),
				Detail: "it silences nothing",
			})
		}
	}
}

// useless says why a line of an annotation silences nothing, "" if it does or is empty.
func useless(s *Environment, line string) string {
	id, a, ok := acceptance(line)
	switch {
	case strings.TrimSpace(line) == "":
		return ""
	case !ok:
		return "cannot be read"
	case !s.isRule(id):
		return "names no rule"
	case !a.at(s.Settings.Now):
		return "has expired"
	}
	return ""
}

// StaleIgnores reports the entries that are expired or silenced no finding of one revision. It
// skips unexpired ones for rules that compare revisions.
func (s *Settings) StaleIgnores() []plan.Finding {
	var out []plan.Finding
	if s.severityOf(ignoreStale, "") == plan.Off || s.Silenced == nil {
		return nil
	}
	for n, i := range s.Ignore {
		if of := ByID(i.Rule); !i.Expired && (s.Silenced.entries[n] || of != nil && of.Compare != nil) {
			continue
		}
		f := plan.Finding{
			Rule: ignoreStale.ID, Severity: s.severityOf(ignoreStale, ""), Target: i.At.File, File: i.At.File, Line: i.At.Line, Column: i.At.Column,
			Title:       fmt.Sprintf("the ignore entry for rule %s at %s silences nothing", i.Rule, i.where()),
			Fingerprint: change.Fingerprint(ignoreStale.ID, i.Rule, i.Target),
		}
		if i.Expired {
			f.Severity, f.Title = s.severityOf(ignoreStale, plan.Warning), fmt.Sprintf("the ignore entry for rule %s at %s has expired", i.Rule, i.where())
		}
		f.Message = f.Title
		out = append(out, f)
	}
	return out
}
