package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/alecthomas/kong"

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
	return `Examples:
  bash:  source <(gwplan completion bash)                                      in ~/.bashrc
  zsh:   source <(gwplan completion zsh)                                       in ~/.zshrc, after compinit
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

// Run finds the candidates in the grammar and, for names, in the input.
func (c *completeCommand) Run(ctx context.Context, t terminal, parser *kong.Kong) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	if len(words) == 0 {
		words = []string{""}
	}
	before, last := words[:len(words)-1], words[len(words)-1]
	// --flag=value is one word in zsh and fish; bash, which breaks words at =, gives three.
	prefix := ""
	switch flag, value, joined := strings.Cut(last, "="); {
	case joined && strings.HasPrefix(flag, "--"):
		before, last, prefix = append(slices.Clone(before), flag), value, flag+"="
	case last == "=":
		last = ""
	case len(before) > 0 && before[len(before)-1] == "=":
		before = before[:len(before)-1]
	}
	// Of A..B and A...B, the second revision is being typed.
	if i := strings.LastIndex(last, ".."); i > 0 && !strings.Contains(last, "/..") {
		prefix, last = prefix+last[:i+2], last[i+2:]
	}
	names := nameSource{ctx: ctx, terminal: t, words: before}
	for _, candidate := range candidates(parser.Model.Node, before, &names) {
		if !strings.HasPrefix(candidate, last) || strings.ContainsFunc(candidate, unsafeToComplete) {
			continue
		}
		if _, err := fmt.Fprintln(t.stdout, prefix+candidate); err != nil {
			return err
		}
	}
	return nil
}

// unsafeToComplete reports whether a character of a name may mean something to a shell: bash puts a candidate into
// the command line as it is, and the names in a tree are those of strangers.
func unsafeToComplete(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._/=:-+@,#", r)
}

// candidates returns the words that may follow some words.
func candidates(node *kong.Node, before []string, names *nameSource) []string {
	for _, word := range before {
		for _, child := range node.Children {
			if child.Name == word {
				node = child
			}
		}
	}
	if len(before) > 0 {
		if flag := flagNamed(node, before[len(before)-1]); flag != nil && !flag.IsBool() {
			return valuesOf(flag.Value, names)
		}
	}
	var out []string
	for _, child := range node.Children {
		if !child.Hidden {
			out = append(out, child.Name)
		}
	}
	for _, positional := range node.Positional {
		out = append(out, valuesOf(positional, names)...)
	}
	for _, group := range node.AllFlags(true) {
		for _, flag := range group {
			out = append(out, "--"+flag.Name)
		}
	}
	return out
}

// flagNamed is the flag that a word names, nil if none.
func flagNamed(node *kong.Node, word string) *kong.Flag {
	for _, group := range node.AllFlags(true) {
		for _, flag := range group {
			if word == "--"+flag.Name || flag.Short != 0 && word == "-"+string(flag.Short) {
				return flag
			}
		}
	}
	return nil
}

// valuesOf returns the values of a flag or an argument: those of its enumeration, the formats of its
// document, or what its tag `complete` names. Nil if it takes any value; shells then offer files.
func valuesOf(v *kong.Value, names *nameSource) []string {
	switch {
	case v.Tag.Get("document") != "":
		return report.FormatsOf(v.Tag.Get("document"))
	case v.Tag.Get("complete") != "":
		return names.list(v.Tag.Get("complete"))
	case v.Enum != "":
		return v.EnumSlice()
	}
	return nil
}
