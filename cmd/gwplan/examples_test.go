package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"sigs.k8s.io/yaml"
)

const examples = "../../examples"

// The examples are YAML, and the commands in them are commands of gwplan with flags that it has.
func TestExamples(t *testing.T) {
	index, err := os.ReadFile(filepath.Join(examples, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	actions, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action struct{ Inputs map[string]any }
	if err := yaml.Unmarshal(actions, &action); err != nil {
		t.Fatal(err)
	}
	commands := 0
	err = filepath.WalkDir(examples, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(file, ".md") {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(examples, file)
		if err != nil {
			return err
		}
		if !strings.Contains(string(index), "("+filepath.ToSlash(name)+")") {
			t.Errorf("%s is not in the README of the examples", name)
		}
		var v any
		if err := yaml.Unmarshal(text, &v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, line := range regexp.MustCompile(`(?m)^[\s-]*gwplan (diff|check) .*$`).FindAllString(string(text), -1) {
			commands++
			parses(t, name, strings.Fields(strings.TrimLeft(line, " -"))[1:])
		}
		inputs(t, name, v, action.Inputs)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if commands < 2 {
		t.Errorf("%d commands were found in the examples", commands)
	}
}

// parses reports words that are no command line.
func parses(t *testing.T, file string, words []string) {
	t.Helper()
	parser, err := kong.New(&struct{}{}, append(options(words), kong.Exit(func(int) {}))...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(words); err != nil {
		t.Errorf("%s: %s: %v", file, strings.Join(words, " "), err)
	}
}

// inputs reports inputs of steps that run this Action and that it does not have.
func inputs(t *testing.T, file string, v any, known map[string]any) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			inputs(t, file, item, known)
		}
	case map[string]any:
		if uses, _ := v["uses"].(string); strings.HasPrefix(uses, "gwplan/gwplan@") {
			with, _ := v["with"].(map[string]any)
			for input := range with {
				if known[input] == nil {
					t.Errorf("%s: the Action has no input %s", file, input)
				}
			}
		}
		for _, value := range v {
			inputs(t, file, value, known)
		}
	}
}
