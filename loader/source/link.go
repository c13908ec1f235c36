package source

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Links are resolved as the kernel does, but by their text and only inside the tree. A target that
// is absolute or climbs above the root is rejected, even if it leads back into the tree. A link to
// a folder adds the files below it again, so a few links to each other's folders could add any
// number of files. Therefore the files that links add, and the steps to find them, are bounded.
const (
	maxHops   = 40
	maxLinked = 100_000
	maxSteps  = 5_000_000
	// maxLinkedNames bounds the bytes of the paths of these files.
	maxLinkedNames = 16 << 20
)

// linkError is the reason why a link has no file, as the rest of a sentence.
type linkError string

func (e linkError) Error() string { return string(e) }

const (
	errOutside  linkError = "leads outside the tree"
	errDangling linkError = "leads to a file or folder that does not exist"
	errLoop     linkError = "leads back to itself or to a folder that contains it"
	errHops     linkError = "leads over too many links"
	errModule   linkError = "leads into a submodule"
	errBudget   linkError = "expands to too many files"
)

// found is a file at one of its paths in the tree.
type found struct {
	path string
	file node
	// through is the link of the tree that the path leads through, if any.
	through string
}

// span is a part of the walk: from one real folder down to another.
type span struct{ top, bottom string }

type resolver struct {
	files       files
	found       []found
	problems    map[string]loader.Problem // by the link's own path
	linked      int
	linkedNames int
	steps       int
	through     string // the link of the tree that is followed
}

func newResolver(f files) *resolver {
	return &resolver{files: f, problems: make(map[string]loader.Problem)}
}

// visit handles a node of the tree itself. It adds a file and follows a link. A bad link becomes a
// problem; an error ends the run.
func (r *resolver) visit(n node) error {
	switch n.kind {
	case regular:
		r.found = append(r.found, found{path: n.path, file: n})
	case link:
		before := len(r.found)
		r.through = n.path
		err := r.follow(n, n.path, []span{{top: "", bottom: folderOf(n.path)}})
		if err != nil {
			r.found = r.found[:before]
		}
		return r.note(n, err)
	case folder, module:
	}
	return nil
}

// note records what is wrong with a link; it returns any other error.
func (r *resolver) note(n node, err error) error {
	if err == nil {
		return nil
	}
	p, known := linkProblem(err, n)
	if !known {
		return err
	}
	if _, noted := r.problems[n.path]; !noted {
		r.problems[n.path] = p
	}
	return nil
}

// follow adds the files that a link leads to, at the path as. walk are the folders of the current
// walk, so that no folder is entered from within itself.
func (r *resolver) follow(n node, as string, walk []span) error {
	if len(walk) > maxHops {
		return errHops
	}
	target, err := r.resolve(n)
	switch {
	case err != nil:
		return err
	case target.kind == regular:
		return r.add(as, target)
	case within(target.path, walk):
		return errLoop
	}
	nodes, err := r.files.below(target.path)
	if err != nil {
		return err
	}
	for _, child := range nodes {
		if err := r.enter(child, as, target.path, walk); err != nil {
			return err
		}
	}
	return nil
}

// enter adds one file or link below the folder at top, to which a link at as leads.
func (r *resolver) enter(child node, as, top string, walk []span) error {
	path := join(as, strings.TrimPrefix(child.path[len(top):], "/"))
	switch child.kind {
	case regular:
		return r.add(path, child)
	case link:
		inner := append(walk[:len(walk):len(walk)], span{top, folderOf(child.path)})
		err := r.follow(child, path, inner)
		if errors.Is(err, errBudget) {
			return err
		}
		return r.note(child, err)
	case folder, module:
	}
	return nil
}

func (r *resolver) add(path string, file node) error {
	r.linkedNames += len(path)
	if r.linked++; r.linked > maxLinked || r.linkedNames > maxLinkedNames {
		return errBudget
	}
	r.found = append(r.found, found{path, file, r.through})
	return nil
}

// resolve follows a link's target, one path element at a time.
func (r *resolver) resolve(n node) (node, error) {
	dir, todo, hops := folderOf(n.path), n.target, 1
	if absolute(todo) {
		return node{}, errOutside
	}
	if todo == "" {
		return node{}, errDangling
	}
	for todo != "" {
		if r.steps++; r.steps > maxSteps {
			return node{}, errBudget
		}
		name, rest, _ := strings.Cut(todo, "/")
		todo = rest
		switch name {
		case "", ".":
			continue
		case "..":
			if dir == "" {
				return node{}, errOutside
			}
			dir = folderOf(dir)
			continue
		}
		next, ok := r.files.lookup(join(dir, name))
		if !ok {
			return node{}, errDangling
		}
		switch next.kind {
		case regular:
			if rest != "" {
				return node{}, errDangling
			}
			return next, nil
		case module:
			return node{}, errModule
		case folder:
			dir = next.path
		case link:
			if hops++; hops > maxHops {
				return node{}, errHops
			}
			if absolute(next.target) {
				return node{}, errOutside
			}
			todo = next.target + "/" + todo
			if rest == "" {
				todo = next.target
			}
		}
	}
	return node{path: dir, kind: folder}, nil
}

func absolute(target string) bool {
	return strings.HasPrefix(target, "/") || filepath.IsAbs(target)
}

// within reports whether the current walk is inside the folder.
func within(dir string, walk []span) bool {
	return slices.ContainsFunc(walk, func(s span) bool {
		return contains(s.top, dir) && contains(dir, s.bottom)
	})
}

// contains reports whether dir is the other folder or above it.
func contains(dir, other string) bool {
	return dir == "" || other == dir || strings.HasPrefix(other, dir+"/")
}

func linkProblem(err error, n node) (loader.Problem, bool) {
	p := loader.Problem{Severity: loader.Warning, Hint: "replace the link by the file or folder"}
	p.Position.File = n.path
	reason, ok := errors.AsType[linkError](err)
	if !ok {
		return p, false
	}
	switch reason {
	case errOutside:
		p.Code = "symlink-outside"
	case errLoop:
		p.Code = "symlink-loop"
	case errHops:
		p.Code = "limit-symlink-hops"
		p.Hint = fmt.Sprintf("the limit is %d; a loop passes it, too", maxHops)
	case errBudget:
		p.Code = "limit-symlink-files"
		p.Hint = fmt.Sprintf("links may add %d files to a tree, with paths of %d MiB", maxLinked, maxLinkedNames>>20)
	case errDangling:
		// Nothing is lost: a kustomization that refers to the target reports it as missing.
		p.Code, p.Severity = "symlink-dangling", loader.Note
	case errModule:
		p.Code, p.Severity = "symlink-submodule", loader.Note
	}
	p.Message = "the symbolic link to " + quote(n.target) + " " + reason.Error()
	return p, true
}
