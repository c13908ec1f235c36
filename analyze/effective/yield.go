package effective

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/policy"
)

// Yielded is what was left out of an effective policy: a field that yields to other
// policies, or to what the target says itself.
type Yielded struct {
	Path string
	// To are the policies, of another kind; Own says that it is the target. What that
	// says is asked of each: one fold may stand for several.
	To  []*policy.Policy
	Own bool
}

// Yields says whether a path, with dots, lies in what was left out.
func (p *Policy) Yields(path string) bool {
	return p != nil && slices.ContainsFunc(p.Yielded, func(y Yielded) bool {
		return path == y.Path || strings.HasPrefix(path, y.Path+".")
	})
}

// yield takes from a spec what yields at the target. Where some ports of it have a
// policy of the other kind and others have not, the spec counts at the others, and
// stays.
func (r *Run) yield(k *policy.Kind, spec *merge.Tree, target *hierarchy.Node) (left *merge.Tree, out []Yielded) {
	for _, y := range k.Merge.Yields {
		field := spec.At(y.Path)
		if field == nil {
			continue
		}
		yielded := Yielded{Path: y.Path}
		if y.To != "" {
			if others, everywhere := r.policiesAt(target, y.To); everywhere {
				yielded.To = others
			}
		} else if field.Source == nil || field.Source.Role != merge.Override {
			yielded.Own = y.By(target) != nil
		}
		if len(yielded.To) > 0 || yielded.Own {
			spec = without(spec, y.Path)
			out = append(out, yielded)
		}
	}
	return spec, out
}

// without takes a field from a spec, and with it what holds nothing else; nil if
// nothing is left.
func without(spec *merge.Tree, path string) *merge.Tree {
	spec = spec.Without(path)
	for parent, nested := parentOf(path); nested; parent, nested = parentOf(parent) {
		if t := spec.At(parent); t != nil && t.Kind == merge.Map && len(t.Entries) == 0 {
			spec = spec.Without(parent)
		}
	}
	if spec.Kind == merge.Map && len(spec.Entries) == 0 {
		return nil
	}
	return spec
}

// YieldsTo are the policies of other kinds to which something of a policy yields
// at a target, at some port of it at least.
func (r *Run) YieldsTo(p *policy.Policy, target *hierarchy.Node) []*policy.Policy {
	var out []*policy.Policy
	for _, y := range p.Kind.Merge.Yields {
		if y.To != "" && p.Spec.At(y.Path) != nil {
			others, _ := r.policiesAt(target, y.To)
			out = append(out, others...)
		}
	}
	return out
}

// policiesAt are the policies of a kind, GROUP/KIND, at a node, at what it is a
// part of, or at its own parts, and whether no part of it is without one.
func (r *Run) policiesAt(n *hierarchy.Node, kind string) (out []*policy.Policy, everywhere bool) {
	if n == nil {
		return nil, false
	}
	for _, k := range r.Attached.Kinds {
		if k.Group+"/"+k.Name() != kind {
			continue
		}
		at := func(n *hierarchy.Node) bool {
			set := r.Attached.At(n, k)
			if set == nil || len(set.Policies) == 0 {
				return false
			}
			out = append(out, set.Policies...)
			return true
		}
		everywhere = at(n)
		if n.Owner != nil {
			everywhere = at(n.Owner) || everywhere
		}
		covered := 0
		for _, section := range n.Sections {
			if at(section) {
				covered++
			}
		}
		ports := len(n.Value.List("ports"))
		everywhere = everywhere || covered > 0 && covered >= ports
	}
	return out, everywhere
}
