package render

import (
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/resourceset"
)

// The groups that say what lands where.
const (
	fluxGroup          = "kustomize.toolkit.fluxcd.io"
	fluxSourceGroup    = "source.toolkit.fluxcd.io"
	fluxExtensionGroup = "source.extensions.fluxcd.io"
	helmGroup          = "helm.toolkit.fluxcd.io"
	argoGroup          = "argoproj.io"
	crdGroup           = "apiextensions.k8s.io"
	crdKind            = "CustomResourceDefinition"
)

// discovers says whether a kind is read to find out what is deployed where, or
// what kinds there are, whatever the caller needs.
func discovers(group, kind string) bool {
	switch group {
	case fluxGroup:
		return kind == "Kustomization"
	case helmGroup:
		return kind == "HelmRelease"
	case fluxSourceGroup:
		return isSource(group, kind) || kind == "HelmRepository" || kind == "HelmChart"
	case fluxExtensionGroup:
		return kind == "ArtifactGenerator"
	case operatorGroup:
		return kind == "FluxInstance" || kind == resourceset.Kind || kind == resourceset.Provider
	case argoGroup:
		return kind == "Application" || kind == "ApplicationSet"
	case crdGroup:
		return kind == crdKind
	}
	return false
}

// manifestOptions are the caller's, with the kinds of discovery kept.
func (s *store) manifestOptions() manifest.Options {
	opts := s.opts.Manifest
	opts.Relevance = func(group, kind string) manifest.Relevance {
		if discovers(group, kind) {
			return manifest.Needed
		}
		return s.relevance(group, kind)
	}
	return opts
}

func (s *store) relevance(group, kind string) manifest.Relevance {
	if s.opts.Manifest.Relevance == nil {
		return manifest.Needed
	}
	return s.opts.Manifest.Relevance(group, kind)
}

// may says whether an object of a kind and name could be worth keeping.
func (s *store) may(group, kind, name string) bool {
	return discovers(group, kind) || s.relevance(group, kind) != manifest.Irrelevant ||
		isConfigMap(group, kind) && s.wanted.has(name)
}

// matters says whether an object that a build gave is worth keeping: what is
// needed, what deploys, and of the undecided what looks like a policy.
func (s *store) matters(group, kind string, root *loader.Value) bool {
	if discovers(group, kind) || isConfigMap(group, kind) && s.wanted.has(root.Str("metadata", "name")) {
		return true
	}
	switch s.relevance(group, kind) {
	case manifest.Needed:
		return true
	case manifest.Undecided:
		return targets(root)
	case manifest.Irrelevant:
	}
	return false
}

// targets says whether a spec has fields shaped like target references
// (GEP-713, policy targets), or like those to parents: a kind of routes may be a policy by
// its CRD.
func targets(root *loader.Value) bool {
	for _, field := range []string{"targetRef", "targetRefs", "targetSelectors", "targetSelector", "parentRefs"} {
		if root.Get("spec", field) != nil {
			return true
		}
	}
	return false
}
