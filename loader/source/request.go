package source

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/loader"
)

// Request is the comparison that the user requested with `diff`.
type Request struct {
	// Dir is the folder to start in (-C); empty means the working directory. Relative folders below
	// are relative to it.
	Dir string
	// Revisions are the arguments of the command line: none, A, A B, A..B, A...B. :worktree and
	// :index may replace a revision.
	Revisions []string
	// Staged compares with the index (--staged).
	Staged bool
	// MergeBase sets the base to the merge base of this revision and HEAD.
	MergeBase string
	// BaseDir and HeadDir are two folders to compare, without Git.
	BaseDir, HeadDir string
	Limits           Limits
	// Environ is the caller's environment. PATH is where git is found. GIT_DIR and GIT_INDEX_FILE
	// are kept. PRE_COMMIT_FROM_REF and PRE_COMMIT_TO_REF set what --staged compares in a pre-push
	// hook.
	Environ []string
}

// OneRequest is the tree that the user requested in a one-tree command.
type OneRequest struct {
	Dir string
	// Filenames are files and folders (-f); "-" is Stdin. If empty, and Revision is empty too, the
	// tree is what a comparison reads as head: the work tree that contains Dir, HEAD of a bare
	// repository, or else the folder Dir.
	Filenames []string
	// Revision is a commit, :index or :worktree (--rev).
	Revision string
	Stdin    io.Reader
	Limits   Limits
	Environ  []string
}

// Limits bound what is read. A zero field means the default.
type Limits struct {
	// FileSize is the size of the largest file that is read, in bytes. A larger file is a problem
	// of that file only. The default is 4 MiB.
	FileSize int64
	// Files is the largest number of YAML and JSON files in one tree. More than that ends the run. The default is 500,000.
	Files int
	// Names is the largest number of bytes in the paths of all files of one tree, of any name, and perName for each. More than
	// that ends the run. The default is 96 MiB.
	Names int64
	// TotalSize is the largest number of bytes in the YAML and JSON files of one tree; equal files count once. Repeated is the
	// largest number of bytes that all contents together have beyond repetitions times what Git stores of them. What does not
	// fit is a problem of that file only. The defaults are 2 GiB and 64 MiB.
	TotalSize, Repeated int64
}

const (
	defaultFileSize  = 4 << 20
	defaultFiles     = 500_000
	defaultTotalSize = 2 << 30
	defaultRepeated  = 64 << 20
	defaultNames     = 96 << 20
	// perName is what a file takes in memory beside its path.
	perName = 256
	// listedPerFile times Files bounds all files of a tree, of any name. A tree object can list its
	// own subtrees many times over, in a few bytes.
	listedPerFile = 4
)

func (l Limits) orDefault() Limits {
	return Limits{
		FileSize:  cmp.Or(l.FileSize, defaultFileSize),
		Files:     cmp.Or(l.Files, defaultFiles),
		Names:     cmp.Or(l.Names, defaultNames),
		TotalSize: cmp.Or(l.TotalSize, defaultTotalSize),
		Repeated:  cmp.Or(l.Repeated, defaultRepeated),
	}
}

// Pair is a comparison whose revisions are looked up. Its trees are not listed yet.
type Pair struct {
	opener *opener
	sides  []resolved
}

// Resolve looks up the revisions of a comparison. Errors meant for the user are of type *Error.
func Resolve(ctx context.Context, r Request) (*Pair, error) {
	p, err := r.parse()
	if err != nil {
		return nil, err
	}
	o := newOpener(ctx, r.Dir, r.Environ, r.Limits)
	sides, err := o.resolve(p.base, p.head)
	return &Pair{o, sides}, err
}

// Revisions returns what identifies the trees and their names: the commits. It returns false if a tree is
// not that of a commit.
func (p *Pair) Revisions() (base, head Revision, ok bool) {
	of := func(s resolved) Revision { return Revision{s.String(), s.commit} }
	return of(p.sides[0]), of(p.sides[1]), p.sides[0].commit != "" && p.sides[1].commit != ""
}

// Open lists the two trees. They share one Blobs, and closing it once is enough.
func (p *Pair) Open() (base, head *Tree, err error) {
	trees, err := p.opener.open(p.sides)
	if err != nil {
		return nil, nil, err
	}
	return trees[0], trees[1], nil
}

// Revision is the commit of a tree, and the text that Tree.Revision has for it.
type Revision struct{ Name, Commit string }

