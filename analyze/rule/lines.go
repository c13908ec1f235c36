package rule

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// Lines locates the edited lines in the files of two revisions.
type Lines struct {
	// Hunks returns the lines of a file that differ. It is nil if they are not known.
	Hunks func(file string) []loader.Hunk
	// Content returns the id of a file's content in head, "" if head does not have the file.
	Content func(file string) string
}

// shows returns a line of head, and whether the change edits it.
func (l Lines) shows(at loader.Position) (loader.Position, bool) { return at, l.edited(at) }

// edited reports whether the change edits a line of head.
func (l Lines) edited(at loader.Position) bool {
	return slices.ContainsFunc(l.Hunks(at.File), func(h loader.Hunk) bool { return h.InHead(at.Line) })
}

// touched reports whether the change edits a line of head or removes lines there.
func (l Lines) touched(at loader.Position) bool {
	return slices.ContainsFunc(l.Hunks(at.File), func(h loader.Hunk) bool {
		return h.InHead(at.Line) || h.HeadLines == 0 && h.Line() == at.Line
	})
}

// firstIn returns the first edited line in one of the objects that begin at some places.
func (l Lines) firstIn(places []loader.Position) (loader.Position, bool) {
	if l.Hunks == nil {
		return loader.Position{}, false
	}
	for _, place := range places {
		for _, h := range l.Hunks(place.File) {
			if h.Line() >= place.Line && h.HeadLines > 0 {
				return loader.Position{File: place.File, Line: h.Line(), Column: 1}, true
			}
		}
	}
	return loader.Position{}, false
}

// removed returns the line of head at which the diff shows a removed line of base. It returns false
// if the line was not removed.
func (l Lines) removed(at loader.Position) (loader.Position, bool) {
	if l.Hunks == nil || l.Content != nil && l.Content(at.File) == "" {
		return loader.Position{}, false
	}
	for _, h := range l.Hunks(at.File) {
		if h.InBase(at.Line) {
			// The replacement begins at the same distance from the start, if the hunk is that long.
			line := h.Line() + min(at.Line-h.Base, max(h.HeadLines-1, 0))
			return loader.Position{File: at.File, Line: line, Column: 1}, true
		}
	}
	return loader.Position{}, false
}

// shown returns the line of the diff that shows a cause: its own, the hunk that removed it, or the
// entry that lists its file.
func (p positions) shown(c plan.Cause) (loader.Position, bool) {
	at := c.Position()
	base, head := p.base.object(c.Object), p.head.object(c.Object)
	// If lines are equal, the diff may show another line of a value than the first.
	if c.Side == plan.InHead {
		if p.lines.edited(at) {
			return at, true
		}
		if moved, ok := findShown(head, at, p.lines.shows); ok {
			return moved, true
		}
	} else {
		if moved, ok := p.lines.removed(at); ok {
			return moved, true
		}
		if moved, ok := findShown(base, at, p.lines.removed); ok {
			return moved, true
		}
	}
	switch {
	case base != nil && head != nil:
		return loader.Position{}, false // the object is still listed as before
	case head != nil:
		if at, ok := anywhere(head, p.lines.shows); ok {
			return at, true
		}
	case base != nil:
		if at, ok := anywhere(base, p.lines.removed); ok {
			return at, true
		}
	}
	return p.entry(cmp.Or(base, head))
}

// anywhere returns the first place in an object that shows finds. It starts at the root, because
// the name may be what was edited.
func anywhere(o *loader.Object, shows func(loader.Position) (loader.Position, bool)) (loader.Position, bool) {
	return findShown(o, o.Position(o.Root), shows)
}

// entry returns the edited line that lists, or listed, the file of an object.
func (p positions) entry(o *loader.Object) (loader.Position, bool) {
	if o == nil {
		return loader.Position{}, false
	}
	for _, at := range slices.Backward(o.Listed) {
		if p.lines.edited(at) {
			return at, true
		}
		if moved, ok := p.lines.removed(at); ok {
			return moved, true
		}
	}
	if p.lines.Content != nil && p.lines.Content(o.First().File) == "" {
		return loader.Position{}, false // its file was deleted
	}
	// Another field of a kustomization that lists the object may remove it: a patch.
	for _, at := range slices.Backward(o.Listed) {
		if hunks := p.lines.Hunks(at.File); len(hunks) > 0 && (p.lines.Content == nil || p.lines.Content(at.File) != "") {
			return loader.Position{File: at.File, Line: hunks[0].Line(), Column: 1}, true
		}
	}
	return loader.Position{}, false
}

