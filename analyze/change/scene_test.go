package change_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/schema"
)

// scene compares two lists of manifests as a run does. What has no namespace is
// in ns.
type scene struct {
	table      *catalogue.Table
	base, head []*loader.Object
	complete   bool
}

func stage(t *testing.T, base, head string) *scene {
	t.Helper()
	c, err := catalogue.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{base: objects(t, base), head: objects(t, head)}
	s.table = catalogue.NewTable(c, nil, s.base, s.head)
	return s
}

func objects(t *testing.T, manifests string) []*loader.Object {
	t.Helper()
	var out []*loader.Object
	file := manifest.Decode([]byte(manifests), manifest.Options{})
	for _, p := range file.Problems {
		t.Fatalf("line %d: %s", p.Position.Line, p.Message)
	}
	for _, d := range file.Documents {
		id := loader.ID{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}
		if id.Namespace == "" && !hierarchy.ClusterScoped(d.Group, d.Kind) {
			id.Namespace = "ns"
		}
		root := schema.Builtin().Apply(d.Group, d.Version, d.Kind, d.Root)
		out = append(out, &loader.Object{
			ID: id, Version: d.Version, Root: root, Files: []string{"all.yaml"}, Digest: loader.Digest(id, root),
		})
	}
	slices.SortFunc(out, func(a, b *loader.Object) int { return a.ID.Compare(b.ID) })
	return out
}

func (s *scene) run(objects []*loader.Object, states *effective.States) *effective.Run {
	env := &loader.Environment{Name: ".", Path: ".", Objects: objects}
	g := hierarchy.Build(env, inventory.Options{Complete: s.complete})
	return effective.NewRun(env, g, policy.Attach(env, g, s.table, age.Ages{}), states)
}

func (s *scene) between(o change.Options) *change.Difference {
	states := effective.NewStates()
	return change.Between(s.run(s.base, states), s.run(s.head, states), o)
}

// told writes the changes, a line for each target and field.
func told(d *change.Difference) []string {
	out := []string{}
	for _, c := range d.Changes {
		for _, target := range c.Targets {
			at := fmt.Sprintf("%s %s %s/%s", kindName(c.PolicyKind), c.Kind, target.Target.Kind, target.Target.Name)
			if target.Target.Section != "" {
				at += "#" + target.Target.Section
			}
			out = append(out, at)
			for _, f := range c.Fields {
				out = append(out, fmt.Sprintf("  %s: %v -> %v", f.Path, f.Before, f.After))
			}
		}
	}
	return out
}

func kindName(k *plan.GroupKind) string {
	if k == nil {
		return "own"
	}
	return k.Kind
}

func check(t *testing.T, d *change.Difference, want string) {
	t.Helper()
	got := strings.Join(told(d), "\n")
	if want = strings.TrimSpace(want); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// gateway has one listener for HTTP, which takes routes from its namespace.
func gateway(name string) string {
	return "---\napiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: " + name + "}\n" +
		"spec: {gatewayClassName: c, listeners: [{name: http, port: 80, protocol: HTTP, hostname: '*.example.com'}]}\n"
}

// route hangs below g, unless more says otherwise.
func route(more string) string {
	if !strings.Contains(more, "parentRefs") {
		more += ", parentRefs: [{name: g}]"
	}
	return "---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r}\nspec: {" + more + "}\n"
}

func retry(target, fields string) string {
	return "---\napiVersion: shop.example/v1\nkind: RetryPolicy\nmetadata: {name: p-" + strings.ToLower(strings.ReplaceAll(target, "/", "-")) + "}\n" +
		"spec: {targetRef: {group: gateway.networking.k8s.io, kind: " + strings.Split(target, "/")[0] +
		", name: " + strings.Split(target, "/")[1] + "}, " + fields + "}\n"
}
