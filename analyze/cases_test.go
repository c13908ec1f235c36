package analyze_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/render"
	"github.com/gwplan/gwplan/loader/schema"
	"github.com/gwplan/gwplan/loader/source"
)

// Cases are other projects' tests, in one layout. They are no part of this
// repository.
const cases = "../../shared/cases"

// absent says that a test did not run for want of its cases, and fails where GWPLAN_CASES says
// that they are expected, as in CI. make test says it, too.
func absent(t *testing.T, dir string) {
	t.Helper()
	if os.Getenv("GWPLAN_CASES") == "required" {
		t.Fatalf("GWPLAN_CASES=required, and there are no cases at %s", dir)
	}
	t.Logf("NOT RUN: there are no cases at %s", dir)
}

// machineryCases are those whose results Kuadrant's policy-machinery computed.
const machineryCases = cases + "/policy-machinery-random"

// colorKind is the kind of policy in them.
const colorKind = `
- id: test/ColorPolicy
  profile: kuadrant-do
  group: kuadrant.io
  kind: ColorPolicy
  versions: [v1]
  target:
    refs: [{path: targetRef, form: one, section: sectionName}]
    allowed: [gw/Gateway:listener, gw/HTTPRoute:rule]
    namespace: same
  levels: [Gateway, Gateway:listener, Route, Route:rule]
  spec:
    common: [targetRef]
    bodies:
    - {path: defaults, direction: defaults, strategy: defaults.strategy}
    - {path: overrides, direction: overrides, strategy: overrides.strategy}
    - {path: "", direction: defaults, strategy: =atomic}
    proper: [rules]
    empty: rules
  merge:
    units: ["rules.*"]
    lists: [{path: rules, key: id}]
`

// TestPolicyMachineryCases compares effective policies with another project's
// implementation, where its cases are at hand.
func TestPolicyMachineryCases(t *testing.T) {
	dirs, err := filepath.Glob(machineryCases + "/case-*")
	if err != nil {
		t.Fatal(err)
	}
	if len(dirs) == 0 {
		absent(t, machineryCases)
		return
	}
	o := options(t, colorKind)
	o.Complete = true
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) { checkMachineryCase(t, dir, o) })
	}
}

