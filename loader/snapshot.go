// Package loader turns bytes into objects with positions. It knows files, Git,
// YAML, kustomize, Flux, Argo CD and Helm, and decides nothing about gateways.
//
// This package holds the types that the rooms of the house share; its
// sub-packages do the work, each handing over to the next:
//
//	source    a read-only tree from a directory, a revision, the index, stdin
//	manifest  documents to values and objects, and what may be skipped
//	schema    the defaults that an API server would fill in
//	tree      the files of a tree by name and content
//	deploy    what deployers declare, as plain data
//	release, kustomize, apply   units to objects: charts, builds, and both together
//	emit, buildfs               what kustomize sees of a tree: plain YAML, in memory
//	flux, argocd                what deployers apply where
//	render    trees to snapshots
//
// They call on others for what they do not do themselves: variable (those of Flux),
// applicationset, argoplugin (Argo CD's), resourceset, helm and chart, gotemplate
// (templates within bounds) and cache (results of earlier runs).
package loader

import "strings"

// Snapshot is what one revision holds: its environments, and what could not be
// read or rendered.
type Snapshot struct {
	// Revision is the revision as the user typed it, Commit its id; Commit is
	// empty for a work tree, an index, a folder or standard input.
	Revision, Commit string
	// Environments are sorted by name.
	Environments []*Environment
	Problems     []Problem
	// Notes say what was assumed while loading.
	Notes []string
	// Content gives the id of a file's content, "" for a file that the revision
	// does not have: equal ids are equal files. It may be nil.
	Content func(file string) string
	// Text is the content of a file, nil for one that cannot be read; it may be nil itself.
	Text func(file string) []byte
	// LeftOut are files among those that are deployed that nothing deploys.
	LeftOut []string
	// Applied says whether some deployer applies what a file holds, as far as that is known;
	// it may be nil.
	Applied func(file string) bool
	// Doubtful are folders that a deployer names which nothing in the tree applies: somebody
	// may apply it by hand, or another repository.
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

// ByArgoCD is who says what lands where in Environment.By for destinations of
// Applications.
const ByArgoCD = "Argo CD"

// Environment is the set of objects that lands in one cluster. Two
// environments never see each other.
type Environment struct {
	Name string
	// Path is the root that the environment was built from, "." for the tree.
	Path string
	// By says who says so: Flux, Argo CD, the configuration or the folders
	// themselves; Parts are the folders, files, kustomizations and charts that it
	// is made of, sorted.
	By    string
	Parts []Part
	// Objects are sorted by ID and unique: of an identity declared twice the
	// last one in apply order is here and the others are in Duplicates.
	Objects    []*Object
	Duplicates []Duplicate
	// Gaps are things that would have given objects and could not be rendered.
	// While there are any, what is not in the input is not known to be missing.
	Gaps []Gap
	// Releases are the Helm releases of which everything that they would install is in Objects.
	Releases []Release
	// Incomplete says that a problem touches this environment.
	Incomplete bool
}

// Part is one thing that an environment is made of.
type Part struct {
	// Kind is kustomization, files, chart or remote chart.
	Kind, Path string
	// Objects counts those of it that matter.
	Objects int
	// Deployer is what applies it, or nil.
	Deployer *Deployer
}

// Duplicate is an identity declared twice in one environment.
type Duplicate struct {
	Kept, Dropped *Object
}

// Gap is something that would have given objects: a refused or remote entry of
// a kustomization, a chart. Namespace limits where its objects could be; empty
// means anywhere.
type Gap struct {
	// Kind and Name say what it is: those of a release or of a deployer's object, else a word
	// for it and its path or text. Kind may be empty.
	Kind, Name string
	Namespace  string
	// By is the object that would install a release, zero for anything else.
	By       ID
	Position Position
	// Content identifies what it would be made of, as far as that is known: where
	// it differs between two revisions, so may the objects. Zero is unknown.
	Content [16]byte
	// Roots are the folders of the tree from which it would be made.
	Roots []string
	// Chart and Values are those of a release: of one chart, what differs in the values
	// is what may differ in the objects. Chart is empty where nobody knows it.
	Chart  string
	Values *Value
}

// FluxGap is the kind of a gap that a Flux Kustomization leaves.
const FluxGap = "Flux Kustomization"

// String is the kind and the name.
func (g Gap) String() string { return strings.TrimPrefix(g.Kind+" "+g.Name, " ") }

// Of says whether a gap stands for the release that an object installs.
func (g Gap) Of(by ID) bool { return g.By == by && by != ID{} }

// Severity of a problem.
type Severity string

// The severities of a problem, worst first.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// Problem is something that could not be read or rendered. It never costs the
// results of the other files. Errors and warnings make the environments they
// touch incomplete; notes do not.
type Problem struct {
	Severity Severity
	// Code is a stable kebab-case word, such as yaml-syntax or limit-depth.
	Code     string
	Position Position
	// Message says what is wrong, Hint what to do; lower case, no full stop.
	Message, Hint string
	// Release names the release that a problem is about, for problems of releases.
	Release string
	// Environments are the names of those that it makes incomplete; empty means
	// all of them.
	Environments []string
}
