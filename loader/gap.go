package loader

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"
)

// Gap is something that would have produced objects but could not be rendered: a refused or remote
// entry of a kustomization, a chart. Namespace is the only one in which its objects could be; empty
// means any.
type Gap struct {
	// Kind and Name identify it: those of a release or of a deployer's object, else a word for it
	// and its path or text. Kind may be empty.
	Kind, Name string
	Namespace  string
	// By is the object that would install a release, zero for anything else.
	By       ID
	Position Position
	// Content identifies what it would be made from, as far as that is known. If it differs between
	// two revisions, the objects may differ, too. Zero means unknown.
	Content [16]byte
	// Roots are the folders of the tree from which it would be made.
	Roots []string
	// Chart and Values are set for a release. If the chart is the same, only differences in the
	// values can make the objects differ. Chart is zero for a chart of the tree.
	Chart  RemoteChart
	Values *Value
	// Placing identifies what decides whether the objects reach a cluster, where that is not known.
	Placing string
	// Options is what else decides which objects a release gives, by name.
	Options *Value
	// Rest is true if everything else of the release was made, so that only Values are not read.
	Rest bool
	// Otherwise are the objects that the chart gives only where the cluster has the APIs that its templates ask for in vain.
	Otherwise []Conditional
	// Sourceless is true for a HelmRelease that names a source of its chart which is not in the input:
	// helm-controller then leaves the release as it is.
	Sourceless bool
	// ChartAt is where the version of the chart is written, zero if that is not known.
	ChartAt Position
}

// RemoteChart is a chart that is not in the tree.
type RemoteChart struct{ Repository, Name, Version string }

// String is the name and the version.
func (c RemoteChart) String() string {
	if c.Version == "" {
		return c.Name
	}
	return c.Name + " " + c.Version
}

// Conditional is an object that a chart gives in some clusters only. Equal contents mean equal objects.
type Conditional struct {
	ID      ID
	Content [16]byte
}

// Options of a release that concern no traffic: labels and annotations of all objects, and patches of other kinds.
const (
	OptionMetadata = "commonMetadata"
	OptionPatches  = "patches of other kinds"
)

// Hashed is what the Values of a Gap hold instead of a text.
func Hashed(text string) string {
	digest := sha256.Sum256([]byte(text))
	return hex.EncodeToString(digest[:8])
}

// The annotations that name several objects, separated by commas (Kong Ingress Controller internal/annotations,
// ExtractKongPluginsFromAnnotations; Traefik, Kubernetes Ingress, router.middlewares).
const (
	KongPlugins        = "konghq.com/plugins"
	TraefikMiddlewares = "traefik.ingress.kubernetes.io/router.middlewares"
)

// HashedNames is what the Values of a Gap hold under such an annotation: each name is hashed alone.
func HashedNames(list string) string {
	var out []string
	for name := range strings.SplitSeq(list, ",") {
		out = append(out, Hashed(strings.TrimSpace(name)))
	}
	return strings.Join(out, ",")
}

// OfNetworkPolicies reports whether a policy or work that brings objects to a managed cluster may bring network policies.
func (g Gap) OfNetworkPolicies() bool {
	return strings.HasSuffix(g.By.Group, "open-cluster-management.io") && g.SetsNetworkPolicies()
}

// SetsNetworkPolicies reports whether the values of a release, or what a policy or work brings, are about network policies.
func (g Gap) SetsNetworkPolicies() bool {
	return slices.ContainsFunc(TrafficIn(nil, g.Values), func(key string) bool { return strings.Contains(strings.ToLower(key), networkPolicy) })
}

// HasValue reports whether a text of the values of a release is this one.
func (g Gap) HasValue(text string) bool { return g.Values.holds(Hashed(text)) }

// ChartName is the name of the chart of a release that is not in the tree, or "".
func (g Gap) ChartName() string {
	if g.Chart.Name == "" {
		return ""
	}
	return path.Base(g.Chart.Name)
}

// FluxGap is the kind of gap for a Flux Kustomization.
const FluxGap = "Flux Kustomization"

// String returns the kind and the name. A path out of a folder is that from the top of the tree.
func (g Gap) String() string {
	if g.Kind == "" && strings.HasPrefix(g.Name, "../") {
		return path.Join(path.Dir(g.Position.File), g.Name)
	}
	return strings.TrimPrefix(g.Kind+" "+g.Name, " ")
}

// IsReleaseOf reports whether a gap is that of the release that an object installs.
func (g Gap) IsReleaseOf(by ID) bool { return g.By == by && by != ID{} }

// CoversAllOf reports whether a gap stands for all that a deployer applies: it is its own, or that of what applies or makes the
// deployer.
func (g Gap) CoversAllOf(d *Deployer) bool {
	for ; d != nil; d = d.Parent {
		kind := d.ID.Kind
		if kind == "Kustomization" {
			kind = FluxGap
		}
		switch {
		case strings.HasSuffix(d.ID.Group, "open-cluster-management.io"):
			return false // whether it reaches the cluster is judged with its placement
		case g.IsReleaseOf(d.ID), g.Kind == kind && g.Name == d.ID.Name && g.Position.File == d.At.File, g.Kind == "" && g.Name == d.ID.String():
			return true
		}
	}
	return false
}
