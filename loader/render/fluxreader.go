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
}

func newFlux(st *store, b *builder, c *charts, a *applier) *flux {
	return &flux{store: st, builds: b, charts: c, applier: a, plain: &overlay{}}
}
