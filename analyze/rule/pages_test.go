package rule_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/rule"
)

var update = flag.Bool("update", false, "rewrite the pages of the rules")

// pages is the folder with a page for each rule, to which SARIF links.
const pages = "../../docs/rules"

func TestPagesOfRules(t *testing.T) {
	want := map[string]string{"README.md": index()}
	for _, r := range rule.All() {
		want[r.ID+".md"] = page(r)
	}
	if *update {
		if err := os.MkdirAll(pages, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range want {
			if err := os.WriteFile(filepath.Join(pages, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	files, err := os.ReadDir(pages)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if _, known := want[f.Name()]; !known {
			t.Errorf("%s is the page of no rule; delete it", f.Name())
		}
	}
	for name, text := range want {
		got, err := os.ReadFile(filepath.Join(pages, name))
		if err != nil || string(got) != text {
			t.Errorf("%s is not what the rule says; run make golden (%v)", name, err)
		}
	}
}

func index() string {
	var b strings.Builder
	b.WriteString("# Rules\n\nWhat gwplan reports. `gwplan rules RULE` prints the same; `rules:` in `.gwplan.yaml` sets severities.\n\n| rule | severity | |\n|---|---|---|\n")
	for _, r := range rule.All() {
		fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s |\n", r.ID, r.ID, r.Severity, r.Title)
	}
	return b.String()
}

func page(r *rule.Rule) string {
	where := "`gwplan check` and `gwplan diff` report it; a diff tells what is new"
	if r.Compare != nil {
		where = "only `gwplan diff` reports it: it compares two revisions"
	}
	if r.Opens {
		where += ". A new one fails `gwplan diff --no-new-access`"
	}
	return fmt.Sprintf(`# %s

%s.

Severity: %s; %s.

## Why

%s

## What to do

%s

## To accept it

In the configuration of the base branch, with a reason:

~~~yaml
# .gwplan.yaml
ignore:
  - rule: %s
    target: KIND NAMESPACE/NAME   # as the message writes it
    reason: why this is meant
~~~

[All rules](README.md)
`, r.ID, r.Title, r.Severity, where, r.Why, r.Fix, r.ID)
}
