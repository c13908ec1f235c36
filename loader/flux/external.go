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
	// partly is true if there are other rules, whose files are not known.
	partly bool
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
			a := artifact{namespace: doc.Namespace, name: item.Str("name"), file: one.File}
			a.copies, a.partly = copies(item, v.aliases(doc.Root, doc.Namespace))
			out = append(out, a)
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

// copies reads the rules that copy from this tree, and reports whether there are others. A rule with `/**` copies the
// content of a folder. A rule without a star copies the folder itself, like cp -r (source-watcher internal/builder/builder.go,
// applySingleDirectoryCopy and calculateGlobDestination).
func copies(item *loader.Value, own map[string]bool) (out []copied, partly bool) {
	for _, rule := range item.List("copy") {
		alias, from, _ := strings.Cut(strings.TrimPrefix(rule.Str("from"), "@"), "/")
		to, isArtifact := strings.CutPrefix(rule.Str("to"), "@artifact")
		if !own[alias] || !isArtifact {
			partly = true
			continue
		}
		dir, stars := strings.CutSuffix(from, "**")
		c := copied{from: path.Clean(dir), to: path.Clean(strings.TrimPrefix(to, "/"))}
		if !stars {
			c.to = path.Join(c.to, path.Base(c.from))
		}
		if strings.ContainsAny(c.from, "*?[") {
			partly = true
			continue
		}
		out = append(out, c)
	}
	return out, partly
}

// external returns the folder of the tree that a path in an ExternalArtifact is copied from, "" if none is. It returns
// false if it is not known what the artifact has there.
func (v *site) external(k Kustomization) (dir string, known bool) {
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
	var below []string
	for _, c := range v.artifacts[best].copies {
		if rest, inside := tree.Relative(c.to, k.path); inside {
			if at, ok := v.applied(path.Join(c.from, rest)); ok {
				dir = at
			}
		} else if _, around := tree.Relative(k.path, c.to); around {
			if at, ok := v.applied(c.from); ok {
				below = append(below, at)
			}
		}
	}
	// Flux applies everything below a folder that has no kustomization.yaml.
	if dir == "" && len(below) == 1 {
		dir = below[0]
	}
	return dir, dir != "" || !v.artifacts[best].partly && len(below) == 0
}

// shared returns how many leading folders the paths of two files have in common.
func shared(a, b string) int {
	dir, _, _ := tree.Common(path.Dir(a), path.Dir(b))
	if dir == "." {
		return 0
	}
	return strings.Count(dir, "/") + 1
}
