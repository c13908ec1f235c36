package rule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
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
func (p *Pair) ownShifts() []ownShift {
	if p.own != nil || p.Difference == nil || p.Difference.Join == nil {
		return p.own
	}
	p.own = []ownShift{}
	p.Difference.Join.Nodes(func(at *effective.Joint) {
		b, a := at.Nodes[effective.Base], at.Nodes[effective.Head]
		if b == nil || a == nil || b.Object == nil || a.Object == nil || a.Object.Context || b.Object.Digest == a.Object.Digest {
			return
		}
		if s := protection.Own(b, a, p.isPolicy); !s.Empty() {
			p.own = append(p.own, ownShift{b, a, s})
		}
	})
	return p.own
}

func (p *Pair) isPolicy(group, kind string) bool { return p.Head.Table.Kind(group, kind) != nil }

// ownLoss is a way to protect less, with the list of fields that it is about and what is
// said of a node and of them.
type ownLoss struct {
	key      string
	severity Severity
	of       func(protection.Shift) []protection.Field
	message  string
}

// reportOwn says what objects lose of the protection that they give themselves: what they
// ask for or, where exposing, what they let in.
func (p *Pair) reportOwn(exposing bool, losses []ownLoss, report Report) {
	for _, own := range p.ownShifts() {
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
