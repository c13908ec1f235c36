package effective_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/schema"
)

// scene is one environment, analysed. Names in it are short: what has no
// namespace is in ns.
type scene struct {
	t    *testing.T
	run  *effective.Run
	join *effective.Join
}

// stage analyses manifests, given the `kinds:` of a configuration.
func stage(t *testing.T, kinds string, manifests ...string) *scene {
	t.Helper()
	return stageWith(t, inventory.Options{}, kinds, manifests...)
}

func stageWith(t *testing.T, o inventory.Options, kinds string, manifests ...string) *scene {
	t.Helper()
	return stageOf(t, builtin(t), o, kinds, manifests...)
}

func stageOf(t *testing.T, c *catalogue.Catalogue, o inventory.Options, kinds string, manifests ...string) *scene {
	t.Helper()
	env := &loader.Environment{Name: ".", Path: ".", Objects: objects(t, strings.Join(manifests, "\n---\n"))}
	table := catalogue.NewTable(c, entries(t, kinds), env.Objects)
	g := hierarchy.Build(env, o)
	run := effective.NewRun(env, g, policy.Attach(env, g, table, age.Ages{}), effective.NewStates())
	return &scene{t: t, run: run, join: effective.Alone(run)}
}

func builtin(t *testing.T) *catalogue.Catalogue {
	t.Helper()
	c, err := catalogue.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func entries(t *testing.T, kinds string) []catalogue.Entry {
	t.Helper()
	var raw []map[string]any
	if err := yaml.UnmarshalStrict([]byte(kinds), &raw); err != nil {
		t.Fatal(err)
	}
	var out []catalogue.Entry
	for _, r := range raw {
		e, err := builtin(t).Entry(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// objects decodes manifests as a run does, schema defaults included.
func objects(t *testing.T, manifests string) []*loader.Object {
	t.Helper()
	file := manifest.Decode([]byte(manifests), manifest.Options{})
	for _, p := range file.Problems {
		t.Fatalf("line %d: %s", p.Position.Line, p.Message)
	}
	var out []*loader.Object
	for _, d := range file.Documents {
		o := &loader.Object{
			ID:      loader.ID{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name},
			Version: d.Version, Files: []string{"all.yaml"},
		}
		clusterScoped := hierarchy.ClusterScoped(d.Group, d.Kind) || d.Kind == "CustomResourceDefinition"
		if o.ID.Namespace == "" && !clusterScoped {
			o.ID.Namespace = "ns"
		}
		o.Root = schema.Builtin().Apply(d.Group, d.Version, d.Kind, d.Root)
		o.Digest = loader.Digest(o.ID, o.Root)
		out = append(out, o)
	}
	slices.SortFunc(out, func(a, b *loader.Object) int { return a.ID.Compare(b.ID) })
	return out
}

// kind finds the kind of which there are policies by its name.
func (s *scene) kind(name string) *catalogue.Kind {
	s.t.Helper()
	for _, k := range s.run.Attached.Kinds {
		if k.Name() == name {
			return k
		}
	}
	s.t.Fatalf("there are no policies of kind %s", name)
	return nil
}

// along gives the state and the target of the one context that ends at the
// last of the nodes and leads through the others. Nodes are given by the end
// of their names: "g1 > r1#one > b1".
func (s *scene) along(kind, path string) (effective.State, *hierarchy.Node) {
	s.t.Helper()
	nodes := strings.Split(path, " > ")
	found := map[effective.State]*hierarchy.Node{}
	state := effective.Absent
	s.join.Flows(s.kind(kind), func(at *effective.Joint, flows []effective.Flow) {
		for _, f := range flows {
			for _, sample := range f.Samples {
				if leadsThrough(sample.Context(effective.Head), nodes) {
					state = f.States[effective.Head]
					found[state] = at.Nodes[effective.Head]
				}
			}
		}
	})
	if len(found) != 1 {
		s.t.Fatalf("%d effective policies of %s along %s, want one", len(found), kind, path)
	}
	return state, found[state]
}

// policy is the effective policy along a path, nil for none.
func (s *scene) policy(kind, path string) *effective.Policy {
	s.t.Helper()
	state, at := s.along(kind, path)
	return s.run.Policy(s.kind(kind), state, at)
}

// readingsDiffer says whether the literal GEP gives something else there.
func (s *scene) readingsDiffer(kind, path string) bool {
	s.t.Helper()
	state, _ := s.along(kind, path)
	return s.run.ReadingDiffers(s.kind(kind), state)
}

func leadsThrough(context, nodes []string) bool {
	last := len(context) - 1
	if !named(context[last], nodes[len(nodes)-1]) {
		return false
	}
	for _, node := range context {
		if len(nodes) > 0 && named(node, nodes[0]) {
			nodes = nodes[1:]
		}
	}
	return len(nodes) == 0
}

func named(node, name string) bool { return strings.HasSuffix(node, "/"+name) }

// spec is the effective spec along a path as compact JSON, "" for none.
func (s *scene) spec(kind, path string) string {
	s.t.Helper()
	p := s.policy(kind, path)
	if p == nil || p.Spec == nil {
		return ""
	}
	text, err := json.Marshal(p.Spec.JSON())
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// verdict is what becomes of a policy, given by kind and name.
func (s *scene) verdict(kind, name string) *plan.Verdict {
	s.t.Helper()
	k := s.kind(kind)
	all := s.join.Tallies(k, effective.Head, func(*policy.Policy) bool { return true })
	for _, p := range s.run.Attached.Policies {
		if p.Kind == k && p.ID().Name == name {
			return s.run.VerdictOf(p, all[p])
		}
	}
	s.t.Fatalf("there is no %s %s", kind, name)
	return nil
}

// affecting are the policies that take part at an effective target with some of
// their spec, by name.
func (s *scene) affecting(kind, target string) []string {
	s.t.Helper()
	k := s.kind(kind)
	out := []string{}
	s.join.Flows(k, func(at *effective.Joint, flows []effective.Flow) {
		if !named(at.Any().String(), target) {
			return
		}
		for _, f := range flows {
			p := s.run.Policy(k, f.States[effective.Head], at.Nodes[effective.Head])
			if p == nil {
				continue
			}
			for _, share := range p.Shares {
				if share.Enforcement != plan.Overridden {
					out = append(out, share.Policy.ID().Name)
				}
			}
		}
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// expect is a table of texts that are to be equal.
type expect struct{ name, got, want string }

func (s *scene) check(cases ...expect) {
	s.t.Helper()
	for _, c := range cases {
		if c.got != c.want {
			s.t.Errorf("%s: got %s, want %s", c.name, orNothing(c.got), orNothing(c.want))
		}
	}
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}
