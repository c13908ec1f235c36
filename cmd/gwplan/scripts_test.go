package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/rule"
)

const scripts = "../../testdata/script"

// TestRules notices a rule without a script, and a script of no rule. A script
// shows a case where the rule speaks and one where it is silent.
func TestRules(t *testing.T) {
	for _, r := range rule.All() {
		text, err := os.ReadFile(filepath.Join(scripts, "rule_"+r.ID+".txtar"))
		if err != nil {
			t.Errorf("rule %s: %v", r.ID, err)
			continue
		}
		var speaks, silent bool
		for line := range strings.Lines(string(text)) {
			speaks = speaks || strings.HasPrefix(line, "stdout ") && strings.Contains(line, r.ID)
			silent = silent || strings.TrimSpace(line) == "! stdout "+r.ID
		}
		if !speaks || !silent {
			t.Errorf("rule %s: the script asserts a finding: %v; its absence: %v", r.ID, speaks, silent)
		}
	}
	for _, name := range scriptNames(t, "rule_*.txtar") {
		id := strings.TrimSuffix(strings.TrimPrefix(name, "rule_"), ".txtar")
		if rule.ByID(id) == nil {
			t.Errorf("%s belongs to no rule", name)
		}
	}
}

// TestScriptsSayWhatTheyShow holds that each script begins with a sentence.
func TestScriptsSayWhatTheyShow(t *testing.T) {
	for _, name := range scriptNames(t, "*.txtar") {
		text, err := os.ReadFile(filepath.Join(scripts, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(text, []byte("# ")) {
			t.Errorf("%s does not begin with a sentence that says its behaviour", name)
		}
	}
}

func scriptNames(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(scripts, pattern))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts %s: %v", pattern, err)
	}
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = filepath.Base(path)
	}
	return names
}
