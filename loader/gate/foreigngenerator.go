package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// leavesOut reports whether a generator that a file, or inline YAML, configures is left out, because it is not part of kustomize.
// Generators only add objects (kustomize api/internal/target/kusttarget.go, runGenerators), so the rest of the build is known. Flux
// runs no plugins (fluxcd/pkg kustomize/kustomize_generator.go, Build): there the build fails.
func (g pluginVisit) leavesOut(f *Folder, item *loader.Value, docs []*loader.Value) bool {
	i := slices.IndexFunc(docs, func(doc *loader.Value) bool { return doc.Str("apiVersion") != "builtin" })
	if i < 0 || g.approved.Unrestricted {
		return false
	}
	at, kind := deploy.PositionOf(f.File, item), docs[i].Str("kind")
	p := deploy.Complain("kustomize-generator", fmt.Sprintf("the generator %s is not part of kustomize and is not run: what it makes is unknown", deploy.Quote(kind)), "render it beforehand").Problem(at)
	if g.makesSecrets(f, docs) {
		p.Severity = loader.Note
	} else {
		g.approved.Gaps = append(g.approved.Gaps, loader.Gap{Name: "generator " + deploy.Clip(kind), Position: at, Roots: g.read(f, item, docs)})
	}
	g.approved.Problems = append(g.approved.Problems, p)
	return true
}

// leavesOutFile is leavesOut of an entry that names a file.
func (g pluginVisit) leavesOutFile(f *Folder, item *loader.Value) bool {
	name, ok := tree.Target(f.Dir, item.Text)
	if !ok || item.Shape != loader.String || !tree.LocalReference(item.Text) || g.view.IDs[name] == "" {
		return false
	}
	p := g.store.Parse(g.view.IDs[name])
	return len(p.Problems) == 0 && g.leavesOut(f, item, p.Docs)
}

// read returns the files that a generator is known to read: its configuration and what this lists.
func (g pluginVisit) read(f *Folder, item *loader.Value, docs []*loader.Value) []string {
	var out []string
	add := func(reference string) {
		if name, ok := tree.Target(f.Dir, reference); ok && g.view.IDs[name] != "" {
			out = append(out, name)
		}
	}
	add(item.Text)
	for _, doc := range docs {
		for _, file := range doc.List("files") {
			add(file.Text)
		}
	}
	return out
}

// makesSecrets reports whether generators make nothing but Secrets: those of SopsSecretGenerator, and KSOPS where the files that it decrypts
// say so.
func (g pluginVisit) makesSecrets(f *Folder, docs []*loader.Value) bool {
	return !slices.ContainsFunc(docs, func(doc *loader.Value) bool {
		group, _, _ := strings.Cut(doc.Str("apiVersion"), "/")
		switch group {
		case "goabout.com":
			return doc.Str("kind") != "SopsSecretGenerator"
		case "viaduct.ai":
			return doc.Str("kind") != "ksops" || slices.ContainsFunc(doc.List("files"), func(file *loader.Value) bool { return !g.isSecret(f, file.Text) })
		}
		return true
	})
}

// isSecret reports whether a file of the tree holds nothing but Secrets.
func (g pluginVisit) isSecret(f *Folder, reference string) bool {
	name, ok := tree.Target(f.Dir, reference)
	if !ok || g.view.IDs[name] == "" {
		return false
	}
	docs := g.store.Parse(g.view.IDs[name]).Docs
	return len(docs) > 0 && !slices.ContainsFunc(docs, func(doc *loader.Value) bool { return doc.Str("apiVersion") != "v1" || doc.Str("kind") != "Secret" })
}
