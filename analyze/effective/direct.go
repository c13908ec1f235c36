package effective

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// DirectAnswer is an answer that the Gateway itself gives by a policy, instead of a backend.
type DirectAnswer struct {
	Status int
	// Share is the percentage of requests, as it is written; it is empty for all.
	Share string
	// Object set it, At the position.
	Object *loader.Object
	At     loader.Position
}

// DirectAnswers returns the answers by policies in a context of a side, those of the Gateway first. A spec that answers
// only requests with some header is left out: it is among the settings in force.
func (j *Join) DirectAnswers(side Side, context []*hierarchy.Node) []DirectAnswer {
	var out []DirectAnswer
	for _, k := range j.Runs[side].Attached.Kinds {
		if len(k.Answers) == 0 {
			continue
		}
		along := j.Along(k, side, context)
		for _, n := range context {
			p := along[n.Level]
			if p == nil || p.Spec == nil || n.Level >= hierarchy.LevelBackend {
				continue
			}
			for _, row := range k.Answers {
				matching(p.Spec, strings.Split(row.Path, "."), nil, func(_ []string, t *merge.Tree) {
					text := func(field string) string {
						if at := scalarAt(t, field); at != nil {
							return at.Text
						}
						return ""
					}
					status, err := strconv.Atoi(cmp.Or(text(row.Status), row.Otherwise))
					field, value, exact := strings.Cut(row.Passes, "=")
					switch {
					case err != nil, row.Unless != "" && scalarAt(t, row.Unless) != nil, exact && text(field) == value, row.Without != "" && hasItem(t, row.Without):
						return
					}
					one := DirectAnswer{Status: status}
					if share := text(row.Share); row.Share != "" && share != "100" {
						one.Share = share
					}
					set := t
					if row.Without != "" {
						set = t.Entries[0].Tree
					}
					program := Program{Setting: set}
					one.Object, one.At = program.Source()
					out = append(out, one)
				})
			}
		}
	}
	return out
}

// hasItem reports whether a tree has no items, or one with a field that is not empty.
func hasItem(t *merge.Tree, field string) bool {
	return len(t.Entries) == 0 || slices.ContainsFunc(t.Entries, func(e merge.Entry) bool { return !e.Tree.Get(field).IsEmpty() })
}

// Text returns the scalar at a dotted path of the spec, or "".
func (p *Policy) Text(path string) string {
	if p.Spec == nil {
		return ""
	}
	if v := scalarAt(p.Spec, path); v != nil {
		return v.Text
	}
	return ""
}

// Sets reports whether the spec sets anything but false at a dotted path, and which object does, where.
func (p *Policy) Sets(path string) (by *loader.Object, at loader.Position, ok bool) {
	t := p.Spec
	for key := range strings.SplitSeq(path, ".") {
		t = t.Get(key)
	}
	if t == nil || !says(t) || t.Value != nil && t.Value.Text == "false" {
		return nil, loader.Position{}, false
	}
	program := Program{Setting: t}
	by, at = program.Source()
	return by, at, true
}

// scalarAt returns the scalar at a dotted path below a tree, which may lie within a value that merges whole. The empty
// path is the tree itself.
func scalarAt(t *merge.Tree, path string) *loader.Value {
	if path == "" {
		return t.Value
	}
	keys := strings.Split(path, ".")
	for len(keys) > 0 && len(t.Entries) > 0 {
		if t = t.Get(keys[0]); t == nil {
			return nil
		}
		keys = keys[1:]
	}
	return t.Value.Get(keys...)
}
