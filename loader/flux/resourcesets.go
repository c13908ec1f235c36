package flux

import (
	"fmt"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/resourceset"
	"github.com/gwplan/gwplan/loader/tree"
)

// ResourceSet returns the objects that the Flux operator generates from a ResourceSet, as one unit.
// objects are those of the cluster, including the providers of its inputs.
func (s *Reader) ResourceSet(d deploy.Object, objects []deploy.Object) deploy.Unit {
	var providers []*loader.Value
	for _, o := range objects {
		if o.Group == resourceset.Group && o.Kind == resourceset.Provider && o.Namespace == d.Namespace {
			providers = append(providers, o.Root)
		}
	}
	at := d.AsObject()
	made := deploy.Outcome{Covers: d.Files[:1]}
	gap := loader.Gap{Kind: resourceset.Kind, Name: deploy.Clip(d.Name), Position: at.First(), Content: loader.Digest(at.ID, d.Root)}
	done, why := s.store.Opts.Account.BeginBuild(fmt.Sprintf("the ResourceSet %s (%s)", deploy.Quote(d.Name), at.First()))
	if why != "" {
		made.Problems = append(made.Problems, deploy.Overdrawn(fmt.Sprintf("the ResourceSet %s is not rendered", deploy.Quote(d.Name)), why).Problem(at.First()))
		made.Gaps = append(made.Gaps, gap)
		return deploy.Unit{Dir: at.First().File, Made: &made}
	}
	defer done()
	roots, problem := resourceset.Generate(d.Root, providers, s.store.Opts.Manifest.Limits)
	if problem != nil {
		p := deploy.Complain("flux-resourceset", fmt.Sprintf("the ResourceSet %s: %s", deploy.Quote(d.Name), problem.Message), problem.Hint).Problem(at.Position(&loader.Value{Mark: problem.Mark}))
		switch {
		case problem.Unknown:
			p.Severity = loader.Note
		case problem.Limited:
			p.Code = loader.LimitFlux
		}
		made.Problems = append(made.Problems, p)
		made.Gaps = append(made.Gaps, gap)
	}
	by := &loader.Deployer{ID: at.ID, At: at.First(), Parent: d.Deployer, Suspended: d.Root.Str("metadata", "annotations", resourceset.Group+"/reconcile") == "disabled"}
	for _, root := range roots {
		o := deploy.Object{Root: root, Files: d.Files, Listed: d.Listed, Inputs: d.Inputs, Deployer: by}
		o.Identify()
		made.Objects = append(made.Objects, s.copied(o, objects))
	}
	return deploy.Unit{Dir: at.First().File, Made: &made}
}

// copied sets the data of a ConfigMap that the operator copies from another one (flux-operator
// internal/controller/resourceset_controller.go, copyResources).
func (s *Reader) copied(o deploy.Object, objects []deploy.Object) deploy.Object {
	from := o.Root.Str("metadata", "annotations", resourceset.Group+"/copyFrom")
	if !tree.IsConfigMap(o.Group, o.Kind) || from == "" {
		return o
	}
	for _, source := range objects {
		if tree.IsConfigMap(source.Group, source.Kind) && source.Namespace+"/"+source.Name == from {
			data := source.Root.Get("data")
			if data == nil {
				return o
			}
			shift := uint32(len(o.Files))
			o.Files = append(o.Files[:len(o.Files):len(o.Files)], source.Files...)
			o.Root = tree.SetKey(o.Root, "data", deploy.Remarked(data, func(m loader.Mark) loader.Mark {
				m.File += shift
				return m
			}))
		}
	}
	return o
}
