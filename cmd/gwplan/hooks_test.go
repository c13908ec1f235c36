package main

import (
	"os"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// What the hooks run is run by a script. They name no stages: pre-commit 3.1 and pre-commit 4 know
// different names.
func TestHooks(t *testing.T) {
	data, err := os.ReadFile("../../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct {
		ID, Entry string
		Stages    []string
	}
	if err := yaml.Unmarshal(data, &hooks); err != nil || len(hooks) == 0 {
		t.Fatal(err)
	}
	script, err := os.ReadFile("../../testdata/script/diff_pre_commit.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hooks {
		if !strings.Contains(string(script), "\nexec "+h.Entry+"\n") {
			t.Errorf("%s: no script runs %s", h.ID, h.Entry)
		}
		if len(h.Stages) > 0 {
			t.Errorf("%s names stages %v", h.ID, h.Stages)
		}
	}
}
