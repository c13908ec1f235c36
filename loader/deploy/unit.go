// Package deploy holds what a deployer declares, as plain data: the units that it applies,
// what it adds to them, the objects on their way to a cluster, the environments that they
// land in, and what is wrong with them. It reads nothing and builds nothing.
package deploy

import (
	"cmp"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/tree"
)

// Unit is one thing that a deployer applies: a folder that is built, or files.
type Unit struct {
	// Dir is the folder that is built, or the one that the files were found in.
	Dir   string
	Build bool
	Files []string
	// Overlay is what the deployer adds before a build, delivery what it does
	// with the objects; each may be nil.
	Overlay  *Overlay
	Delivery *Delivery
	// Release is a chart that is installed instead.
	Release *Release
	// Made are objects that something else has made already.
	Made *Outcome
	// Gap is set where nothing can be applied.
	Gap *loader.Gap
}

// Outcome is what a unit gives.
type Outcome struct {
	Objects  []Object
	Problems []loader.Problem
	Gaps     []loader.Gap
	// Covers are the files that the unit is made of.
	Covers []string
	// Adapted counts the charts that were read from their values.
	Adapted int
}

// OutcomeKey tells what was built and delivered in one view apart.
type OutcomeKey struct {
	View     *tree.View
	Place    string
	Files    int
	Overlay  *Overlay
	Delivery *Delivery
	Release  *Release
}

// Place is what a unit is known by.
func (u Unit) Place() string {
	if u.Build || len(u.Files) == 0 {
		return u.Dir
	}
	return u.Files[0]
}

// Part says what the unit is, for people; a gap is none.
func (u Unit) Part(objects int) []loader.Part {
	p := loader.Part{Kind: "files", Path: u.Dir, Objects: objects}
	switch {
	case u.Gap != nil, u.Made != nil:
		return nil
	case u.Release != nil && u.Release.Dir != "":
		p.Kind, p.Path = "chart", u.Release.Dir
	case u.Release != nil:
		p.Kind, p.Path = "remote chart", u.Release.Remote.String()
	case u.Build:
		p.Kind = "kustomization"
	case len(u.Files) == 1:
		p.Path = u.Files[0]
	}
	if u.Delivery != nil {
		p.Deployer = u.Delivery.By
	}
	return []loader.Part{p}
}

// CompareUnits orders units by their places.
func CompareUnits(a, b Unit) int {
	return cmp.Or(cmp.Compare(a.Place(), b.Place()), cmp.Compare(len(a.Files), len(b.Files)))
}

// Built is what a build gives. It is shared by all trees with the same inputs.
type Built struct {
	Objects  []Object
	Problems []loader.Problem
	Gaps     []loader.Gap
}
