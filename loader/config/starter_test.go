package config_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gwplan/gwplan/loader/config"
)

var example = regexp.MustCompile(`(?m)^#(\S|  )`)

// uncommented is a starter with its examples in use; in prose a # is followed
// by one space.
func uncommented(starter []byte) string {
	return example.ReplaceAllString(string(starter), "$1")
}

func TestStarterSaysNothing(t *testing.T) {
	if diff := cmp.Diff(&config.Config{File: file}, parse(t, string(config.Starter(nil))), cmpopts.IgnoreUnexported(config.Config{})); diff != "" {
		t.Error(diff)
	}
}

func TestStarterModeline(t *testing.T) {
	first, _, _ := strings.Cut(string(config.Starter(nil)), "\n")
	id := regexp.MustCompile(`"\$id": "(.*)"`).FindSubmatch(config.Schema())
	if id == nil || first != "# yaml-language-server: $schema="+string(id[1]) {
		t.Errorf("%s does not name %s", first, id)
	}
}

// The examples show every key, and all of them can be used.
func TestStarterExamples(t *testing.T) {
	text := uncommented(config.Starter(nil))
	parse(t, text)
	for key := range parts(t).Properties {
		if !strings.Contains(text, "\n"+key+":") {
			t.Errorf("no example of %s", key)
		}
	}
}

func TestStarterEnvironments(t *testing.T) {
	want := []config.Environment{
		{Name: "prod", Paths: []string{"clusters/prod"}},
		{Name: "on", Paths: []string{"a b", "# c", "-", "1.0", "{a,b}/**"}},
		{Name: "köln: \"x\"", Paths: []string{"true", "*", "a #b", "it's", "a\x7fb\u2028c\n", "."}},
	}
	got := parse(t, string(config.Starter(want))).Environments
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(config.Environment{}, "Position")); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(string(config.Starter(want)), "- name: prod\n  paths:\n  - clusters/prod\n- name: \"on\"\n") {
		t.Errorf("quotes where none are needed, or the other way round:\n%s", config.Starter(want))
	}
}
