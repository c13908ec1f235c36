package change

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// edit is an object that differs between the revisions. One side is nil if the object was added or
// removed.
type edit struct {
	before, after *loader.Object
	// elsewhere is the position of the edit if the object's own files did not change: a
	// kustomization entry that lists or listed its file, or an input of its content.
	elsewhere *plan.Cause
}

// edits are the edited objects of an environment by identity.
type edits map[loader.ID]edit

func findEdits(base, head *effective.Run) edits {
	out := edits{}
	for _, o := range objects(base) {
		out[o.ID] = edit{before: o}
	}
	for _, o := range objects(head) {
		e := out[o.ID]
		e.after = o
		if e.before != nil && e.before.Digest == o.Digest {
			delete(out, o.ID)
			continue
		}
		out[o.ID] = e
	}
	return out
}

// rename merges the two edits of a renamed object: its removal and its addition.
func (all edits) rename(p *pairs) {
	if p == nil {
		return
	}
	for head, base := range p.head {
		if head.Owner != nil || head.Target == base.Target || !declared(head) || !declared(base) {
			continue
		}
		both := edit{before: base.Object, after: head.Object}
		all[base.Target.ID], all[head.Target.ID] = both, both
	}
}

// elsewhere finds the edits of objects whose own text did not change. For an added or removed
// object it is the outermost entry whose file differs. For a changed object it is the first input
// whose file differs.
func (all edits) elsewhere(o Options) {
	if o.Content[effective.Base] == nil || o.Content[effective.Head] == nil {
		return
	}
	differs := func(at loader.Position) bool {
		return o.Content[effective.Base](at.File) != o.Content[effective.Head](at.File)
	}
	for id, e := range all {
		object, side := e.after, plan.InHead
		if object == nil {
			object, side = e.before, plan.InBase
		}
		places := slices.Concat(object.Listed, object.Inputs)
		if e.before != nil && e.after != nil && e.before.ID == e.after.ID {
			places = slices.Concat(object.Inputs, object.Listed)
		}
		slices.SortStableFunc(places, func(a, b loader.Position) int { return isVersion(a) - isVersion(b) })
		if own := e.cause().File; differs(loader.Position{File: own}) {
			template := object.First().Line == 0
			if template {
				places = slices.DeleteFunc(places, func(at loader.Position) bool {
					return isVersion(at) > 0 || strings.Contains(at.File, "/templates/")
				})
			}
			if template && !slices.ContainsFunc(places, differs) {
				all[id] = o.inTemplate(e, object, own, side)
			}
			if template && all[id].elsewhere != nil || !o.untouched(e) {
				continue
			}
			places = slices.DeleteFunc(places, func(at loader.Position) bool { return at.File == own })
		}
		if i := slices.IndexFunc(places, differs); i >= 0 {
			at, side := o.editedLine(places[i], side)
			cause := causeAt(object, at, side)
			e.elsewhere = &cause
			all[id] = e
		}
	}
}

// isVersion is 1 for the Chart.yaml of a chart: it has another version with every edit of the chart, and is seldom what decides.
func isVersion(at loader.Position) int {
	if at.File == "Chart.yaml" || strings.HasSuffix(at.File, "/Chart.yaml") {
		return 1
	}
	return 0
}

// inTemplate gives an edit of an object that a template makes, whose lines are not those of the object, the line of the template that is
// edited, if that is one place. Another version in Chart.yaml, or edits of other templates, are no reason for it.
func (o Options) inTemplate(e edit, object *loader.Object, file, side string) edit {
	if o.Hunks == nil {
		return e
	}
	if hunks := o.Hunks(file); len(hunks) == 1 {
		at, side := o.editedLine(loader.Position{File: file}, side)
		if at.Line > 0 {
			at.Column = 1
		}
		cause := causeAt(object, at, side)
		e.elsewhere = &cause
	}
	return e
}

// untouched reports whether no line of an object that is in both revisions is edited, although its file may be: another document
// there is.
func (o Options) untouched(e edit) bool {
	if o.Hunks == nil || e.before == nil || e.after == nil || e.before.First().File != e.after.First().File {
		return false
	}
	beganAt, endedAt := linesOf(e.before)
	beginsAt, endsAt := linesOf(e.after)
	hunks := o.Hunks(e.after.First().File)
	return len(hunks) > 0 && !slices.ContainsFunc(hunks, func(h loader.Hunk) bool {
		return h.Base <= endedAt && beganAt < h.Base+h.BaseLines || h.Head <= endsAt && beginsAt < h.Head+h.HeadLines
	})
}

// linesOf returns the first and the last line that an object's own file has values of.
func linesOf(o *loader.Object) (first, last int) {
	first = o.First().Line
	last = first
	var visit func(v *loader.Value)
	visit = func(v *loader.Value) {
		if v == nil || v.Defaulted {
			return
		}
		if v.Mark.File == 0 && v.Mark.Line > 0 {
			last = max(last, int(v.Mark.Line)+strings.Count(v.Text, "\n"))
		}
		for _, f := range v.Fields {
			visit(f.Value)
		}
		for _, item := range v.Items {
			visit(item)
		}
	}
	visit(o.Root)
	return first, last
}

// admitsOthers reports whether an edit may change what attaches to an object. An edit of a Gateway or ListenerSet does if it
// changes more than certificates, addresses and the like.
func (e edit) admitsOthers() bool {
	if e.before == nil || e.after == nil || e.after.ID.Kind != "Gateway" && e.after.ID.Kind != "ListenerSet" {
		return true
	}
	return !slices.EqualFunc(admission(e.before), admission(e.after), loader.Equal)
}

