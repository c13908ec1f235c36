package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/report/outline"
)

// rulesCommand explains the rules.
type rulesCommand struct {
	Rule string `arg:"" optional:"" complete:"rule" help:"Id of a rule; a list of all by default."`
	// Directory is for scripts that pass it to every command.
	Directory string `short:"C" placeholder:"DIR" help:"Run as if started in DIR; the rules are the same everywhere."`
}

func (c *rulesCommand) Help() string {
	return `Examples:
  gwplan rules                      a table of all
  gwplan rules protection-lost      what it says, why, and what to do`
}

// Run prints the list, or one rule in full.
func (c *rulesCommand) Run(t terminal) error {
	if c.Rule == "" {
		return listRules(t)
	}
	r := rule.ByID(c.Rule)
	if r == nil {
		return usageError(fmt.Sprintf("there is no rule %q", c.Rule), didYouMean(c.Rule, ruleNames(), "gwplan rules lists them"))
	}
	why := r.Why
	if r.Opens {
		why += " New findings fail --no-new-access."
	}
	text := fmt.Sprintf("%s (%s%s)\n\n%s.\n\nWhy: %s\n\nFix: %s\n", r.ID, r.Severity, scope(r), r.Title, why, r.Fix)
	_, err := io.WriteString(t.stdout, outline.Wrap(text, t.width))
	return err
}

func listRules(t terminal) error {
	var rows [][]string
	for _, r := range rule.All() {
		rows = append(rows, []string{r.ID, string(r.Severity), r.Title})
	}
	_, err := io.WriteString(t.stdout, outline.WrapValues(strings.Join(outline.Table(rows, 0), "\n")+"\n", t.width))
	return err
}

// scope marks the rules that compare two revisions.
func scope(r *rule.Rule) string {
	if r.Compare != nil {
		return ", in diff"
	}
	return ""
}

func ruleNames() []string {
	var out []string
	for _, r := range rule.All() {
		out = append(out, r.ID)
	}
	return out
}
