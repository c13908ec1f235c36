package effective

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/policy"
)

// Yielded is a field that was left out of an effective policy: it yields to other policies, or to
// the target's own fields.
type Yielded struct {
	Path string
	// To are the policies, of another kind. Own is true if the field yields to the target itself.
	// The target's value must be read from each target, because one fold may serve several.
	To  []*policy.Policy
	Own bool
}

// Has reports whether the spec has something at some keys.
func (p *Policy) Has(keys []string) bool {
	if p == nil {
		return false
	}
	at := p.Spec
	for _, key := range keys {
		at = at.Get(key)
	}
	return at != nil
}

// Yields reports whether a dotted path is at or below a field that was left out.
func (p *Policy) Yields(path string) bool {
	return p != nil && slices.ContainsFunc(p.Yielded, func(y Yielded) bool {
		return path == y.Path || strings.HasPrefix(path, y.Path+".")
	})
}

// yield removes from a spec the fields that yield at the target. If only some of its ports have a
// policy of the other kind, the field stays, because it counts at the other ports.
func (r *Run) yield(k *catalogue.Kind, spec *merge.Tree, target *hierarchy.Node) (left *merge.Tree, out []Yielded) {
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

// without removes a field from a spec, together with the parents that become empty. It returns nil
// if nothing is left.
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

// YieldsTo returns the policies of other kinds to which a field of a policy yields at a target, or
// at least at one of its ports.
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

// policiesAt returns the policies of a kind, GROUP/KIND, at a node, at its owner and at its
// sections. everywhere is true if they cover every port of the node.
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
