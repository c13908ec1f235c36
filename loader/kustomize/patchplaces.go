package kustomize

import (
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/gate"
	"github.com/gwplan/gwplan/loader/tree"
)

// patchPlace is a document of a patch file. Its kind and name are empty where the kustomization says
// what it changes.
type patchPlace struct {
	kind, name string
	at         loader.Position
}

// patchPlaces are the patch files of a build.
func (b *Builder) patchPlaces(p *gate.Approved, v *tree.View) []patchPlace {
	var out []patchPlace
	for _, file := range tree.Sorted(p.Files) {
		if p.Files[file] != gate.UsePatch {
			continue
		}
		for _, doc := range b.store.Parse(v.IDs[file]).Docs {
			out = append(out, patchPlace{kind: doc.Str("kind"), name: doc.Get("metadata").Str("name"), at: deploy.PositionOf(file, doc)})
		}
	}
	return out
}

// maxPatches is how many patches of an object are named. Many patches of many objects would take memory for
// places that nobody reads.
const maxPatches = 32

// patchesOf returns the places of the patches that may change an object: if its own file stays as it is, the
// edit of one of these changes it. A build may give its name a prefix and a suffix.
func patchesOf(places []patchPlace, d *deploy.Object) []loader.Position {
	var out []loader.Position
	for _, place := range places {
		if len(out) == maxPatches {
			break
		}
		if place.kind == "" || place.kind == d.Kind && strings.Contains(d.Name, place.name) {
			out = append(out, place.at)
		}
	}
	return out
}
