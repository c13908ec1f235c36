package source

import (
	"maps"
	"slices"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"

	"github.com/gwplan/gwplan/loader"
)

// Hunks returns a function for the line differences of a file between two trees that were opened
// together. A file that only one tree has differs in all lines. A file that cannot be read has no
// hunks. Each file is compared once, on first request.
func Hunks(base, head *Tree) func(file string) []loader.Hunk {
	known := map[string][]loader.Hunk{}
	ids := [2]map[string]string{contentIDs(base), contentIDs(head)}
	return func(file string) []loader.Hunk {
		found, ok := known[file]
		if !ok {
			found = fileHunks(base.Blobs, ids[0][file], ids[1][file])
			known[file] = found
		}
		return found
	}
}

// Changed returns the files and submodules that differ between two trees, sorted.
func Changed(base, head *Tree) []string {
	before, after := contentIDs(base), contentIDs(head)
	maps.Copy(before, base.Submodules)
	maps.Copy(after, head.Submodules)
	var out []string
	for file, id := range before {
		if now, present := after[file]; !present || now != id && now != "" && id != "" {
			out = append(out, file)
		}
	}
	for file := range after {
		if _, known := before[file]; !known {
			out = append(out, file)
		}
	}
	slices.Sort(out)
	return out
}

func contentIDs(t *Tree) map[string]string {
	out := make(map[string]string, len(t.Entries))
	for _, e := range t.Entries {
		out[e.Path] = e.ID
	}
	return out
}

func fileHunks(blobs Blobs, before, after string) []loader.Hunk {
	if before == after {
		return nil
	}
	var texts [2]string
	readable := true
	ids := []string{before, after}
	present := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "" })
	err := blobs.Each(present, func(id string, data []byte, missing *loader.Problem) {
		readable = readable && missing == nil
		texts[slices.Index(ids, id)] = string(data)
	})
	if err != nil || !readable {
		return nil // unreadable files are already reported as problems
	}
	return lineHunks(texts[0], texts[1])
}

// maxLines bounds the work for large files. Beyond it, one hunk spans everything from the first to
// the last line that differs.
const maxLines = 20_000

// lineHunks compares two texts line by line.
func lineHunks(before, after string) []loader.Hunk {
	b, a := slices.Collect(strings.Lines(before)), slices.Collect(strings.Lines(after))
	start := 0
	for start < len(b) && start < len(a) && b[start] == a[start] {
		start++
	}
	end := 0
	for end < len(b)-start && end < len(a)-start && b[len(b)-1-end] == a[len(a)-1-end] {
		end++
	}
	b, a = b[start:len(b)-end], a[start:len(a)-end]
	if len(b) == 0 && len(a) == 0 {
		return nil
	}
	if len(b) == 0 || len(a) == 0 || len(b)+len(a) > maxLines {
		return []loader.Hunk{hunk(start, len(b), start, len(a))}
	}
	d := diffmatchpatch.New()
	d.DiffTimeout = 0 // no timeout, so that equal input gives equal output
	x, y, _ := d.DiffLinesToRunes(strings.Join(b, ""), strings.Join(a, ""))
	var out []loader.Hunk
	at, to := start, start
	goes, comes := 0, 0
	flush := func() {
		if goes+comes > 0 {
			out = append(out, hunk(at-goes, goes, to-comes, comes))
		}
		goes, comes = 0, 0
	}
	for _, part := range d.DiffMainRunes(x, y, false) {
		n := len([]rune(part.Text))
		switch part.Type {
		case diffmatchpatch.DiffEqual:
			flush()
			at, to = at+n, to+n
		case diffmatchpatch.DiffDelete:
			at, goes = at+n, goes+n
		case diffmatchpatch.DiffInsert:
			to, comes = to+n, comes+n
		}
	}
	flush()
	return out
}

// hunk returns a Hunk, given the number of lines before it and in it on both sides.
func hunk(base, goes, head, comes int) loader.Hunk {
	h := loader.Hunk{Base: base, BaseLines: goes, Head: head, HeadLines: comes}
	if goes > 0 {
		h.Base++
	}
	if comes > 0 {
		h.Head++
	}
	return h
}
