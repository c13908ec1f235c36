package deploy

import (
	"path"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// Stray returns the document of a file that is no object as a setting of the folder that it is in: it decides whether the folder
// is applied. There is at most one. Kustomize refuses the file (api/resource/factory.go, SliceFromBytes); Argo CD refuses the
// folder, or leaves out the file if it does not look like a manifest (reposerver/repository/repository.go, getObjsFromYAMLOrJSON).
func Stray(name string, file *manifest.File) []loader.Setting {
	if file == nil || file.Stray == 0 {
		return nil
	}
	return []loader.Setting{{Words: path.Base(name) + ", which has a document that is no object", At: loader.Position{File: name, Line: file.Stray, Column: 1}}}
}
