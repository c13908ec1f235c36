package main

import (
	"strings"

	"github.com/alecthomas/kong"

	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/report"
)

// command is a command of gwplan. A new one is a file with its flags, Help and Run, and a line in commands.
type command struct {
	name, group, help string
	// flags is a pointer to the struct whose fields are the flags and arguments.
	flags any
}

// The groups of the list of commands in the help, in the order of commands.
const (
	groupReview = "Before the merge:"
	groupAsk    = "Ask about one revision:"
	groupLearn  = "Learn:"
	groupSetUp  = "Set up:"
)

// commands lists the commands, each with flags at their defaults.
func commands() []command {
	return []command{
		{"diff", groupReview, "Show what changes in effective configuration between two revisions.", &diffCommand{}},
		{"check", groupReview, "Report findings of one revision.", &checkCommand{}},
		{"trace", groupReview, "Show which rule answers a request, what happens to it, and which policies are in force.", &traceCommand{}},
		{"effective", groupAsk, "Show what applies to an object, and which line set it.", &effectiveCommand{}},
		{"policies", groupAsk, "Show which objects each policy affects, how many, and how much of the policy is in force.", &policiesCommand{}},
		{"routes", groupAsk, "Show which matches answer requests, in the order in which they are tried.", &routesCommand{}},
		{"tree", groupAsk, "Show the hierarchy of gateways, routes and backends with their policies.", &treeCommand{}},
		{"status", groupAsk, "Show the objects with the .status that a controller would write.", &statusCommand{}},
		{"demo", groupLearn, "Show gwplan diff on an example, in a temporary repository.", &demoCommand{}},
		{"kinds", groupLearn, "Explain the policy kinds that gwplan knows.", &kindsCommand{}},
		{"rules", groupLearn, "Explain the rules.", &rulesCommand{}},
		{"config", groupSetUp, "Write, verify or describe .gwplan.yaml.", &configCommand{}},
		{"completion", groupSetUp, "Print a completion script for your shell.", &completionCommand{}},
		{"man", groupSetUp, "Print the manual page.", &manCommand{}},
		{"version", groupSetUp, "Print the version.", &versionCommand{}},
		{completeName, "", "", &completeCommand{}},
	}
}

// options gives kong the commands. Where args begin with the name of a command, kong gets that one
// only: it reads the flags of each command by reflection, which costs more than all else at the start.
func options(args []string) []kong.Option {
	var out []kong.Option
	all := commands()
	for _, c := range all {
		if len(args) > 0 && args[0] == c.name && c.name != completeName && c.name != "man" {
			all = []command{c}
			break
		}
	}
	for _, c := range all {
		var tags []string
		if c.help == "" {
			tags = []string{`hidden:""`}
		}
		out = append(out, kong.DynamicCommand(c.name, c.help, c.group, c.flags, tags...))
	}
	return append(out, kong.Name("gwplan"), kong.Description(description), offered())
}

// offered lists the formats of each document, for the help of its -o, the controllers whose
// releases are known, and the rules that count for --no-new-access.
func offered() kong.Vars {
	out := kong.Vars{"controllers": strings.Join(controllerWords(), ", "), "opening": spelling.And(openingRules())}
	for _, o := range report.Offers() {
		out[o.Document+"_formats"] = strings.Join(o.Formats, ", ")
	}
	return out
}

// openingRules are the rules whose findings say that something opens.
func openingRules() []string {
	var out []string
	for _, r := range rule.All() {
		if r.Opens {
			out = append(out, r.ID)
		}
	}
	return out
}
