package flux

import (
	"path"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/tree"
)

// artifact is an artifact that a Flux ArtifactGenerator builds from folders of this tree
// (source-watcher api/v1beta1, ArtifactGeneratorSpec).
type artifact struct {
	namespace, name string
	// file contains the generator. If several artifacts have the same name, the nearest one is
	// used, since each cluster may have its own.
	file string
	// copies are the copied folders in the order of the rules; later ones win.
	copies []copied
}

// copied is a folder of the tree and the folder of the artifact that it is copied to.
type copied struct{ from, to string }

// artifacts reads the ArtifactGenerators of a tree.
func (s *Reader) artifacts(v *site) []artifact {
	var out []artifact
	for _, one := range s.store.Deployers(v.View) {
		doc := one.Document
		if doc.Group != tree.FluxExtensionGroup || doc.Kind != "ArtifactGenerator" || v.InChart(one.File) {
			continue
		}
		for _, item := range doc.Root.List("spec", "artifacts") {
			out = append(out, artifact{namespace: doc.Namespace, name: item.Str("name"), file: one.File, copies: copies(item, v.aliases(doc.Root, doc.Namespace))})
		}
	}
	return out
}

// aliases returns the aliases that a generator uses for this tree.
func (v *site) aliases(root *loader.Value, namespace string) map[string]bool {
	out := map[string]bool{}
	for _, source := range root.List("spec", "sources") {
		ref := sourceRef{kind: source.Str("kind"), namespace: source.Str("namespace"), name: source.Str("name")}
		if ref.namespace == "" {
			ref.namespace = namespace
		}
		if v.sources.own.name == "" || ref.matches(v.sources.own) {
			out[source.Str("alias")] = true
		}
	}
	return out
}

// copies reads the rules that copy from this tree. A rule with `/**` copies the content of a
// folder. A rule without a star copies the folder itself, like cp -r.
func copies(item *loader.Value, own map[string]bool) []copied {
	var out []copied
	for _, rule := range item.List("copy") {
		alias, from, _ := strings.Cut(strings.TrimPrefix(rule.Str("from"), "@"), "/")
		to, isArtifact := strings.CutPrefix(rule.Str("to"), "@artifact")
		if !own[alias] || !isArtifact {
			continue
		}
		dir, stars := strings.CutSuffix(from, "**")
		c := copied{from: path.Clean(dir), to: path.Clean(strings.TrimPrefix(to, "/"))}
		if !stars && strings.HasSuffix(to, "/") {
			c.to = path.Join(c.to, path.Base(c.from))
		}
		if !strings.ContainsAny(c.from, "*?[") {
			out = append(out, c)
		}
	}
	return out
}

// external returns the folder of the tree that a path in an ExternalArtifact is copied from.
func (v *site) external(k Kustomization) (dir string, ok bool) {
	ref := k.source()
	if ref.kind != "ExternalArtifact" {
		return "", false
	}
	file := k.Object.First().File
	best := -1
	for i, a := range v.artifacts {
		if a.name == ref.name && (a.namespace == ref.namespace || a.namespace == "" || ref.namespace == "") {
			if best < 0 || shared(a.file, file) > shared(v.artifacts[best].file, file) {
				best = i
			}
		}
	}
	if best < 0 {
		return "", false
	}
	for _, c := range v.artifacts[best].copies {
		if rest, inside := tree.Relative(c.to, k.path); inside {
			if at := path.Join(c.from, rest); v.Dirs[at] {
				dir, ok = at, true
			}
		}
	}
	return dir, ok
}

// shared returns how many leading folders the paths of two files have in common.
func shared(a, b string) int {
	dir, _, _ := tree.Common(path.Dir(a), path.Dir(b))
	if dir == "." {
		return 0
	}
	return strings.Count(dir, "/") + 1
}
