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
	// Files is the largest number of YAML and JSON files in one tree. TotalSize is the largest
	// number of bytes in them; equal files count once. More than that ends the run. The defaults
	// are 500,000 and 2 GiB.
	Files     int
	TotalSize int64
}

const (
	defaultFileSize  = 4 << 20
	defaultFiles     = 500_000
	defaultTotalSize = 2 << 30
	// listedPerFile times Files bounds all files of a tree, of any name. A tree object can list its
	// own subtrees many times over, in a few bytes.
	listedPerFile = 4
)

func (l Limits) orDefault() Limits {
	return Limits{
		FileSize:  cmp.Or(l.FileSize, defaultFileSize),
		Files:     cmp.Or(l.Files, defaultFiles),
		TotalSize: cmp.Or(l.TotalSize, defaultTotalSize),
	}
}

// OpenPair opens the two trees of a comparison. They share one Blobs, and closing it once is
// enough. Errors meant for the user are of type *Error.
func OpenPair(ctx context.Context, r Request) (base, head *Tree, err error) {
	p, err := r.parse()
	if err != nil {
		return nil, nil, err
	}
	o := newOpener(ctx, r.Dir, r.Environ, r.Limits)
	trees, err := o.open(p.base, p.head)
	if err != nil {
		return nil, nil, err
	}
	return trees[0], trees[1], nil
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
			trees, err := o.open(s)
			if err != nil {
				return nil, err
			}
			return trees[0], nil
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
	trees, err := o.open(s)
	if err != nil {
		return nil, err
	}
	return trees[0], nil
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
	trees, err := o.open(side{place: directory, name: dir})
	if err != nil {
		return nil, err
	}
	return trees[0], nil
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

// open opens the sides in parallel, because each mostly waits for a git process.
func (o *opener) open(sides ...side) ([]*Tree, error) {
	trees := make([]*Tree, len(sides))
	errs := make([]error, len(sides))
	done := make(chan struct{})
	for i, s := range sides {
		go func() {
			trees[i], errs[i] = o.openSide(s, i)
			done <- struct{}{}
		}()
	}
	for range sides {
		<-done
	}
	for _, err := range errs {
		if err != nil {
			_ = o.blobs.Close() // it holds nothing that was written
			return nil, err
		}
	}
	return trees, nil
}

func (o *opener) openSide(s side, number int) (*Tree, error) {
	t := &Tree{Revision: s.String(), Blobs: o.blobs}
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
	id, err := o.git.resolveSide(o.ctx, s)
	if number == 0 && s.mayBeUnborn && errors.Is(err, errUnborn) {
		// For the first commit of a repository, base is empty.
		t.Problems = append(t.Problems, loader.Problem{
			Severity: loader.Note, Code: "no-commit-yet",
			Message: "HEAD has no commit yet, so everything counts as added",
		})
		return t, nil
	}
	if errors.Is(err, errUnborn) {
		return nil, noCommitYet(s.name)
	}
	if err != nil {
		return nil, err
	}
	t.Commit = id
	return a.revision(id)
}

// openRoot opens a folder given by the user.
func openRoot(dir string) (*os.Root, error) {
	root, err := os.OpenRoot(cmp.Or(dir, "."))
	if err != nil {
		return nil, cannotOpen(dir, err)
	}
	return root, nil
}
