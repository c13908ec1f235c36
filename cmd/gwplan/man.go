package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// manCommand prints the manual page.
type manCommand struct{}

func (c *manCommand) Help() string {
	return `One page in the man macros of roff about all commands, made of the same descriptions as --help. Releases
contain it.

Examples:
  gwplan man | man -l -                                     read it
  gwplan man > /usr/local/share/man/man1/gwplan.1           install it`
}

// Run writes the page.
func (c *manCommand) Run(t terminal, parser *kong.Kong) error {
	var b strings.Builder
	app := parser.Model
	fmt.Fprintf(&b, ".TH GWPLAN 1 \"\" \"gwplan %s\" \"User Commands\"\n", roff(version()))
	b.WriteString(".SH NAME\ngwplan \\- what a change in Git does to the effective configuration of Kubernetes gateways\n")
	b.WriteString(".SH SYNOPSIS\n.B gwplan\n\\fICOMMAND\\fR [\\fIARGUMENT\\fR ...] [\\fIFLAG\\fR ...]\n.SH DESCRIPTION\n")
	manText(&b, description)
	b.WriteString(".SH COMMANDS\n")
	shared := map[string]bool{}
	for i, leaf := range app.Leaves(true) {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		manPart(&b, leaf, shared)
	}
	b.WriteString(".SH FILES\n.TP\n.I .gwplan.yaml\nThe configuration, at the root of the repository; see\n.BR \"gwplan config\" .\n")
	b.WriteString(".SH ENVIRONMENT\n")
	for _, v := range environment {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", v.name, roff(v.help))
	}
	_, err := io.WriteString(t.stdout, b.String())
	return err
}

// environment lists the variables that change what gwplan does, in the order of the manual page.
var environment = []struct{ name, help string }{
	{"GWPLAN_CONFIG", "The configuration to use instead of the repository's .gwplan.yaml, as --config."},
	{"GWPLAN_CACHE", "The folder of the cache, as --cache."},
	{"GWPLAN_CACHE_KEY", "A secret that binds the entries of the cache to their user, for caches that are carried between machines. By default it is a random one in the user's configuration folder."},
	{"CI", "If it is set, no progress is shown and, unless it is false, nothing is cached without --cache."},
	{"GITHUB_ACTIONS", "If it is true, no line of the output can be a command of a workflow."},
	{"NO_COLOR", "No colours, if it is not empty."},
	{"FORCE_COLOR", "Colours also without a terminal, if it is not empty and not 0."},
	{"CLICOLOR_FORCE", "As FORCE_COLOR."},
	{"TERM", "No colours, if it is dumb."},
	{"GOMEMLIMIT", "If it is set, the garbage collector follows it, and not the limits of the run."},
	{"PATH", "Where git is looked for."},
}

// manPart writes the part of one command. Flags that an earlier command has in the same words are
// named and not explained again.
func manPart(b *strings.Builder, leaf *kong.Node, shared map[string]bool) {
	fmt.Fprintf(b, ".SS \"%s\"\n%s\n", roff(leaf.Summary()), roff(leaf.Help))
	if leaf.Detail != "" {
		b.WriteString(".PP\n")
		manText(b, leaf.Detail)
	}
	for _, positional := range leaf.Positional {
		fmt.Fprintf(b, ".TP\n.I \"%s\"\n%s\n", roff(positional.Summary()), roff(positional.Help))
	}
	var again []string
	for _, flag := range leaf.Flags {
		key := flag.String() + flag.Help
		if shared[key] {
			again = append(again, `\fB`+roff("--"+flag.Name)+`\fR`)
			continue
		}
		shared[key] = true
		fmt.Fprintf(b, ".TP\n.B \"%s\"\n%s\n", roff(flag.String()), roff(kong.DefaultHelpValueFormatter(flag.Value)))
	}
	if len(again) > 0 {
		fmt.Fprintf(b, ".PP\nAs above: %s.\n", strings.Join(again, ", "))
	}
}

// manText writes paragraphs, and indented lines as they are.
func manText(b *strings.Builder, text string) {
	verbatim := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if indented := strings.HasPrefix(line, "  "); indented != verbatim && line != "" {
			b.WriteString(map[bool]string{true: ".nf\n", false: ".fi\n"}[indented])
			verbatim = indented
		}
		if line == "" && !verbatim {
			line = ".PP"
		} else {
			line = roff(line)
		}
		b.WriteString(line + "\n")
	}
	if verbatim {
		b.WriteString(".fi\n")
	}
}

// roff escapes a text so that no character of it is a request or an escape.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, `"`, `\(dq`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
