package answer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/schema"
)

const gateway = `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: g, namespace: ns}
spec:
  gatewayClassName: c
  listeners:
  - {name: any, port: 80, protocol: HTTP}
  - {name: wild, port: 80, protocol: HTTP, hostname: "*.example.com"}
`

// route makes an HTTPRoute of a name, hostnames and paths: each path is a rule, one with =
// in front is exact, one with ~ a regular expression.
func route(name, hosts string, paths ...string) string {
	out := "---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: " + name + ", namespace: ns}\nspec:\n  parentRefs: [{name: g}]\n"
	if hosts != "" {
		out += "  hostnames: [" + hosts + "]\n"
	}
	out += "  rules:\n"
	for _, p := range paths {
		form := "PathPrefix"
		switch p[0] {
		case '=':
			form, p = "Exact", p[1:]
		case '~':
			form, p = "RegularExpression", p[1:]
		}
		out += "  - {name: " + strings.Trim(strings.NewReplacer("/", "x", ".", "", "*", "").Replace(p), "-") + ", matches: [{path: {type: " + form + ", value: '" + p + "'}}]}\n"
	}
	return out
}

func run(t testing.TB, states *effective.States, manifests string) *effective.Run {
	t.Helper()
	return runAs(t, states, manifests, schema.Builtin().Apply)
}

// runAs is run with another way of filling in defaults.
func runAs(t testing.TB, states *effective.States, manifests string, apply func(group, version, kind string, root *loader.Value) *loader.Value) *effective.Run {
	t.Helper()
	file := manifest.Decode([]byte(manifests), manifest.Options{})
	env := &loader.Environment{Name: "."}
	for _, p := range file.Problems {
		t.Fatalf("line %d: %s", p.Position.Line, p.Message)
	}
	for _, d := range file.Documents {
		id := loader.ID{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}
		root := apply(d.Group, d.Version, d.Kind, d.Root)
		env.Objects = append(env.Objects, &loader.Object{ID: id, Version: d.Version, Root: root, Files: []string{"all.yaml"}, Digest: loader.Digest(id, root)})
	}
	c, err := catalogue.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	g := hierarchy.Build(env, inventory.Options{Complete: true})
	return effective.NewRun(env, g, policy.Attach(env, g, catalogue.NewTable(c, nil, env.Objects), age.Ages{}), states)
}

