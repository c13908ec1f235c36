// Package flux follows Flux from where clusters start: its Kustomizations, their sources, variables
// and patches, and the HelmReleases and ResourceSets among the objects that they apply.
package flux

import (
	"github.com/gwplan/gwplan/loader"
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
	// plain is the overlay for a folder that Flux applies without changes. It adds nothing, but
	// files may be outside the folder of their kustomization.
	plain *deploy.Overlay
	// sites maps each tree to its Flux data.
	sites map[*tree.View]*site
}

// site is a tree with its Flux data.
type site struct {
	*tree.View
	// artefact is the folder that Flux paths are relative to, "" for the root of the tree.
	artefact string
	// sources are the sources of Flux Kustomizations, nil if the tree has no Flux Kustomizations.
	sources *sources
	// applies are the folders that the Flux Kustomizations in files apply.
	applies map[string]bool
	// beyond is the first Flux Kustomization of a tree that has too many to read all, or nil.
	beyond *loader.Object
	// unreadIgnores is a .sourceignore that is not read, or not whole, or "".
	unreadIgnores string
	// links are the symbolic links that files of YAML or JSON are, or are below. The source omits them.
	links []string
	// artifacts are those that Flux builds from folders of the tree.
	artifacts []artifact
}

// Site returns the site of a tree.
func (f *Reader) Site(v *tree.View) *site {
	if f.sites[v] == nil {
		f.sites[v] = &site{View: v}
	}
	return f.sites[v]
}

// NewReader returns a Reader for one run.
func NewReader(st *tree.Store, b *kustomize.Builder, c *release.Charts, a *apply.Applier) *Reader {
	return &Reader{instances: &instances{&releases{store: st, builds: b, charts: c}}, applier: a, plain: &deploy.Overlay{}, sites: map[*tree.View]*site{}}
}
