package rule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/protection"
	"github.com/gwplan/gwplan/loader"
)

// ownShift is what an edit does to the protection that an object of Gateway API, a listener
// or a rule gives by itself.
type ownShift struct {
	before, after *hierarchy.Node
	shift         protection.Shift
}

// ownShifts are those of the objects that both revisions have.
func ownShifts(p *Pair) []ownShift {
	if p.own != nil || p.Difference == nil || p.Difference.Join == nil {
		return p.own
	}
	p.own = []ownShift{}
	p.Difference.Join.Nodes(func(at *effective.Joint) {
		b, a := at.Nodes[effective.Base], at.Nodes[effective.Head]
		if b == nil || a == nil || b.Object == nil || a.Object == nil || a.Object.Context || b.Object.Digest == a.Object.Digest {
			return
		}
		if s := protection.Own(b, a, p.Head.isPolicy); !s.Empty() {
			p.own = append(p.own, ownShift{before: b, after: a, shift: s})
		}
	})
	for i, own := range p.own {
		if policyTakesTLS(p, own.after) {
			p.own[i].shift = own.shift.Only(func(f protection.Field) bool { return f.What != protection.TLS })
		}
	}
	return p.own
}

// policyTakesTLS says whether a policy gives a backend now the TLS that it may have given
// itself.
func policyTakesTLS(p *Pair, n *hierarchy.Node) bool {
	return n.Level >= hierarchy.LevelBackend && slices.ContainsFunc(p.Difference.Changes, func(c change.Compared) bool {
		return c.PolicyKind != nil && !staysBehind(&c) && targets(&c, n) && givesTLS(shift(&c))
	})
}

// givesItself says whether each target of a change is a backend that gives itself the TLS now
// which a policy gave it. Nothing may refer to it but the policy, so that objects are asked.
func givesItself(p *Pair, c *change.Compared) bool {
	if p.Base == nil || p.Head == nil || len(c.Targets) == 0 {
		return false
	}
	node := func(s *Environment, id loader.ID) *hierarchy.Node {
		o := s.Run.Graph.Object(id)
		if o == nil {
			return nil
		}
		return &hierarchy.Node{Target: hierarchy.Target{ID: id}, Level: hierarchy.LevelBackend, Object: o, Value: o.Spec()}
	}
	return !slices.ContainsFunc(c.Targets, func(t plan.Target) bool {
		id := loader.ID{Group: t.Target.Group, Kind: t.Target.Kind, Namespace: t.Target.Namespace, Name: t.Target.Name}
		return !givesTLS(protection.Own(node(p.Base, id), node(p.Head, id), p.Head.isPolicy))
	})
}

func givesTLS(s protection.Shift) bool {
	return slices.ContainsFunc(s.Tightened, func(f protection.Field) bool { return f.What == protection.TLS })
}

func targets(c *change.Compared, n *hierarchy.Node) bool {
	return slices.ContainsFunc(c.Targets, func(t plan.Target) bool { return isTarget(t, n) })
}

func isTarget(t plan.Target, n *hierarchy.Node) bool {
	return t.Target.Group == n.Target.Group && t.Target.Kind == n.Target.Kind && t.Target.Namespace == n.Target.Namespace && t.Target.Name == n.Target.Name
}

func (s *Environment) isPolicy(group, kind string) bool { return s.Table.Kind(group, kind) != nil }

// ownLoss is a way to protect less, with the list of fields that it is about and what is
// said of a node and of them.
type ownLoss struct {
	key      string
	severity plan.Severity
	of       func(protection.Shift) []protection.Field
	message  string
}

// reportOwn says what objects lose of the protection that they give themselves: what they
// ask for or, where exposing, what they let in.
func reportOwn(p *Pair, exposing bool, losses []ownLoss, report Report) {
	for _, own := range ownShifts(p) {
		for _, loss := range losses {
			fields := slices.DeleteFunc(slices.Clone(loss.of(own.shift)), func(f protection.Field) bool { return isExposure(f) != exposing })
			if len(fields) == 0 {
				continue
			}
			var said, paths []string
			for _, f := range fields {
				paths = append(paths, f.Path)
				if exposing {
					said = append(said, fromTo(f))
				} else {
					said = append(said, f.String())
				}
			}
			at, inBase := fieldAt(own, fields[0])
			report(Hit{
				Target: own.after.String(), Key: append([]string{loss.key}, paths...), At: at, InBase: inBase, Severity: loss.severity,
				Message: fmt.Sprintf(loss.message, own.after, strings.Join(said, ", ")), Object: own.after.Object,
			})
		}
	}
}

// fieldAt is the place of a field in head, or in base if it is gone.
func fieldAt(own ownShift, f protection.Field) (loader.Position, bool) {
	place := func(t *merge.Tree) (loader.Position, bool) {
		if t == nil || t.Value == nil || t.Value.Mark.Line == 0 || t.Value.Defaulted || t.Source == nil {
			return loader.Position{}, false
		}
		return t.Source.Object.Position(t.Value), true
	}
	if at, ok := place(f.After); ok {
		return at, false
	}
	if at, ok := place(f.Before); ok {
		return at, true
	}
	return own.after.Position(), false
}
