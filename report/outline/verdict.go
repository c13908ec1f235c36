package outline

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
)

const noChange = "no effective change"

// PlanVerdict summarises a plan in a few words. Users of another tool read silence from a partial
// analysis as success (opendatahub#3042). So the verdict of an incomplete plan always includes
// "incomplete" and the reason.
func PlanVerdict(p *plan.Plan) string { return verdictWithin(p, 0) }

// PlanTitle is PlanVerdict in at most so many characters, unless what is incomplete takes more.
func PlanTitle(p *plan.Plan, most int) string { return verdictWithin(p, most) }

func verdictWithin(p *plan.Plan, most int) string {
	verdict := p.Summary.Headline
	switch {
	case IsEmpty(p) && strings.TrimSpace(verdict) == "":
		verdict = noChange
		if n := p.Summary.Outside; n > 0 {
			verdict += " in the selection; " + outside(n)
		}
	case strings.TrimSpace(verdict) == "":
		verdict = spelling.Count(p.Summary.Changes+p.Summary.PolicyChanges, "effective change")
	}
	gaps := ""
	if p.Incomplete {
		gaps = " – incomplete: " + PlanGaps(p)
	}
	if most > 0 {
		verdict = spelling.Brief(verdict, max(most-utf8.RuneCountInString(gaps), most/2))
	}
	return verdict + gaps
}

// outside counts the changes that a filter leaves out.
func outside(n int) string { return spelling.Count(n, "change") + " outside it" }

// IsEmpty reports whether a plan has neither changes nor changed policies, and answers all requests as before.
func IsEmpty(p *plan.Plan) bool {
	if s := p.Summary; s.Changes > 0 || s.PolicyChanges > 0 || s.Connections > 0 || s.Requests > 0 {
		return false
	}
	return !slices.ContainsFunc(p.Environments, func(e plan.Environment) bool {
		return len(e.Changes) > 0 || len(e.PolicyChanges) > 0 || len(e.Connections) > 0 || len(e.Requests) > 0
	})
}

// PlanGaps explains why a plan is incomplete.
func PlanGaps(p *plan.Plan) string {
	var names []string
	for _, e := range p.Environments {
		if e.Incomplete.Base || e.Incomplete.Head {
			names = append(names, e.Name)
		}
	}
	return gaps(p.Problems, names)
}

// CheckGaps explains why a check is incomplete.
func CheckGaps(c *plan.Check) string {
	var names []string
	for _, e := range c.Environments {
		if e.Incomplete {
			names = append(names, e.Name)
		}
	}
	return gaps(c.Problems, names)
}

// gaps names the problems by their codes, or the environments if there are no problems.
func gaps(problems []plan.Problem, environments []string) string {
	var codes []string
	n := 0
	for _, p := range problems {
		// Notes do not make anything incomplete.
		if p.Severity == string(plan.Note) {
			continue
		}
		n++
		codes = AppendNew(codes, p.Code)
	}
	switch {
	case n > 0:
		return spelling.Count(n, "problem") + " (" + Few(codes) + ")"
	case len(environments) > 0:
		return "environment " + fewAnd(environments)
	}
	return "not everything could be read"
}

// fewNames is how many names a list has.
const fewNames = 3

// Few joins the first three names, for brackets and columns.
func Few(names []string) string {
	if len(names) <= fewNames {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:fewNames], ", ") + ", …"
}

// fewAnd joins the first three names as a sentence lists them, and counts the others.
func fewAnd(names []string) string { return spelling.AtMost(fewNames, names) }

// AppendNew appends s to a list that does not contain it.
func AppendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// LookedAt states what the verdict of an empty plan is based on.
func LookedAt(p *plan.Plan) string {
	s, lead := p.Summary, "same effective configuration for "
	if s.Routes == 0 && s.Policies == 0 {
		// "Same configuration for 0 routes" hides that nothing was found to compare.
		return "no routes or policies found in " + spelling.Count(s.Environments, "environment")
	}
	if p.Incomplete || len(p.Unseen) > 0 || s.Findings != (plan.Counts{}) || s.Outside > 0 {
		lead = "looked at "
	}
	return lead + spelling.Count(s.Routes, "route") + " and " +
		spelling.Count(s.Policies, "policy") + " in " + spelling.Count(s.Environments, "environment")
}

// PlanCounts returns the parts of a line of counts. A change that several environments have counts once, as it is
// shown, while the summary of a document counts it for each.
func PlanCounts(p *plan.Plan) []string {
	s := p.Summary
	changes := spelling.Count(p.Summary.Changes, "change") + " for " + spelling.Count(s.Targets, "target")
	if kinds := ByKind(s.TargetsByKind); kinds != "" {
		changes += " (" + kinds + ")"
	}
	parts := []string{changes}
	switch connections := spelling.Count(s.Connections, "change") + " of connections"; {
	case s.Connections > 0 && s.Changes == 0:
		parts = []string{connections}
	case s.Connections > 0:
		parts = append(parts, connections)
	}
	if s.Requests > 0 && s.Changes == 0 {
		parts = append(parts, spelling.Count(len(Requests(p)), "change")+" of requests")
	}
	if s.PolicyChanges > 0 {
		parts = append(parts, spelling.Count(s.PolicyChanges, "policy")+" changed")
	}
	if s.Outside > 0 {
		parts = append(parts, spelling.Count(s.Outside, "change")+" outside the selection")
	}
	parts = append(parts, "new findings: "+findingCounts(s.Findings))
	if s.Fixed > 0 {
		parts = append(parts, spelling.Count(s.Fixed, "finding")+" fixed")
	}
	if s.Unchanged > 0 {
		parts = append(parts, spelling.Count(s.Unchanged, "finding")+" unchanged")
	}
	if s.Silenced > 0 {
		parts = append(parts, spelling.Count(s.Silenced, "finding")+" ignored")
	}
	parts = append(parts, spelling.Count(s.Problems, "problem"))
	if s.Skipped > 0 {
		parts = append(parts, spelling.Count(s.Skipped, "document")+" of other kinds skipped")
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
	}{{c.Error, string(plan.Error)}, {c.Warning, string(plan.Warning)}, {c.Note, string(plan.Note)}} {
		if p.n > 0 {
			parts = append(parts, spelling.Count(p.n, p.noun))
		}
	}
	return strings.Join(parts, ", ")
}

// CheckVerdict summarises a check in a few words. It adds "incomplete" and the reason if the check
// is incomplete.
func CheckVerdict(c *plan.Check) string {
	verdict := findingCounts(c.Summary.Findings)
	if c.Summary.Findings == (plan.Counts{}) {
		verdict = "no findings"
	}
	if c.Incomplete {
		verdict += " – incomplete: " + CheckGaps(c)
	}
	return verdict
}
