package analyze_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// given is an input of which tests edit one part.
type given struct {
	options  analyze.Options
	snapshot *loader.Snapshot
	env      *loader.Environment
	object   *loader.Object
	value    *loader.Value
}

// beside adds an environment. What it says about kinds holds for all environments.
func (g *given) beside(text string) {
	g.snapshot.Environments = append(g.snapshot.Environments, snapshot("b", file{name: "b.yaml", text: text}).Environments...)
}

// edit is one difference of an input.
type edit struct {
	what string
	make func(*given)
}

// newGiven returns an input with one object. A run edits what it is given, so each has its own.
func newGiven(o analyze.Options) *given {
	s := snapshot("a", file{name: "a.yaml", text: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m, namespace: ns}\ndata: {k: 1}\n"})
	g := &given{options: o, snapshot: s, env: s.Environments[0]}
	g.object = g.env.Objects[0]
	g.object.Listed, g.object.Deployer = make([]loader.Position, 1), &loader.Deployer{}
	g.value = g.object.Root.Get("data", "k")
	return g
}

// eachField returns an edit of each field of a struct, so that a new field is noticed.
func eachField(what string, of func(*given) any, except ...string) (out []edit) {
	t := reflect.TypeOf(of(newGiven(analyze.Options{}))).Elem()
	for i := range t.NumField() {
		if name := t.Field(i).Name; !slices.Contains(except, name) {
			out = append(out, edit{what + " " + name, func(g *given) { alter(reflect.ValueOf(of(g)).Elem().Field(i)) }})
		}
	}
	return out
}

// alter changes a value to another one of its type.
func alter(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Slice:
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		} else {
			v.SetZero()
		}
	case reflect.Struct:
		alter(v.Field(0))
	case reflect.Array:
		alter(v.Index(0))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("x"), reflect.ValueOf("x"))
	case reflect.Int:
		v.SetInt(v.Int() + 1)
	default:
		v.SetUint(v.Uint() + 1)
	}
}

// crd describes a policy kind that follows GEP-713.
func crd(class, scope string) string {
	return "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: tints.example.com, labels: {gateway.networking.k8s.io/policy: " + class + "}}\n" +
		"spec: {group: example.com, scope: " + scope + ", names: {kind: Tint}, versions: [{name: v1, schema: {openAPIV3Schema: {properties: {spec: {properties: {targetRefs: " +
		"{items: {properties: {kind: {type: string}, name: {type: string}}}}}}}}}}]}\n"
}

