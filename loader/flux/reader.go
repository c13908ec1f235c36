// Package flux follows Flux: its Kustomizations from where clusters start, the sources that
// they name, their variables and patches, and the HelmReleases and ResourceSets among what
// they apply.
package flux

import (
	"github.com/gwplan/gwplan/loader/apply"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/kustomize"
	"github.com/gwplan/gwplan/loader/release"
	"github.com/gwplan/gwplan/loader/tree"
)

// Reader follows what Flux applies.
type Reader struct {
	*instances
	applier *apply.Applier
	// plain is what Flux adds to a folder that it is pointed at: nothing, but files may lie
	// outside the folder of their kustomization.
	plain *deploy.Overlay
	// sites are the trees with what Flux makes of them.
	sites map[*tree.View]*site
}

// site is a tree with what Flux makes of it.
type site struct {
	*tree.View
	// artefact is the folder that Flux paths are relative to, "" for the tree.
	artefact string
	// sources are those of Flux Kustomizations, nil where there are none.
	sources *sources
	// applies are the folders that the Flux Kustomizations in files apply.
	applies map[string]bool
	// many says that not every Flux Kustomization was read.
	many bool
	// artifacts are those that Flux makes of folders of the tree.
	artifacts []artifact
}

// Site is that of a tree.
func (f *Reader) Site(v *tree.View) *site {
	if f.sites[v] == nil {
		f.sites[v] = &site{View: v}
	}
	return f.sites[v]
}

// NewReader makes one for a run.
func NewReader(st *tree.Store, b *kustomize.Builder, c *release.Charts, a *apply.Applier) *Reader {
	return &Reader{instances: &instances{&releases{store: st, builds: b, charts: c}}, applier: a, plain: &deploy.Overlay{}, sites: map[*tree.View]*site{}}
}
