package gate

import (
	"crypto/sha256"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/policygenerator"
	"github.com/gwplan/gwplan/loader/tree"
)

// policyGenerator computes what the PolicyGenerator in a file yields, instead of starting it. It returns
// false if the file has anything else.
func (g pluginVisit) policyGenerator(f *Folder, name string) bool {
	docs := g.store.Parse(g.view.IDs[name]).Docs
	if len(docs) == 0 || slices.ContainsFunc(docs, func(doc *loader.Value) bool { return !policygenerator.Is(doc) }) {
		return false
	}
	var content []string // of the folder, once it is needed
	for _, doc := range docs {
		at := deploy.PositionOf(name, doc)
		done, why := g.store.Opts.Account.BeginBuild(fmt.Sprintf("the PolicyGenerator %s (%s)", deploy.Quote(doc.Str("metadata", "name")), at))
		if why != "" {
			g.problem(at, deploy.Overdrawn("the PolicyGenerator is not followed", why))
			g.approved.Gaps = append(g.approved.Gaps, g.ungenerated(f, doc, at, &content))
			continue
		}
		out := policygenerator.Generate(doc, name, manifestReader{g, f})
		done()
		for _, lack := range out.Lacking {
			at := deploy.PositionOf(name, lack.At)
			g.problem(at, deploy.Complain("ocm-generator", "the PolicyGenerator does not give all of its policies here: "+lack.Why, "render it beforehand with kustomize and the plugin"))
			g.approved.Gaps = append(g.approved.Gaps, g.ungenerated(f, doc, at, &content))
		}
		file := g.free(f.Dir)
		g.approved.Inflated[file] = deploy.Inflated{Docs: out.Docs, Files: out.Files, Covers: out.Files, Digest: generatedDigest(out)}
		f.inflated = append(f.inflated, file)
	}
	return true
}

// ungenerated is what a configuration would give if it were known. It depends on the manifests in the folder of
// its kustomization, too; content keeps what they have.
func (g pluginVisit) ungenerated(f *Folder, doc *loader.Value, at loader.Position, content *[]string) loader.Gap {
	if *content == nil {
		for file, id := range g.view.IDs {
			if loader.Within(f.Dir, file) {
				*content = append(*content, file+" "+id)
			}
		}
		slices.Sort(*content)
	}
	h := sha256.New()
	digest := loader.Digest(loader.ID{Name: at.File}, doc)
	h.Write(digest[:])
	for _, line := range *content {
		fmt.Fprintf(h, "%q", line)
	}
	return loader.Gap{Kind: policygenerator.Kind, Name: deploy.Clip(doc.Str("metadata", "name")), Position: at, Content: [16]byte(h.Sum(nil)[:16])}
}

// generatedDigest identifies what a generator yields.
func generatedDigest(out policygenerator.Output) [sha256.Size]byte {
	h := sha256.New()
	for _, doc := range out.Docs {
		digest := loader.Digest(loader.ID{}, doc)
		h.Write(digest[:])
	}
	for _, file := range out.Files {
		fmt.Fprintf(h, "%q", file)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// manifestReader reads the manifests of a generator, which are below its kustomization.
type manifestReader struct {
	visit  pluginVisit
	folder *Folder
}

func (r manifestReader) Manifests(text string) ([]string, error) {
	name, ok := tree.Target(r.folder.Dir, text)
	view := r.visit.view
	switch {
	case !ok || text == "" || !tree.LocalReference(text) || !loader.Within(r.folder.Dir, name):
		return nil, fmt.Errorf("the path %s is not in the folder of its kustomization", deploy.Quote(text))
	case view.IDs[name] != "":
		return []string{name}, nil
	case !view.Dirs[name]:
		return nil, fmt.Errorf("the path %s does not exist", deploy.Quote(text))
	case len(view.Kusts[name]) > 0:
		return nil, fmt.Errorf("the kustomization %s of a generator is not built", deploy.Quote(text))
	}
	var out []string
	for file := range view.IDs {
		if path.Dir(file) == name && (strings.HasSuffix(file, ".yaml") || strings.HasSuffix(file, ".yml")) {
			out = append(out, file)
		}
	}
	slices.Sort(out)
	return out, nil
}

func (r manifestReader) Documents(file string) ([]*loader.Value, error) {
	docs, err := r.visit.store.Documents(r.visit.view, file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", deploy.Quote(file), err)
	}
	return docs, nil
}
