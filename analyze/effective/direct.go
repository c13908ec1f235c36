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
		for _, n := range Lowest(context) {
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
					present := func(path string) bool {
						if rest, absolute := strings.CutPrefix(path, "/"); absolute {
							return scalarAt(p.Spec, rest) != nil
						}
						return scalarAt(t, path) != nil
					}
					switch {
					case row.Scheme != "" && text(row.Scheme) == schemeOf(context):
						return
					case err != nil, slices.ContainsFunc(row.Unless, present), row.Without != "" && hasItem(t, row.Without):
						return
					case row.Only != "" && !Holds(t, row.Only), slices.ContainsFunc(row.Passes, func(c string) bool { return Holds(t, c) }):
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

// schemeOf is the scheme of requests in a context, by its listener, or "".
func schemeOf(context []*hierarchy.Node) string {
	for _, n := range context {
		if n.Level == hierarchy.LevelListener {
			return strings.ToLower(n.Value.Str("protocol"))
		}
	}
	return ""
}

// Holds reports whether a tree meets a condition: PATH=VALUE or PATH=VALUE|VALUE, with * in PATH for any key or item. White space
// at the ends of a value does not count.
func Holds(t *merge.Tree, condition string) bool {
	path, values, _ := strings.Cut(condition, "=")
	wanted := strings.Split(values, "|")
	return some(t, strings.Split(path, "."), func(v *loader.Value) bool { return slices.Contains(wanted, strings.TrimSpace(v.Text)) })
}

// some reports whether is accepts a value at a path.
func some(t *merge.Tree, path []string, is func(*loader.Value) bool) bool {
	switch {
	case t == nil:
		return false
	case len(path) == 0 || len(t.Entries) == 0:
		return someValue(t.Value, path, is)
	case path[0] == "*":
		return slices.ContainsFunc(t.Entries, func(e merge.Entry) bool { return some(e.Tree, path[1:], is) })
	}
	return some(t.Get(path[0]), path[1:], is)
}

// someValue is some for a value that is merged as a whole.
func someValue(v *loader.Value, path []string, is func(*loader.Value) bool) bool {
	switch {
	case v == nil:
		return false
	case len(path) == 0:
		return is(v)
	case path[0] == "*":
		return slices.ContainsFunc(v.ItemList(), func(item *loader.Value) bool { return someValue(item, path[1:], is) }) ||
			slices.ContainsFunc(v.FieldList(), func(f loader.Field) bool { return someValue(f.Value, path[1:], is) })
	}
	return someValue(v.Get(path[0]), path[1:], is)
}

// hasItem reports whether a tree has no items, or has an item in which the field is not empty.
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
