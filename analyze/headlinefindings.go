package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/analyze/sentence"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// heldBack returns why the cluster does not get all that a plan tells of, from the first finding that says so, or "".
func heldBack(p *plan.Plan) string {
	var found []string
	for _, env := range p.Environments {
		for _, f := range env.Findings {
			if r := rule.ByID(f.Rule); f.State == plan.New && r != nil && r.HoldsBack && !slices.Contains(found, f.Title) {
				found = append(found, f.Title)
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	return brief(found[0]) + spelling.More(len(found)-1)
}

// leading returns the first new warning of a rule that stands first in a headline, or "". Errors do so anyway.
func leading(p *plan.Plan) string {
	for _, one := range newFindings(p, plan.Warning) {
		if r := rule.ByID(one.finding.Rule); r != nil && r.Leads {
			return fmt.Sprintf("%s: %s", plan.Warning, one.text)
		}
	}
	return ""
}

// whyUncertain returns the first new error that is not about protection, if all losses of protection in the plan are
// uncertain: that error is the reason for the uncertainty.
func whyUncertain(p *plan.Plan) string {
	lost := slices.DeleteFunc(slices.Clone(p.Effects), func(e plan.Effect) bool { return !e.LosesProtection })
	if len(lost) == 0 || slices.ContainsFunc(lost, func(e plan.Effect) bool { return !e.Perhaps }) {
		return ""
	}
	for _, env := range p.Environments {
		for _, f := range env.Findings {
			if r := rule.ByID(f.Rule); f.State == plan.New && f.Severity == plan.Error && r != nil && !r.Security {
				return fmt.Sprintf("%s: %s", plan.Error, brief(f.Title))
			}
		}
	}
	return ""
}

// findingHeadline returns the first new finding of a severity, with its environments if there are several, and the
// number of the others. A build that fails comes first: nothing else of it is applied. Not every finding changes the
// configuration of a target.
func findingHeadline(p *plan.Plan, severity plan.Severity) string {
	return countedFindings(newFindings(p, severity), severity)
}

// countedFindings tells the first of several findings of a severity, and the number of the others.
func countedFindings(found []statement, severity plan.Severity) string {
	switch len(found) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("%s: %s", severity, found[0].text)
	}
	return fmt.Sprintf("%d %ss: %s, and %d more", len(found), severity, found[0].text, len(found)-1)
}

// failingHeadline returns the new errors that are not about protection if requests are certainly answered with errors now, or "". What
// fails for everybody is worse than what is less protected.
func failingHeadline(p *plan.Plan) string {
	if !slices.ContainsFunc(p.Environments, func(env plan.Environment) bool {
		return slices.ContainsFunc(env.Requests, func(r plan.RequestChange) bool {
			return r.Class == plan.RequestsLost && r.After != nil && r.Certain
		})
	}) {
		return ""
	}
	found := slices.DeleteFunc(newFindings(p, plan.Error), func(s statement) bool { return s.security })
	return countedFindings(found, plan.Error)
}

// statement is a new finding in a headline: its text, with its environments if the plan has several.
type statement struct {
	title, text string
	// about is the object that it is about, security that it is about protection.
	about    string
	security bool
	// finding is the first one, and requests are those of all environments that have it.
	finding                plan.Finding
	environments, requests []string
}

// perhaps reports whether it is not known that something happens.
func (s *statement) perhaps() bool {
	return strings.Contains(s.title, " may ") || strings.Contains(s.title, " perhaps ")
}

// tellErrors reports whether the first effect of a plan is among its new errors, too. An effect on protection is not if
// no new error is about protection.
func tellErrors(p *plan.Plan) bool {
	return !p.Effects[0].LosesProtection || slices.ContainsFunc(newFindings(p, plan.Error), func(s statement) bool { return s.security })
}

// newFindings returns the new findings of a severity with distinct titles: builds that fail first, then what is about protection.
func newFindings(p *plan.Plan, severity plan.Severity) []statement {
	var broken, protection, found []*statement
	var names []string
	known := map[string]*statement{}
	var recurring plan.Recurring
	for _, env := range p.Environments {
		names = append(names, env.Name)
		recurring.Next()
		for _, f := range env.Findings {
			if f.State != plan.New || f.Severity != severity {
				continue
			}
			r := rule.ByID(f.Rule)
			list := &found
			switch {
			case f.Rule == rule.BuildBroken: // its message does not name the file
				f.Title, list = f.File+": "+f.Title, &broken
			case r != nil && r.Security:
				list = &protection
			}
			id := cmp.Or(recurring.Key(&f), f.Title)
			if known[id] == nil {
				about, _, _ := strings.Cut(cmp.Or(f.Subject, loader.Spoken(f.Target)), "#")
				known[id] = &statement{finding: f, about: about, security: r != nil && r.Security}
				*list = append(*list, known[id])
			}
			if !slices.Contains(known[id].environments, env.Name) {
				known[id].environments = append(known[id].environments, env.Name)
			}
			if !slices.Contains(known[id].requests, f.Requests) {
				known[id].requests = append(known[id].requests, f.Requests)
			}
		}
	}
	var out []statement
	for _, one := range slices.Concat(broken, protection, found) {
		one.title = one.finding.NamingAll(one.requests).Title
		one.text = brief(one.title)
		if len(names) > 1 {
			one.text += " (" + sentence.Environments(one.environments, plan.ShortNames(names)) + ")"
		}
		out = append(out, *one)
	}
	return out
}

// brief cuts a message to the length that fits into a headline.
func brief(message string) string {
	const room = 160
	if rest, ok := strings.CutPrefix(message, "Requests "); ok {
		message = "requests " + rest
	}
	return spelling.Brief(message, room)
}
