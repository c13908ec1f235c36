package rule_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
)

var kebab = regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`)

// TestRules holds every rule to its documentation, which README, SARIF and
// `gwplan rules` are made from.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rule.All() {
		if !kebab.MatchString(r.ID) {
			t.Errorf("%q is no kebab-case name", r.ID)
		}
		if seen[r.ID] {
			t.Errorf("%s stands twice in the list", r.ID)
		}
		seen[r.ID] = true
		if (r.Check == nil) == (r.Compare == nil) {
			t.Errorf("%s needs exactly one of Check and Compare", r.ID)
		}
		if rule.ByID(r.ID) != r {
			t.Errorf("%s is not found by its id", r.ID)
		}
		checkTexts(t, r)
	}
}

func checkTexts(t *testing.T, r *rule.Rule) {
	t.Helper()
	switch r.Severity {
	case plan.Error, plan.Warning, plan.Note:
	default:
		t.Errorf("%s has the severity %q", r.ID, r.Severity)
	}
	if r.Title == "" || strings.HasSuffix(r.Title, ".") {
		t.Errorf("%s: the title %q is not a phrase", r.ID, r.Title)
	}
	for name, text := range map[string]string{"Why": r.Why, "Fix": r.Fix} {
		if !strings.HasSuffix(text, ".") || strings.Contains(text, "\n") {
			t.Errorf("%s: %s is no sentence on one line: %q", r.ID, name, text)
		}
	}
}

func TestByIDUnknown(t *testing.T) {
	if r := rule.ByID("no-such-rule"); r != nil {
		t.Errorf("found %s", r.ID)
	}
}

// TestAtLeast orders the severities, worst first; off is as mild as a note.
func TestAtLeast(t *testing.T) {
	for _, c := range []struct {
		severity, limit plan.Severity
		want            bool
	}{
		{plan.Error, plan.Warning, true},
		{plan.Warning, plan.Warning, true},
		{plan.Note, plan.Warning, false},
		{plan.Warning, plan.Error, false},
		{plan.Note, plan.Note, true},
	} {
		if got := c.severity.AtLeast(c.limit); got != c.want {
			t.Errorf("%s at least %s: got %v, want %v", c.severity, c.limit, got, c.want)
		}
	}
}
