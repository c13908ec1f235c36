package effective_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/merge"
)

// patchVector is a pair of policies and what Envoy Gateway's own code made of
// them; see testdata/strategicpatch.
type patchVector struct {
	Kind, Mode, Form      string
	Parent, Child, Merged any
	Limits                *struct {
		Global *struct{ Rules []struct{ Name string } }
		Local  *struct {
			Default struct{ Requests int }
			Rules   []struct{ Name string }
		}
	}
	Error string
}

// TestStrategicPatch holds the merges against Envoy Gateway's.
func TestStrategicPatch(t *testing.T) {
	text, err := os.ReadFile(filepath.FromSlash("testdata/strategicpatch.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var v patchVector
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		v.check(t, n)
	}
}

func (v patchVector) check(t *testing.T, n int) {
	t.Helper()
	name := fmt.Sprintf("%d %s %s %s", n, v.Kind, v.Mode, v.Form)
	got, ours := v.fold(t)
	want := withoutNothing(v.Merged)
	var faults []string
	if v.Limits != nil {
		delete(want.(map[string]any), "rateLimit")
		faults = v.checkLimits(ours.At("rateLimit"))
		delete(got.(map[string]any), "rateLimit")
	}
	if !reflect.DeepEqual(got, want) {
		faults = append(faults, fmt.Sprintf("got  %s\nwant %s", compact(got), compact(want)))
	}
	switch why := beyond()[n]; {
	case v.Error != "": // Envoy Gateway cannot merge these at all
	case why == "" && len(faults) > 0:
		t.Errorf("%s:\nparent %s\nchild  %s\n%s", name, compact(v.Parent), compact(v.Child), strings.Join(faults, "\n"))
	case why != "" && len(faults) == 0:
		t.Errorf("%s agrees, though %s", name, why)
	}
}

// beyond are the vectors, by line, that are known not to be followed: only the Go
// types tell of these.
func beyond() map[int]string {
	const (
		twice  = "a key stands twice in one list"
		zero   = "a zero counts as unset"
		limit  = "requestBuffer without a limit is marshalled with limit 0"
		number = "a quantity is written anew"
	)
	return map[int]string{
		9: twice, 11: twice, 87: twice, 33: zero, 34: zero, 85: zero, 35: number, 36: number, 37: limit, 38: limit, 127: limit, 159: limit,
		93: "lists inside the volumeClaimTemplate of an ephemeral volume are merged by key",
	}
}

// checkLimits compares rules by the policy that has them and their index there. A local rule without selectors is the
// default bucket, which is no rule for Envoy Gateway.
func (v patchVector) checkLimits(limit *merge.Tree) (faults []string) {
	names := func(rules *merge.Tree, local bool) []string {
		out := []string{}
		if rules == nil {
			return out
		}
		for i, item := range rules.JSON().([]any) {
			if _, selects := item.(map[string]any)["clientSelectors"]; local && !selects {
				continue
			}
			_, name, _ := strings.Cut(rules.Entries[i].Key, "/ns/")
			out = append(out, name)
		}
		return out
	}
	var global, local []string
	if v.Limits.Global != nil {
		for _, r := range v.Limits.Global.Rules {
			global = append(global, r.Name)
		}
	}
	if v.Limits.Local != nil {
		for _, r := range v.Limits.Local.Rules {
			local = append(local, r.Name)
		}
		bucket := ""
		if rules := limit.At("local.rules"); rules != nil {
			for _, item := range rules.JSON().([]any) {
				o := item.(map[string]any)
				if _, selects := o["clientSelectors"]; !selects {
					bucket += fmt.Sprint(o["limit"].(map[string]any)["requests"], " ")
				}
			}
		}
		want := ""
		if v.Limits.Local.Default.Requests != 1<<32-1 {
			want = fmt.Sprint(v.Limits.Local.Default.Requests, " ")
		}
		if bucket != want {
			faults = append(faults, fmt.Sprintf("default buckets %q, want %q", bucket, want))
		}
	}
	for _, c := range []struct {
		what      string
		got, want []string
	}{{"global", names(limit.At("global.rules"), false), global}, {"local", names(limit.At("local.rules"), true), local}} {
		if fmt.Sprint(c.got) != fmt.Sprint(c.want) {
			faults = append(faults, fmt.Sprintf("%s rules %v, want %v", c.what, c.got, c.want))
		}
	}
	return faults
}

// fold is the effective spec of the two policies, as JSON and as it is.
func (v patchVector) fold(t *testing.T) (any, *merge.Tree) {
	t.Helper()
	parent, child := compact(v.Parent), compact(v.Child)
	chosen := strings.TrimSuffix(child, "}") + `, "mergeType": "` + v.Mode + `"}`
	if child == "{}" {
		chosen = `{"mergeType": "` + v.Mode + `"}`
	}
	// The vectors never met an API server: they have no defaults. Nor did the controller judge them: their fields are
	// random.
	own := slices.Clone(builtin(t).Entries)
	for i := range own {
		own[i].Spec.Defaults, own[i].Refusals = nil, ""
	}
	c := builtin(t).WithEntries(own)
	var s *scene
	path := "g > r#only"
	if v.Kind == "EnvoyProxy" {
		proxy := func(name, spec string) string {
			return fmt.Sprintf("{apiVersion: gateway.envoyproxy.io/v1alpha1, kind: EnvoyProxy, metadata: {name: %s}, spec: %s}", name, spec)
		}
		s = stageOf(t, c, inventory.Options{}, "", proxyScene, proxy("parent", parent), proxy("child", chosen))
		path = "g"
	} else {
		policy := func(name, target, spec string) string {
			spec = strings.TrimSuffix(spec, "}") + map[bool]string{true: "", false: ","}[spec == "{}"]
			return fmt.Sprintf(`{apiVersion: gateway.envoyproxy.io/v1alpha1, kind: %s, metadata: {name: %s}, spec: %s "targetRefs": [{group: gateway.networking.k8s.io, %s}]}}`,
				v.Kind, name, spec, target)
		}
		s = stageOf(t, c, inventory.Options{}, "", one, policy("parent", "kind: Gateway, name: g", parent), policy("child", "kind: HTTPRoute, name: r", chosen))
	}
	p := s.policy(v.Kind, path)
	if p == nil || p.Spec == nil {
		return map[string]any{}, nil
	}
	var out any
	d := json.NewDecoder(strings.NewReader(compact(p.Spec.JSON())))
	d.UseNumber()
	if err := d.Decode(&out); err != nil {
		t.Fatal(err)
	}
	return withoutNothing(out), p.Spec
}

const proxyScene = `
{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: c}, spec: {controllerName: gateway.envoyproxy.io/gatewayclass-controller,
  parametersRef: {group: gateway.envoyproxy.io, kind: EnvoyProxy, name: parent, namespace: ns}}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g}, spec: {gatewayClassName: c, listeners: [{name: http, port: 80, protocol: HTTP}],
  infrastructure: {parametersRef: {group: gateway.envoyproxy.io, kind: EnvoyProxy, name: child}}}}
`

// withoutNothing leaves out nulls and zeros, and what has nothing else in it: in a
// Go struct most of them cannot be told from an absent field.
func withoutNothing(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, item := range v {
			if item = withoutNothing(item); !isNothing(item) {
				out[key] = item
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = withoutNothing(item)
		}
		return out
	}
	return v
}

func isNothing(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case json.Number:
		return v == "0"
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

func compact(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
