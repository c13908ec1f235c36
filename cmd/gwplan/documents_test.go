package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/loader/config"
	"github.com/gwplan/gwplan/report"
	"github.com/gwplan/gwplan/report/kinds"
)

const readme = "../../README.md"

// pages are the documents that a user reads: the README, and all in docs but the pages that other tests make.
func pages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(found) < 10 {
		t.Fatalf("%d pages in docs: %v", len(found), err)
	}
	return append([]string{readme}, found...)
}

var (
	madePart = regexp.MustCompile(`(?s)(<!-- made: ([a-z]+) -->\n).*?(<!-- /made -->)`)
	console  = regexp.MustCompile("(?s)```console\\n\\$ gwplan ([^\n]+)\n.*?```")
	shell    = regexp.MustCompile("(?s)```sh\n(.*?)```")
	link     = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
)

// The documents show what the tool prints: their examples are run, their tables are made from the code,
// commands parse, and links lead somewhere. go test ./cmd/gwplan -update writes them anew.
func TestDocuments(t *testing.T) {
	t.Setenv("PATH", os.Getenv("PATH")) // a command that builds kustomizations empties it
	for _, page := range pages(t) {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		want := madePart.ReplaceAllStringFunc(string(data), func(part string) string {
			m := madePart.FindStringSubmatch(part)
			return m[1] + made(t, m[2]) + m[3]
		})
		want = console.ReplaceAllStringFunc(want, func(part string) string {
			command := console.FindStringSubmatch(part)[1]
			return "```console\n$ gwplan " + command + "\n" + printed(t, strings.Fields(command)...) + "```"
		})
		for _, block := range shell.FindAllStringSubmatch(want, -1) {
			for line := range strings.Lines(block[1]) {
				line, _, _ = strings.Cut(line, " #")
				if words := strings.Fields(line); len(words) > 1 && words[0] == "gwplan" {
					parses(t, page, words[1:])
				}
			}
		}
		for _, m := range link.FindAllStringSubmatch(want, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s: a link leads to nothing: %s", page, m[1])
			}
		}
		if want == string(data) {
			continue
		}
		if !*update {
			t.Errorf("%s is not what the tool prints; go test ./cmd/gwplan -update", page)
		} else if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// made is a part of a document that is made from the code.
func made(t *testing.T, name string) string {
	t.Helper()
	switch name {
	case "commands":
		return commandsTable(t)
	case "controllers":
		return controllersTable()
	case "networks":
		return networkTable()
	case "kinds":
		return kindsTable(t)
	case "explained":
		return explainedKinds(t)
	case "inputs", "outputs":
		return actionTable(t, name)
	case "configuration":
		return configurationTable(t)
	case "gitlab":
		return quoted(t, "../../examples/gitlab/.gitlab-ci.yml")
	case "example":
		return quoted(t, "../../testdata/config/example.yaml")
	case "cors":
		return quoted(t, "../../testdata/cors/after/cors.yaml")
	}
	t.Fatalf("nothing makes %q", name)
	return ""
}

// quoted is a file as a block of YAML.
func quoted(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return "```yaml\n" + string(data) + "```\n"
}

// actionTable lists the inputs or outputs of the Action.
func actionTable(t *testing.T, part string) string {
	t.Helper()
	data, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action map[string]any
	if err := yaml.Unmarshal(data, &action); err != nil {
		t.Fatal(err)
	}
	entries := action[part].(map[string]any)
	// In the order of the file.
	_, section, _ := strings.Cut(string(data), "\n"+part+":\n")
	section, _, _ = strings.Cut(section, "\n\n")
	names := regexp.MustCompile(`(?m)^  ([a-z-]+):$`).FindAllStringSubmatch(section, -1)
	var b strings.Builder
	b.WriteString(map[string]string{"inputs": "| input | | default |\n|---|---|---|\n", "outputs": "| output | |\n|---|---|\n"}[part])
	for _, name := range names {
		entry := entries[name[1]].(map[string]any)
		fmt.Fprintf(&b, "| `%s` | %v |", name[1], entry["description"])
		if part == "inputs" {
			fmt.Fprintf(&b, " %s |", coded([]string{fmt.Sprint(entry["default"])}))
		}
		b.WriteString("\n")
	}
	return strings.ReplaceAll(b.String(), " `` |", " |")
}

// configurationTable describes the keys of the configuration from its schema.
func configurationTable(t *testing.T) string {
	t.Helper()
	type shape struct {
		Ref         string `json:"$ref"`
		Description string
		Properties  map[string]*shape
		Items       *shape
		Additional  json.RawMessage `json:"additionalProperties"`
		Definitions map[string]*shape
	}
	var top shape
	if err := json.Unmarshal(config.Schema(), &top); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| key | |\n|---|---|\n")
	row := func(key, text string) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", key, strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", "\\|"))
	}
	for _, key := range slices.Sorted(maps.Keys(top.Properties)) {
		property := top.Properties[key]
		row(key, property.Description)
		item := property.Items
		if item == nil || key == "kinds" {
			continue // gwplan kinds -o yaml shows those of a kind
		}
		if item.Ref != "" {
			item = top.Definitions[strings.TrimPrefix(item.Ref, "#/definitions/")]
		}
		for _, inner := range slices.Sorted(maps.Keys(item.Properties)) {
			row(key+"[]."+inner, item.Properties[inner].Description)
		}
	}
	return b.String()
}

// explainedKinds is what gwplan kinds KIND prints, for all kinds of the catalogue.
func explainedKinds(t *testing.T) string {
	t.Helper()
	known, err := catalogue.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, k := range catalogue.NewTable(known, nil).Kinds() {
		fmt.Fprintf(&b, "<details><summary>%s</summary>\n\n```text\n%s```\n\n</details>\n\n", k, printed(t, "kinds", k.String()))
	}
	return b.String()
}

// environ is the environment before a command runs.
var environ = os.Environ()

// printed is what a command prints.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	var out, complaints bytes.Buffer
	t.Helper()
	if !slices.Contains(args, "-C") && args[0] != "kinds" && args[0] != "demo" {
		args = append(slices.Clone(args), "-C", "../..")
	}
	code := run(args, terminal{stdin: &input{Reader: strings.NewReader("")}, stdout: &out, stderr: &complaints, environ: environ})
	if code != exitDone {
		t.Fatalf("gwplan %s: exit %d: %s", strings.Join(args, " "), code, complaints.String())
	}
	return out.String()
}

// networkTable lists the kinds of network policies by the project that defines them.
func networkTable() string {
	systems := map[string]string{"networking.k8s.io": "Kubernetes", "policy.networking.k8s.io": "Network Policy API", "cilium.io": "Cilium", "projectcalico.org": "Calico", "crd.projectcalico.org": "Calico (storage)"}
	kinds := map[string][]string{}
	for _, k := range network.Explained() {
		if !k.IsPolicy() {
			continue
		}
		kinds[systems[k.Group]] = append(kinds[systems[k.Group]], k.Name)
	}
	var b strings.Builder
	b.WriteString("| system | network policies |\n|---|---|\n")
	for _, system := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintf(&b, "| %s | %s |\n", system, strings.Join(kinds[system], ", "))
	}
	return b.String()
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
	return b.String()
}

func coded(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return "`" + strings.Join(words, "`, `") + "`"
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
	return b.String()
}
