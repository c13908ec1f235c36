package source

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

const (
	stdinWord     = "-"
	stdinPath     = "stdin.yaml"
	stdinRevision = "standard input"
)

// named reads the files and folders that a user names.
type named struct{ *assembly }

// openFiles reads the files and folders given with -f. Paths below Dir keep their name and may use
// links that stay in Dir. A folder elsewhere appears under its last name.
func (o *opener) openFiles(names []string, stdin io.Reader) (*Tree, error) {
	if len(names) == 0 {
		names = []string{"."}
	}
	a := named{&assembly{opener: o, tree: &Tree{Revision: strings.Join(names, ", "), Blobs: o.blobs}}}
	if len(names) == 1 && names[0] == stdinWord {
		a.tree.Revision = stdinRevision
	}
	t, err := a.read(names, stdin)
	if err != nil {
		_ = o.blobs.Close() // it holds nothing that was written
		return nil, err
	}
	return t, nil
}

func (a named) read(names []string, stdin io.Reader) (*Tree, error) {
	var parts []part
	var local []string
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		if name == stdinWord {
			p, err := a.stdin(stdin)
			if err != nil {
				return nil, err
			}
			parts = append(parts, p)
			continue
		}
		if start, ok := a.below(name); ok {
			local = append(local, start)
			continue
		}
		p, err := a.elsewhere(a.path(name))
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	if len(local) > 0 {
		p, err := a.diskPart(a.dir, "", local)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return a.finishParts(parts)
}

// below returns the path in the tree of a name inside Dir; false if outside.
func (a named) below(name string) (string, bool) {
	rel := filepath.Clean(name)
	if filepath.IsAbs(rel) {
		dir, err := filepath.Abs(a.path(""))
		if err != nil {
			return "", false
		}
		if rel, err = filepath.Rel(dir, rel); err != nil {
			return "", false
		}
	}
	if !filepath.IsLocal(rel) {
		return "", false
	}
	if rel == "." {
		return "", true
	}
	return filepath.ToSlash(rel), true
}

func (a named) elsewhere(path string) (part, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return part{}, cannotOpen(path, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return part{}, cannotOpen(path, err)
	}
	if info.IsDir() {
		return a.diskPart(path, filepath.Base(path), []string{""})
	}
	return a.diskPart(filepath.Dir(path), "", []string{filepath.Base(path)})
}

func (a *assembly) diskPart(dir, prefix string, starts []string) (part, error) {
	root, err := openRoot(dir)
	if err != nil {
		return part{}, err
	}
	d := disk{a, a.newStore(root)}
	return d.part(strings.Trim(filepath.ToSlash(prefix), "/"), starts)
}

// stdin returns a part with one file.
func (a named) stdin(r io.Reader) (part, error) {
	if r == nil {
		return part{}, usage("there is no standard input", "give a file with -f")
	}
	data, err := readLimited(r, 0, a.limits.FileSize)
	id := pathID + stdinPath
	from := origin{body: data}
	if large, ok := errors.AsType[tooLarge](err); ok {
		from.problem = &loader.Problem{
			Severity: loader.Error, Code: "limit-file-size",
			Message: fmt.Sprintf("standard input has %d bytes or more, the limit is %d", int64(large), a.limits.FileSize),
			Hint:    "raise the limit with --max-file-size, or split the input",
		}
	} else if err != nil {
		return part{}, failed("standard input cannot be read: "+reason(err), "give a file with -f")
	}
	if from.problem == nil {
		id = (&store{}).blobID(data)
	}
	a.blobs.adopt(id, from)
	return resolveListing(listing{{path: stdinPath, id: id}}, func(n node) (string, bool) { return n.id, true })
}

// sizeProblem reports a file over the limit. The hint names a sufficient limit, rounded up to MiB.
// A file with only CRDs is just a warning: definitions are missing, but no objects.
func sizeProblem(size, limit int64, crds bool) *loader.Problem {
	const step = 1 << 20
	p := &loader.Problem{
		Severity: loader.Error, Code: "limit-file-size", Message: fmt.Sprintf("the file has %d bytes, the limit is %d", size, limit),
		Hint: fmt.Sprintf("pass --max-file-size=%d, or split the file", (size+step-1)/step*step),
	}
	if crds {
		p.Severity = loader.Warning
		p.Message += "; it contains only CustomResourceDefinitions, so the kinds and defaults that they define are unknown"
	}
	return p
}
