package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/report"
	"github.com/gwplan/gwplan/report/kinds"
)

const readme = "../../README.md"

// The README shows what the tool prints: its example is run, its tables are
// made from the rules and the catalogue. go test ./cmd/gwplan -update writes
// them anew.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	cors, err := os.ReadFile("../../testdata/cors/after/cors.yaml")
	if err != nil {
		t.Fatal(err)
	}
	ofCORS := []string{"diff", "-q", "--base-dir", "testdata/cors/before", "--head-dir", "testdata/cors/after"}
	ofNetwork := []string{"diff", "--base-dir", "testdata/network/before", "--head-dir", "testdata/network/after"}
	ofConnection := []string{"trace", "-f", "testdata/network/after", "--from", "namespace/web", "--to", "deployment/shop/cart"}
	want := string(data)
	for _, part := range []struct{ pattern, text string }{
		{"(?s)\\$ gwplan demo\n.*?```", "$ gwplan demo\n" + printed(t, "demo") + "```"},
		{"(?s)\\$ gwplan status -f testdata/shop.yaml\n.*?```", "$ gwplan status -f testdata/shop.yaml\n" + printed(t, "status", "-C", "../..", "-f", "testdata/shop.yaml") + "```"},
		{"(?s)```yaml\napiVersion: gateway.envoyproxy.io/v1alpha1\n.*?```", "```yaml\n" + string(cors) + "```"},
		{"(?s)\\$ gwplan diff -q --base-dir .*?```", "$ gwplan " + strings.Join(ofCORS, " ") + "\n" + printed(t, append(ofCORS, "-C", "../..")...) + "```"},
		{`(?s)COMMANDS\n\n|\| command \|.*?\n\n`, commandsTable(t)},
		{`(?s)CONTROLLERS|\| controller \|.*?\n\n`, controllersTable()},
		{`(?s)RULES|\| rule \|.*?\n\n`, rulesTable()},
		{"(?s)\\$ gwplan diff --base-dir testdata/network.*?```", "$ gwplan " + strings.Join(ofNetwork, " ") + "\n" + printed(t, append(ofNetwork, "-C", "../..")...) + "```"},
		{"(?s)\\$ gwplan trace -f testdata/network.*?```", "$ gwplan " + strings.Join(ofConnection, " ") + "\n" + printed(t, append(ofConnection, "-C", "../..")...) + "```"},
		{`(?s)\| system \| network policies \|.*?\n\n`, networkTable()},
		{`(?s)KINDS|\| (?:kind|system) \| kinds.*?\n\n`, kindsTable(t)},
	} {
		want = regexp.MustCompile(part.pattern).ReplaceAllLiteralString(want, part.text)
	}
	if want == string(data) {
		return
	}
	if !*update {
		t.Fatal("README.md is not what the tool prints; go test ./cmd/gwplan -update")
	}
	if err := os.WriteFile(readme, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// printed is what a command prints.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	var out, complaints bytes.Buffer
	code := run(args, terminal{stdin: &input{Reader: strings.NewReader("")}, stdout: &out, stderr: &complaints, environ: os.Environ()})
	if code != exitDone {
		t.Fatalf("gwplan %s: exit %d: %s", strings.Join(args, " "), code, complaints.String())
	}
	return out.String()
}

// networkTable lists the kinds of network policies by the project that defines them.
func networkTable() string {
	systems := map[string]string{"networking.k8s.io": "Kubernetes", "policy.networking.k8s.io": "Network Policy API", "cilium.io": "Cilium", "projectcalico.org": "Calico", "crd.projectcalico.org": "Calico (storage)"}
	kinds := map[string][]string{}
	for _, k := range network.Kinds() {
		kinds[systems[k.Group]] = append(kinds[systems[k.Group]], k.Name)
	}
	var b strings.Builder
	b.WriteString("| system | network policies |\n|---|---|\n")
	for _, system := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintf(&b, "| %s | %s |\n", system, strings.Join(kinds[system], ", "))
	}
	return b.String() + "\n"
}

func commandsTable(t *testing.T) string {
	parser, err := kong.New(&struct{}{}, options(nil)...)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| command | what it does | formats (`-o`) |\n|---|---|---|\n")
	leaves(parser.Model.Node, "", func(node *kong.Node, command, document string) {
		fmt.Fprintf(&b, "| `gwplan %s` | %s | %s |\n", command, strings.TrimSuffix(node.Help, "."), strings.Join(report.FormatsOf(document), ", "))
	})
	b.WriteString("\n")
	return b.String()
}

func controllersTable() string {
	var b strings.Builder
	b.WriteString("| controller | controllerNames | classes of its own | known |\n|---|---|---|---|\n")
	for _, i := range implementation.All() {
		known := "how it judges objects, and the order of matches"
		if i.OnlyMatching {
			known = "the order of matches"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", i.Name, coded(i.Controllers), coded(slices.Sorted(maps.Keys(i.Classes))), known)
	}
	b.WriteString("\n")
	return b.String()
}

func coded(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return "`" + strings.Join(words, "`, `") + "`"
}

func rulesTable() string {
	var b strings.Builder
	b.WriteString("| rule | severity | says |\n|---|---|---|\n")
	for _, r := range rule.All() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.ID, r.Severity, r.Title)
	}
	b.WriteString("\n")
	return b.String()
}

func kindsTable(t *testing.T) string {
	known, err := catalogue.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]map[string][]string{}
	for _, k := range catalogue.NewTable(known, nil).Kinds() {
		system := known.Systems[k.ID]
		if rows[system] == nil {
			rows[system] = map[string][]string{}
		}
		rows[system][kinds.Checked(k)] = append(rows[system][kinds.Checked(k)], k.Name())
	}
	var b strings.Builder
	fmt.Fprint(&b, "| system | kinds, read in the controller's source | kinds whose semantics are assumed in part |\n|---|---|---|\n")
	for _, system := range slices.Sorted(maps.Keys(rows)) {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", system, strings.Join(rows[system]["code"], ", "), strings.Join(rows[system]["assumed"], ", "))
	}
	fmt.Fprintln(&b)
	return b.String()
}
