package source

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// checkout reads a work tree and its index.
type checkout struct {
	*assembly
	git   *git // started at the root of the work tree
	store *store
	// indexed is the time when the index was written.
	indexed time.Time
}

// workTree lists the tracked files as they are on disk, and the untracked files that are not
// ignored.
func (w *checkout) workTree() (*Tree, error) {
	var nodes listing
	err := w.eachIndexEntry(func(e indexEntry) error {
		if n, ok := w.current(e); ok {
			return w.list(&nodes, n)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := w.untracked(&nodes); err != nil {
		return nil, err
	}
	if nodes, err = w.readTargets(nodes); err != nil {
		return nil, err
	}
	return w.finish(w.fromDisk(w.store, nodes))
}

// current returns an index entry as it is in the work tree; false if it is deleted.
func (w *checkout) current(e indexEntry) (node, bool) {
	if e.kind == module {
		return e.node, true
	}
	n, info, ok := w.onDisk(w.store, e.path)
	if !ok {
		// A sparse checkout omits files that are not deleted.
		return e.node, info == nil && e.flags&skipWorkTree != 0
	}
	if n.kind == regular && e.kind == regular && w.unmodified(e, info.Size(), info.ModTime()) {
		n.id = e.id
	}
	return n, true
}

// unmodified reports whether a file equals its index entry, by size and time. As in git, a file
// with the same time as the index may have been written after it ("racy git"), so it is hashed. An
// unmodified file counts with the blob of the index, so filters (LFS, line ends) make no
// difference.
func (w *checkout) unmodified(e indexEntry, size int64, mtime time.Time) bool {
	return e.flags&intentToAdd == 0 && uint32(size) == uint32(e.size) && mtime.Equal(e.mtime) && mtime.Before(w.indexed)
}

func (w *checkout) untracked(nodes *listing) error {
	err := w.git.stream(w.ctx, func(r io.Reader) error {
		return eachRecord(r, func(record []byte) error {
			path, isFolder := strings.CutSuffix(string(record), "/")
			if isFolder {
				// Git does not list files in another repository's work tree.
				return w.list(nodes, node{path: path, kind: module})
			}
			if n, _, ok := w.onDisk(w.store, path); ok {
				return w.list(nodes, n)
			}
			return nil
		})
	}, lsFiles, "-o", "--exclude-standard", "-z")
	return w.git.explain(err)
}

func (a *assembly) openWorkTree() (*checkout, error) {
	out, err := a.git.output(a.ctx, revParse, "--show-object-format", "--show-toplevel")
	if err != nil {
		return nil, a.git.explain(err)
	}
	format, top, _ := strings.Cut(out, "\n")
	top = strings.TrimSuffix(top, "\n")
	if !filepath.IsAbs(top) {
		return nil, noWorkTree()
	}
	if err := a.git.checkWorkTree(top); err != nil {
		return nil, err
	}
	root, err := openRoot(top)
	if err != nil {
		return nil, err
	}
	w := &checkout{assembly: a, git: a.git.at(top), store: a.newStore(root)}
	w.store.sha256 = format == "sha256"
	w.indexed, err = w.git.indexTime(a.ctx)
	return w, err
}

// checkWorkTree rejects a work tree that only the repository's own config defines, because
// core.worktree could name any folder of this machine.
func (g *git) checkWorkTree(top string) error {
	if lookupEnv(g.env, "GIT_DIR") != "" || lookupEnv(g.env, "GIT_WORK_TREE") != "" {
		return nil
	}
	if _, err := os.Lstat(filepath.Join(top, ".git")); err != nil || !isBelow(top, g.dir) {
		return foreignWorkTree(top)
	}
	return nil
}

// isBelow reports whether dir is top or below it, after resolving links.
func isBelow(top, dir string) bool {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	for _, p := range []*string{&top, &abs} {
		if *p, err = filepath.EvalSymlinks(*p); err != nil {
			return false
		}
	}
	rel, err := filepath.Rel(top, abs)
	return err == nil && filepath.IsLocal(rel)
}

// indexTime returns the time when the index was written, the zero time if there is no index.
func (g *git) indexTime(ctx context.Context) (time.Time, error) {
	out, err := g.output(ctx, revParse, "--git-path", "index")
	if err != nil {
		return time.Time{}, g.explain(err)
	}
	path := strings.TrimSuffix(out, "\n")
	if !filepath.IsAbs(path) {
		path = filepath.Join(g.dir, path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}, nil // without an index there are no tracked files
	}
	return info.ModTime(), nil
}
