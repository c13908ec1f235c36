package tree

import (
	"strings"

	"github.com/gwplan/gwplan/loader/manifest"
)

// Declared is a document with the file that declares it.
type Declared struct {
	File     string
	Document manifest.Document
}

// Deployers returns the documents of a tree that are of the API groups of deployers, in the order of their
// files: few of many, so that what looks for them does not look through all documents.
func (s *Store) Deployers(v *View) []Declared {
	if known, ok := s.deployers[v]; ok {
		return known
	}
	var out []Declared
	for _, file := range v.Manifests {
		for _, doc := range s.File(v.IDs[file]).Documents {
			if isDeployer(doc.Group) {
				out = append(out, Declared{file, doc})
			}
		}
	}
	s.deployers[v] = out
	return out
}

// isDeployer reports whether an API group belongs to Flux, Argo CD or Open Cluster Management.
func isDeployer(group string) bool {
	switch group {
	case FluxGroup, FluxSourceGroup, FluxExtensionGroup, HelmGroup, ArgoGroup, OperatorGroup:
		return true
	}
	return strings.HasSuffix(group, ".open-cluster-management.io")
}
