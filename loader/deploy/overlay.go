package deploy

import (
	"crypto/sha256"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/tree"
)

// Overlay is what a deployer adds to the kustomization of a folder.
type Overlay struct {
	// File is the file that declares the deployer's object.
	File string
	// Restricted forbids files outside the folder of their kustomization. That is the default of
	// kustomize, but Flux permits them.
	Restricted bool
	// Optional skips components that do not exist.
	Optional bool
	// Generated is the kustomization that the deployer generates for a folder without one; nil if
	// the folder has one.
	Generated *loader.Value
	// Inflated are objects added to the resources of Generated, or nil.
	Inflated *Inflated
	// Fields replace fields of the kustomization with the same key.
	Fields     []Located
	Patches    []OverlayPatch
	Components []Located
	// Labels are items of the kustomization's labels.
	Labels []Located
}

// Located is a field with the position of its source.
type Located struct {
	Key   string
	Value *loader.Value
	At    loader.Position
}

// OverlayPatch is a patch of a deployer and the selector of its targets.
type OverlayPatch struct {
	Target *loader.Value
	Body   Located
}

// Empty reports whether the overlay adds at most a namespace, which needs no build.
func (o *Overlay) Empty() bool {
	for _, f := range o.Fields {
		if f.Key != "namespace" {
			return false
		}
	}
	return len(o.Patches) == 0 && len(o.Components) == 0 && len(o.Labels) == 0
}

// namespace returns the namespace field that the deployer sets, or nil.
func (o *Overlay) namespace() *Located {
	for i := range o.Fields {
		if o.Fields[i].Key == "namespace" {
			return &o.Fields[i]
		}
	}
	return nil
}

// Inflated are the objects of a rendered chart. They become one file, listed as a resource, of the
// copy of the tree that kustomize reads.
type Inflated struct {
	Docs []*loader.Value
	// Files are the files that marks refer to. The first is for values without a position.
	Files []string
	// Covers are the files of the tree that the objects were made from. Digest identifies them.
	Covers []string
	Digest [sha256.Size]byte
}

// Renames reports whether an overlay sets a name prefix or suffix.
func (o *Overlay) Renames() bool {
	return o != nil && slices.ContainsFunc(o.Fields, func(field Located) bool {
		return field.Key == "namePrefix" || field.Key == "nameSuffix"
	})
}

// Deployed sets the namespace of the overlay, if any, on an object. Like kustomize's namespace
// transformer it replaces an existing one.
func Deployed(d Object, o *Overlay) Object {
	if o == nil || o.namespace() == nil {
		return d
	}
	ns := o.namespace()
	// For a Namespace, kustomize sets the name instead (api/filters/namespace).
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
