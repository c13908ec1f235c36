package main

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/source"
)

// completionTime is the CPU time that the search for names may take: somebody waits at the keyboard.
const completionTime = 3 * time.Second

// nameSource finds the names that complete a word. Names of objects and environments are read from
// the same input as the command itself would read; an input that cannot be read has none.
type nameSource struct {
	ctx      context.Context
	terminal terminal
	words    []string // typed so far
}

// list returns the names that a tag `complete` refers to.
func (n *nameSource) list(what string) []string {
	switch what {
	case "severity":
		return severities
	case "rule":
		return ruleNames()
	case "kind":
		known, err := catalogue.Builtin()
		if err != nil {
			return nil
		}
		var out []string
		for _, k := range catalogue.NewTable(known, nil).Kinds() {
			out = append(out, k.Name())
		}
		slices.Sort(out)
		return slices.Compact(out)
	case "controller":
		var out []string
		for _, word := range controllerWords() {
			out = append(out, word+"=")
		}
		return out
	case "revision":
		names, err := source.Revisions(n.ctx, n.input().Directory, n.terminal.environ)
		if err != nil {
			return nil
		}
		return names
	}
	input := n.input()
	snapshot, s, err := input.load(n.ctx, n.terminal)
	if err != nil {
		return nil
	}
	if what == "environment" {
		names := environmentNames(snapshot)
		names = append(names, slices.Collect(maps.Values(plan.ShortNames(names)))...)
		slices.Sort(names)
		return slices.Compact(names)
	}
	names := map[string]bool{}
	for _, id := range analyze.Selectable(snapshot, s.options, what == "policy") {
		names[word(what, id)] = true
	}
	delete(names, "")
	return slices.Sorted(maps.Keys(names))
}

// word writes the name of an object in the form that an argument takes, "" if it cannot be that argument.
func word(what string, id loader.ID) string {
	switch {
	case what == "namespace":
		return id.Namespace
	case what == "gateway" && id.Kind != "Gateway":
		return ""
	}
	parts := []string{strings.ToLower(id.Kind), id.Namespace, id.Name}
	if id.Namespace == "" {
		parts = []string{parts[0], id.Name}
	}
	return strings.Join(parts, "/")
}

// input is what the words typed so far say about what to read.
func (n *nameSource) input() *oneTree {
	var o oneTree
	o.MaxTime = cpuTime(completionTime)
	values := map[string]func(string){
		"--directory": func(v string) { o.Directory = v },
		"--filename":  func(v string) { o.Filename = append(o.Filename, v) },
		"--rev":       func(v string) { o.Rev = &v },
		"--config":    func(v string) { o.Config = v },
	}
	values["-C"], values["-f"] = values["--directory"], values["--filename"]
	for i, word := range n.words {
		flag, value, joined := strings.Cut(word, "=")
		if !joined && i+1 < len(n.words) {
			value = n.words[i+1]
		}
		if set := values[flag]; set != nil && value != "" && value != "=" {
			set(value)
		}
	}
	return &o
}