func checkMachineryCase(t *testing.T, dir string, o analyze.Options) {
	t.Helper()
	var want struct {
		Paths map[string]struct{ Rules map[string]string }
	}
	if err := json.Unmarshal([]byte(read(t, dir, "expected.json")), &want); err != nil {
		t.Fatal(err)
	}
	s := snapshot(".", file{name: "input.yaml", text: read(t, dir, "input.yaml")})
	got := map[string]map[string]string{}
	for _, e := range analyze.ListEffective(s, selection.Selection{}, o).Environments[0].Effective {
		if len(e.Contexts) != e.ContextCount {
			t.Fatalf("%s lists %d of %d contexts", e.Target, len(e.Contexts), e.ContextCount)
		}
		for _, context := range e.Contexts {
			got[machineryPath(context)] = colors(e.Spec)
		}
	}
	for path, expected := range want.Paths {
		if !maps.Equal(got[path], expected.Rules) {
			t.Errorf("%s\n  got %v, want %v", path, got[path], expected.Rules)
		}
		delete(got, path)
	}
	for _, path := range slices.Sorted(maps.Keys(got)) {
		t.Errorf("%s is not a path of the case", path)
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// machineryPath writes a context as the other project does: without the class,
// each node with its own kind.
func machineryPath(context []string) string {
	var out []string
	for _, node := range context {
		kind, name, _ := strings.Cut(node, "/")
		switch {
		case kind == "GatewayClass":
			continue
		case kind == "Gateway" && strings.Contains(name, "#"):
			kind = "Listener"
		case strings.Contains(name, "#"):
			kind += "Rule"
		}
		out = append(out, kind+":"+name)
	}
	return strings.Join(out, " > ")
}

func colors(spec map[string]any) map[string]string {
	out := map[string]string{}
	for _, body := range []any{spec, spec["defaults"], spec["overrides"]} {
		fields, _ := body.(map[string]any)
		rules, _ := fields["rules"].([]any)
		for _, r := range rules {
			rule, _ := r.(map[string]any)
			out[fmt.Sprint(rule["id"])] = fmt.Sprint(rule["color"])
		}
	}
	return out
}

// statusGoal says how well the statuses of some suites are predicted.
type statusGoal struct {
	suites []string
	// kinds are patterns of the kinds that count; none means all.
	kinds []string
	// telling and rows are the percentages that are right at least; so many
	// telling rows may be wrong in any case.
	telling, rows, spared int
}

// The policies of Envoy Gateway are many times its routes, which are told apart.
func statusGoals() map[string]statusGoal {
	return map[string]statusGoal{
		"gateway-api-conformance": {suites: []string{"gateway-api-conformance"}, telling: 100, rows: 98, spared: 1},
		"istio":                   {suites: []string{"istio"}, telling: 100, rows: 98, spared: 1},
		// Six rows rest on routes that the project's test adds to its input.
		"agentgateway":  {suites: []string{"agentgateway"}, telling: 100, rows: 94, spared: 1},
		"envoy-gateway": {suites: []string{"envoy-gateway", "envoy-gateway-ext"}, telling: 95, rows: 95},
		"envoy-gateway, hierarchy": {
			suites: []string{"envoy-gateway", "envoy-gateway-ext"},
			kinds:  []string{"GatewayClass", "Gateway", "*ListenerSet", "*Route"}, telling: 95, rows: 95,
		},
	}
}

// TestStatusCases compares statuses with those that other projects' controllers
// write, where their cases are at hand.
func TestStatusCases(t *testing.T) {
	o := options(t, "[]")
	o.Complete = true
	for name, goal := range statusGoals() {
		t.Run(name, func(t *testing.T) {
			var all tally
			for _, suite := range goal.suites {
				if len(statusCases(t, suite)) == 0 {
					absent(t, cases+"/"+suite)
					return
				}
				all.add(scoreSuite(t, o, suite, goal.kinds))
			}
			if all.telling == 0 || !all.reach(goal) {
				t.Errorf("got %s; want %d%% of all and %d%% of telling rows:\n%s", &all, goal.rows, goal.telling, strings.Join(all.wrong, "\n"))
			}
		})
	}
}

// tally counts rows.
type tally struct {
	rows, right, telling, tellingRight int
	wrong                              []string
}

func (s *tally) add(other tally) {
	s.rows, s.right = s.rows+other.rows, s.right+other.right
	s.telling, s.tellingRight = s.telling+other.telling, s.tellingRight+other.tellingRight
	s.wrong = append(s.wrong, other.wrong...)
}

func (s *tally) String() string {
	return fmt.Sprintf("%d of %d rows and %d of %d telling rows right", s.right, s.rows, s.tellingRight, s.telling)
}

func (s *tally) reach(goal statusGoal) bool {
	missed := s.telling - s.tellingRight
	return s.right*100 >= s.rows*goal.rows && (missed <= goal.spared || s.tellingRight*100 >= s.telling*goal.telling)
}

// scoreSuite judges the cases of a suite, and says what all kinds together get.
func scoreSuite(t *testing.T, o analyze.Options, suite string, kinds []string) tally {
	t.Helper()
	var counted, all tally
	for _, dir := range statusCases(t, suite) {
		var want struct{ Objects []caseRow }
		if err := json.Unmarshal([]byte(read(t, dir, "expected.json")), &want); err != nil {
			t.Fatal(err)
		}
		j := newJudge(t, suite, filepath.Base(dir), analyze.ListStatus(rendered(t, o, read(t, dir, "input.yaml")), selection.Selection{}, o))
		for i := range want.Objects {
			row := &want.Objects[i]
			one := j.tally(row)
			all.add(one)
			if kinds == nil || slices.ContainsFunc(kinds, func(pattern string) bool { return like(pattern, row.Kind) }) {
				counted.add(one)
			}
		}
	}
	t.Logf("%s: %s", suite, &all)
	return counted
}

func (j judge) tally(row *caseRow) (s tally) {
	v := j.row(row)
	if !v.judged {
		return s
	}
	s.rows = 1
	if v.telling {
		s.telling = 1
	}
	if len(v.wrong) == 0 {
		s.right, s.tellingRight = 1, s.telling
		return s
	}
	s.wrong = []string{fmt.Sprintf("  %s/%s: %s: %s", j.suite, j.name, row, strings.Join(v.wrong, "; "))}
	return s
}

// statusCases are the folders of a suite.
func statusCases(t testing.TB, suite string) []string {
	t.Helper()
	files, err := filepath.Glob(cases + "/" + suite + "/*/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		files[i] = filepath.Dir(files[i])
	}
	return files
}

// rendered is a snapshot of manifests, made as a command does that gets them on
// its standard input.
func rendered(t testing.TB, o analyze.Options, text string) *loader.Snapshot {
	t.Helper()
	tree, err := source.OpenOne(t.Context(), source.OneRequest{Filenames: []string{"-"}, Stdin: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tree.Blobs.Close() }() // a reader alone
	relevance := map[analyze.Need]manifest.Relevance{
		analyze.Needed: manifest.Needed, analyze.NotNeeded: manifest.Irrelevant, analyze.Undecided: manifest.Undecided,
	}
	needs := analyze.Needs(o.Catalogue, o.Kinds)
	snapshots, err := render.Snapshots(t.Context(), []*source.Tree{tree}, render.Options{
		Manifest: manifest.Options{Relevance: func(group, kind string) manifest.Relevance { return relevance[needs(group, kind)] }},
		Schemas:  schema.Builtin(),
		ClusterScoped: func(group, kind string) bool {
			return hierarchy.ClusterScoped(group, kind) || slices.ContainsFunc(o.Catalogue.Entries, func(e catalogue.Entry) bool {
				return e.Group == group && e.Kind == kind && e.Scope == "Cluster"
			})
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return snapshots[0]
}
