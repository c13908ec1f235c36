package render

// flux follows what Flux applies.
type flux struct {
	store   *store
	builds  *builder
	charts  *charts
	applier *applier
	// plain is what Flux adds to a folder that it is pointed at: nothing, but files may lie
	// outside the folder of their kustomization.
	plain *overlay
	// sites are the trees with what Flux makes of them.
	sites map[*view]*site
}

// site is a tree with what Flux makes of it.
type site struct {
	*view
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

// site is that of a tree.
func (f *flux) site(v *view) *site {
	if f.sites[v] == nil {
		f.sites[v] = &site{view: v}
	}
	return f.sites[v]
}

func newFlux(st *store, b *builder, c *charts, a *applier) *flux {
	return &flux{store: st, builds: b, charts: c, applier: a, plain: &overlay{}, sites: map[*view]*site{}}
}
