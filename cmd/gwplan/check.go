package main

import (
	"context"
	"slices"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/report"
	"github.com/gwplan/gwplan/report/outline"
)

// checkCommand reports the findings of one revision.
type checkCommand struct {
	Output        []string `sep:"none" short:"o" placeholder:"FORMAT[=FILE]" document:"check" help:"Format of the report: ${check_formats}. Repeatable."`
	FailOn        string   `placeholder:"SEVERITY" complete:"severity" default:"error" help:"Exit with 1 on findings of this severity or worse: none, note, warning, error. Default error."`
	Baseline      string   `placeholder:"FILE" help:"Report only what is not in this file, which --write-baseline wrote."`
	WriteBaseline string   `placeholder:"FILE" help:"Write the findings to a file for --baseline, and exit with 0."`
	Ignored       bool     `help:"Also list the findings that are ignored, and why. In SARIF they are suppressed results; GitHub opens alerts for these."`
	// AllowEmpty accepts an input with nothing to check.
	AllowEmpty bool `help:"Exit with 0 even if no route, Gateway or policy was found. By default that is an error (3)."`
	oneTree
	markdownFlags `group:"Markdown and links:"`
}

func (c *checkCommand) Help() string {
	return `Examples:
  gwplan check                              the work tree
  gwplan check -f rendered/ --complete      a folder that holds all there is
  helm template . | gwplan check -f -       what a chart renders
  gwplan check --write-baseline known.json  accept what is there today ...
  gwplan check --baseline known.json        ... and report only what comes later`
}

// Run checks and reports.
func (c *checkCommand) Run(ctx context.Context, t terminal) error {
	outs, err := outputs(c.Output, report.Check)
	if err != nil {
		return err
	}
	if err := checkSeverity(c.FailOn); err != nil {
		return err
	}
	snapshot, s, err := c.load(ctx, t)
	if err != nil {
		return err
	}
	if c.Baseline != "" {
		if s.options.Rules.Baseline, err = readBaseline(c.Baseline); err != nil {
			return err
		}
	}
	done := s.analysing()
	check := analyze.Inspect(snapshot, s.options)
	done()
	style := c.near(ctx, t, c.markdownFlags.apply(c.largest(c.style(t))))
	style.Ignored = c.Ignored
	if err := write(outs, t, check, style); err != nil {
		return err
	}
	if err := c.strict(check.Problems, s.options.Parts); err != nil {
		return err
	}
	if !c.AllowEmpty && empty(snapshot) && check.Summary.Policies == 0 {
		return &exitError{
			code: exitFailed, message: "nothing to check: no route, Gateway or policy was found in " + snapshot.Revision,
			hint: "name the folder with -C or the files with -f; --allow-empty if that is as it should be",
		}
	}
	if left := incompleteBy(check.Problems); left != "" && c.WriteBaseline != "" {
		return &exitError{code: exitFailed, message: "--write-baseline: " + left}
	}
	if c.WriteBaseline != "" {
		return writeBaseline(c.WriteBaseline, check)
	}
	return c.verdict(check)
}

// verdict turns a check into an exit code, and says why.
func (c *checkCommand) verdict(check *plan.Check) error {
	var r reasons
	if c.FailOn == "none" {
		return nil
	}
	failOn := "--fail-on " + c.FailOn
	if left := incompleteBy(check.Problems); left != "" {
		r.add(exitFailed, failOn, left)
	}
	found := outline.FindingsIn(outline.CheckFindings(check), outline.IsNew)
	broken := slices.IndexFunc(check.Problems, func(p plan.Problem) bool { return p.Severity == string(plan.Error) })
	if why := failing(check.Summary.Findings, c.FailOn, found); why != "" {
		r.add(exitFindings, failOn, why)
	} else if broken >= 0 {
		r.add(exitFindings, failOn, check.Problems[broken].File+" cannot be read")
	}
	return r.err()
}

// empty reports whether a snapshot has no Gateway API objects, no managed clusters and no problem that
// explains why.
func empty(s *loader.Snapshot) bool {
	for _, env := range s.Environments {
		if env.By == loader.ByOCM {
			return false
		}
		if slices.ContainsFunc(env.Objects, func(o *loader.Object) bool { return o.ID.Group == loader.GatewayGroup && !o.Context }) {
			return false
		}
	}
	return !slices.ContainsFunc(s.Problems, func(p loader.Problem) bool { return p.Severity != loader.Note })
}
