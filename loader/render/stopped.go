package render

import (
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/tree"
)

// stopRejected freezes what else the Kustomizations of Flux have of which the API server rejects an object: kustomize-controller
// asks it about all objects before it applies the first, CRDs and Namespaces aside (fluxcd/pkg ssa/manager_apply.go, ApplyAll
// and ApplyAllStaged).
func stopRejected(env *loader.Environment) {
	stopped := env.Stopped()
	if len(stopped) == 0 {
		return
	}
	for _, list := range [][]*loader.Object{env.Objects, env.Workloads} {
		for i, o := range list {
			if o.Deployer == nil || o.Context || o.Frozen != "" || o.ID.Kind == "Namespace" && o.ID.Group == "" || o.ID.Group == tree.CrdGroup {
				continue
			}
			if r, found := stopped[o.Deployer.ID]; found && r.Object.ID != o.ID {
				frozen := *o
				frozen.Frozen = r.Stopping()
				list[i] = &frozen
			}
		}
	}
}
