package unseen

import (
	"bytes"
	"path"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// fileEdits are the files that differ between two snapshots, and what their changed lines say.
type fileEdits struct {
	base, head *loader.Snapshot
	hunks      func(file string) []loader.Hunk
	// bearing is what objects of a kind have to do with traffic.
	bearing func(group, kind string) loader.Bearing
	// changed are the files that differ between the two sides.
	changed []string
	// known caches the words about traffic in the changed lines of each file, unread what saysUnread returns for it.
	known, unread map[string][]string
	// beyond are the files that the run could not afford to read.
	beyond map[string]bool
}

// beyondLimits are the files that the run could not afford to read on either side.
func beyondLimits(sides ...*loader.Snapshot) map[string]bool {
	out := map[string]bool{}
	for _, side := range sides {
		for _, p := range side.Problems {
			if p.Code == loader.LimitRun && p.Severity == loader.Error {
				out[p.Position.File] = true
			}
		}
	}
	return out
}

// differs reports whether the text of a changed file really differs. For files that are not
// manifests, only the time may differ.
func (e *fileEdits) differs(file string) bool {
	return e.hunks == nil || e.base.Content(file) == "" || e.head.Content(file) == "" || len(e.hunks(file)) > 0
}

// says returns the words about traffic in the changed lines of a file.
func (e *fileEdits) says(file string) []string {
	if known, ok := e.known[file]; ok {
		return known
	}
	e.known[file] = e.saysWhere(file, func(int, int) bool { return true })
	return e.known[file]
}

// serves returns what the changed lines of a file say about Services, workloads and Namespaces.
func (e *fileEdits) serves(file string) []string {
	return e.read(file, func(int, int) bool { return true }, loader.ServingAt)
}

// saysUnread returns what the changed lines of a file say of which nothing is read: about traffic, about what is behind routes, and about
// what deployers apply.
func (e *fileEdits) saysUnread(file string) []string {
	if known, ok := e.unread[file]; ok {
		return known
	}
	deployers := e.read(file, func(int, int) bool { return true }, func(text []byte, changed func(line int) bool) []string {
		return loader.TrafficAt(text, changed, func(group, kind string) loader.Bearing {
			if deploys(group, kind) {
				return loader.Deciding
			}
			return loader.Describing // says tells of the others
		})
	})
	comesOrGoes := e.base.Content(file) == "" || e.head.Content(file) == ""
	serves := slices.DeleteFunc(e.serves(file), func(word string) bool {
		kind, key := loader.PartsOfWord(word)
		return loader.RunsPods(kind) && (comesOrGoes || key == "") // pods that come or go have no others in their place
	})
	e.unread[file] = slices.Concat(e.says(file), serves, deployers)
	return e.unread[file]
}

// saysWhere returns the words about traffic in those changed lines of a file that count. Side 0 is base.
func (e *fileEdits) saysWhere(file string, counts func(side, line int) bool) []string {
	shaped := loader.IsKustomizationFile(file)
	return e.read(file, counts, func(text []byte, changed func(line int) bool) []string {
		out := loader.TrafficAt(text, changed, e.bearing)
		if shaped {
			out = append(out, loader.ShapingAt(text, changed)...)
		}
		return out
	})
}

// read returns the words that a reader finds in the text of both sides of a file. It tells the reader of the changed lines that
// count; side 0 is base.
func (e *fileEdits) read(file string, counts func(side, line int) bool, reader func(text []byte, changed func(line int) bool) []string) []string {
	if e.beyond[file] {
		return nil
	}
	marked := e.marked(file)
	var out []string
	for i, side := range []*loader.Snapshot{e.base, e.head} {
		if side.Text != nil && len(marked[i]) > 0 {
			out = append(out, reader(side.Text(file), func(line int) bool { return marked[i][line] && counts(i, line) })...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// marked returns the changed lines of a file on each side. Side 0 is base.
func (e *fileEdits) marked(file string) [2]map[int]bool {
	var hunks []loader.Hunk
	if e.hunks != nil {
		hunks = e.hunks(file)
	}
	marked := [2]map[int]bool{{}, {}}
	for _, h := range hunks {
		for line := range h.BaseLines {
			marked[0][h.Base+line] = true
		}
		for line := range h.HeadLines {
			marked[1][h.Head+line] = true
		}
	}
	return marked
}

// isObject reports whether a file speaks of an API version, as every manifest does. JSON is often something else, such as a dashboard.
func (e *fileEdits) isObject(file string) bool {
	for _, side := range []*loader.Snapshot{e.base, e.head} {
		if side.Text != nil && side.Content(file) != "" && bytes.Contains(side.Text(file), []byte("apiVersion")) {
			return true
		}
	}
	return false
}

// changedBelow returns the files below some folders that differ between the two sides.
func (e *fileEdits) changedBelow(roots []string) []string {
	var out []string
	if len(roots) == 0 {
		return nil
	}
	for _, file := range e.changed {
		if slices.ContainsFunc(roots, func(root string) bool { return loader.Within(root, file) }) && e.differs(file) {
			out = append(out, file)
		}
	}
	return out
}

func (e *fileEdits) touches(roots []string) bool { return len(e.changedBelow(roots)) > 0 }

// moved returns the files that were removed, or added, with the same text under another name, if
// both or neither are deployed.
func (e *fileEdits) moved() map[string]bool {
	gone := map[string][]string{}
	for _, file := range e.changed {
		if text := e.base.Content(file); text != "" && e.head.Content(file) == "" {
			gone[text] = append(gone[text], file)
		}
	}
	out := map[string]bool{}
	for _, file := range e.changed {
		if e.base.Content(file) != "" {
			continue
		}
		for _, was := range gone[e.head.Content(file)] {
			if isApplied(e.base, was) == isApplied(e.head, file) {
				out[was], out[file] = true, true
			}
		}
	}
	return out
}

// switched returns the files that are the same on both sides but that a deployer applies on only
// one of them.
func (e *fileEdits) switched() []string {
	var out []string
	for i, side := range []*loader.Snapshot{e.base, e.head} {
		other := []*loader.Snapshot{e.head, e.base}[i]
		for _, file := range side.LeftOut {
			if text := side.Content(file); text != "" && text == other.Content(file) && isApplied(other, file) && other.Text != nil {
				out = append(out, file)
				e.known[file] = loader.TrafficAt(other.Text(file), func(int) bool { return true }, e.bearing)
			}
		}
	}
	return out
}

// unreadable reports whether the text of a file is not available.
func (e *fileEdits) unreadable(name string) bool {
	if e.beyond[name] {
		return true
	}
	for _, side := range []*loader.Snapshot{e.base, e.head} {
		if side.Text != nil && side.Content(name) != "" && side.Text(name) == nil {
			return true
		}
	}
	return false
}

// isLeftOut reports whether a file is left out: nothing deploys it in either revision, and it is known
// to be left out, or is in the folder of a file that is, or below one.
func (e *fileEdits) isLeftOut(file string) bool {
	if isApplied(e.base, file) || isApplied(e.head, file) {
		return false
	}
	if slices.ContainsFunc(slices.Concat(e.base.Problems, e.head.Problems), func(p loader.Problem) bool {
		return p.Code == loader.Unlisted && p.Position.File == file
	}) {
		return true
	}
	own := func(left string) bool { return left == file || path.Dir(left) == path.Dir(file) }
	return slices.ContainsFunc(e.base.LeftOut, own) || slices.ContainsFunc(e.head.LeftOut, own) ||
		listedOrBelow(e.base.LeftOut, file) || listedOrBelow(e.head.LeftOut, file)
}

// entry returns the entry for a file that changes but is not analysed.
func (e *fileEdits) entry(name string, says []string) plan.Unseen {
	return unseenFile(name, name, plan.EditOf(e.base.Content(name) != "", e.head.Content(name) != ""), says)
}

// unseenFile returns the entry for a whole file, which is in base alone if it is removed.
func unseenFile(what, file, change string, says []string) plan.Unseen {
	u := plan.Unseen{What: what, Change: change, Environments: []string{}, File: file, Line: 1, Column: 1, Says: says}
	if change == plan.EditRemoved {
		u.Side = plan.InBase
	}
	return u
}
