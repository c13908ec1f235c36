package rule_test

import (
	"os"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/rule"
)

// A rule is in the file of its name, which is where people look for it.
func TestEachRuleHasItsFile(t *testing.T) {
	for _, r := range rule.All() {
		name := strings.ReplaceAll(r.ID, "-", "_") + ".go"
		code, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(code), `"`+r.ID+`"`) {
			t.Errorf("%s is not in %s: %v", r.ID, name, err)
		}
	}
}
