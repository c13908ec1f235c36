package deploy

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/resourceset"
	"github.com/gwplan/gwplan/loader/tree"
)

// Object is one object as its files and its build give it, before it lands in
// an environment.
type Object struct {
	Group, Version, Kind string
	Namespace, Name      string
	Root                 *loader.Value
	// Files are what the marks mean; files[0] declares the object.
	Files []string
	// origin is the file that it was rendered from before it came here, or "".
	origin string
	// Listed are the entries of kustomizations that brought it in.
	Listed []loader.Position
	// Inputs are places besides its files that its content comes from.
	Inputs []loader.Position
	// Deployer is what applies it, or nil; frozen is the word by which it does not.
	Deployer *loader.Deployer
	Frozen   string
}

// IsSecret knows the kind whose data is never kept.
func IsSecret(group, kind string) bool { return group == "" && kind == "Secret" }

// WithoutSecrets keeps of a Secret what identifies it. Annotations go too: a
// client may have copied the whole object into one.
func WithoutSecrets(root *loader.Value) *loader.Value {
	out := &loader.Value{Shape: loader.Map, Mark: root.Mark}
	for _, f := range root.Fields {
		switch f.Key {
		case "apiVersion", "kind", "type":
			out.Fields = append(out.Fields, f)
		case "data", "stringData":
			out.Fields = append(out.Fields, loader.Field{Key: f.Key, Value: manifest.KeysOnly(f.Value)})
		case "metadata":
			meta := &loader.Value{Shape: loader.Map, Mark: f.Value.Mark}
			for _, m := range f.Value.Fields {
				if m.Key == "name" || m.Key == "namespace" || m.Key == "labels" {
					meta.Fields = append(meta.Fields, m)
				}
			}
			out.Fields = append(out.Fields, loader.Field{Key: f.Key, Value: meta})
		}
	}
	return out
}

// DefaultNamespace is where an object lands when nothing names a namespace.
const DefaultNamespace = "default"

// Declare is a document of a file as it stands there.
func Declare(doc manifest.Document, file string) Object {
	d := Object{
		Group: doc.Group, Version: doc.Version, Kind: doc.Kind, Namespace: doc.Namespace, Name: doc.Name,
		Root: doc.Root, Files: []string{file},
	}
	// helm template --output-dir writes files that are named after their source.
	if doc.Origin != "" && !strings.HasSuffix("/"+file, "/"+doc.Origin) {
		d.origin = doc.Origin
		d.Listed = []loader.Position{{File: file, Line: doc.Line, Column: 1}}
	}
	return d
}

// Identify reads what names an object from its root.
func (d *Object) Identify() {
	d.Group, d.Version = tree.SplitVersion(d.Root.Str("apiVersion"))
	d.Kind = d.Root.Str("kind")
	d.Namespace, d.Name = d.Root.Str("metadata", "namespace"), d.Root.Str("metadata", "name")
}

// WithMetadata sets labels or annotations over what is there
// (fluxcd/pkg ssa/normalize, SetCommonMetadata).
func (d Object) WithMetadata(p Located) Object {
	meta := d.Root.Get("metadata")
	if meta == nil || meta.Shape != loader.Map {
		return d
	}
	file := uint32(len(d.Files))
	d.Files = append(slices.Clone(d.Files), p.At.File)
	list := meta.Get(p.Key)
	if list == nil || list.Shape != loader.Map {
		list = &loader.Value{Shape: loader.Map, Mark: loader.Mark{File: file, Line: uint32(p.At.Line), Column: uint32(p.At.Column)}}
	}
	for _, f := range p.Value.FieldList() {
		by := *f.Value
		by.Mark.File = file
		list = tree.SetKey(list, f.Key, &by)
	}
	d.Root = tree.ReplaceKey(d.Root, "metadata", loader.Field{Key: "metadata", Value: tree.SetKey(meta, p.Key, list)})
	return d
}

// AsObject is the object as it lands in an environment.
func (d Object) AsObject() *loader.Object {
	return &loader.Object{
		ID:      loader.ID{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name},
		Version: d.Version, Root: d.Root, Files: d.Files, Origin: d.origin, Listed: d.Listed, Inputs: d.Inputs, Deployer: d.Deployer, Frozen: d.Frozen,
	}
}

// IsFlux knows the Kustomization of Flux.
func (d Object) IsFlux() bool { return d.Group == tree.FluxGroup && d.Kind == "Kustomization" }

// IsFluxPatch tells a patch that stands in a file of its own from what it is for:
// it names neither a folder nor a source.
func (d Object) IsFluxPatch() bool {
	spec := d.Root.Get("spec")
	return spec.Get("path") == nil && spec.Get("sourceRef") == nil
}

// The kinds of Argo CD (argo-cd pkg/apis/application/v1alpha1).
const (
	KindApplication    = "Application"
	KindApplicationSet = "ApplicationSet"
)

// IsArgo knows Applications and ApplicationSets.
func (d Object) IsArgo() bool {
	return d.Group == tree.ArgoGroup && (d.Kind == KindApplication || d.Kind == KindApplicationSet)
}

// IsInstance knows the FluxInstance.
func (d Object) IsInstance() bool { return d.Group == tree.OperatorGroup && d.Kind == "FluxInstance" }

// IsRelease knows the HelmRelease.
func (d Object) IsRelease() bool { return d.Group == tree.HelmGroup && d.Kind == "HelmRelease" }

// IsResourceSet knows the ResourceSet.
func (d Object) IsResourceSet() bool {
	return d.Group == resourceset.Group && d.Kind == resourceset.Kind
}

// Subject says whether an object is of Gateway API or attaches like a policy.
func (d Object) Subject() bool {
	return d.Group == loader.GatewayGroup || d.Group == loader.ExperimentalGroup || tree.Targets(d.Root)
}
