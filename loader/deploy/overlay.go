package deploy

import (
	"crypto/sha256"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/tree"
)

// Overlay is what a deployer adds to the kustomization of a folder.
type Overlay struct {
	// File is where the deployer's own object stands.
	File string
	// Restricted keeps files inside the folder of their kustomization, as
	// kustomize does by itself; Flux does not.
	Restricted bool
	// Optional leaves out components that are not there.
	Optional bool
	// Generated is the kustomization that the deployer makes for a folder that
	// has none; nil where there is one.
	Generated *loader.Value
	// Inflated are objects that a generated kustomization takes in, or nil.
	Inflated *Inflated
	// Fields replace those of the kustomization.
	Fields     []Located
	Patches    []OverlayPatch
	Components []Located
}

// Located is a field with the place that it comes from.
type Located struct {
	Key   string
	Value *loader.Value
	At    loader.Position
}

// OverlayPatch is a patch of a deployer and what it is for.
type OverlayPatch struct {
	Target *loader.Value
	Body   Located
}

// Empty says that the overlay adds at most a namespace, which needs no build.
func (o *Overlay) Empty() bool {
	for _, f := range o.Fields {
		if f.Key != "namespace" {
			return false
		}
	}
	return len(o.Patches) == 0 && len(o.Components) == 0
}

// namespace is the one that the deployer sets, or nil.
func (o *Overlay) namespace() *Located {
	for i := range o.Fields {
		if o.Fields[i].Key == "namespace" {
			return &o.Fields[i]
		}
	}
	return nil
}

// Inflated are the objects of a chart that a kustomization lists: they become a
// file of the copy that kustomize sees.
type Inflated struct {
	Docs []*loader.Value
	// Files are what the marks mean; the first is that of values without a place.
	Files []string
	// Covers are the files of the tree that it was made of, digest identifies it.
	Covers []string
	Digest [sha256.Size]byte
}

// Renames says whether an overlay gives other names.
func (o *Overlay) Renames() bool {
	return o != nil && slices.ContainsFunc(o.Fields, func(field Located) bool {
		return field.Key == "namePrefix" || field.Key == "nameSuffix"
	})
}

// Deployed sets the namespace of the deployer, as kustomize's namespace
// transformer does: over what is written.
func Deployed(d Object, o *Overlay) Object {
	if o == nil || o.namespace() == nil {
		return d
	}
	ns := o.namespace()
	// kustomize renames the Namespace itself (api/filters/namespace).
	key := "namespace"
	if d.Kind == "Namespace" && d.Group == "" {
		key = "name"
	}
	if d.Root.Str("metadata", key) == ns.Value.Text {
		return d
	}
	value := *ns.Value
	value.Mark = loader.Mark{File: uint32(len(d.Files)), Line: uint32(ns.At.Line), Column: uint32(ns.At.Column)}
	meta := d.Root.Get("metadata")
	if meta == nil || meta.Shape != loader.Map {
		return d
	}
	if key == "name" {
		d.Name = value.Text
	} else {
		d.Namespace = value.Text
	}
	d.Files = append(slices.Clone(d.Files), ns.At.File)
	root := tree.ReplaceKey(d.Root, "metadata", loader.Field{Key: "metadata", Value: tree.SetKey(meta, key, &value)})
	d.Root = root
	return d
}