// Whatever an input differs in from all earlier ones, nothing that was found out about these is used for it. What
// is found out about it is used when it comes again.
func TestResultsAreOfOneInput(t *testing.T) {
	age := func(id loader.ID, year int) func(*given) {
		return func(g *given) {
			g.options.Ages = map[loader.ID]time.Time{id: time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)}
		}
	}
	items := func(list ...*loader.Value) func(*given) { return func(g *given) { g.value.Items = list } }
	edits := slices.Concat(
		[]edit{
			{"nothing", func(*given) {}},
			{"complete", func(g *given) { g.options.Complete = true }},
			{"labels of a namespace", func(g *given) { g.options.NamespaceLabels = map[string]map[string]string{"n": {"a": "b"}} }},
			{"an object elsewhere", func(g *given) { g.options.External = map[loader.ID]bool{{Name: "x"}: true} }},
			{"the controller of a class", func(g *given) { g.options.Controllers = map[string]string{"a": "b"} }},
			{"a severity", func(g *given) { g.options.Rules.Severity = map[string]plan.Severity{"a": plan.Off} }},
			{"an owner", func(g *given) { g.options.Rules.Owners = map[string][]string{"a": {"b"}} }},
			{"an age", age(loader.ID{Kind: "Gateway", Name: "a"}, 2020)},
			{"another age", age(loader.ID{Kind: "Gateway", Name: "a"}, 2021)},
			{"an age of another object", age(loader.ID{Kind: "Gateway", Name: "b"}, 2020)},
			{"an age of another group", age(loader.ID{Group: loader.GatewayGroup, Kind: "Gateway", Name: "a"}, 2020)}, // it is written alike
			{"a kind that is not read", func(g *given) { g.snapshot.Skipped = map[string]int{"a/B": 1} }},
			{"a file that is not read", func(g *given) {
				g.snapshot.Problems = []loader.Problem{{Severity: loader.Error, Position: loader.Position{File: "x"}}}
			}},
			{"a kind that another environment describes", func(g *given) { g.beside(crd("Direct", "Namespaced")) }},
			{"its class", func(g *given) { g.beside(crd("Inherited", "Namespaced")) }},
			{"its scope", func(g *given) { g.beside(crd("Inherited", "Cluster")) }},
			{"no objects", func(g *given) { g.env.Objects = nil }},
			{"a workload", func(g *given) { g.env.Objects, g.env.Workloads = nil, g.env.Objects }},
			{"files", func(g *given) { g.object.Files = []string{"ab", "c"} }},
			{"files with the same letters", func(g *given) { g.object.Files = []string{"a", "bc"} }},
			{"files that read like a place", func(g *given) { g.object.Files, g.object.Listed = append(g.object.Files, "\x00", ""), nil }},
			{"an item", items(&loader.Value{Text: "a"})},
			{"another item", items(&loader.Value{Text: "b"})},
			{"items", items(&loader.Value{Items: []*loader.Value{{Text: "a"}}}, &loader.Value{Text: "b"})},
			{"items within an item", items(&loader.Value{Items: []*loader.Value{{Text: "a"}, {Text: "b"}}})},
			{"nothing before an empty item", items(nil, &loader.Value{})},
			{"an empty item before nothing", items(&loader.Value{}, nil)},
		},
		eachField("the environment's", func(g *given) any { return g.env }, "Objects", "Workloads", "Duplicates", "Rejected", "Mended", "Unknown"),
		eachField("the object's", func(g *given) any { return g.object }, "Root", "Digest"), // it identifies ID and Root
		eachField("its name's", func(g *given) any { return &g.object.ID }, "Group"),        // it is what alters ID
		eachField("its place's", func(g *given) any { return &g.object.Listed[0] }),
		eachField("its deployer's", func(g *given) any { return g.object.Deployer }),
		eachField("a value's", func(g *given) any { return g.value }),
		eachField("its mark's", func(g *given) any { return &g.value.Mark }, "File"), // it is what alters Mark
	)
	kept := results{}
	for _, e := range edits {
		for _, again := range []bool{false, true} {
			if got, all := recalled(t, e, kept); again && got != all || !again && got > 0 {
				t.Errorf("%s, again: %t: %d of %d environments recalled", e.what, again, got, all)
			}
		}
	}
}

// Nothing is kept of an environment with objects that are declared twice or rejected, nor beside CRDs that depart
// from GEP-713: what rules say of these, no key covers.
func TestResultsThatAreNotKept(t *testing.T) {
	rejected := func(g *given) []loader.Rejection {
		return []loader.Rejection{{Object: g.object, Reasons: []loader.Reason{{At: g.value}}}}
	}
	for _, e := range []edit{
		{"declared twice", func(g *given) { g.env.Duplicates = []loader.Duplicate{{Kept: g.object, Dropped: g.object}} }},
		{"rejected", func(g *given) { g.env.Rejected = rejected(g) }},
		{"rejected until now", func(g *given) { g.env.Mended = rejected(g) }},
		{"unknown fields", func(g *given) { g.env.Unknown = rejected(g) }},
		{"a CRD that departs from the GEP", func(g *given) { g.beside(crd("true", "Namespaced")) }},
	} {
		kept := results{}
		if recalled(t, e, kept); len(kept) > 0 {
			t.Errorf("%s: %d results kept", e.what, len(kept))
		}
	}
}

// recalled compares two revisions with the same edit. It returns how many environments there are, and of how many
// the result was there already.
func recalled(t *testing.T, e edit, kept results) (n, all int) {
	t.Helper()
	var revisions [2]*given
	for i := range revisions {
		revisions[i] = newGiven(options(t, ""))
		e.make(revisions[i])
	}
	o, base, head := revisions[0].options, revisions[0].snapshot, revisions[1].snapshot
	o.Results, o.Work = kept, &analyze.Work{}
	analyze.Compare(base, head, o)
	if all = len(base.Environments); o.Work.Reused != all {
		t.Fatalf("%s: the revisions are not the same: %+v", e.what, *o.Work)
	}
	return o.Work.Recalled, all
}