// toChange moves a new finding that is outside the change to the line of an edit that caused it.
// The finding keeps the old place as a related one.
func (p *Pair) toChange(f *plan.Finding) {
	if p.Lines.Hunks == nil || f.State != plan.New {
		return
	}
	at := loader.Position{File: f.File, Line: f.Line, Column: f.Column}
	own := plan.Cause{File: f.File, Line: f.Line, Column: f.Column, Side: cmp.Or(f.Side, plan.InHead), Object: f.Target}
	if f.Side == "" && p.Lines.touched(at) {
		return
	}
	lines := p.positions()
	for _, c := range append([]plan.Cause{own}, p.causes(f.Target)...) {
		if at, ok := lines.shown(c); ok {
			f.Move(at, loader.Spoken(f.Target))
			relateRemoved(f, c)
			return
		}
	}
	if at, ok := lines.within(f.Target); ok {
		f.Move(at, loader.Spoken(f.Target))
		return
	}
	for _, id := range deciding(p, p.settings().involved[f.Fingerprint]) {
		if at, ok := lines.within(id.String()); ok {
			f.Move(at, loader.Spoken(f.Target))
			return
		}
		if gone := p.Base.object(id.String()); gone != nil && p.Head.object(id.String()) == nil {
			at := gone.First()
			relateRemoved(f, plan.Cause{Side: plan.InBase, Object: id.String(), File: at.File, Line: at.Line, Column: at.Column})
		}
	}
	if at, ok := lines.input(f); ok {
		f.Move(at, loader.Spoken(f.Target))
		return
	}
	for _, c := range p.causes(f.Target) {
		relateRemoved(f, c)
	}
}

// input returns the edited line of a file from which a rendered object is made, for a finding that has no line: a
// template does not show which values decide.
func (p positions) input(f *plan.Finding) (loader.Position, bool) {
	o := p.head.object(f.Target)
	if f.Line != 0 || f.Side != "" || o == nil {
		return loader.Position{}, false
	}
	var files []loader.Position
	for _, at := range o.Inputs {
		if ext := path.Ext(at.File); at.Line == 0 && (ext == ".yaml" || ext == ".yml" || ext == ".tpl") {
			files = append(files, at)
		}
	}
	// Values decide before the template of the object, this before other templates, and Chart.yaml has another version with every edit.
	rank := func(at loader.Position) int {
		switch {
		case path.Base(at.File) == "Chart.yaml":
			return 2
		case at.File != f.File && strings.Contains(at.File, "/templates/"):
			return 1
		}
		return 0
	}
	slices.SortStableFunc(files, func(a, b loader.Position) int { return cmp.Compare(rank(a), rank(b)) })
	return p.lines.firstIn(files)
}

// deciding returns some objects, and behind them the ReferenceGrants of their namespaces.
func deciding(p *Pair, involved []loader.ID) []loader.ID {
	if len(involved) > 0 && p.grants == nil {
		p.grants = map[string][]loader.ID{}
		for _, s := range []*Environment{p.Head, p.Base} {
			if s == nil {
				continue
			}
			for _, o := range s.Run.Environment.Objects {
				if o.ID.Group == loader.GatewayGroup && o.ID.Kind == "ReferenceGrant" && (s == p.Head || p.Head.object(o.ID.String()) == nil) {
					p.grants[o.ID.Namespace] = append(p.grants[o.ID.Namespace], o.ID)
				}
			}
		}
	}
	out := slices.Clone(involved)
	for _, id := range involved {
		out = append(out, p.grants[id.Namespace]...)
	}
	return out
}

// relateRemoved adds the old place of another object that an edit removed or changed.
func relateRemoved(f *plan.Finding, c plan.Cause) {
	before := plan.Related{Message: loader.Spoken(c.Object) + " before the change", Side: c.Side, File: c.File, Line: c.Line, Column: c.Column}
	if c.Side == plan.InBase && c.Object != f.Target && !slices.Contains(f.Related, before) {
		f.Related = append(f.Related, before)
	}
}

// within returns the first edited line in an object.
func (p positions) within(node string) (loader.Position, bool) {
	if head := p.head.object(node); head != nil {
		if at, ok := anywhere(head, p.lines.shows); ok {
			return at, true
		}
	}
	if base := p.base.object(node); base != nil {
		return anywhere(base, p.lines.removed)
	}
	return loader.Position{}, false
}

// causes returns the edits that changed a node.
func (p *Pair) causes(node string) []plan.Cause {
	if p.causesOf == nil {
		p.causesOf = map[string][]plan.Cause{}
		if p.Difference != nil {
			p.indexCauses()
		}
	}
	return p.causesOf[node]
}

func (p *Pair) indexCauses() {
	for i := range p.Difference.Changes {
		c := &p.Difference.Changes[i]
		for _, t := range c.Targets {
			whole := t.Target.ID().String()
			p.causesOf[whole] = append(p.causesOf[whole], c.Causes...)
			if t.Target.Section != "" {
				section := whole + "#" + t.Target.Section
				p.causesOf[section] = append(p.causesOf[section], c.Causes...)
			}
		}
	}
	for _, v := range p.Difference.Policies {
		p.causesOf[v.Node] = append(p.causesOf[v.Node], v.Causes...)
	}
}
