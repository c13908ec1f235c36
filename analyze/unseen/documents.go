package unseen

import (
	"bytes"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// accounted are the positions on both sides at which something else reports what changes: the whole document at such a
// position does not count here. Line 0 means the whole file.
type accounted struct {
	files *fileEdits
	at    [2]map[string]map[int]bool
	// starts caches the lines at which the documents of a file begin.
	starts [2]map[string][]int
}

func (e *fileEdits) accounted() accounted {
	return accounted{e, [2]map[string]map[int]bool{{}, {}}, [2]map[string][]int{{}, {}}}
}

func (a accounted) add(side int, at loader.Position) {
	if a.at[side][at.File] == nil {
		a.at[side][at.File] = map[int]bool{}
	}
	a.at[side][at.File][at.Line] = true
}

// alike adds a place of head, or of base, and the document of the other side that has the same number in its file. If the sides
// have different numbers of documents, that is the whole file.
func (a accounted) alike(side int, at loader.Position) {
	a.add(side, at)
	own, other := a.documents(side, at.File), a.documents(1-side, at.File)
	if len(own) != len(other) || at.Line == 0 {
		a.add(side, loader.Position{File: at.File})
		return
	}
	if i := documentAt(own, at.Line); i > 0 {
		a.add(1-side, loader.Position{File: at.File, Line: other[i-1]})
	}
}

// documentAt is the number of the document that a line is in, from 1.
func documentAt(starts []int, line int) int {
	i, found := slices.BinarySearch(starts, line)
	if found {
		i++
	}
	return i
}

// whole reports whether something else reports what changes in a whole file, so that nothing of it counts here.
func (a accounted) whole(file string) bool { return a.at[0][file][0] || a.at[1][file][0] }

// says returns the words about traffic in the changed lines of a file, without the documents that are accounted for.
func (a accounted) says(file string) []string {
	if len(a.at[0][file]) == 0 && len(a.at[1][file]) == 0 {
		return a.files.says(file)
	}
	var told [2]func(line int) bool
	for side := range told {
		told[side] = a.inAccounted(side, file)
	}
	return a.files.saysWhere(file, func(side, line int) bool { return !told[side](line) })
}

// inAccounted returns a function that reports whether a line of a file is in a document that is accounted for.
func (a accounted) inAccounted(side int, file string) func(line int) bool {
	starts := a.documents(side, file)
	in := map[int]bool{}
	for line := range a.at[side][file] {
		in[documentAt(starts, line)] = true
	}
	return func(line int) bool { return in[documentAt(starts, line)] }
}

// documents returns the lines at which the documents of a file begin.
func (a accounted) documents(side int, file string) []int {
	if starts, ok := a.starts[side][file]; ok {
		return starts
	}
	snapshot := []*loader.Snapshot{a.files.base, a.files.head}[side]
	if snapshot.Text == nil {
		return nil
	}
	starts := []int{1}
	for i, line := range bytes.Split(snapshot.Text(file), []byte("\n")) {
		if i > 0 && bytes.HasPrefix(line, []byte("---")) {
			starts = append(starts, i+1)
		}
	}
	a.starts[side][file] = starts
	return starts
}
