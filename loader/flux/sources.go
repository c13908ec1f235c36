package flux

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// sourceRef is the reference to the object from which a Flux Kustomization gets its folder.
type sourceRef struct{ kind, namespace, name string }

// matches compares two references. A kustomization may set the namespace that a file omits, so an
// empty namespace matches any.
func (r sourceRef) matches(other sourceRef) bool {
	return r.kind == other.kind && r.name == other.name &&
		(r.namespace == other.namespace || r.namespace == "" || other.namespace == "")
}

// sources are the sources of a tree, among them its own one.
type sources struct {
	// own is the source that is this repository.
	own sourceRef
	// pushed are the artefacts from which clusters start in a folder of this tree: its content is
	// assumed to be pushed there.
	pushed []sourceRef
	// declared are the sources whose objects are in the tree.
	declared []declaredSource
}

type declaredSource struct {
	ref       sourceRef
	url, file string
	// ignore are the patterns of the files that it omits.
	ignore *loader.Value
}

// sources reads the sources of a tree and finds the one that is the tree itself.
func (s *Reader) sources(v *site, entries []entry, syncs []fluxSync) *sources {
	out := &sources{}
	for _, f := range syncs {
		out.declared = append(out.declared, declaredSource{ref: f.ref(), url: AddressOf(f.spec.Str("url")), file: f.object.First().File, ignore: nil})
		if e, ok := f.entry(v); ok && f.ref().kind != "GitRepository" && e.Dir != "." {
			out.pushed = append(out.pushed, f.ref())
		}
	}
	for _, one := range s.store.Deployers(v.View) {
		if doc := one.Document; tree.IsSource(doc.Group, doc.Kind) && !v.InChart(one.File) {
			ref := sourceRef{kind: doc.Kind, namespace: doc.Namespace, name: doc.Name}
			out.declared = append(out.declared, declaredSource{ref: ref, url: address(doc.Root), file: one.File, ignore: doc.Root.Get("spec", "ignore")})
		}
	}
	out.own = out.elect(v, entries)
	return out
}

// learn adds the sources among objects that no file declares.
func (v *site) learn(objects []deploy.Object) {
	for _, d := range objects {
		if !tree.IsSource(d.Group, d.Kind) || v.sources == nil {
			continue
		}
		ref := sourceRef{kind: d.Kind, namespace: d.Namespace, name: d.Name}
		if _, known := v.sources.url(ref); !known {
			v.sources.declared = append(v.sources.declared, declaredSource{ref: ref, url: address(d.Root), file: d.Files[0], ignore: nil})
		}
	}
}

// elect finds the source that is the tree itself: the one of an entry that applies its own file, as
// flux bootstrap writes it; else the one whose entries apply most existing folders; else the one
// that most entries use. Sources with the same address count as one.
func (s *sources) elect(v *site, entries []entry) sourceRef {
	type votes struct {
		ref                 sourceRef
		self, found, number int
	}
	byAddress := map[string]*votes{}
	for _, e := range entries {
		ref := e.source()
		if ref.name == "" || ref.kind == "ExternalArtifact" {
			continue
		}
		key, declared := s.url(ref)
		if !declared {
			key = ref.kind + "/" + ref.name
		}
		if byAddress[key] == nil {
			byAddress[key] = &votes{ref: ref}
		}
		n := byAddress[key]
		n.ref.namespace = cmp.Or(n.ref.namespace, ref.namespace)
		n.number++
		if e.path != "." && v.Dirs[e.path] {
			n.found++
			if loader.Within(e.path, e.File) {
				n.self++
			}
		}
	}
	var best votes
	for _, key := range tree.Sorted(byAddress) {
		n := byAddress[key]
		if cmp.Or(cmp.Compare(min(n.self, 1), min(best.self, 1)), cmp.Compare(n.found, best.found), cmp.Compare(n.number, best.number)) > 0 {
			best = *n
		}
	}
	return best.ref
}

// address returns the normalised address of a source, without scheme, user and suffix, because
// these do not distinguish repositories.
func address(root *loader.Value) string {
	url := root.Str("spec", "url")
	if url == "" {
		return strings.Join([]string{root.Str("spec", "endpoint"), root.Str("spec", "bucketName")}, "/")
	}
	return AddressOf(url)
}

// AddressOf normalises an address.
func AddressOf(url string) string {
	if _, after, ok := strings.Cut(url, "://"); ok {
		url = after
	}
	if _, after, ok := strings.Cut(url, "@"); ok {
		url = after
	}
	url = strings.Replace(url, ":", "/", 1)
	return strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(url, "/"), ".git"))
}

func (s *sources) url(ref sourceRef) (string, bool) {
	i := slices.IndexFunc(s.declared, func(d declaredSource) bool { return d.ref.matches(ref) })
	if i < 0 {
		return "", false
	}
	return s.declared[i].url, true
}

// foreign reports whether a Flux Kustomization gets its folder from another repository. This is so
// if the tree declares its source with another address. An undeclared Git repository or an artefact
// of source-watcher counts as this tree, unless the Kustomization applies all of it.
func (s *sources) foreign(k Kustomization) bool {
	ref := k.source()
	if ref.name == "" || ref.matches(s.own) || slices.ContainsFunc(s.pushed, ref.matches) {
		return false
	}
	if url, declared := s.url(ref); declared {
		own, _ := s.url(s.own)
		return url != own
	}
	return k.path == "." || ref.kind != "GitRepository" && ref.kind != "ExternalArtifact"
}
