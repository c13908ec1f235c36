package flux

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// sourceRef names the object that a Flux Kustomization takes its folder from.
type sourceRef struct{ kind, namespace, name string }

// matches compares two references. A namespace that a file leaves out is filled
// in by its kustomization, so an empty one may be any.
func (r sourceRef) matches(other sourceRef) bool {
	return r.kind == other.kind && r.name == other.name &&
		(r.namespace == other.namespace || r.namespace == "" || other.namespace == "")
}

// sources says which source is the tree itself.
type sources struct {
	// own is the source that most Flux Kustomizations use: this repository.
	own sourceRef
	// pushed are the artefacts that clusters start from, by a folder of this tree: it is
	// pushed to where they fetch it.
	pushed []sourceRef
	// declared are the sources whose objects stand in the tree.
	declared []declaredSource
}

type declaredSource struct {
	ref       sourceRef
	url, file string
	// ignore are the patterns of what it leaves out.
	ignore *loader.Value
}

// sources reads the sources of a tree and finds its own one.
func (s *Reader) sources(v *site, entries []entry, syncs []fluxSync) *sources {
	out := &sources{}
	for _, f := range syncs {
		out.declared = append(out.declared, declaredSource{ref: f.ref(), url: AddressOf(f.spec.Str("url")), file: f.object.First().File, ignore: nil})
		if e, ok := f.entry(v); ok && f.ref().kind != "GitRepository" && e.Dir != "." {
			out.pushed = append(out.pushed, f.ref())
		}
	}
	for _, file := range v.Manifests {
		for _, doc := range s.store.File(v.IDs[file]).Documents {
			if tree.IsSource(doc.Group, doc.Kind) && !v.InChart(file) {
				ref := sourceRef{kind: doc.Kind, namespace: doc.Namespace, name: doc.Name}
				out.declared = append(out.declared, declaredSource{ref: ref, url: address(doc.Root), file: file, ignore: doc.Root.Get("spec", "ignore")})
			}
		}
	}
	out.own = out.elect(v, entries)
	return out
}

// learn notes the sources among objects that no file declares.
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

// elect finds the source that is the tree itself: the one of an entry that applies
// its own file, as flux bootstrap makes it; else the one whose entries apply most
// folders that are there; else the one that most entries use. Sources of one
// address are one.
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
			if tree.Within(e.path, e.File) {
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

// address is where a source is fetched from, in one spelling: the scheme, the
// user and the ending do not tell repositories apart.
func address(root *loader.Value) string {
	url := root.Str("spec", "url")
	if url == "" {
		return strings.Join([]string{root.Str("spec", "endpoint"), root.Str("spec", "bucketName")}, "/")
	}
	return AddressOf(url)
}

// AddressOf writes an address in one spelling.
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

// foreign says whether a Flux Kustomization takes its folder from elsewhere. A
// source that the tree declares with another address is elsewhere. Of one that
// it does not declare, a Git repository or an artefact that source-watcher makes
// is taken for this tree, unless everything in it would be applied.
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
