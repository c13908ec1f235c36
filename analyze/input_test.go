package analyze_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/schema"
)

// fatal is what input asks of a test. The *testing.F of ClusterFuzzLite has not all that testing.TB has.
type fatal interface {
	Helper()
	Fatal(args ...any)
}

// options are those of a run with the built-in catalogue and some kinds of a
// configuration.
func options(t fatal, kinds string) analyze.Options {
	t.Helper()
	c, err := catalogue.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	var raw []map[string]any
	if err := yaml.UnmarshalStrict([]byte(kinds), &raw); err != nil {
		t.Fatal(err)
	}
	o := analyze.Options{Catalogue: c}
	for _, r := range raw {
		e, err := c.Entry(r)
		if err != nil {
			t.Fatal(err)
		}
		o.Kinds = append(o.Kinds, e)
	}
	return o
}

// file is a file of manifests on its way into an environment.
type file struct {
	name, text string
	// shared files are decoded once, as a run decodes what both revisions have.
	shared bool
}

var decoded sync.Map

// snapshot has one environment, loaded as a run does: schema defaults, a
// default namespace, objects sorted by identity, the last of two counts.
func snapshot(environment string, files ...file) *loader.Snapshot {
	env := &loader.Environment{Name: environment, Path: environment}
	byID := map[loader.ID]*loader.Object{}
	for _, f := range files {
		for _, o := range f.objects() {
			if dropped := byID[o.ID]; dropped != nil {
				env.Duplicates = append(env.Duplicates, loader.Duplicate{Kept: o, Dropped: dropped})
			}
			byID[o.ID] = o
		}
	}
	env.Objects = slices.SortedFunc(maps.Values(byID), func(a, b *loader.Object) int { return a.ID.Compare(b.ID) })
	return &loader.Snapshot{Environments: []*loader.Environment{env}}
}

func (f file) objects() []*loader.Object {
	if !f.shared {
		return decode(f)
	}
	if known, ok := decoded.Load(f); ok {
		return known.([]*loader.Object)
	}
	out := decode(f)
	decoded.Store(f, out)
	return out
}

func decode(f file) []*loader.Object {
	var out []*loader.Object
	for _, d := range manifest.Decode([]byte(f.text), manifest.Options{}).Documents {
		id := loader.ID{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}
		switch clusterScoped := hierarchy.ClusterScoped(d.Group, d.Kind) || d.Kind == "CustomResourceDefinition" || d.Kind == "KongClusterPlugin"; {
		case clusterScoped:
			id.Namespace = ""
		case id.Namespace == "":
			id.Namespace = "default"
		}
		root := schema.Builtin().Apply(d.Group, d.Version, d.Kind, d.Root)
		out = append(out, &loader.Object{
			ID: id, Version: d.Version, Files: []string{f.name}, Root: root, Digest: loader.Digest(id, root),
		})
	}
	return out
}

// doc is a manifest as plain values: what the random worlds are made of and
// what the reference reads.
type doc = map[string]any

// files writes each document into a file of its own, so that no document moves
// a line of another.
func files(docs []doc) []file {
	var out []file
	for _, d := range append(slices.Clone(docs), directCRD()) {
		out = append(out, file{name: strings.ToLower(strings.ReplaceAll(nodeOf(d), "/", "-")) + ".yaml", text: document(d), shared: true})
	}
	return out
}

// document writes block YAML; a general encoder would take most of the time of
// the random tests.
func document(d doc) string {
	var b strings.Builder
	writeYAML(&b, d, "")
	return b.String()
}

func writeYAML(b *strings.Builder, v any, indent string) {
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			b.WriteString(" {}\n")
			return
		}
		b.WriteByte('\n')
		for _, key := range slices.Sorted(maps.Keys(v)) {
			b.WriteString(indent + strconv.Quote(key) + ":")
			writeYAML(b, v[key], indent+"  ")
		}
	case []any:
		if len(v) == 0 {
			b.WriteString(" []\n")
			return
		}
		b.WriteByte('\n')
		for _, item := range v {
			b.WriteString(indent + "-")
			writeYAML(b, item, indent+"  ")
		}
	case string:
		b.WriteString(" " + strconv.Quote(v) + "\n")
	case nil:
		b.WriteString(" null\n")
	default:
		fmt.Fprintf(b, " %v\n", v)
	}
}

// jsonText is a value as JSON, to be compared.
func jsonText(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
