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
	"path"
	"slices"
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
	Notes []Assumption
	// Content returns the id of a file's content, "" for a file that the revision does not have.
	// Equal ids mean equal files. It may be nil.
	Content func(file string) string
	// Text returns the content of a file, nil for one that cannot be read. The function itself may
	// be nil.
	Text func(file string) []byte
	// Below returns the files in a folder and in those below it, sorted; it may be nil.
	Below func(folder string) []string
	// LeftOut are manifests and kustomizations that nothing deploys, in a tree with known
	// deployers.
	LeftOut []string
	// DeployedElsewhere is true if something outside of the tree may deploy what nothing in it does: the known deployers apply only
	// the smaller part, or they take artifacts that may be made of the tree.
	DeployedElsewhere bool
	// Uninstalled are the Helm charts that nothing in a tree with known deployers installs, by folder. A release may install one
	// from where it is published.
	Uninstalled map[string]UninstalledChart
	// Applied reports whether some deployer applies the content of a file, as far as that is known;
	// it may be nil.
	Applied func(file string) bool
	// Started reports whether a file declares a deployer that nothing in the tree applies, so that a person or another
	// repository does; it may be nil.
	Started func(file string) bool
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

// Deployer returns the deployer of a name in any environment, or nil. One that applies only other
// deployers, as an ApplicationSet does, is found by those.
func (s *Snapshot) Deployer(id ID) *Deployer {
	for _, env := range s.Environments {
		for _, part := range env.Parts {
			if d := part.Deployer.above(id); d != nil {
				return d
			}
		}
		for _, below := range env.Deployers() {
			if d := below.above(id); d != nil {
				return d
			}
		}
	}
	return nil
}

// KustomizationFiles are the names of the file that makes a folder a kustomization (kustomize
// api/konfig/general.go, RecognizedKustomizationFileNames).
func KustomizationFiles() []string {
	return []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}
}

// IsKustomizationFile reports whether a file makes its folder a kustomization, by its name.
func IsKustomizationFile(file string) bool {
	return slices.Contains(KustomizationFiles(), path.Base(file))
}
