// Package argocd follows Argo CD: its Applications and ApplicationSets, from those that
// somebody applies by hand, to what each cluster gets.
package argocd

import (
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/apply"
	"github.com/gwplan/gwplan/loader/argoplugin"
	"github.com/gwplan/gwplan/loader/release"
	"github.com/gwplan/gwplan/loader/tree"
)

// Reader follows what Argo CD deploys.
type Reader struct {
	store   *tree.Store
	charts  *release.Charts
	applier *apply.Applier
	// delivered are the Applications in files that something deploys in the first tree, nil
	// before that is known.
	delivered map[loader.ID]bool
	// plugins are those that each tree defines.
	plugins map[*tree.View]map[string]argoplugin.Definition
}

// NewReader makes one for a run.
func NewReader(st *tree.Store, c *release.Charts, a *apply.Applier) *Reader {
	return &Reader{store: st, charts: c, applier: a, plugins: map[*tree.View]map[string]argoplugin.Definition{}}
}
