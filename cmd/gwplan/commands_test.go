package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/report"
)

// scriptText is all scripts in one text.
func scriptText(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(scripts, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	var b strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(data)
	}
	return b.String()
}

// leaves are the commands that a user may type, and those of a document with its name.
func leaves(node *kong.Node, way string, found func(node *kong.Node, command, document string)) {
	for _, child := range node.Children {
		if child.Hidden {
			continue
		}
		command := strings.TrimSpace(way + " " + child.Name)
		if len(child.Children) > 0 {
			leaves(child, command, found)
			continue
		}
		document := ""
		for _, flag := range child.Flags {
			if flag.Name == "output" {
				document = flag.Tag.Get("document")
			}
		}
		found(child, command, document)
	}
}

// Every command has a script and stands in the README, and its help has examples, and every
// format of its document is printed by a script.
func TestCommands(t *testing.T) {
	parser, err := kong.New(&struct{}{}, options(nil)...)
	if err != nil {
		t.Fatal(err)
	}
	said, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	ran := scriptText(t)
	offers := map[string]bool{}
	leaves(parser.Model.Node, "", func(node *kong.Node, command, document string) {
		if !strings.Contains(ran, "exec gwplan "+command) {
			t.Errorf("no script runs gwplan %s", command)
		}
		if !strings.Contains(node.Detail, "Examples:\n  ") {
			t.Errorf("gwplan %s --help has no examples", command)
		}
		if !strings.Contains(string(said), "gwplan "+command) {
			t.Errorf("the README does not name gwplan %s", command)
		}
		offers[document] = true
		for _, flag := range node.Flags { // a command may print another document for other questions
			offers[flag.Tag.Get("also")] = true
		}
		for _, format := range report.FormatsOf(document)[min(1, len(report.FormatsOf(document))):] {
			if !regexp.MustCompile(`exec gwplan ` + command + `\b.* -o ` + format).MatchString(ran) {
				t.Errorf("no script runs gwplan %s -o %s", command, format)
			}
		}
	})
	for _, o := range report.Offers() {
		if !offers[o.Document] {
			t.Errorf("no command prints the document %s", o.Document)
		}
	}
}

// Every controller whose own way is known has a script.
func TestControllers(t *testing.T) {
	ran := scriptText(t)
	for _, i := range implementation.All() {
		if !strings.Contains(ran, i.Controllers[0]) {
			t.Errorf("no script has a GatewayClass of %s (%s)", i.Name, i.Controllers[0])
		}
	}
}
