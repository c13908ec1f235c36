package deploy

import (
	"reflect"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/resourceset"
	"github.com/gwplan/gwplan/loader/tree"
)

// Object is an object as declared in a file or produced by a build, before it is assigned to an
// environment.
type Object struct {
	Group, Version, Kind string
	Namespace, Name      string
	Root                 *loader.Value
	// Files are the files that marks refer to; Files[0] declares the object.
	Files []string
	// origin is the file from which the object was rendered before it was committed, or "".
	origin string
	// Listed are the entries of kustomizations and deployers that include it.
	Listed []loader.Position
	// Inputs are positions outside its files that its content depends on.
	Inputs []loader.Position
	// Deployer applies it, or is nil. Frozen is the label or annotation that prevents this, or "".
	Deployer *loader.Deployer
	Frozen   string
}

// IsSecret reports whether a kind is Secret. The data of a Secret is never kept.
func IsSecret(group, kind string) bool { return group == "" && kind == "Secret" }

// WithoutSecrets returns the fields that identify a Secret, and the keys of its data. It drops
// annotations, because a client may have copied the whole object into one.
func WithoutSecrets(root *loader.Value) *loader.Value {
	out := &loader.Value{Shape: loader.Map, Mark: root.Mark}
	if sealed := manifest.Sealed(root); sealed != nil {
		out.Fields = append(out.Fields, loader.Field{Key: loader.SealedKey, Value: sealed})
	}
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

// DefaultNamespace is the namespace of an object if nothing names one.
const DefaultNamespace = "default"

// Declare returns a document of a file as an object.
func Declare(doc manifest.Document, file string) Object {
	d := Object{
		Group: doc.Group, Version: doc.Version, Kind: doc.Kind, Namespace: doc.Namespace, Name: doc.Name,
		Root: doc.Root, Files: []string{file},
	}
	// helm template --output-dir names files after their source, so the origin is already known.
	if doc.Origin != "" && !strings.HasSuffix("/"+file, "/"+doc.Origin) {
		d.origin = doc.Origin
		d.Listed = []loader.Position{{File: file, Line: doc.Line, Column: 1}}
	}
	return d
}

// Identify sets the group, version, kind, namespace and name from the root.
func (d *Object) Identify() {
	d.Group, d.Version = tree.SplitVersion(d.Root.Str("apiVersion"))
	d.Kind = d.Root.Str("kind")
	d.Namespace, d.Name = d.Root.Str("metadata", "namespace"), d.Root.Str("metadata", "name")
}

// WithMetadata adds labels or annotations. They replace existing values of the same keys
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

// AsObject converts it to the form that environments hold.
func (d Object) AsObject() *loader.Object {
	return &loader.Object{
		ID:      loader.ID{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name},
		Version: d.Version, Root: d.Root, Files: d.Files, Origin: d.origin, Listed: d.Listed, Inputs: d.Inputs, Deployer: d.Deployer, Frozen: d.Frozen,
	}
}

// Same reports whether two objects are one declaration at the same places, with the same content.
func (d Object) Same(o Object) bool {
	return d.Root == o.Root && d.Name == o.Name && d.Namespace == o.Namespace && d.Kind == o.Kind && d.Group == o.Group && d.Version == o.Version &&
		d.origin == o.origin && d.Frozen == o.Frozen && slices.Equal(d.Files, o.Files) && slices.Equal(d.Listed, o.Listed) && slices.Equal(d.Inputs, o.Inputs) &&
		reflect.DeepEqual(d.Deployer, o.Deployer)
}

// IsFlux reports whether it is a Flux Kustomization.
func (d Object) IsFlux() bool { return d.Group == tree.FluxGroup && d.Kind == "Kustomization" }

// IsFluxPatch reports whether a Flux Kustomization is only a patch in a separate file: it has
// neither a path nor a source.
func (d Object) IsFluxPatch() bool {
	spec := d.Root.Get("spec")
	return spec.Get("path") == nil && spec.Get("sourceRef") == nil
}

// The kinds of Argo CD (argo-cd pkg/apis/application/v1alpha1).
const (
	KindApplication    = "Application"
	KindApplicationSet = "ApplicationSet"
	KindAppProject     = "AppProject"
)

// IsArgo reports whether it is an Application or an ApplicationSet.
func (d Object) IsArgo() bool {
	return d.Group == tree.ArgoGroup && (d.Kind == KindApplication || d.Kind == KindApplicationSet)
}

// IsInstance reports whether it is a FluxInstance.
func (d Object) IsInstance() bool { return d.Group == tree.OperatorGroup && d.Kind == "FluxInstance" }

// IsRelease reports whether it is a HelmRelease.
func (d Object) IsRelease() bool { return d.Group == tree.HelmGroup && d.Kind == "HelmRelease" }

// IsResourceSet reports whether it is a ResourceSet.
func (d Object) IsResourceSet() bool {
	return d.Group == resourceset.Group && d.Kind == resourceset.Kind
}

// selecting are the groups of policies that select pods in their own namespace.
var selecting = []string{"policy.networking.k8s.io", "cilium.io", "projectcalico.org", "crd.projectcalico.org", "security.istio.io"}

// Selects reports whether it is a policy that selects pods: a network policy, or one of a mesh.
func (d Object) Selects() bool {
	return slices.Contains(selecting, d.Group) || d.Group == "networking.k8s.io" && d.Kind == "NetworkPolicy"
}

// Subject reports whether it is a Gateway API object or has target references like a policy.
func (d Object) Subject() bool {
	return d.Group == loader.GatewayGroup || d.Group == loader.ExperimentalGroup || tree.Targets(d.Root)
}
