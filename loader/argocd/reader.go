// Package argocd follows the Applications and ApplicationSets of Argo CD, from those that are
// applied manually, to find what each cluster gets.
package argocd

import (
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/apply"
	"github.com/gwplan/gwplan/loader/release"
	"github.com/gwplan/gwplan/loader/tree"
)

// Reader follows what Argo CD deploys.
type Reader struct {
	store   *tree.Store
	charts  *release.Charts
	applier *apply.Applier
	// delivered are the Applications in files that another object deploys in the first tree; nil
	// before the first tree is read. addresses are those of this repository there.
	delivered map[loader.ID]bool
	addresses []string
	// followed are the Applications of the tree that was read last.
	followed map[string]followedItem
	// noFixtures is true if those of test fixtures are left out; nil before the first tree is read.
	noFixtures *bool
	// known are the settings of each tree.
	known map[*tree.View]*settings
	// making has whether the templates of charts make Applications.
	making map[chartOf]bool
}

// NewReader returns a Reader for one run.
func NewReader(st *tree.Store, c *release.Charts, a *apply.Applier) *Reader {
	return &Reader{store: st, charts: c, applier: a, known: map[*tree.View]*settings{}, making: map[chartOf]bool{}}
}
