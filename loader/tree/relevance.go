package tree

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/resourceset"
)

// The groups that say what lands where.
const (
	FluxGroup          = "kustomize.toolkit.fluxcd.io"
	FluxSourceGroup    = "source.toolkit.fluxcd.io"
	FluxExtensionGroup = "source.extensions.fluxcd.io"
	HelmGroup          = "helm.toolkit.fluxcd.io"
	ArgoGroup          = "argoproj.io"
	CrdGroup           = "apiextensions.k8s.io"
	CrdKind            = "CustomResourceDefinition"
)

// Discovers says whether a kind is read to find out what is deployed where, or
// what kinds there are, whatever the caller needs.
func Discovers(group, kind string) bool {
	switch group {
	case FluxGroup:
		return kind == "Kustomization"
	case HelmGroup:
		return kind == "HelmRelease"
	case FluxSourceGroup:
		return IsSource(group, kind) || kind == "HelmRepository" || kind == "HelmChart"
	case FluxExtensionGroup:
		return kind == "ArtifactGenerator"
	case OperatorGroup:
		return kind == "FluxInstance" || kind == resourceset.Kind || kind == resourceset.Provider
	case ArgoGroup:
		return kind == "Application" || kind == "ApplicationSet"
	case CrdGroup:
		return kind == CrdKind
	}
	return false
}

// relevance says which objects are worth reading and keeping.
type relevance struct {
	// kinds says how the caller needs each kind.
	kinds manifest.Options
	// wanted are the ConfigMaps that something takes variables or values from.
	wanted wanted
}

// manifestOptions are the caller's, with the kinds of discovery kept.
func (r *relevance) manifestOptions() manifest.Options {
	opts := r.kinds
	opts.Relevance = func(group, kind string) manifest.Relevance {
		if Discovers(group, kind) {
			return manifest.Needed
		}
		return r.Relevance(group, kind)
	}
	return opts
}

// Relevance is how the caller needs a kind.
func (r *relevance) Relevance(group, kind string) manifest.Relevance {
	if r.kinds.Relevance == nil {
		return manifest.Needed
	}
	return r.kinds.Relevance(group, kind)
}

// May says whether an object of a kind and name could be worth keeping.
func (r *relevance) May(group, kind, name string) bool {
	return Discovers(group, kind) || r.Relevance(group, kind) != manifest.Irrelevant ||
		IsConfigMap(group, kind) && r.wanted.has(name)
}

// Matters says whether an object that a build gave is worth keeping: what is
// needed, what deploys, and of the undecided what looks like a policy.
func (r *relevance) Matters(group, kind string, root *loader.Value) bool {
	if Discovers(group, kind) || IsConfigMap(group, kind) && r.wanted.has(root.Str("metadata", "name")) {
		return true
	}
	switch r.Relevance(group, kind) {
	case manifest.Needed:
		return true
	case manifest.Undecided:
		return Targets(root)
	case manifest.Irrelevant:
	}
	return false
}

// Targets says whether a spec has fields shaped like target references
// (GEP-713, policy targets), or like those to parents: a kind of routes may be a policy by
// its CRD.
func Targets(root *loader.Value) bool {
	for _, field := range []string{"targetRef", "targetRefs", "targetSelectors", "targetSelector", "parentRefs"} {
		if root.Get("spec", field) != nil {
			return true
		}
	}
	return false
}

// OperatorGroup is that of the Flux operator, which installs Flux from a FluxInstance.
const OperatorGroup = "fluxcd.controlplane.io"

// IsSource tells the kinds that say where a source is
// (source-controller api/v1).
func IsSource(group, kind string) bool {
	return group == FluxSourceGroup && (kind == "GitRepository" || kind == "OCIRepository" || kind == "Bucket")
}

// Generates says whether generators give a ConfigMap that is kept.
func (r *relevance) Generates(generators *loader.Value) bool {
	return slices.ContainsFunc(generators.ItemList(), func(item *loader.Value) bool {
		return r.May("", "ConfigMap", item.Str("name"))
	})
}

// AnyMatters says whether a content holds an object worth keeping.
func (s *Store) AnyMatters(id string) bool {
	for _, doc := range s.Parse(id).Docs {
		for _, object := range Listed(doc) {
			if s.MayMatter(object) {
				return true
			}
		}
	}
	return false
}

// MayMatter says whether an object could be worth keeping.
func (r *relevance) MayMatter(object *loader.Value) bool {
	group, _ := SplitVersion(object.Str("apiVersion"))
	return r.May(group, object.Str("kind"), object.Str("metadata", "name"))
}

// SplitVersion splits an apiVersion.
func SplitVersion(apiVersion string) (group, version string) {
	if group, version, ok := strings.Cut(apiVersion, "/"); ok {
		return group, version
	}
	return "", apiVersion
}
