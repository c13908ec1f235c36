package source

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/gwplan/gwplan/loader"
)

// revision lists a commit. With --full-tree it lists the whole repository, even from a subfolder.
func (a *assembly) revision(id string) (*Tree, error) {
	var nodes listing
	err := a.git.stream(a.ctx, func(r io.Reader) error {
		return eachRecord(r, func(record []byte) error {
			n, err := parseTreeRecord(record)
			if err != nil {
				return err
			}
			return a.list(&nodes, n)
		})
	}, lsTree, "-r", "-z", "--full-tree", id)
	if err != nil {
		return nil, a.git.explain(err)
	}
	if nodes, err = a.readTargets(nodes); err != nil {
		return nil, err
	}
	return a.finish(a.listed(nodes))
}

// maxRecord bounds one line of a listing. Git's own path limit is lower.
const maxRecord = 1 << 20

// eachRecord splits git output at NUL (-z).
func eachRecord(r io.Reader, f func([]byte) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 64<<10), maxRecord)
	s.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		if i := bytes.IndexByte(data, 0); i >= 0 {
			return i + 1, data[:i], nil
		}
		if atEOF && len(data) > 0 {
			return len(data), data, nil
		}
		return 0, nil, nil
	})
	for s.Scan() {
		if err := f(s.Bytes()); err != nil {
			return err
		}
	}
	if s.Err() != nil {
		return failed("the list of files cannot be read: "+s.Err().Error(), "run git fsck")
	}
	return nil
}

// parseTreeRecord reads "MODE TYPE ID\tPATH".
func parseTreeRecord(record []byte) (node, error) {
	head, name, found := bytes.Cut(record, []byte{'\t'})
	mode, rest, _ := bytes.Cut(head, []byte{' '})
	_, id, _ := bytes.Cut(rest, []byte{' '})
	// One string for path and id saves memory: a large tree has many records.
	both := string(record[len(head)-len(id):])
	if !found || !isID(both[:len(id)]) {
		return node{}, gitFailed(lsTree, "unexpected line "+quote(string(record)))
	}
	return node{path: both[len(both)-len(name):], kind: kindOfMode(string(mode)), id: both[:len(id)]}, nil
}

func kindOfMode(mode string) kind {
	switch mode {
	case "120000":
		return link
	case "160000":
		return module
	}
	return regular
}

// maxTarget is at least as long as the longest path on any system.
const maxTarget = 4096

// readTargets fills in the targets of links from their blobs. Links from disk already have their
// target.
func (a *assembly) readTargets(nodes listing) (listing, error) {
	var ids []string
	for _, n := range nodes {
		if n.kind == link && n.target == "" {
			ids = append(ids, n.id)
		}
	}
	if len(ids) == 0 {
		return nodes, nil
	}
	targets := make(map[string]string, len(ids))
	lost := make(map[string]*loader.Problem)
	err := a.blobs.Each(ids, func(id string, data []byte, missing *loader.Problem) {
		switch {
		case missing != nil:
			lost[id] = missing
		case len(data) > maxTarget:
			lost[id] = &loader.Problem{
				Severity: loader.Warning, Code: "symlink-target",
				Message: fmt.Sprintf("the target of this symbolic link has %d bytes, no path is longer than %d", len(data), maxTarget),
				Hint:    "replace the link by a file",
			}
		default:
			targets[id] = string(data)
		}
	})
	kept := nodes[:0]
	for _, n := range nodes {
		if n.kind == link && n.target == "" {
			if p := lost[n.id]; p != nil {
				a.problem(n.path, *p)
				continue
			}
			n.target = targets[n.id]
		}
		kept = append(kept, n)
	}
	return kept, err
}
