package render

import (
	"fmt"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/resourceset"
)

func (d declared) isResourceSet() bool {
	return d.group == resourceset.Group && d.kind == resourceset.Kind
}

// resourceSet gives what the Flux operator makes of a ResourceSet, as a unit of its own.
// The objects are those of the cluster, among them the providers of its inputs.
func (s *flux) resourceSet(d declared, objects []declared) unit {
	var providers []*loader.Value
	for _, o := range objects {
		if o.group == resourceset.Group && o.kind == resourceset.Provider && o.namespace == d.namespace {
			providers = append(providers, o.root)
		}
	}
	at := d.object()
	made := outcome{covers: d.files[:1]}
	roots, problem := resourceset.Generate(d.root, providers, s.store.opts.Manifest.Limits)
	if problem != nil {
		p := complain("flux-resourceset", fmt.Sprintf("the ResourceSet %s: %s", quote(d.name), problem.Message), problem.Hint).problem(at.Position(&loader.Value{Mark: problem.Mark}))
		if problem.Unknown {
			p.Severity = loader.Note
		}
		made.problems = append(made.problems, p)
		made.gaps = append(made.gaps, loader.Gap{Kind: resourceset.Kind, Name: clip(d.name), Position: at.First(), Content: loader.Digest(at.ID, d.root)})
	}
	by := &loader.Deployer{ID: at.ID, At: at.First(), Parent: d.deployer, Suspended: d.root.Str("metadata", "annotations", resourceset.Group+"/reconcile") == "disabled"}
	if d.deployer != nil {
		by.Suspended = by.Suspended || d.deployer.Suspended
	}
	for _, root := range roots {
		o := declared{root: root, files: d.files, listed: d.listed, inputs: d.inputs, deployer: by}
		o.identify()
		made.objects = append(made.objects, s.copied(o, objects))
	}
	return unit{dir: at.First().File, made: &made}
}

// copied fills in a ConfigMap that takes its data from another one (flux-operator
// internal/controller/resourceset_controller.go, copyResources).
func (s *flux) copied(o declared, objects []declared) declared {
	from := o.root.Str("metadata", "annotations", resourceset.Group+"/copyFrom")
	if !isConfigMap(o.group, o.kind) || from == "" {
		return o
	}
	for _, source := range objects {
		if isConfigMap(source.group, source.kind) && source.namespace+"/"+source.name == from {
			data := source.root.Get("data")
			if data == nil {
				return o
			}
			shift := uint32(len(o.files))
			o.files = append(o.files[:len(o.files):len(o.files)], source.files...)
			o.root = setKey(o.root, "data", remarked(data, func(m loader.Mark) loader.Mark {
				m.File += shift
				return m
			}))
		}
	}
	return o
}
