package rule

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// ignoreAnnotation silences findings about its object: "RULE: reason" or "RULE (until 2027-06-30): reason", separated
// by newlines if there are several.
const ignoreAnnotation = "gwplan.dev/ignore"

// accepted is a rule that the annotation of an object ignores.
type accepted struct {
	reason string
	// until is the last day on which the rule is ignored; zero means that there is no last day.
	until time.Time
}

func (a accepted) at(now time.Time) bool {
	return a.until.IsZero() || now.Before(a.until.AddDate(0, 0, 1))
}

// ignoredByAnnotation returns the annotation that silences a finding, nil if none does. In a diff it is one that base has,
// too: head must not silence its own findings.
func (s *Environment) ignoredByAnnotation(r *Rule, o *loader.Object) *silencer {
	if o == nil {
		return nil
	}
	a, found := annotated(o)[r.ID]
	if !found || !a.at(s.Settings.Now) {
		return nil
	}
	if s.former != nil {
		before := s.former(o.ID)
		if before == nil {
			return nil
		}
		if was, found := annotated(before)[r.ID]; !found || !was.at(s.Settings.Now) {
			return nil
		}
	}
	return &silencer{by: plan.SilencedByAnnotation, reason: a.reason, at: o.Position(o.Root.Get("metadata", "annotations", ignoreAnnotation))}
}

// IsAnnotated reports whether an object ignores findings about itself.
func IsAnnotated(o *loader.Object) bool {
	return o.Root.Get("metadata", "annotations", ignoreAnnotation) != nil
}

// annotatedRules returns the rules that the annotation of an object ignores, sorted.
func annotatedRules(o *loader.Object) []string { return slices.Sorted(maps.Keys(annotated(o))) }

// annotated returns the rules that the annotation of an object ignores. An entry without a reason, or with an invalid
// date, does not count.
func annotated(o *loader.Object) map[string]accepted {
	if !IsAnnotated(o) {
		return nil
	}
	out := map[string]accepted{}
	for line := range strings.Lines(o.Annotations()[ignoreAnnotation]) {
		if id, a, ok := acceptance(line); ok {
			out[id] = a
		}
	}
	return out
}

// acceptance reads a line of an annotation. It returns false for a line without a rule or a reason, or with an invalid
// date.
func acceptance(line string) (id string, a accepted, ok bool) {
	id, reason, _ := strings.Cut(line, ":")
	id, day, hasDay := strings.Cut(id, "(")
	id, a.reason = strings.TrimSpace(id), strings.TrimSpace(reason)
	if hasDay {
		text, until := strings.CutPrefix(strings.TrimSuffix(strings.TrimSpace(day), ")"), "until ")
		var err error
		if a.until, err = time.Parse(time.DateOnly, text); err != nil || !until {
			return id, a, false
		}
	}
	return id, a, id != "" && a.reason != ""
}
