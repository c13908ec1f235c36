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
)

// machineryCases are cases whose results Kuadrant's policy-machinery computed.
// They are no part of this repository.
const machineryCases = "../../shared/cases/policy-machinery-random"

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
		t.Log("not run: there are no cases at " + machineryCases)
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
	for _, e := range analyze.ListEffective(s, analyze.Selection{}, o).Environments[0].Effective {
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
		t.Errorf("%s is no path of the case", path)
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
