package tree

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/resourceset"
)

// The groups that define what is deployed where.
const (
	FluxGroup          = "kustomize.toolkit.fluxcd.io"
	FluxSourceGroup    = "source.toolkit.fluxcd.io"
	FluxExtensionGroup = "source.extensions.fluxcd.io"
	HelmGroup          = "helm.toolkit.fluxcd.io"
	ArgoGroup          = "argoproj.io"
	CrdGroup           = "apiextensions.k8s.io"
	CrdKind            = "CustomResourceDefinition"
)

// discovered are the kinds that are always read, by group: what decides what is deployed where, and CRDs.
var discovered = map[string][]string{
	FluxGroup:          {"Kustomization"},
	HelmGroup:          {"HelmRelease"},
	FluxSourceGroup:    {"GitRepository", "OCIRepository", "Bucket", "HelmRepository", "HelmChart"},
	FluxExtensionGroup: {"ArtifactGenerator"},
	OperatorGroup:      {"FluxInstance", resourceset.Kind, resourceset.Provider},
	ArgoGroup:          {"Application", "ApplicationSet", "AppProject"},
	CrdGroup:           {CrdKind},
}

// distributed are those of Open Cluster Management.
var distributed = map[string][]string{
	"cluster.open-cluster-management.io": {"ManagedCluster", "ManagedClusterSet", "ManagedClusterSetBinding", "Placement"},
	"policy.open-cluster-management.io":  {"Policy", "PolicySet", "PlacementBinding"},
	"work.open-cluster-management.io":    {"ManifestWork", "ManifestWorkReplicaSet"},
	"apps.open-cluster-management.io":    {"PlacementRule"},
}

// Discovers reports whether a kind is always read, even if the caller does not need it: to find out
// what is deployed where, or which kinds exist.
func Discovers(group, kind string) bool {
	return slices.Contains(discovered[group], kind) || Distributes(group, kind)
}

// Distributes reports whether objects of a kind decide what Open Cluster Management brings to managed
// clusters.
func Distributes(group, kind string) bool { return slices.Contains(distributed[group], kind) }

// Discovered returns the kinds that are always read and have a name: KIND or KIND.GROUP, in any case.
func Discovered(name string) []loader.ID {
	var out []loader.ID
	for _, list := range []map[string][]string{discovered, distributed} {
		for group, kinds := range list {
			for _, kind := range kinds {
				if strings.EqualFold(kind, name) || strings.EqualFold(kind+"."+group, name) {
					out = append(out, loader.ID{Group: group, Kind: kind})
				}
			}
		}
	}
	slices.SortFunc(out, loader.ID.Compare)
	return out
}

// relevance decides which objects to read and keep.
type relevance struct {
	// kinds defines how the caller needs each kind.
	kinds manifest.Options
	// wanted are the ConfigMaps that provide variables or values.
	wanted wanted
	// companions means that Companion documents are needed.
	companions bool
	// referred are the undecided kinds to which some object refers.
	referred map[ReferredKind]bool
}

// manifestOptions returns the options of the caller, extended by the kinds of discovery.
func (r *relevance) manifestOptions() manifest.Options {
	opts := r.kinds
	opts.Relevance = func(group, kind string) manifest.Relevance {
		if Discovers(group, kind) {
			return manifest.Needed
		}
		return r.Relevance(group, kind)
	}
	opts.Keeps = namesTarget
	return opts
}

// namesTarget reports whether an object of an unknown kind may be a policy, names a Gateway or route, or selects proxies.
func namesTarget(root *loader.Value) bool {
	return Targets(root) || len(loader.NamedTargets(root.Get("spec"), "")) > 0 || loader.SelectsProxies(root)
}

// Relevance returns how the caller needs a kind.
func (r *relevance) Relevance(group, kind string) manifest.Relevance {
	if r.kinds.Relevance == nil {
		return manifest.Needed
	}
	answer := r.kinds.Relevance(group, kind)
	switch {
	case answer == manifest.Undecided && r.referred[ReferredKind{group, kind}]:
		return manifest.Needed
	case answer != manifest.Companion:
		return answer
	case r.companions:
		return manifest.Needed
	}
	return manifest.Irrelevant
}

// May reports whether an object of a kind and name could be worth keeping.
func (r *relevance) May(group, kind, name string) bool {
	return Discovers(group, kind) || r.Relevance(group, kind) != manifest.Irrelevant ||
		IsConfigMap(group, kind) && r.wanted.has(name)
}

// Matters reports whether to keep an object from a build: a needed kind, a kind that deploys, or,
// if undecided, an object that looks like a policy or names a Gateway or route.
func (r *relevance) Matters(group, kind string, root *loader.Value) bool {
	if Discovers(group, kind) || IsConfigMap(group, kind) && r.wanted.has(root.Str("metadata", "name")) {
		return true
	}
	switch r.Relevance(group, kind) {
	case manifest.Needed:
		return true
	case manifest.Undecided:
		return namesTarget(root)
	case manifest.Irrelevant, manifest.Companion:
	}
	return false
}

// Targets reports whether a spec has target references (GEP-713, policy targets) or parent
// references by their field names. Parent references count because the CRD of a route kind may
// define it as a policy.
func Targets(root *loader.Value) bool {
	for _, field := range []string{"targetRef", "targetRefs", "targetSelectors", "targetSelector", "parentRefs"} {
		if root.Get("spec", field) != nil {
			return true
		}
	}
	return false
}

// OperatorGroup is the group of the Flux operator, which installs Flux from a FluxInstance.
const OperatorGroup = "fluxcd.controlplane.io"

// IsSource reports whether a kind defines the location of a source (source-controller api/v1).
func IsSource(group, kind string) bool {
	return group == FluxSourceGroup && (kind == "GitRepository" || kind == "OCIRepository" || kind == "Bucket")
}

// Generates reports whether generators generate a ConfigMap that is kept.
func (r *relevance) Generates(generators *loader.Value) bool {
	return slices.ContainsFunc(generators.ItemList(), func(item *loader.Value) bool {
		return r.May("", "ConfigMap", item.Str("name"))
	})
}

// AnyMatters reports whether a content contains an object worth keeping.
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

// MayMatter reports whether an object could be worth keeping.
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
