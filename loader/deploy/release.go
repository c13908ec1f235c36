package deploy

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/tree"
)

// Release is a chart that a deployer installs.
type Release struct {
	Name, Namespace string
	// Id and at are the object that says so.
	ID loader.ID
	At loader.Position
	// Dir is the chart's folder in the tree; where it is empty the chart is
	// remote.
	Dir    string
	Remote RemoteChart
	Values chart.Values
	// Bare says that the values replace those of the chart itself.
	Bare bool
	Crds bool
	// Unknown says what about its values is not known.
	Unknown []string
	// Inputs are further places that what it renders comes from.
	Inputs []loader.Position
}

// RemoteChart is a chart that is not in the tree.
type RemoteChart struct{ Repository, Name, Version string }

func (c RemoteChart) String() string {
	if c.Version == "" {
		return c.Name
	}
	return c.Name + " " + c.Version
}

// content identifies what is known of what a release is made of.
func (r *Release) content() [16]byte {
	return loader.Digest(loader.ID{Group: r.Dir, Kind: r.Remote.Repository, Namespace: r.Namespace, Name: r.Name + " " + r.Remote.String()}, r.Values.Root)
}

// Gap stands for what a release would give where that is not known.
func (r *Release) Gap() loader.Gap {
	g := loader.Gap{Kind: cmp.Or(r.ID.Kind, "chart"), Name: Clip(r.Name), Namespace: r.Namespace, By: r.ID, Position: r.At, Content: r.content(), Values: Compared(r.Values.Root)}
	if r.Dir != "" {
		g.Roots = []string{r.Dir}
	} else {
		g.Chart = r.Remote.Repository + " " + r.Remote.String()
	}
	return g
}

// Compared is what a gap keeps of values: enough to tell what differs, and none of their
// texts, which the cache is not to hold.
func Compared(v *loader.Value) *loader.Value {
	if v == nil {
		return nil
	}
	return v.Copy(func(v *loader.Value) {
		if v.Shape == loader.String {
			digest := sha256.Sum256([]byte(v.Text))
			v.Text = hex.EncodeToString(digest[:8])
		}
	})
}

// IsAppTemplate knows the chart by its name and its publisher, or by the shape of
// the values where it comes from a mirror.
func (r *Release) IsAppTemplate() bool {
	return r.Remote.Name == "app-template" && (strings.Contains(r.Remote.Repository, "bjw-s") || tree.Nested(r.Values.Root.Get("controllers")))
}

// Bare is a chart as it is without any values.
func Bare(dir string) *Release {
	return &Release{Name: path.Base(dir), Namespace: DefaultNamespace, Dir: dir, Crds: true, At: loader.Position{File: path.Join(dir, "Chart.yaml")}}
}
