package argocd

import (
	"bytes"
	"path"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// encoded returns a problem for each .gitattributes that has files checked out in another encoding than they have in the repository.
// Argo CD checks out with git, which obeys it, and leaves out what it cannot read then (util/git/client.go, Checkout;
// reposerver/repository/repository.go, getObjsFromYAMLOrJSON).
func encoded(v *tree.View) (out []loader.Problem) {
	for _, file := range v.Files {
		if path.Base(file) != ".gitattributes" {
			continue
		}
		line := 0
		for text := range bytes.Lines(v.Text(file)) {
			line++
			if text = bytes.TrimSpace(text); bytes.HasPrefix(text, []byte("#")) || !bytes.Contains(text, []byte("working-tree-encoding=")) {
				continue
			}
			out = append(out, deploy.Complain(
				"argocd-encoding", "Argo CD checks out files in another encoding than they have in the repository, and leaves out what it cannot read then", "remove working-tree-encoding",
			).Problem(loader.Position{File: file, Line: line, Column: 1}))
			break
		}
	}
	return out
}
