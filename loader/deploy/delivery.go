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
	o = d.Marked(o)
	if o.Namespace == "" && d.Namespace != "" {
		o.Namespace = d.Namespace
	}
	if d.By != nil {
		o.Deployer, o.Frozen = d.By, d.freezes(o.Root)
		o.Deployer = kept(o.Deployer, keeps(o), outlives(o))
	}
	if d.Way.File != "" {
		o.Listed = slices.Concat([]loader.Position{d.Way}, o.Listed)
	}
	return o
}

// Marked returns an object with the labels and annotations that the deployer sets on it.
func (d *Delivery) Marked(o Object) Object {
	for _, m := range d.Metadata {
		o = o.WithMetadata(m)
	}
	return o
}

// kept returns a deployer as it is to an object that it does not remove, or that stays when the deployer is deleted.
func kept(by *loader.Deployer, keeps, outlives bool) *loader.Deployer {
	if by == nil || (!keeps || by.Asked) && (!outlives || by.Orphans && !by.Deletes) {
		return by
	}
	out := *by
	out.Asked = by.Asked || keeps
	if outlives {
		out.Orphans, out.Deletes = true, false
	}
	return &out
}

// OfChart returns the deployer of an object that a release of a chart has (Helm, docs/howto/charts_tips_and_tricks.md,
// "Tell Helm Not To Uninstall a Resource").
func OfChart(release *loader.Deployer, o Object) *loader.Deployer {
	if strings.EqualFold(strings.TrimSpace(o.Root.Str("metadata", "annotations", "helm.sh/resource-policy")), "keep") {
		return kept(release, true, true)
	}
	return release
}

// Hook is what a hook of Helm does with an object (Helm, docs/topics/charts_hooks.md): it is no part of the release. passing
// means that the object is deleted once it is there, frozen says why an upgrade does not touch it, or is "".
func Hook(root *loader.Value) (passing bool, frozen string) {
	hook := root.Str("metadata", "annotations", loader.HelmHook)
	if hook == "" {
		return false, ""
	}
	if !strings.Contains(hook, "-upgrade") {
		frozen = loader.HelmHook + ": " + hook
	}
	return strings.Contains(root.Str("metadata", "annotations", "helm.sh/hook-delete-policy"), "hook-succeeded"), frozen
}

// freezes returns the label or annotation that makes Flux leave an object unchanged in the cluster,
// or "". Its value may have any case (kustomize-controller
// internal/controller/kustomization_controller.go, apply).
func (d *Delivery) freezes(root *loader.Value) string {
	if d.By.ID.Group != tree.FluxGroup {
		return ""
	}
	for _, word := range [][2]string{{tree.FluxGroup + "/reconcile", "disabled"}, {tree.FluxGroup + "/ssa", "Ignore"}, {tree.FluxGroup + "/ssa", "IfNotPresent"}} {
		for _, field := range []string{"labels", "annotations"} {
			if strings.EqualFold(root.Str("metadata", field, word[0]), word[1]) {
				return word[0] + ": " + word[1]
			}
		}
	}
	return ""
}

// Skips reports whether the deployer never applies an object, or deletes it once it is there: a hook of Argo CD that runs
// only where a sync fails or the Application is deleted, or never, as with a type that does not exist
// (docs/user-guide/sync-waves.md, Resource hooks; gitops-engine pkg/sync/hook, Types). Hooks of Helm are hooks of Argo CD.
func (d *Delivery) Skips(o Object) bool {
	if d.By == nil || d.By.ID.Group != tree.ArgoGroup {
		return false
	}
	annotation := func(name string) string { return o.Root.Str("metadata", "annotations", name) }
	hooks, helm := annotation("argocd.argoproj.io/hook"), annotation(loader.HelmHook)
	// The delete policies of both annotations count, whichever makes it a hook (gitops-engine pkg/sync/hook/delete_policy.go,
	// DeletePolicies).
	lasting := !strings.Contains(annotation("argocd.argoproj.io/hook-delete-policy"), "HookSucceeded") && !strings.Contains(annotation("helm.sh/hook-delete-policy"), "hook-succeeded")
	if hooks == "" {
		return helm != "" && (!lasting || !loader.AppliedHook(helm))
	}
	for hook := range strings.SplitSeq(hooks, ",") {
		if slices.Contains([]string{"PreSync", "Sync", "PostSync"}, strings.TrimSpace(hook)) {
			return !lasting
		}
	}
	return true
}

// keeps reports whether a label or annotation prevents the removal of an object
// (kustomize-controller, prune, which also skips frozen objects; Argo CD, sync-options).
func keeps(o Object) bool {
	options := o.Root.Str("metadata", "annotations", "argocd.argoproj.io/sync-options")
	return unpruned(o) || strings.Contains(options, "Prune=false") || strings.Contains(options, "Prune=confirm") // until somebody confirms it
}

// outlives reports whether a label or annotation keeps an object when its deployer is deleted (kustomize-controller,
// finalize; Argo CD, sync-options).
func outlives(o Object) bool {
	return unpruned(o) || strings.Contains(o.Root.Str("metadata", "annotations", "argocd.argoproj.io/sync-options"), "Delete=false")
}

// unpruned reports whether Flux leaves an object out when it prunes.
func unpruned(o Object) bool {
	for _, prune := range []string{tree.FluxGroup + "/prune", "fluxcd.controlplane.io/prune"} {
		if strings.EqualFold(o.Root.Str("metadata", "annotations", prune), "disabled") || strings.EqualFold(o.Root.Str("metadata", "labels", prune), "disabled") {
			return true
		}
	}
	return o.Frozen != "" && o.Frozen != loader.CreatedOnly
}
