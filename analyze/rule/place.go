package rule

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/protection"
	"github.com/gwplan/gwplan/loader"
)

// positions finds the lines at which findings about a change stand.
type positions struct {
	// base and head are nil for a revision that does not have the environment.
	base, head *Environment
	lines      Lines
}

func (p *Pair) positions() positions { return positions{base: p.Base, head: p.Head, lines: p.Lines} }

// of finds the line for a finding about some fields of a change. It is the line of the fields if
// it was edited, else the first cause that the change shows, else the first cause in head. If
// something was deleted, it is the spec of the object in head, else the old place in base.
func (p positions) of(c *change.Compared, paths []string) (at loader.Position, object string, inBase bool, related []plan.Related) {
	for _, cause := range c.Causes {
		if cause.Side == plan.InBase {
			related = append(related, plan.Related{
				Message: loader.Spoken(cause.Object) + " before the change", Side: plan.InBase, File: cause.File, Line: cause.Line, Column: cause.Column,
			})
		}
	}
	if at, object := p.fieldPlace(c, paths); object != "" {
		return at, object, false, related
	}
	if p.lines.Hunks != nil {
		for _, cause := range firstOf(c.Causes, losers(c, paths)) {
			if at, ok := p.shown(cause); ok {
				return at, "", false, related
			}
		}
	}
	for _, cause := range c.Causes {
		if cause.Side == plan.InHead {
			return cause.Position(), "", false, related
		}
	}
	// Something was deleted inside an object that head still has: its spec is the nearest place in
	// head.
	for _, cause := range c.Causes {
		if o := p.head.object(cause.Object); o != nil {
			return o.Position(o.Spec()), "", false, related
		}
	}
	if len(c.Causes) > 0 {
		first := c.Causes[0]
		return first.Position(), "", true, p.affected(c)
	}
	return loader.Position{}, "", true, nil
}

// losers returns the objects that set one of the paths in base, where head sets it no longer.
func losers(c *change.Compared, paths []string) map[string]bool {
	out := map[string]bool{}
	is := isAt(paths)
	for _, f := range c.Fields {
		if f.AfterSource == nil && f.BeforeSource != nil && is(plain(f.Path)) {
			out[f.BeforeSource.Object] = true
		}
	}
	return out
}

// firstOf returns the causes that are edits of some objects before the others.
func firstOf(causes []plan.Cause, objects map[string]bool) []plan.Cause {
	other := func(c plan.Cause) bool { return !objects[c.Object] }
	own := func(c plan.Cause) bool { return objects[c.Object] }
	return append(slices.DeleteFunc(slices.Clone(causes), other), slices.DeleteFunc(slices.Clone(causes), own)...)
}

// isAt returns a function that reports whether a path is one of some paths, or is below or above one.
func isAt(paths []string) func(string) bool {
	named, around := map[string]bool{}, map[string]bool{}
	for _, path := range paths {
		named[path] = true
		for _, above := range protection.Above(path) {
			around[above] = true
		}
	}
	return func(path string) bool {
		return named[path] || around[path] || slices.ContainsFunc(protection.Above(path), func(above string) bool { return named[above] })
	}
}

// affected returns the first target of a change that head has. Reports that can only show lines of
// head use it.
func (p positions) affected(c *change.Compared) []plan.Related {
	if p.head == nil {
		return nil
	}
	for _, t := range c.Targets {
		id := t.Target.ID()
		if o := p.head.Run.Graph.Object(id); o != nil {
			at := o.First()
			return []plan.Related{{Message: say("%s is affected", id), Side: plan.InHead, File: at.File, Line: at.Line, Column: at.Column}}
		}
	}
	return nil
}

// fieldPlace returns the line of head with the changed value of one of the paths, and the object
// that contains it. If an edit removed the field, it is the nearest line around it. The object is
// "" if there is no line.
func (p positions) fieldPlace(c *change.Compared, paths []string) (at loader.Position, object string) {
	type place struct{ object, file string }
	causes := map[place]bool{}
	for _, cause := range c.Causes {
		causes[place{object: cause.Object, file: cause.File}] = true
	}
	edited := func(s *plan.Source) bool { return s != nil && causes[place{object: s.Object, file: s.File}] }
	is := isAt(paths)
	for _, f := range c.Fields {
		if !is(plain(f.Path)) {
			continue
		}
		if s := f.AfterSource; edited(s) {
			for _, cause := range c.Causes {
				if cause.Side == plan.InHead && cause.File == s.File && cause.Line == s.Line {
					return cause.Position(), s.Object
				}
			}
			return p.inside(f, s), s.Object
		}
		if s := f.BeforeSource; edited(s) && p.base != nil {
			if at, ok := p.lines.removed(s.Position()); ok {
				return at, s.Object
			}
			if at, found := nearest(p.base.object(s.Object), p.head.object(s.Object), s, c.Causes); found {
				return at, s.Object
			}
		}
	}
	return loader.Position{}, ""
}

