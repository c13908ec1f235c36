package source

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/gwplan/gwplan/loader"
)

// indexEntry is one entry of the index, with the file data that git recorded.
type indexEntry struct {
	node
	stage byte
	size  int64
	mtime time.Time
	flags int64
}

// Flags as `ls-files --debug` prints them (git's cache.h: CE_INTENT_TO_ADD,
// CE_SKIP_WORKTREE).
const (
	intentToAdd  = 1 << 29
	skipWorkTree = 1 << 30
)

// index lists the staged files.
func (w *checkout) index() (*Tree, error) {
	var nodes listing
	err := w.eachIndexEntry(func(e indexEntry) error {
		if e.flags&intentToAdd == 0 {
			return w.list(&nodes, e.node)
		}
		// `git add -N` stages a name without content.
		if n, _, ok := w.onDisk(w.store, e.path); ok {
			return w.list(&nodes, n)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if nodes, err = w.readTargets(nodes); err != nil {
		return nil, err
	}
	return w.finish(w.fromDisk(w.store, nodes))
}

// eachIndexEntry calls f for each entry of the index without conflict. Conflicts become one problem
// per path.
func (w *checkout) eachIndexEntry(f func(indexEntry) error) error {
	p := indexParser{}
	conflict := ""
	emit := func(e indexEntry) error {
		if e.stage == '0' {
			return f(e)
		}
		if e.path != conflict {
			conflict = e.path
			w.problem(e.path, loader.Problem{
				Severity: loader.Error, Code: "unmerged",
				Message: "the file has a merge conflict", Hint: "resolve it and run git add",
			})
		}
		return nil
	}
	err := w.git.stream(w.ctx, func(r io.Reader) error {
		if err := eachRecord(r, func(record []byte) error { return p.record(record, emit) }); err != nil {
			return err
		}
		return p.end()
	}, lsFiles, "-s", "-z", "--debug")
	return w.git.explain(err)
}

// indexParser reads `ls-files -s -z --debug`: "MODE ID STAGE\tPATH", NUL, then five lines about the
// file. No NUL separates these lines from the next entry.
type indexParser struct {
	open    bool
	pending indexEntry
}

const debugLines = 5

func (p *indexParser) record(record []byte, emit func(indexEntry) error) error {
	if p.open {
		rest, err := p.debug(record)
		if err != nil {
			return err
		}
		if err := emit(p.pending); err != nil {
			return err
		}
		record = rest
	}
	p.open = len(record) > 0
	if !p.open {
		return nil
	}
	return p.head(record)
}

// end checks that the last entry had its debug lines.
func (p *indexParser) end() error {
	if p.open {
		return gitFailed(lsFiles, "the list of the index ends early")
	}
	return nil
}

func (p *indexParser) head(record []byte) error {
	head, name, found := strings.Cut(string(record), "\t")
	f := strings.Fields(head)
	if !found || len(f) != 3 || !isID(f[1]) || len(f[2]) != 1 {
		return gitFailed(lsFiles, "unexpected line "+quote(string(record)))
	}
	p.pending = indexEntry{node: node{path: name, kind: kindOfMode(f[0]), id: f[1]}, stage: f[2][0]}
	return nil
}

func (p *indexParser) debug(record []byte) ([]byte, error) {
	for range debugLines {
		line, rest, found := bytes.Cut(record, []byte{'\n'})
		if !found || !bytes.HasPrefix(line, []byte("  ")) {
			return nil, gitFailed(lsFiles, "unexpected line "+quote(string(line)))
		}
		record = rest
		p.debugLine(strings.TrimSpace(string(line)))
	}
	return record, nil
}

// debugLine reads the fields that it supports. An unreadable field stays 0, which means modified:
// the file is hashed.
func (p *indexParser) debugLine(line string) {
	name, value, _ := strings.Cut(line, ": ")
	switch name {
	case "mtime":
		sec, nsec, _ := strings.Cut(value, ":")
		p.pending.mtime = time.Unix(number(sec, 10), number(nsec, 10))
	case "size":
		size, flags, _ := strings.Cut(value, "\tflags: ")
		p.pending.size = number(size, 10)
		p.pending.flags = number(flags, 16)
	}
}

func number(s string, base int) int64 {
	n, err := strconv.ParseInt(s, base, 64)
	if err != nil {
		return 0
	}
	return n
}