// OpenPair looks up the revisions of a comparison and opens its trees.
func OpenPair(ctx context.Context, r Request) (base, head *Tree, err error) {
	p, err := Resolve(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	return p.Open()
}

// OpenOne opens the tree of a one-tree command: a revision, or files, folders
// and standard input.
func OpenOne(ctx context.Context, r OneRequest) (*Tree, error) {
	o := newOpener(ctx, r.Dir, r.Environ, r.Limits)
	if r.Revision == "" && len(r.Filenames) == 0 {
		s, ok, err := o.repository()
		if err != nil {
			return nil, err
		}
		if ok {
			return o.openAlone(s)
		}
	}
	if r.Revision == "" {
		t, err := o.openFiles(r.Filenames, r.Stdin)
		if err != nil {
			return nil, err
		}
		t.given(r.Filenames)
		return t, nil
	}
	if len(r.Filenames) > 0 {
		return nil, usage("files and a revision are both given", "use either -f or --rev")
	}
	if strings.Contains(r.Revision, "..") {
		return nil, usage(quote(r.Revision)+" is a range, but this command needs one revision", "name one side of it")
	}
	s, err := parseSide(r.Revision)
	if err != nil {
		return nil, err
	}
	return o.openAlone(s)
}

// repository returns what a command without other arguments reads from the repository that contains
// its folder. It returns false if there is no repository or no git. A repository that git does not
// trust is an error, because the folder alone is not what the user meant.
func (o *opener) repository() (side, bool, error) {
	out, err := o.git.output(o.ctx, revParse, "--is-inside-work-tree", "--is-bare-repository")
	if f, ok := errors.AsType[*failure](err); ok && strings.Contains(f.stderr, "dubious ownership") {
		return side{}, false, o.git.explain(err)
	}
	if err != nil {
		return side{}, false, nil
	}
	switch inside, bare, _ := strings.Cut(strings.TrimSpace(out), "\n"); {
	case inside == "true":
		return side{place: workTree}, true, nil
	case bare == "true":
		return side{place: commit, name: "HEAD"}, true, nil
	}
	return side{}, false, nil
}

// given marks the files that the user named.
func (t *Tree) given(names []string) {
	for i := range t.Entries {
		e := &t.Entries[i]
		e.Given = slices.ContainsFunc(names, func(name string) bool {
			name = filepath.ToSlash(filepath.Clean(name))
			return e.Path == name || e.Path == path.Base(name)
		})
	}
}

// OpenDirectory opens a folder without Git, as --context does.
func OpenDirectory(ctx context.Context, dir string, limits Limits) (*Tree, error) {
	o := newOpener(ctx, "", nil, limits)
	return o.openAlone(side{place: directory, name: dir})
}

// opener opens trees that share one reader of contents.
type opener struct {
	ctx    context.Context // the context of one call of an Open function, and of the Blobs it returns
	dir    string
	git    *git
	limits Limits
	blobs  *blobs
}

func newOpener(ctx context.Context, dir string, environ []string, limits Limits) *opener {
	limits = limits.orDefault()
	g := newGit(cmp.Or(dir, "."), environ)
	return &opener{ctx: ctx, dir: dir, git: g, limits: limits, blobs: newBlobs(ctx, g, limits)}
}

// path joins a relative folder from the user to Dir.
func (o *opener) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(o.dir, name)
}

// openAlone opens the tree of a command that reads one.
func (o *opener) openAlone(s side) (*Tree, error) {
	sides, err := o.resolve(s)
	if err != nil {
		return nil, err
	}
	trees, err := o.open(sides)
	if err != nil {
		return nil, err
	}
	return trees[0], nil
}

// resolved is a side with its commit, if it has one. unborn means that HEAD has no commit yet and counts as
// the empty tree.
type resolved struct {
	side
	commit string
	unborn bool
}

// resolve looks up the commits of the sides.
func (o *opener) resolve(sides ...side) ([]resolved, error) {
	out := make([]resolved, len(sides))
	return out, atOnce(len(sides), func(i int) (err error) {
		out[i], err = o.resolveSide(sides[i], i)
		return err
	})
}

func (o *opener) resolveSide(s side, number int) (resolved, error) {
	if s.place != commit && s.place != mergeBase {
		return resolved{side: s}, nil
	}
	id, err := o.git.resolveSide(o.ctx, s)
	switch {
	case errors.Is(err, errUnborn) && number == 0 && s.mayBeUnborn:
		return resolved{side: s, unborn: true}, nil
	case errors.Is(err, errUnborn):
		return resolved{}, noCommitYet(s.name)
	}
	return resolved{side: s, commit: id}, err
}

// open lists the trees of the sides.
func (o *opener) open(sides []resolved) ([]*Tree, error) {
	trees := make([]*Tree, len(sides))
	err := atOnce(len(sides), func(i int) (err error) {
		trees[i], err = o.openSide(sides[i], i)
		return err
	})
	if err != nil {
		_ = o.blobs.Close() // it holds nothing that was written
		return nil, err
	}
	return trees, nil
}

// atOnce does something for each side at the same time, because each mostly waits for a git process. It
// returns the error of the first side that has one.
func atOnce(n int, do func(i int) error) error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { errs[i] = do(i) })
	}
	all.Wait()
	return cmp.Or(errs...)
}

func (o *opener) openSide(s resolved, number int) (*Tree, error) {
	t := &Tree{Revision: s.String(), Commit: s.commit, Blobs: o.blobs}
	a := &assembly{opener: o, tree: t, number: number}
	switch s.place {
	case directory:
		return a.directory(o.path(s.name))
	case index, workTree:
		w, err := a.openWorkTree()
		if err != nil {
			return nil, err
		}
		if s.place == index {
			return w.index()
		}
		return w.workTree()
	case commit, mergeBase:
	}
	if s.unborn {
		// For the first commit of a repository, base is empty.
		t.Problems = append(t.Problems, loader.Problem{
			Severity: loader.Note, Code: "no-commit-yet",
			Message: "HEAD has no commit yet, so everything counts as added",
		})
		return t, nil
	}
	return a.revision(s.commit)
}

// openRoot opens a folder given by the user.
func openRoot(dir string) (*os.Root, error) {
	root, err := os.OpenRoot(cmp.Or(dir, "."))
	if err != nil {
		return nil, cannotOpen(dir, err)
	}
	return root, nil
}
