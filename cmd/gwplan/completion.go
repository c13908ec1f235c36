package main

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/report"
)

// The scripts call `gwplan __complete WORD...` for candidates, one per line.
var (
	//go:embed completion/bash.sh
	bashScript string
	//go:embed completion/zsh.sh
	zshScript string
	//go:embed completion/fish.fish
	fishScript string
)

// completionCommand prints a script for a shell.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

func (c *completionCommand) Help() string {
	return `  bash:  source <(gwplan completion bash)
  zsh:   gwplan completion zsh > "${fpath[1]}/_gwplan"
  fish:  gwplan completion fish > ~/.config/fish/completions/gwplan.fish`
}

// Run prints the script.
func (c *completionCommand) Run(t terminal) error {
	scripts := map[string]string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}
	_, err := io.WriteString(t.stdout, scripts[c.Shell])
	return err
}

// completeCommand lists candidates for the last of the words typed so far.
type completeCommand struct {
	Words []string `arg:"" optional:"" passthrough:""`
}

// Run finds the candidates in the grammar.
func (c *completeCommand) Run(t terminal, parser *kong.Kong) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	for _, candidate := range candidates(parser.Model.Node, words[:len(words)-1]) {
		if !strings.HasPrefix(candidate, last) {
			continue
		}
		if _, err := fmt.Fprintln(t.stdout, candidate); err != nil {
			return err
		}
	}
	return nil
}

// candidates returns the words that may follow some words.
func candidates(node *kong.Node, before []string) []string {
	for _, word := range before {
		for _, child := range node.Children {
			if child.Name == word {
				node = child
			}
		}
	}
	if len(before) > 0 {
		if values := flagValues(node, before[len(before)-1]); values != nil {
			return values
		}
	}
	var out []string
	for _, child := range node.Children {
		if !child.Hidden {
			out = append(out, child.Name)
		}
	}
	if node.Name == "rules" {
		for _, r := range rule.All() {
			out = append(out, r.ID)
		}
	}
	for _, positional := range node.Positional {
		out = append(out, enumOf(positional)...)
	}
	for _, group := range node.AllFlags(true) {
		for _, flag := range group {
			out = append(out, "--"+flag.Name)
		}
	}
	return out
}

// flagValues returns the words that may follow a flag, nil if the flag takes no value or any value.
func flagValues(node *kong.Node, word string) []string {
	for _, group := range node.AllFlags(true) {
		for _, flag := range group {
			short := flag.Short != 0 && word == "-"+string(flag.Short)
			if word != "--"+flag.Name && !short {
				continue
			}
			switch {
			case flag.Name == "output":
				return report.FormatsOf(flag.Tag.Get("document"))
			case flag.Name == "fail-on":
				return severities
			}
			return enumOf(flag.Value)
		}
	}
	return nil
}

func enumOf(v *kong.Value) []string {
	if v.Enum == "" {
		return nil
	}
	return v.EnumSlice()
}
