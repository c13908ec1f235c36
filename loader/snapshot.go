// Package loader turns bytes into objects with positions. It handles files, Git, YAML, kustomize,
// Flux, Argo CD and Helm. It decides nothing about gateways.
//
// This package holds the types that its sub-packages share. The sub-packages do the work, and each
// passes its result to the next:
//
//	source    a read-only tree from a directory, a revision, the index, stdin
//	manifest  documents to values and objects, and what may be skipped
//	schema    the defaults that an API server would fill in
//	tree      the files of a tree by name and content
//	deploy    what deployers declare, as plain data
//	release, kustomize, apply   units to objects: charts, builds, and both together
//	emit, buildfs               the input of kustomize: plain YAML, in memory
//	flux, argocd                what deployers apply where
//	render    trees to snapshots
//
// They use further packages: variable (variables of Flux), applicationset, argoplugin (plugins of
// Argo CD), resourceset, helm and chart, gotemplate (templates with limits) and cache (results of
// earlier runs).
package loader

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Snapshot is the content of one revision: its environments, and what could not be read or
// rendered.
type Snapshot struct {
	// Revision is the revision as the user typed it, Commit its id; Commit is
	// empty for a work tree, an index, a folder or standard input.
	Revision, Commit string
	// Environments are sorted by name.
	Environments []*Environment
	Problems     []Problem
	// Notes describe what was assumed while loading.
	Notes []string
	// Content returns the id of a file's content, "" for a file that the revision does not have.
	// Equal ids mean equal files. It may be nil.
	Content func(file string) string
	// Text returns the content of a file, nil for one that cannot be read. The function itself may
	// be nil.
	Text func(file string) []byte
	// LeftOut are manifests and kustomizations that nothing deploys, in a tree with known
	// deployers.
	LeftOut []string
	// Applied reports whether some deployer applies the content of a file, as far as that is known;
	// it may be nil.
	Applied func(file string) bool
	// Doubtful are folders of deployers that nothing in the tree applies. A person or another
	// repository may apply these deployers.
	Doubtful []Gap
	// Files counts the files read; Skipped counts the documents that cannot
	// matter, by GROUP/KIND; Unread counts files that hold no manifest or none
	// that can be read.
	Files   int
	Skipped map[string]int
	Unread  int
}

// KustomizationFiles are the names of the file that makes a folder a kustomization (kustomize
// api/konfig/general.go, RecognizedKustomizationFileNames).
func KustomizationFiles() []string {
	return []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}
}

// ByArgoCD is the value of Environment.By for destinations of Applications.
const ByArgoCD = "Argo CD"

// ByFolders is the value of Environment.By where no deployer says what is applied.
const ByFolders = "its folders"

// Environment is the set of objects that are deployed to one cluster. Environments are independent
// of each other.
type Environment struct {
	Name string
	// Path is the root that the environment was built from, "." for the tree.
	Path string
	// By is what defines the environment: Flux, Argo CD, the configuration or the folders
	// themselves. Parts are the folders, files, kustomizations and charts that it consists of,
	// sorted.
	By    string
	Parts []Part
	// Cluster is the destination as the Applications of Argo CD name it, or empty. Name also has the folder of the
	// installation where there are several.
	Cluster string
	// Objects are sorted by ID and unique. If an identity is declared twice, the last one in apply
	// order is here and the others are in Duplicates.
	Objects    []*Object
	Duplicates []Duplicate
	// Workloads are the workloads and the network policies that select them, sorted and unique as
	// Objects are. Workloads are read only where there are network policies.
	Workloads []*Object
	// Gaps are things that would have produced objects but could not be rendered. If there are any,
	// an object that is not in the input may still exist.
	Gaps []Gap
	// Releases are the Helm releases whose objects are all in Objects.
	Releases []Release
	// Rejected are the objects that an API server rejects. In the second snapshot of a comparison they
	// are not in Objects, unless only their update is rejected.
	Rejected []Rejection
	// Unknown are the objects with fields that their CRD does not have, with these fields as reasons: the
	// message is the name that was probably meant. In the second snapshot of a comparison these are the
	// fields that the first one does not have.
	Unknown []Rejection
	// Unplaced are the objects without a namespace, not in Objects, which Flux refuses: it applies nothing else of their
	// Kustomizations.
	Unplaced []Unplaced
	// Placed are the policies and works that Open Cluster Management distributes to this cluster.
	Placed []Placed
	// Controls are the objects that tell deployers what to apply, sorted by ID.
	Controls []Control
	// Incomplete is true if a problem affects this environment.
	Incomplete bool
}

