// Package deploy contains plain data types for what deployers declare: the units that they apply,
// what they add to these, the objects before they are assigned to an environment, the environments,
// and the problems found. It reads no files and builds nothing.
package deploy

import (
	"cmp"
	"path"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/tree"
)

// Unit is one thing that a deployer applies: a folder to build, files or a chart.
type Unit struct {
	// Dir is the folder to build, or the folder in which the files were found.
	Dir   string
	Build bool
	Files []string
	// Overlay is what the deployer adds before the build. Delivery is what it does with the objects
	// afterwards. Each may be nil.
	Overlay  *Overlay
	Delivery *Delivery
	// Release is a chart to install instead, or nil.
	Release *Release
	// Made are objects that are already generated, or nil.
	Made *Outcome
	// Gap is set if nothing can be applied.
	Gap *loader.Gap
}

// Outcome is the result of applying a unit.
type Outcome struct {
	Objects  []Object
	Problems []loader.Problem
	Gaps     []loader.Gap
	// Covers are the files that the unit was made from.
	Covers []string
	// Adapted counts the charts whose objects were derived from their values.
	Adapted int
}

// OutcomeKey identifies the outcome of a unit in one view, for caching.
type OutcomeKey struct {
	View     *tree.View
	Place    string
	Files    int
	Overlay  *Overlay
	Delivery *Delivery
	Release  *Release
}

// Place returns the folder or first file that identifies a unit.
func (u Unit) Place() string {
	if u.Build || len(u.Files) == 0 {
		return u.Dir
	}
	return u.Files[0]
}

// Part describes the unit and its outcome for users. It returns nil for a gap and for generated objects.
func (u Unit) Part(got Outcome) []loader.Part {
	p := loader.Part{Kind: "files", Path: u.Dir, Objects: len(got.Objects)}
	switch {
	case u.Gap != nil, u.Made != nil:
		return nil
	case u.Release != nil && u.Release.Dir != "":
		p.Kind, p.Path = "chart", u.Release.Dir
	case u.Release != nil:
		p.Kind, p.Path = "remote chart", u.Release.Remote.String()
	case u.Build:
		p.Kind = "kustomization"
		for _, file := range got.Covers {
			if dir := path.Dir(file); dir != u.Dir && loader.IsKustomizationFile(file) {
				p.Includes = append(p.Includes, dir)
			}
		}
	case len(u.Files) == 1:
		p.Path = u.Files[0]
	}
	if u.Delivery != nil {
		p.Deployer = u.Delivery.By
	}
	return []loader.Part{p}
}

// CompareUnits orders units by place, then by number of files.
func CompareUnits(a, b Unit) int {
	return cmp.Or(cmp.Compare(a.Place(), b.Place()), cmp.Compare(len(a.Files), len(b.Files)))
}

// Built is the result of a build. All trees with the same inputs share it.
type Built struct {
	Objects  []Object
	Problems []loader.Problem
	Gaps     []loader.Gap
}
