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
	"github.com/gwplan/gwplan/analyze/sentence"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// nodeShift is the effect of an edit on the protection that an object of Gateway API, a listener or
// a rule provides itself, without a policy.
type nodeShift struct {
	before, after *hierarchy.Node
	shift         protection.Shift
}

// nodeShifts returns the shifts of the objects that both revisions have.
func nodeShifts(p *Pair) []nodeShift {
	if p.own != nil || p.Difference == nil || p.Difference.Join == nil {
		return p.own
	}
	p.own = []nodeShift{}
	p.Difference.Join.Nodes(func(at *effective.Joint) {
		b, a := at.Nodes[effective.Base], at.Nodes[effective.Head]
		if b == nil || a == nil || b.Object == nil || a.Object == nil || a.Object.Context || protection.Same(b, a) {
			return
		}
		if s := protection.Own(b, a, p.Head.isPolicy); !s.Empty() {
			p.own = append(p.own, nodeShift{before: b, after: a, shift: s})
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
		id := t.Target.ID()
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
	return t.Target.ID() == n.Target.ID
}

func (s *Environment) isPolicy(group, kind string) bool { return s.Table.Kind(group, kind) != nil }

// lossForm is one form of weaker protection: of returns its fields.
type lossForm struct {
	key      string
	severity plan.Severity
	of       func(protection.Shift) []protection.Field
	// title is the sentence about one node and many the one about several listeners, both with the words for these
	// fields; detail is about the paths of the fields. perhaps is the title if it is not known what protects the
	// requests instead.
	title, many, detail, perhaps string
}

// reportOwn reports the protection that objects themselves lose: what they require of requests or,
// if exposing is true, what they admit.
func reportOwn(p *Pair, exposing bool, losses []lossForm, report Report) {
	for _, loss := range losses {
		for _, found := range nodesThatLose(p, exposing, &loss) {
			first := found.nodes[0].after
			h := Hit{
				Target: first.String(), Key: append([]string{loss.key}, found.paths...), At: found.at, InBase: found.inBase, Severity: loss.severity,
				Object: first.Object, Detail: fmt.Sprintf(loss.detail, strings.Join(found.said, ", ")),
				Opens: first.Level == hierarchy.LevelOutside && slices.ContainsFunc(found.fields, opens), // no section of requests tells of it
			}
			switch words := p.words(nil, found.paths); {
			case exposing:
				h.Title = say(loss.title, first, exposureWords(p, found.fields))
			case loss.title == weakens && slices.Equal(found.paths, []string{"/protocol"}): // it is of a protocol without TLS now
				h.Title, h.Detail = say("%s no longer uses %s", first, words), ""
				if len(found.nodes) > 1 {
					h.Title = say("%s no longer use %s", spelling.Count(len(found.nodes), "listener")+" of "+first.Owner.Spoken(), words)
				}
			case len(found.nodes) > 1:
				h.Title = say(loss.many, spelling.Count(len(found.nodes), "listener")+" of "+first.Owner.Spoken(), words)
			default:
				title := loss.title
				if skipped := sentence.ObjectOf(words).Skipped; skipped != "" && title == weakens {
					title, words = "%s skips %s", skipped
				}
				h.Title = say(title, first, words)
			}
			for _, other := range found.nodes[1:] {
				at := other.after.Position()
				h.Related = append(h.Related, plan.Related{Message: other.after.String(), Side: plan.InHead, File: at.File, Line: at.Line, Column: at.Column})
			}
			report(h)
		}
	}
}

// losingNodes is a node that loses protection, or several listeners of a Gateway that lose the same by the same edit.
type losingNodes struct {
	nodes  []nodeShift
	fields []protection.Field
	// paths are those of the fields, and said is what the detail says of each.
	paths, said []string
	at          loader.Position
	inBase      bool
}

// nodesThatLose returns the nodes that lose protection in a form.
func nodesThatLose(p *Pair, exposing bool, loss *lossForm) []*losingNodes {
	var out []*losingNodes
	for _, own := range nodeShifts(p) {
		if exposing && admitsNothing(p.Head.Run.Graph, own.after) {
			continue
		}
		one := losingNodes{nodes: []nodeShift{own}}
		for _, f := range loss.of(own.shift) {
			if isExposure(f) != exposing || isWidenedPath(own.shift, f) {
				continue
			}
			one.fields, one.paths = append(one.fields, f), append(one.paths, f.Path)
			if exposing {
				one.said = append(one.said, fromTo(f))
			} else {
				one.said = append(one.said, f.String())
			}
		}
		if len(one.fields) == 0 {
			continue
		}
		one.at, one.inBase = fieldAt(own, one.fields[0])
		same := func(o *losingNodes) bool {
			return !exposing && own.after.Level == hierarchy.LevelListener && o.nodes[0].after.Owner == own.after.Owner && o.at == one.at && o.inBase == one.inBase && slices.Equal(o.said, one.said)
		}
		if i := slices.IndexFunc(out, same); i >= 0 {
			out[i].nodes = append(out[i].nodes, own)
			continue
		}
		out = append(out, &one)
	}
	return out
}

// admitsNothing reports whether a node is, or belongs to, a Gateway that its controller does not serve at all.
func admitsNothing(g *hierarchy.Graph, n *hierarchy.Node) bool {
	switch n.Level {
	case hierarchy.LevelGateway, hierarchy.LevelListenerSet, hierarchy.LevelListener:
		gateway := hierarchy.GatewayOf(n)
		return gateway.Object != nil && (g.OnlyInOwnStatus(gateway) || g.NoUsableAddress(gateway))
	default:
		return false
	}
}

// fieldAt returns the place of a field in head or, if it is gone, in base (true).
func fieldAt(own nodeShift, f protection.Field) (loader.Position, bool) {
	place := func(t *merge.Tree) (loader.Position, bool) {
		if t == nil || t.Value == nil || t.Value.Mark.Line == 0 || t.Value.Defaulted || t.Source == nil {
			return loader.Position{}, false
		}
		return t.Source.Object.Position(t.Value), true
	}
	if at, ok := place(f.After); ok {
		return at, false
	}
	if strings.HasPrefix(f.Path, protection.ClientValidation) {
		// The stanza for the port of the listener has none.
		if frontend, gateway := own.after.Frontend(); frontend != nil {
			return gateway.Object.Position(frontend), false
		}
	}
	if at, ok := place(f.Before); ok {
		return at, true
	}
	return own.after.Position(), false
}
