package deploy

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/tree"
	"github.com/gwplan/gwplan/loader/variable"
)

// Delivery is what a deployer does with objects after they are built.
type Delivery struct {
	By *loader.Deployer
	// Way is the position at which the deployer declares what it applies.
	Way loader.Position
	// Metadata is set on every object: labels and annotations.
	Metadata []Located
	// Variables are substituted in the objects; nil means no substitution.
	Variables *variable.Set
	// Namespace is set on objects without a namespace; "" means none.
	Namespace string
}

// Dress returns an object with what the deployer sets on it, and with the deployer itself.
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

// freezes returns the label or annotation that makes Flux leave an object unchanged in the cluster,
// or "". Its value may have any case (kustomize-controller
// internal/controller/kustomization_controller.go, apply).
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

// keeps reports whether a label or annotation prevents the removal of an object
// (kustomize-controller, prune, which also skips frozen objects; Argo CD, sync-options).
func keeps(o Object) bool {
	meta := func(field, key string) string { return o.Root.Str("metadata", field, key) }
	const prune = tree.FluxGroup + "/prune"
	return o.Frozen != "" || meta("annotations", prune) == "disabled" || meta("labels", prune) == "disabled" ||
		strings.Contains(meta("annotations", "argocd.argoproj.io/sync-options"), "Prune=false")
}
