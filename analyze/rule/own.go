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

// ownShift is the effect of an edit on the protection that an object of Gateway API, a listener or
// a rule provides itself, without a policy.
type ownShift struct {
	before, after *hierarchy.Node
	shift         protection.Shift
}

// ownShifts returns the shifts of the objects that both revisions have.
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

// policyTakesTLS reports whether a policy now sets the TLS of a backend. The backend may have set
// it itself before.
func policyTakesTLS(p *Pair, n *hierarchy.Node) bool {
	return n.Level >= hierarchy.LevelBackend && slices.ContainsFunc(p.Difference.Changes, func(c change.Compared) bool {
		return c.PolicyKind != nil && !staysBehind(&c) && targets(&c, n) && givesTLS(shift(p, &c))
	})
}

// givesItself reports whether each target of a change is a backend that now sets the TLS that a
// policy set before. It looks up objects, because only the policy may refer to the backend.
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

// ownLoss is one form of weaker protection: of returns its fields.
type ownLoss struct {
	key      string
	severity plan.Severity
	of       func(protection.Shift) []protection.Field
	// title is the sentence about a node and these fields in words, detail is about their paths.
	title, detail string
}

// reportOwn reports the protection that objects themselves lose: what they require of requests or,
// if exposing is true, what they admit.
func reportOwn(p *Pair, exposing bool, losses []ownLoss, report Report) {
	for _, own := range ownShifts(p) {
		for _, loss := range losses {
			fields := slices.DeleteFunc(slices.Clone(loss.of(own.shift)), func(f protection.Field) bool {
				return isExposure(f) != exposing || isWidenedPath(own.shift, f)
			})
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
			fieldNames := strings.Join(said, ", ")
			title, detail := say(loss.title, own.after, p.words(nil, paths)), fmt.Sprintf(loss.detail, fieldNames)
			if exposing {
				title = say(loss.title, own.after, exposureWords(p, fields))
			}
			at, inBase := fieldAt(own, fields[0])
			report(Hit{
				Title: title, Detail: detail, Target: own.after.String(), Key: append([]string{loss.key}, paths...), At: at, InBase: inBase, Severity: loss.severity,
				Object: own.after.Object,
			})
		}
	}
}

// fieldAt returns the place of a field in head or, if it is gone, in base (true).
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
