package render

import (
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/argoplugin"
)

// argocd follows what Argo CD deploys.
type argocd struct {
	store   *store
	charts  *charts
	applier *applier
	// delivered are the Applications in files that something deploys in the first tree, nil
	// before that is known.
	delivered map[loader.ID]bool
	// plugins are those that each tree defines.
	plugins map[*view]map[string]argoplugin.Definition
}

func newArgoCD(st *store, c *charts, a *applier) *argocd {
	return &argocd{store: st, charts: c, applier: a, plugins: map[*view]map[string]argoplugin.Definition{}}
}
