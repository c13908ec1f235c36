package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/report/outline"
)

// reasons are why flags fail a run that completed. The first decides the exit code; all are told.
type reasons struct {
	code int
	said []string
}

func (r *reasons) add(code int, flag, why string) {
	if r.code == exitDone {
		r.code = code
	}
	r.said = append(r.said, flag+": "+why)
}

func (r *reasons) err() error {
	if r.code == exitDone {
		return nil
	}
	return &exitError{code: r.code, message: r.said[0], others: r.said[1:]}
}

// gaps says what could not be read, rendered or decided.
func gaps(problems []plan.Problem) string {
	return outline.PlanGaps(&plan.Plan{Problems: problems})
}

// incompleteBy says why no verdict on findings is possible. It is empty if one is.
func incompleteBy(problems []plan.Problem) string {
	at := slices.IndexFunc(problems, func(p plan.Problem) bool { return p.LacksContent() || p.Unaffordable() })
	if at < 0 {
		return ""
	}
	return problems[at].Message
}

// failing counts the findings that are at least as severe as failOn, and names the first of them. It is empty if there are none.
func failing(counts plan.Counts, failOn string, findings []outline.FoundIn) string {
	if !fails(counts, failOn) {
		return ""
	}
	limit := plan.Severity(failOn)
	var words []string
	for _, one := range []struct {
		severity plan.Severity
		n        int
	}{{plan.Error, counts.Error}, {plan.Warning, counts.Warning}, {plan.Note, counts.Note}} {
		if one.n > 0 && one.severity.AtLeast(limit) {
			words = append(words, spelling.Count(one.n, string(one.severity)))
		}
	}
	text := strings.Join(words, ", ")
	if len(findings) == 0 { // a plan that is read back may be cut
		return text
	}
	worst := slices.MinFunc(findings, func(a, b outline.FoundIn) int { return a.Severity.Rank() - b.Severity.Rank() })
	return fmt.Sprintf("%s: %s", text, outline.Title(worst.Finding))
}