// ByOCM is the value of Environment.By for managed clusters.
const ByOCM = "Open Cluster Management"

// Unplaced is an object that has no namespace and needs one, and the Kustomization that applies it.
type Unplaced struct {
	At Position
	By ID
}

// Placed is a policy or a work of a hub that reaches a managed cluster.
type Placed struct {
	Object ID
	At     Position
	// By is the binding or placement because of which it does; zero if it names the cluster.
	By ID
	// Inputs are the places that decide it: of the binding, the placement and the cluster.
	Inputs []Position
	// Action is enforce or inform.
	Action string
	// Certain is false if it is not known whether it reaches the cluster; Why says what is not.
	Certain bool
	Why     string
	// Gives are the objects that it has the cluster have or not have.
	Gives []ID
}

// fluxKustomizations is the group of Flux's Kustomization.
const fluxKustomizations = "kustomize.toolkit.fluxcd.io"

// Rejection is an object that an API server rejects.
type Rejection struct {
	// Object is the object as the manifests have it.
	Object  *Object
	Outcome Outcome
	// By names the schema that it violates.
	By      string
	Reasons []Reason
}

// Stops reports whether a Kustomization of Flux applies nothing, because it has the object and the API server rejects it.
func (r Rejection) Stops() bool {
	by := r.Object.Deployer
	return (r.Outcome == KeepsOlder || r.Outcome == GetsNone) && by != nil && by.ID.Kind == "Kustomization" && by.ID.Group == fluxKustomizations
}

// Outcome is what becomes of a rejected object.
type Outcome uint8

// The outcomes: it is not known which object the cluster has, it keeps the older one, it gets none,
// it would take the object if the older one were deleted before, or it has taken what is wrong before and takes it again.
const (
	NotCompared Outcome = iota
	KeepsOlder
	GetsNone
	NeedsDeletion
	TakenBefore
)

// Reason is one thing that is wrong with a rejected object: the value, its path, and what is wrong.
type Reason struct {
	At            *Value
	Path, Message string
}

// Part is one of the things that an environment consists of.
type Part struct {
	// Kind is kustomization, files, chart or remote chart.
	Kind, Path string
	// Objects is the number of its objects that matter.
	Objects int
	// Includes are the folders of the other kustomizations that the build of a kustomization includes.
	Includes []string
	// Deployer applies it, or is nil.
	Deployer *Deployer
}

// Duplicate is an identity declared twice in one environment.
type Duplicate struct {
	Kept, Dropped *Object
}

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
	// values can make the objects differ. Chart is its repository, name and version, joined by spaces,
	// or empty for a chart of the tree.
	Chart  string
	Values *Value
	// Options is what else decides which objects a release gives, by name.
	Options *Value
	// Rest is true if everything else of the release was made, so that only Values are not read.
	Rest bool
	// Sourceless is true for a HelmRelease that names a source of its chart which is not in the input:
	// helm-controller then leaves the release as it is.
	Sourceless bool
	// ChartAt is where the version of the chart is written, zero if that is not known.
	ChartAt Position
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

// OfNetworkPolicies reports whether a policy or work that brings objects to a managed cluster may bring network policies.
func (g Gap) OfNetworkPolicies() bool {
	return strings.HasSuffix(g.By.Group, "open-cluster-management.io") && g.SetsNetworkPolicies()
}