// inside returns the first edited line in a field of head, else the line where the diff shows the
// field of base, else the place of the field.
func (p positions) inside(f plan.Field, s *plan.Source) loader.Position {
	at := s.Position()
	if p.lines.Hunks == nil || p.lines.edited(at) {
		return at
	}
	if found, ok := findShown(p.head.object(s.Object), at, p.lines.shows); ok {
		return found
	}
	if was := f.BeforeSource; was != nil && p.base != nil {
		if found, ok := findShown(p.base.object(was.Object), was.Position(), p.lines.removed); ok {
			return found
		}
	}
	return at
}

// findShown calls shows for the value at a place of an object and for the values inside it. It returns
// the first place found.
func findShown(o *loader.Object, at loader.Position, shows func(loader.Position) (loader.Position, bool)) (found loader.Position, ok bool) {
	if o == nil {
		return loader.Position{}, false
	}
	var walk func(v *loader.Value, in bool)
	walk = func(v *loader.Value, in bool) {
		if ok {
			return
		}
		place := o.Position(v)
		if in = in || place == at; in {
			if found, ok = shows(place); ok {
				return
			}
		}
		for _, f := range v.Fields {
			walk(f.Value, in)
		}
		for _, item := range v.Items {
			walk(item, in)
		}
	}
	walk(o.Root, false)
	return found, ok
}

var brackets = strings.NewReplacer("][", "/", "[", "/", "]", "")

// plain returns the path of a field with list keys as path steps.
func plain(field string) string {
	return "/" + strings.ReplaceAll(strings.Trim(brackets.Replace(field), "/"), "//", "/")
}

// nearest returns the place in after that is nearest to an old place in before: an edited line
// inside what remains around it, else the start of that. It returns false for the root and the
// spec.
func nearest(before, after *loader.Object, old *plan.Source, causes []plan.Cause) (loader.Position, bool) {
	if before == nil || after == nil {
		return loader.Position{}, false
	}
	at, there := after.Root, before.Root
	for {
		key, child := step(before, there, old)
		if child == nil {
			return loader.Position{}, false // it still exists: something else removed the field
		}
		next := at.Get(key)
		if next == nil {
			break
		}
		at, there = next, child
	}
	if at == after.Root || at == after.Spec() {
		return loader.Position{}, false
	}
	for _, cause := range causes {
		place := cause.Position()
		if cause.Side == plan.InHead && isAtOrAround(after, at, place) {
			return place, true
		}
	}
	return after.Position(at), true
}

// isAtOrAround reports whether a value, or one inside it, is at a place.
func isAtOrAround(o *loader.Object, v *loader.Value, place loader.Position) bool {
	return o.Position(v) == place ||
		slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return isAtOrAround(o, f.Value, place) }) ||
		slices.ContainsFunc(v.Items, func(item *loader.Value) bool { return isAtOrAround(o, item, place) })
}

// step returns the field of a map that contains a place: the last one that begins at or before it.
func step(o *loader.Object, v *loader.Value, old *plan.Source) (key string, child *loader.Value) {
	if v.Shape != loader.Map {
		return "", nil
	}
	place := old.Position()
	for _, f := range v.Fields {
		begins := o.Position(f.Value)
		if begins.File == place.File && begins.Compare(place) <= 0 && (child == nil || begins.Compare(o.Position(child)) >= 0) {
			key, child = f.Key, f.Value
		}
	}
	return key, child
}

// object returns the object that a node names, or nil. A revision that does not have the environment
// has none.
func (s *Environment) object(node string) *loader.Object {
	if s == nil {
		return nil
	}
	if s.named == nil {
		s.named = map[string]*loader.Object{}
		for _, o := range s.Run.Environment.Objects {
			s.named[o.ID.String()] = o
		}
	}
	return s.named[node]
}