func passages(t *testing.T, before, after string) []string {
	t.Helper()
	states := effective.NewStates()
	j := effective.NewJoin(run(t, states, gateway+before), run(t, states, gateway+after), nil)
	var out []string
	found, left := answer.Passages(j, nil)
	if len(left) > 0 {
		t.Errorf("%d requests are left", len(left))
	}
	for _, p := range found {
		name := func(w *answer.Way) string {
			if w == nil {
				return "nobody"
			}
			return w.Rule.Target.Name + "#" + w.Rule.Target.Section
		}
		text := p.Request.Listener.Target.Section + " " + p.Request.String() + ": " + name(p.Before) + " → " + name(p.After)
		if len(p.Doubts) > 0 {
			text += "?"
		}
		out = append(out, text)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Who answers a request follows Gateway API's precedence: the hostname first, then the
// path (HTTPRouteRule.matches).
func TestPassages(t *testing.T) {
	for _, tt := range []struct {
		name, before, after string
		want                []string
	}{
		{"nothing differs", route("a", "a.example.com", "/"), route("a", "a.example.com", "/"), nil},
		{"a rule more", route("a", "a.example.com", "/"), route("a", "a.example.com", "/", "/api"), []string{
			"wild a.example.com/api/*: a#x → a#xapi",
		}},
		{"a route that takes a path", route("a", "a.example.com", "/"), route("a", "a.example.com", "/") + route("b", "a.example.com", "/api"), []string{
			"wild a.example.com/api/*: a#x → b#xapi",
		}},
		{"exact before prefix", route("a", "a.example.com", "/api"), route("a", "a.example.com", "/api") + route("b", "a.example.com", "=/api"), []string{
			"wild a.example.com/api: a#xapi → b#xapi",
		}},
		{"the older of two routes of unknown age", route("a", "a.example.com", "/"), route("a", "a.example.com", "/") + route("b", "a.example.com", "/"), []string{
			"wild a.example.com/*: a#x → b#x?",
		}},
		{"the older of three", route("a", "a.example.com", "/"), route("a", "a.example.com", "/") + route("b", "a.example.com", "/") + route("c", "a.example.com", "/"), []string{
			"wild a.example.com/*: a#x → b#x?", "wild a.example.com/*: a#x → c#x?",
		}},
		{
			"a match before all routes of unknown age", route("a", "a.example.com", "/") + route("b", "a.example.com", "/"),
			route("a", "a.example.com", "/") + route("b", "a.example.com", "/") + route("c", "a.example.com", "=/x"),
			[]string{
				"wild a.example.com/x: a#x → c#xx", "wild a.example.com/x: b#x → c#xx",
			},
		},
		{
			"ties elsewhere are nothing to a path", route("a", "a.example.com", "/a", "/x") + route("b", "a.example.com", "/a"),
			route("a", "a.example.com", "/a") + route("b", "a.example.com", "/a"),
			[]string{"wild a.example.com/x/*: a#xx → nobody"},
		},
		{"a hostname before a wildcard", route("a", "'*.example.com'", "/"), route("a", "'*.example.com'", "/") + route("b", "b.example.com", "/"), []string{
			"wild b.example.com/*: a#x → b#x",
		}},
		{"a route that goes", route("a", "a.example.com", "/") + route("w", "", "/"), route("w", "", "/"), []string{
			"wild a.example.com/*: a#x → w#x",
		}},
		{"nobody any more", route("a", "a.example.com", "/"), route("a", "b.example.com", "/"), []string{
			"wild a.example.com/*: a#x → nobody", "wild b.example.com/*: nobody → a#x",
		}},
		{"a regular expression takes no more than itself", route("a", "a.example.com", "/"), route("a", "a.example.com", "/", "~/x.*"), []string{
			"wild a.example.com~/x.*: a#x → a#xx",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := passages(t, tt.before, tt.after)
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if mirrored := passages(t, tt.after, tt.before); (len(mirrored) == 0) != (len(tt.want) == 0) {
				t.Errorf("the other way round gives %q", mirrored)
			}
		})
	}
}

// Of many routes with equal matches the one that a change takes away may have been the oldest one, whatever its name.
func TestOldestOfMany(t *testing.T) {
	var others strings.Builder
	for name := 'a'; name <= 'l'; name++ {
		others.WriteString(route(string(name), "a.example.com", "/"))
	}
	got := passages(t, others.String()+route("z", "a.example.com", "/"), others.String())
	if want := []string{"wild a.example.com/*: z#x → a#x?"}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A change of too many requests tells which ones were not compared.
func TestTooManyRequests(t *testing.T) {
	states := effective.NewStates()
	before := gateway + route("a", "a.example.com", "/a", "/b", "/c")
	j := effective.NewJoin(run(t, states, before), run(t, states, before+route("b", "a.example.com", "/a/x", "/b/x")), nil)
	all, left := answer.Passages(j, nil)
	if len(left) > 0 {
		t.Fatalf("%d requests are left", len(left))
	}
	some, left := answer.PassagesWithin(j, 1)
	if len(some) != 1 || len(left) == 0 || len(some)+len(left) < len(all) {
		t.Errorf("%d of %d passages, %d requests left", len(some), len(all), len(left))
	}
}

// New labels touch no request, however many there are; another spec does.
func TestLabelsTouchNothing(t *testing.T) {
	before := route("a", "a.example.com", "/")
	for after, want := range map[string]int{
		strings.Replace(before, "name: a,", "name: a, labels: {v: x},", 1):                 0,
		strings.Replace(before, "  rules:\n", "  useDefaultGateways: None\n  rules:\n", 1): 1,
	} {
		states := effective.NewStates()
		j := effective.NewJoin(run(t, states, gateway+before), run(t, states, gateway+after), nil)
		if _, left := answer.PassagesWithin(j, -1); len(left) != want {
			t.Errorf("%d requests, want %d, for\n%s", len(left), want, after)
		}
	}
}
