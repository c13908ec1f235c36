package gwplan_test

import (
	"flag"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// room is a package, its job, and where a reader begins.
type room struct{ dir, job, entry string }

// rooms are the packages in the order in which data flows: none imports one below it.
// CONTRIBUTING.md shows them with what they import.
func rooms() []room {
	return []room{
		{"internal/spelling", "the name that was probably meant", "Similar"},
		{"internal/dns", "names of domains as Kubernetes takes them", "IsSubdomain"},
		{"internal/glob", "limits for untrusted patterns", "Bounded"},
		{"internal/expression", "limits for untrusted regular expressions", "Compile"},
		{"internal/celsyntax", "whether a text is an expression of CEL", "Wrong"},
		{"internal/yamltext", "untrusted YAML, such as values of charts, within limits", "Unmarshal"},
		{"loader", "objects with positions, and what a revision holds", "Snapshot"},
		{"loader/account", "what one run may cost", "New"},
		{"loader/source", "bytes of two revisions", "OpenPair"},
		{"loader/manifest", "documents to values and objects", "Decode"},
		{"loader/schema/celfunction", "what the expressions of CRDs may call", "Options"},
		{"loader/schema", "the defaults that an API server fills in", "Builtin"},
		{"loader/cache", "results of earlier runs", "Open"},
		{"loader/variable", "the variables of Flux", "Set.Fill"},
		{"loader/gotemplate", "untrusted Go templates, within limits", "Instrument"},
		{"loader/applicationset", "ApplicationSets to Applications", "Generate"},
		{"loader/resourceset", "ResourceSets to objects", "Generate"},
		{"loader/argoplugin", "plugins of Argo CD to what they build", "Of"},
		{"loader/helm", "what Helm makes of a chart", "Render"},
		{"loader/chart", "charts to objects, within limits", "Renderer.Render"},
		{"loader/apptemplate", "what app-template makes of values", "Render"},
		{"loader/tree", "the files of a tree by name and content", "Store.Read"},
		{"loader/deploy", "what a deployer declares: units, objects, environments", "Unit"},
		{"loader/release", "releases of charts to objects", "Charts.Install"},
		{"loader/emit", "values to plain YAML, with their places", "Plain"},
		{"loader/buildfs", "the files that one build sees", "New"},
		{"loader/policygenerator", "what the PolicyGenerator makes of manifests", "Generate"},
		{"loader/gate", "which kustomizations may be built, and what they may read", "Gate.Pass"},
		{"loader/kustomize", "approved kustomizations to objects", "Builder.Build"},
		{"loader/apply", "units to the objects that reach a cluster", "Applier.Apply"},
		{"loader/flux", "what Flux applies where", "Reader.Clusters"},
		{"loader/ocm", "what Open Cluster Management brings to managed clusters", "Read"},
		{"loader/argocd", "what Argo CD deploys where", "Reader.Applications"},
		{"loader/render", "trees to snapshots: which environments there are, and what is in them", "Snapshots"},
		{"loader/config", "what users know beyond manifests", "Parse"},
		{"analyze/plan", "what a diff, a check or a listing says, as plain data", "Plan"},
		{"analyze/fact", "true, false or unknown", "Fact"},
		{"analyze/applied", "pairs of environments, and what clusters have after the change", "Pairs"},
		{"analyze/implementation", "what controllers do in their own way", "For"},
		{"analyze/age", "who is older, and how sure that is", "Ages.Order"},
		{"analyze/afford", "the parts of an analysis that a run may not be able to afford", "Parts.Enter"},
		{"analyze/generate", "what controllers make of objects", "With"},
		{"analyze/merge", "two specs to one", "Strategy.Merge"},
		{"analyze/inventory", "which objects exist, may exist or may be referred to", "Of"},
		{"analyze/network", "who may talk to whom under network policies", "Compare"},
		{"analyze/hierarchy", "objects to the graph of targets; the verdict on each class, Gateway, listener, certificate, route and reference", "Build"},
		{"analyze/selection", "the objects that users name", "Parse"},
		{"analyze/settle", "what kinds make of their merged specs", "By"},
		{"analyze/upgrade", "what newer releases of controllers change for objects", "In"},
		{"analyze/feature", "which features of a controller its installation switches on", "Of"},
		{"analyze/refusal", "what controllers refuse in specs whose fields depend on each other", "By"},
		{"analyze/catalogue", "the kinds of policies, as data", "Table"},
		{"analyze/policy", "policies onto targets", "Attach"},
		{"analyze/effective", "effective policies along each context", "NewRun"},
		{"analyze/status", "these verdicts in the words of a .status; what Envoy Gateway calls overridden or merged", "Of"},
		{"analyze/change", "two results to changes and their causes", "Between"},
		{"analyze/answer", "which rule answers a request, before and after", "Passages"},
		{"analyze/protection", "what an edit does to protection", "Between"},
		{"analyze/sentence", "what changes for which targets, in one sentence each", "New"},
		{"analyze/rule", "findings: a file for each rule, which turns verdicts and changes into messages", "All"},
		{"analyze/traffic", "what becomes of requests and connections, in words", "Requests"},
		{"analyze/unseen", "changes that the analysis does not see", "Edit.Changes"},
		{"analyze", "all of the above, to one plan", "Compare"},
		{"report/outline", "what all formats share: groups, order, words", "Groups"},
		{"report/data", "documents as JSON and YAML", "JSON"},
		{"report/text", "documents for a terminal", "Plan"},
		{"report/markdown", "documents for a pull request", "Plan"},
		{"report/sarif", "findings for code scanning", "Plan"},
		{"report/annotation", "findings for the lines of a pull request on GitHub", "Plan"},
		{"report/codequality", "findings for the merge requests of GitLab", "Plan"},
		{"report/html", "one page to open in a browser, with a hierarchy to walk and a search", "Plan"},
		{"report/junit", "findings as test results of CI systems", "Plan"},
		{"report", "which documents there are, in which formats", "Offers"},
		{"report/kinds", "what gwplan kinds prints", "Explain"},
		{"cmd/gwplan", "flags, files, exit codes", ""},
	}
}

var update = flag.Bool("update", false, "rewrite the map in CONTRIBUTING.md")

// The map in CONTRIBUTING.md is the list of rooms, with the imports that there are.
func TestMap(t *testing.T) {
	imports := map[string][]string{}
	files := module(t)
	for _, f := range files {
		for _, imported := range f.imports() {
			target, own := strings.CutPrefix(imported, modulePath+"/")
			if own && !f.test() && !slices.Contains(imports[f.dir], target) {
				imports[f.dir] = append(imports[f.dir], target)
			}
		}
	}
	for _, r := range rooms() {
		if r.entry != "" && !slices.ContainsFunc(files, func(f file) bool { return f.dir == r.dir && !f.test() && f.declares(r.entry) }) {
			t.Errorf("%s has no %s", r.dir, r.entry)
		}
	}
	var b strings.Builder
	b.WriteString("| package | its job | where to begin | imports |\n|---|---|---|---|\n")
	for _, r := range rooms() {
		var names []string
		for _, other := range rooms() {
			if slices.Contains(imports[r.dir], other.dir) {
				names = append(names, short(other.dir, r.dir))
			}
		}
		entry := "one file for each command"
		if r.entry != "" {
			entry = fmt.Sprintf("`%s.%s`", path.Base(r.dir), r.entry)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.dir, r.job, entry, strings.Join(names, ", "))
	}
	data, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	const first, last = "<!-- map -->\n", "<!-- /map -->\n"
	before, rest, ok := strings.Cut(string(data), first)
	have, after, ok2 := strings.Cut(rest, last)
	switch {
	case !ok || !ok2:
		t.Fatal("CONTRIBUTING.md has no map")
	case have == b.String():
	case *update:
		if err := os.WriteFile("CONTRIBUTING.md", []byte(before+first+b.String()+last+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the map in CONTRIBUTING.md is not the code's; run make golden:\n%s", b.String())
	}
}

// The top level has no other folders: files that a script unpacked there were committed once.
func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	known := []string{"action", "analyze", "cmd", "docs", "examples", "internal", "loader", "report", "testdata"}
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !slices.Contains(known, e.Name()) {
			t.Errorf("the folder %s does not belong here", e.Name())
		}
	}
}

// The functions that CONTRIBUTING.md names for verdicts are in the files that it names.
func TestVerdictsAreWhereTheyAreSaidToBe(t *testing.T) {
	data, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(data), "| reason | function | file |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.HasPrefix(line, "|--") {
			continue
		}
		rows++
		file := strings.Trim(cells[3], " `")
		code, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
		}
		for function := range strings.SplitSeq(cells[2], ",") {
			name := strings.Trim(function, " `")
			if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + name + `\(`).Match(code) {
				t.Errorf("%s has no function %s", file, name)
			}
		}
	}
	if rows == 0 {
		t.Error("CONTRIBUTING.md has no table of verdicts")
	}
}

// short is a package's name beside those of its own half of the house.
func short(dir, beside string) string {
	half, _, _ := strings.Cut(beside, "/")
	return strings.TrimPrefix(dir, half+"/")
}