// SetsNetworkPolicies reports whether the values of a release, or what a policy or work brings, are about network policies.
func (g Gap) SetsNetworkPolicies() bool {
	return slices.ContainsFunc(TrafficIn(nil, g.Values), func(key string) bool { return strings.Contains(strings.ToLower(key), networkPolicy) })
}

// Names reports whether a text of the values of a release is this one.
func (g Gap) Names(text string) bool { return g.Values.holds(Hashed(text)) }

// FluxGap is the kind of gap for a Flux Kustomization.
const FluxGap = "Flux Kustomization"

// String returns the kind and the name.
func (g Gap) String() string { return strings.TrimPrefix(g.Kind+" "+g.Name, " ") }

// Of reports whether a gap is that of the release that an object installs.
func (g Gap) Of(by ID) bool { return g.By == by && by != ID{} }

// ByID indexes the objects. A nil environment has none, so that everything on the other side is new.
func (e *Environment) ByID() map[ID]*Object {
	if e == nil {
		return map[ID]*Object{}
	}
	return ByID(e.Objects)
}

// ByID indexes some objects.
func ByID(objects []*Object) map[ID]*Object {
	out := make(map[ID]*Object, len(objects))
	for _, o := range objects {
		out[o.ID] = o
	}
	return out
}

// Deployers returns the deployers that the environment has objects of.
func (e *Environment) Deployers() map[ID]*Deployer {
	out := map[ID]*Deployer{}
	if e == nil {
		return out
	}
	for _, list := range [][]*Object{e.Objects, e.Workloads} {
		for _, o := range list {
			if o.Deployer != nil {
				out[o.Deployer.ID] = o.Deployer
			}
		}
	}
	return out
}

// For reports whether a gap stands for all that a deployer applies: it is its own, or that of what applies or makes the
// deployer.
func (g Gap) For(d *Deployer) bool {
	for ; d != nil; d = d.Parent {
		kind := d.ID.Kind
		if kind == "Kustomization" {
			kind = FluxGap
		}
		switch {
		case strings.HasSuffix(d.ID.Group, "open-cluster-management.io"):
			return false // whether it reaches the cluster is judged with its placement
		case g.Of(d.ID), g.Kind == kind && g.Name == d.ID.Name && g.Position.File == d.At.File, g.Kind == "" && g.Name == d.ID.String():
			return true
		}
	}
	return false
}

// Severity of a problem.
type Severity string

// The severities of a problem, worst first.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// UnresolvedSet is the code of the problem that the Applications of an ApplicationSet are not known.
const UnresolvedSet = "argocd-generator"

// Unlisted is the code of the problem that nothing applies a manifest, because the kustomization beside it does not list it.
const Unlisted = "unlisted-manifest"

// LimitRun is the code of the problem that something is not rendered because the run reached its
// limit of memory or time.
const LimitRun = "limit-run"

// LimitValidation is the code of the problem that rules of a CRD are not evaluated for an object because they cost too much.
const LimitValidation = "limit-validation"

// MissingBlob is the code of the problem that the repository lacks the content of a file, as a partial clone does.
const MissingBlob = "missing-blob"

// NoNamespace is the code of the problem that Flux refuses an object without a namespace, and with it all that the
// Kustomization applies. Its position is that of the object.
const NoNamespace = "flux-namespace-missing"

// Submodule is the code of the problem that a submodule is not read. Its position is the path of the
// submodule.
const Submodule = "submodule"

// Problem is something that could not be read or rendered. It does not affect the results of other
// files. Errors and warnings make the environments that they concern incomplete; notes do not.
type Problem struct {
	Severity Severity
	// Code is a stable kebab-case word, such as yaml-syntax or limit-depth.
	Code     string
	Position Position
	// Message describes what is wrong, Hint what to do; lower case, no full stop. Subject is the beginning of a message that
	// names the object it is about, if others may have the same problem at the same place.
	Message, Hint, Subject string
	// Release names the release that a problem is about, for problems of releases.
	Release string
	// Environments are the names of those that it makes incomplete; empty means
	// all of them.
	Environments []string
}
