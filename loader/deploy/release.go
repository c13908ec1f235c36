package deploy

import (
	"cmp"
	"path"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/tree"
)

// Release is a chart that a deployer installs.
type Release struct {
	Name, Namespace string
	// ID and At identify the object that declares it.
	ID loader.ID
	At loader.Position
	// Dir is the chart's folder in the tree. It is empty for a remote chart.
	Dir    string
	Remote RemoteChart
	// Lacks is true if its chart is not known, or not there.
	Lacks  bool
	Values chart.Values
	// Bare means that Values replace the chart's default values.
	Bare bool
	Crds bool
	// Options is what else decides which objects there are, by name: sources of values that are not read, patches of
	// what the chart renders, the exact artefact of the chart.
	Options *loader.Value
	// Unknown lists what is not known about its values.
	Unknown []string
	// Inputs are further positions that its objects depend on.
	Inputs []loader.Position
}

// RemoteChart is a chart that is not in the tree, with the place where it is named.
type RemoteChart struct {
	loader.RemoteChart
	// At is where the version is written, zero if that is not known.
	At loader.Position
}

// content identifies what is known about the inputs of a release.
func (r *Release) content() [16]byte {
	all := &loader.Value{Shape: loader.List, Items: []*loader.Value{r.Values.Root, r.Options}}
	return loader.Digest(loader.ID{Group: r.Dir, Kind: r.Remote.Repository, Namespace: r.Namespace, Name: r.Name + " " + r.Remote.String()}, all)
}

// Option adds something that decides which objects there are.
func (r *Release) Option(name string, v *loader.Value) {
	if v == nil {
		return
	}
	if r.Options == nil {
		r.Options = &loader.Value{Shape: loader.Map}
	}
	r.Options.Fields = append(r.Options.Fields, loader.Field{Key: name, Value: v})
}

// Gap returns a gap for those objects of a release that are not known.
func (r *Release) Gap() loader.Gap {
	g := loader.Gap{Kind: cmp.Or(r.ID.Kind, "chart"), Name: Clip(r.Name), Namespace: r.Namespace, By: r.ID, Position: r.At, Content: r.content(), Values: Compared(r.Values.Root), Options: Compared(r.Options)}
	if r.Dir != "" {
		g.Roots = []string{r.Dir}
	} else {
		g.Chart, g.ChartAt = r.Remote.RemoteChart, r.Remote.At
		g.Sourceless = r.ID.Kind == "HelmRelease" && r.Remote.Repository == ""
	}
	return g
}

// Compared returns values as a gap stores them. Strings are replaced by hashes: these show what
// differs, and the cache must not contain the texts. The kinds of objects that values write out stay, and of annotations that name
// several objects each name is hashed alone.
func Compared(v *loader.Value) *loader.Value {
	if v == nil {
		return nil
	}
	out := v.Copy(func(v *loader.Value) {
		if v.Shape == loader.String {
			v.Text = loader.Hashed(v.Text)
		}
	})
	keepParts(v, out)
	return out
}

// keepParts gives the objects of a copy their kinds, and their annotations the names that they list.
func keepParts(v, copied *loader.Value) {
	if kind := v.Get("kind"); kind != nil && kind.Shape == loader.String && v.Str("apiVersion") != "" {
		copied.Get("kind").Text = kind.Text
	}
	for i, f := range v.Fields {
		if (f.Key == loader.KongPlugins || f.Key == loader.TraefikMiddlewares) && f.Value.Shape == loader.String {
			copied.Fields[i].Value.Text = loader.HashedNames(f.Value.Text)
		}
		keepParts(f.Value, copied.Fields[i].Value)
	}
	for i := range v.Items {
		keepParts(v.Items[i], copied.Items[i])
	}
}

// IsAppTemplate reports whether the chart is app-template of bjw-s: by its name and repository, or
// by the shape of its values if it comes from a mirror.
func (r *Release) IsAppTemplate() bool {
	return r.Remote.Name == "app-template" && (strings.Contains(r.Remote.Repository, "bjw-s") || tree.Nested(r.Values.Root.Get("controllers")))
}

// Bare returns a release of a chart in the tree without any values.
func Bare(dir string) *Release {
	return &Release{Name: path.Base(dir), Namespace: DefaultNamespace, Dir: dir, Crds: true, At: loader.Position{File: path.Join(dir, "Chart.yaml")}}
}