// admission returns what of a Gateway or ListenerSet decides about what attaches to it (Gateway API, Listener and
// AllowedListeners).
func admission(o *loader.Object) []*loader.Value {
	spec := o.Spec()
	out := []*loader.Value{spec.Get("gatewayClassName"), spec.Get("parentRef"), spec.Get("allowedListeners"), o.Root.Get("metadata", "labels")}
	for _, l := range spec.List("listeners") {
		for _, field := range []string{"name", "hostname", "port", "protocol", "allowedRoutes"} {
			out = append(out, l.Get(field))
		}
	}
	return out
}

// editedLine returns a place, or the next edited line of head if the place itself is not edited: if a base is listed as
// before, another field of the same kustomization made the change. In the same way an entry that still lists an object
// did not remove it; a patch did.
func (o Options) editedLine(at loader.Position, side string) (loader.Position, string) {
	if o.Hunks == nil {
		return at, side
	}
	hunks := o.Hunks(at.File)
	if len(hunks) == 0 || slices.ContainsFunc(hunks, func(h loader.Hunk) bool {
		return side == plan.InHead && h.InHead(at.Line) || side == plan.InBase && h.InBase(at.Line)
	}) {
		return at, side
	}
	if side == plan.InBase {
		i := slices.IndexFunc(hunks, func(h loader.Hunk) bool { return h.HeadLines > 0 })
		if i < 0 || o.Content[effective.Head](at.File) == "" {
			return at, side
		}
		return loader.Position{File: at.File, Line: hunks[i].Line(), Column: 1}, plan.InHead
	}
	next := slices.IndexFunc(hunks, func(h loader.Hunk) bool { return h.Line() >= at.Line })
	return loader.Position{File: at.File, Line: hunks[max(next, 0)].Line(), Column: 1}, side
}

func objects(r *effective.Run) []*loader.Object {
	if r == nil {
		return nil
	}
	return r.Environment.Objects
}

// cause returns the position of an edit: the first differing line, or the first line of an object
// that was added or removed.
func (e edit) cause() plan.Cause {
	switch {
	case e.elsewhere != nil:
		return *e.elsewhere
	case e.after == nil:
		return causeAt(e.before, e.before.First(), plan.InBase)
	case e.before == nil:
		return causeAt(e.after, e.after.First(), plan.InHead)
	}
	before, after := firstDifference(e.before, e.after)
	if after != nil {
		return causeAt(e.after, e.after.Position(after), plan.InHead)
	}
	return causeAt(e.before, e.before.Position(before), plan.InBase)
}

func causeAt(o *loader.Object, at loader.Position, side string) plan.Cause {
	return plan.Cause{File: at.File, Line: at.Line, Column: at.Column, Side: side, Object: o.ID.String()}
}

// firstDifference returns the first value that only base has and the first that only head has, or
// nil. Schema defaults in head do not count.
func firstDifference(before, after *loader.Object) (b, a *loader.Value) {
	var onlyBefore, onlyAfter []*loader.Value
	collectDifferences(before.Root, after.Root, func(b, a *loader.Value) {
		if b != nil {
			onlyBefore = append(onlyBefore, b)
		}
		if a != nil && !a.Defaulted {
			onlyAfter = append(onlyAfter, a)
		}
	})
	first := func(values []*loader.Value, o *loader.Object) *loader.Value {
		if len(values) == 0 {
			return nil
		}
		return slices.MinFunc(values, func(x, y *loader.Value) int { return o.Position(x).Compare(o.Position(y)) })
	}
	return first(onlyBefore, before), first(onlyAfter, after)
}

func collectDifferences(b, a *loader.Value, visit func(b, a *loader.Value)) {
	switch {
	case loader.Equal(b, a):
	case b == nil || a == nil || b.Shape != a.Shape:
		visit(b, a)
	case b.Shape == loader.Map:
		for _, f := range b.Fields {
			collectDifferences(f.Value, a.Get(f.Key), visit)
		}
		for _, f := range a.Fields {
			if b.Get(f.Key) == nil {
				visit(nil, f.Value)
			}
		}
	case b.Shape == loader.List:
		collectItems(b.Items, a.Items, visit)
	default:
		visit(b, a)
	}
}

// collectItems compares two lists: equal items first, then items of the same name, then the rest
// by position. The items after a deleted item then do not count as changed.
func collectItems(before, after []*loader.Value, visit func(b, a *loader.Value)) {
	before, after = pairItems(before, after, loader.Equal, nil)
	before, after = pairItems(before, after, func(b, a *loader.Value) bool {
		return b.Str("name") != "" && b.Str("name") == a.Str("name")
	}, func(b, a *loader.Value) { collectDifferences(b, a, visit) })
	if len(before) == len(after) {
		for i := range before {
			collectDifferences(before[i], after[i], visit)
		}
		return
	}
	for _, b := range before {
		visit(b, nil)
	}
	for _, a := range after {
		visit(nil, a)
	}
}

// maxAligned limits the work on long lists: longer lists are compared by position only.
const maxAligned = 512

// pairItems removes the items that correspond and returns the remaining ones.
func pairItems(before, after []*loader.Value, same func(b, a *loader.Value) bool, paired func(b, a *loader.Value)) (b, a []*loader.Value) {
	if len(before) > maxAligned || len(after) > maxAligned {
		return before, after
	}
	left := slices.Clone(after)
	for _, item := range before {
		i := slices.IndexFunc(left, func(other *loader.Value) bool { return same(item, other) })
		if i < 0 {
			b = append(b, item)
			continue
		}
		if paired != nil {
			paired(item, left[i])
		}
		left = slices.Delete(left, i, i+1)
	}
	return b, left
}
