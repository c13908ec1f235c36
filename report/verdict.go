package report

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
)

const noChange = "no effective change"

// planVerdict says a plan in a few words. Silence from a partial analysis was
// read as success elsewhere (opendatahub#3042), so "no effective change" never
// stands without "incomplete" and the reason where the plan is incomplete.
func planVerdict(p *plan.Plan) string {
	verdict := p.Summary.Headline
	switch {
	case isEmpty(p) && strings.TrimSpace(verdict) == "":
		verdict = noChange
	case strings.TrimSpace(verdict) == "":
		verdict = count(p.Summary.Changes+p.Summary.PolicyChanges, "effective change")
	}
	if p.Incomplete {
		verdict += " – incomplete: " + planGaps(p)
	}
	return verdict
}

func isEmpty(p *plan.Plan) bool {
	if p.Summary.Changes > 0 || p.Summary.PolicyChanges > 0 {
		return false
	}
	return !slices.ContainsFunc(p.Environments, func(e plan.Environment) bool {
		return len(e.Changes) > 0 || len(e.PolicyChanges) > 0
	})
}

// planGaps says why a plan is incomplete.
func planGaps(p *plan.Plan) string {
	var names []string
	for _, e := range p.Environments {
		if e.Incomplete.Base || e.Incomplete.Head {
			names = append(names, e.Name)
		}
	}
	return gaps(p.Problems, names)
}

func checkGaps(c *plan.Check) string {
	var names []string
	for _, e := range c.Environments {
		if e.Incomplete {
			names = append(names, e.Name)
		}
	}
	return gaps(c.Problems, names)
}

// gaps names the problems by their codes, or else the environments.
func gaps(problems []plan.Problem, environments []string) string {
	var codes []string
	n := 0
	for _, p := range problems {
		// Notes do not make anything incomplete.
		if p.Severity == "note" {
			continue
		}
		n++
		codes = appendNew(codes, p.Code)
	}
	switch {
	case n > 0:
		return count(n, "problem") + " (" + few(codes) + ")"
	case len(environments) > 0:
		return "environment " + few(environments)
	}
	return "not everything could be read"
}

// few joins the first three names.
func few(names []string) string {
	const shown = 3
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:shown], ", ") + ", …"
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// lookedAt says what stood behind the verdict of an empty plan.
func lookedAt(p *plan.Plan) string {
	s, lead := p.Summary, "same effective configuration for "
	if s.Routes == 0 && s.Policies == 0 {
		// "Same configuration for 0 routes" hides that nothing was found to compare.
		return "no routes or policies found in " + count(s.Environments, "environment")
	}
	if p.Incomplete || len(p.Unseen) > 0 {
		lead = "looked at "
	}
	return lead + count(s.Routes, "route") + " and " +
		count(s.Policies, "policy") + " in " + count(s.Environments, "environment")
}

// planCounts is one line of counts, from the summary alone.
func planCounts(s plan.Summary) []string {
	changes := count(s.Changes, "change") + " for " + count(s.Targets, "target")
	if kinds := byKind(s.TargetsByKind); kinds != "" {
		changes += " (" + kinds + ")"
	}
	parts := []string{
		changes + " in " + count(s.Contexts, "context"),
		count(s.PolicyChanges, "policy change"),
		"new findings: " + findingCounts(s.Findings),
	}
	if s.Fixed > 0 {
		parts = append(parts, count(s.Fixed, "finding")+" fixed")
	}
	if s.Unchanged > 0 {
		parts = append(parts, count(s.Unchanged, "finding")+" unchanged")
	}
	if s.Silenced > 0 {
		parts = append(parts, count(s.Silenced, "finding")+" ignored")
	}
	parts = append(parts, count(s.Problems, "problem"))
	if s.Skipped > 0 {
		parts = append(parts, count(s.Skipped, "document")+" of other kinds skipped")
	}
	return parts
}

func findingCounts(c plan.Counts) string {
	if c == (plan.Counts{}) {
		return "none"
	}
	var parts []string
	for _, p := range []struct {
		n    int
		noun string
	}{{c.Error, "error"}, {c.Warning, "warning"}, {c.Note, "note"}} {
		if p.n > 0 {
			parts = append(parts, count(p.n, p.noun))
		}
	}
	return strings.Join(parts, ", ")
}

// checkVerdict says a check in a few words; "no findings" stands beside
// "incomplete" where it is.
func checkVerdict(c *plan.Check) string {
	verdict := findingCounts(c.Summary.Findings)
	if c.Summary.Findings == (plan.Counts{}) {
		verdict = "no findings"
	}
	if c.Incomplete {
		verdict += " – incomplete: " + checkGaps(c)
	}
	return verdict
}
