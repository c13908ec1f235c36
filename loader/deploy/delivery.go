package deploy

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/tree"
	"github.com/gwplan/gwplan/loader/variable"
)

// Delivery is what a deployer does with objects once they are built.
type Delivery struct {
	By *loader.Deployer
	// Way is where the deployer says what it applies.
	Way loader.Position
	// Metadata is set on every object: labels and annotations.
	Metadata []Located
	// Variables are filled in; nil leaves texts as they are.
	Variables *variable.Set
	// Namespace is for objects that name none; "" is none.
	Namespace string
}

// Dress adds what a deployer sets on each object, and who it is.
func (d *Delivery) Dress(o Object) Object {
	for _, m := range d.Metadata {
		o = o.WithMetadata(m)
	}
	if o.Namespace == "" && d.Namespace != "" {
		o.Namespace = d.Namespace
	}
	if d.By != nil {
		o.Deployer, o.Frozen = d.By, d.freezes(o.Root)
		if keeps(o) && !d.By.Keeps {
			kept := *d.By
			kept.Keeps = true
			o.Deployer = &kept
		}
	}
	if d.Way.File != "" {
		o.Listed = slices.Concat([]loader.Position{d.Way}, o.Listed)
	}
	return o
}

// freezes is the word by which Flux leaves an object as it is in the cluster: a label or
// annotation, its value in any case (kustomize-controller
// internal/controller/kustomization_controller.go, apply). "" is none.
func (d *Delivery) freezes(root *loader.Value) string {
	if d.By.ID.Group != tree.FluxGroup {
		return ""
	}
	for _, word := range [][2]string{{tree.FluxGroup + "/reconcile", "disabled"}, {tree.FluxGroup + "/ssa", "Ignore"}} {
		for _, field := range []string{"labels", "annotations"} {
			if strings.EqualFold(root.Str("metadata", field, word[0]), word[1]) {
				return word[0] + ": " + word[1]
			}
		}
	}
	return ""
}

// keeps says that an object asks not to be removed (kustomize-controller, prune, which
// also passes over what is frozen; Argo CD, sync-options).
func keeps(o Object) bool {
	meta := func(field, key string) string { return o.Root.Str("metadata", field, key) }
	const prune = tree.FluxGroup + "/prune"
	return o.Frozen != "" || meta("annotations", prune) == "disabled" || meta("labels", prune) == "disabled" ||
		strings.Contains(meta("annotations", "argocd.argoproj.io/sync-options"), "Prune=false")
}
