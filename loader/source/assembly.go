package source

import (
	"cmp"
	"fmt"
	"os"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// assembly builds one tree.
type assembly struct {
	*opener
	tree   *Tree
	number int // index of the tree among those opened together
	// names and manifests count listed files, named what their paths take, for the limits.
	names, manifests int
	named            int64
	stores           int
}

// newStore returns a store that reads a folder until the Blobs are closed. The name of the store is
// unique among all stores, and the same in every run.
func (a *assembly) newStore(root *os.Root) *store {
	a.stores++
	return a.blobs.own(&store{
		root: root, name: fmt.Sprintf("%d.%d", a.number, a.stores), limit: a.limits.FileSize, ids: make(map[string]string),
	})
}

func (a *assembly) problem(path string, p loader.Problem) {
	p.Position.File = path
	a.tree.Problems = append(a.tree.Problems, p)
}

// list adds a node, unless its path is invalid. A submodule is also reported as a problem.
func (a *assembly) list(nodes *listing, n node) error {
	if err := a.count(n.path); err != nil {
		return err
	}
	if !validPath(n.path) {
		a.problem(printable(n.path), loader.Problem{
			Severity: loader.Warning, Code: "invalid-path",
			Message: "the path contains a name that is not allowed (empty, ., .. or .git)", Hint: "remove it from the repository",
		})
		return nil
	}
	if n.kind == module {
		if a.tree.Submodules == nil {
			a.tree.Submodules = map[string]string{}
		}
		a.tree.Submodules[n.path] = n.id
		a.problem(n.path, loader.Problem{
			Severity: loader.Note, Code: loader.Submodule,
			Message: "a submodule is not read", Hint: "analyse its repository, or give its folder with --context",
		})
	}
	*nodes = append(*nodes, n)
	return nil
}

// count returns an error during listing as soon as the tree exceeds a limit.
func (a *assembly) count(path string) error {
	if a.names++; a.names > a.limits.Files*listedPerFile {
		return tooManyListed(a.limits.Files * listedPerFile)
	}
	if a.named += int64(len(path)) + perName; a.named > a.limits.Names {
		return tooLongNames(a.limits.Names)
	}
	if !isManifest(path) {
		return nil
	}
	if a.manifests++; a.manifests > a.limits.Files {
		return tooManyFiles(a.limits.Files)
	}
	return nil
}

// part is one root of a tree: the files found below it, their path prefix, and how to identify a
// file. Only a tree of files that the user named can have more than one part.
type part struct {
	resolver *resolver
	prefix   string
	// identify returns the id of a file, or false if the file cannot be read.
	identify func(node) (string, bool)
}

// listed returns a part with nodes that all have ids.
func (a *assembly) listed(nodes listing) (part, error) {
	return resolveListing(nodes, func(n node) (string, bool) { return n.id, true })
}

// fromDisk returns a part with nodes that are read from disk if they have no id.
func (a *assembly) fromDisk(s *store, nodes listing) (part, error) {
	return resolveListing(nodes, func(n node) (string, bool) { return a.identify(s, n) })
}

func resolveListing(nodes listing, identify func(node) (string, bool)) (part, error) {
	if !slices.IsSortedFunc(nodes, byPath) {
		slices.SortFunc(nodes, byPath)
	}
	nodes = slices.CompactFunc(nodes, func(x, y node) bool { return x.path == y.path })
	r := newResolver(nodes)
	for _, n := range nodes {
		if err := r.visit(n); err != nil {
			return part{}, err
		}
	}
	return part{resolver: r, identify: identify}, nil
}

// finish returns the tree of a single part.
func (a *assembly) finish(p part, err error) (*Tree, error) {
	if err != nil {
		return nil, err
	}
	return a.finishParts([]part{p})
}

func (a *assembly) finishParts(parts []part) (*Tree, error) {
	t := a.tree
	for _, p := range parts {
		for _, problem := range p.resolver.problems {
			a.problem(join(p.prefix, problem.Position.File), problem)
		}
		a.addEntries(p)
	}
	if err := a.sortEntries(); err != nil {
		return nil, err
	}
	slices.SortFunc(t.Problems, compareProblems)
	t.Problems = slices.CompactFunc(t.Problems, func(x, y loader.Problem) bool { return compareProblems(x, y) == 0 })
	a.blobs.weigh(t.Entries, a.number)
	return t, nil
}

// addEntries adds each readable path of a part once.
func (a *assembly) addEntries(p part) {
	files := p.resolver.found
	slices.SortFunc(files, func(x, y found) int { return cmp.Compare(x.path, y.path) })
	a.tree.Entries = slices.Grow(a.tree.Entries, len(files))
	for i, f := range files {
		if i > 0 && files[i-1].path == f.path {
			continue
		}
		if id, ok := p.identify(f.file); ok {
			a.tree.Entries = append(a.tree.Entries, entryOf(p.prefix, f, id))
		}
	}
}

func entryOf(prefix string, f found, id string) Entry {
	e := Entry{Path: join(prefix, f.path), ID: id}
	if f.through != "" {
		e.Link = join(prefix, f.through)
	}
	return e
}

func (a *assembly) sortEntries() error {
	entries := a.tree.Entries
	if byPath := func(x, y Entry) int { return cmp.Compare(x.Path, y.Path) }; !slices.IsSortedFunc(entries, byPath) {
		slices.SortFunc(entries, byPath)
	}
	manifests := 0
	for i, e := range entries {
		if i > 0 && entries[i-1].Path == e.Path {
			return usage("two of the files given have the path "+quote(e.Path), "give the folder above both")
		}
		if isManifest(e.Path) {
			manifests++
		}
	}
	if manifests > a.limits.Files {
		return tooManyFiles(a.limits.Files)
	}
	return nil
}

func compareProblems(x, y loader.Problem) int {
	return cmp.Or(x.Position.Compare(y.Position), cmp.Compare(x.Code, y.Code), cmp.Compare(x.Message, y.Message))
}
