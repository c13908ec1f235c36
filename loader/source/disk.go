package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// maxFolderDepth bounds the nesting of folders, which are open at once.
const maxFolderDepth = 200

// disk implements files for a folder outside Git. It reads the disk only on request.
type disk struct {
	*assembly
	store *store
}

func (d disk) lookup(path string) (node, bool) {
	if strings.EqualFold(base(path), ".git") {
		return node{}, false
	}
	n, info, ok := d.onDisk(d.store, path)
	if ok || info == nil || !info.IsDir() {
		return n, ok
	}
	return node{path: path, kind: folder}, true
}

func (d disk) below(dir string) ([]node, error) {
	var nodes listing
	if err := d.walk(dir, &nodes); err != nil {
		return nil, err
	}
	slices.SortFunc(nodes, byPath)
	return nodes, nil
}

func (d disk) walk(dir string, nodes *listing) error {
	if d.ctx.Err() != nil {
		return d.ctx.Err()
	}
	if strings.Count(dir, "/") >= maxFolderDepth {
		d.problem(dir, loader.Problem{
			Severity: loader.Warning, Code: "limit-folder-depth",
			Message: fmt.Sprintf("the folder is more than %d levels deep", maxFolderDepth), Hint: "give the inner folder with -f",
		})
		return nil
	}
	children, err := d.children(dir)
	if err != nil {
		d.problem(dir, unreadable(err))
		return nil
	}
	for _, c := range children {
		path := join(dir, c.Name())
		switch {
		case strings.EqualFold(c.Name(), ".git"):
			continue
		case c.IsDir():
			err = d.walk(path, nodes)
		default:
			err = d.leaf(path, nodes)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (d disk) children(dir string) ([]fs.DirEntry, error) {
	at, err := d.store.folder(dir)
	if err != nil {
		return nil, err
	}
	f, err := at.Open(".")
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	return f.ReadDir(-1)
}

func (d disk) leaf(path string, nodes *listing) error {
	n, _, ok := d.onDisk(d.store, path)
	if !ok {
		return nil
	}
	return d.list(nodes, n)
}

// onDisk returns the node of a file or link at a path. It returns false for anything else, with its
// info if it exists. A device, pipe or socket also becomes a problem.
func (a *assembly) onDisk(s *store, path string) (node, fs.FileInfo, bool) {
	info, err := s.lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNoFolder):
		return node{}, nil, false
	case err != nil:
		a.problem(path, unreadable(err))
		return node{}, nil, false
	case info.Mode().IsRegular():
		return node{path: path}, info, true
	case info.Mode()&os.ModeSymlink != 0:
		target, err := s.readlink(path)
		if err != nil {
			a.problem(path, unreadable(err))
			return node{}, nil, false
		}
		return node{path: path, kind: link, target: target}, info, true
	case info.IsDir():
		return node{}, info, false
	}
	a.problem(path, loader.Problem{
		Severity: loader.Note, Code: "irregular-file",
		Message: "a pipe, socket or device is not read", Hint: "replace it by a file",
	})
	return node{}, info, false
}

func unreadable(err error) loader.Problem {
	return loader.Problem{
		Severity: loader.Error, Code: "unreadable",
		Message: "cannot be read: " + reason(err), Hint: "check its permissions",
	}
}

// pathID begins the ids that are made from a path.
const pathID = "path:"

// OfPath reports whether the id of a file was made from its path. Such an id does not identify the content, so it must
// not be part of the key of a result that is kept for other runs.
func OfPath(id string) bool { return strings.HasPrefix(id, pathID) }

// identify returns the id of a file. For a possible manifest this is the Git blob id of its
// content. Any other file, and one over the size limit, gets an id from its path and is read only
// on request, because hashing all files of a work tree would take longer than the rest of the run.
// An id from a path equals no other id of the run, so these files never count as unchanged; another run
// gives the same id to other content (OfPath).
func (a *assembly) identify(s *store, n node) (string, bool) {
	if n.id != "" {
		return n.id, true
	}
	if id, known := s.ids[n.path]; known {
		return id, id != ""
	}
	id, ok := a.identifyFile(s, n)
	s.ids[n.path] = id
	return id, ok
}

func (a *assembly) identifyFile(s *store, n node) (string, bool) {
	byPath := pathID + s.name + ":" + n.path
	if !isManifest(n.path) {
		a.blobs.adopt(byPath, origin{store: s, path: n.path})
		return byPath, true
	}
	data, err := s.read(n.path)
	_, large := errors.AsType[tooLarge](err)
	switch {
	case large:
		a.blobs.adopt(byPath, origin{store: s, path: n.path})
		return byPath, true
	case err != nil:
		a.problem(n.path, unreadable(err))
		return "", false
	}
	id := s.blobID(data)
	a.blobs.adopt(id, origin{store: s, path: n.path, body: data})
	return id, true
}

// directory reads a folder without Git.
func (a *assembly) directory(dir string) (*Tree, error) {
	root, err := openRoot(dir)
	if err != nil {
		return nil, err
	}
	d := disk{a, a.newStore(root)}
	return a.finish(d.part("", []string{""}))
}

// part finds the files at and below some paths. A path may go through links, if these stay in the
// folder.
func (d disk) part(prefix string, starts []string) (part, error) {
	r := newResolver(d)
	for _, start := range starts {
		if err := d.start(r, start); err != nil {
			return part{}, err
		}
	}
	return part{resolver: r, prefix: prefix, identify: func(n node) (string, bool) { return d.identify(d.store, n) }}, nil
}

func (d disk) start(r *resolver, start string) error {
	target, err := r.resolve(node{target: "./" + start})
	if err != nil {
		return cannotStartAt(start, err)
	}
	if target.kind == regular {
		r.found = append(r.found, found{path: start, file: target})
		return nil
	}
	nodes, err := d.below(target.path)
	if err != nil {
		return err
	}
	for _, n := range nodes {
		if target.path == start {
			err = r.visit(n)
		} else {
			err = r.enter(n, start, target.path, []span{{}})
		}
		if err != nil {
			return cannotStartAt(start, err)
		}
	}
	return nil
}

func cannotStartAt(start string, err error) error {
	l, ok := errors.AsType[linkError](err)
	switch {
	case !ok:
		return err
	case l == errDangling:
		return failed("cannot open "+quote(start)+": no such file or folder", "check the path")
	}
	return failed("cannot open "+quote(start)+": it "+l.Error(), "check the path")
}
