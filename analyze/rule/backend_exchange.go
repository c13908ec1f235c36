package rule

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/protection"
	"github.com/gwplan/gwplan/loader"
)

// exchangeShift compares the protection of a kind at the backends that get the requests of a passage after the change and did
// not before with that of those in whose place they came. What other backends of the rule still give is no gain.
func exchangeShift(p *Requests, k *catalogue.Kind, passage *answer.Passage) protection.Shift {
	var sum protection.Shift
	exchanges, whole := answer.Exchanges(p.Difference.Join, passage.Before, passage.After)
	for _, e := range exchanges {
		shift := exchanged(p, k, e)
		if !whole {
			shift.Tightened = nil
		}
		sum = sum.And(shift)
	}
	return sum
}

// exchanged compares the protection of a kind at one such backend. Of several in whose place it may have come, the one counts
// that was protected least. A misspelt one gets no requests.
func exchanged(p *Requests, k *catalogue.Kind, e answer.Exchange) protection.Shift {
	if misspeltBackend(p.Head, e.Edge) != "" {
		return protection.Shift{}
	}
	j := p.Difference.Join
	is := j.Along(k, effective.Head, e.Context)
	var first protection.Shift
	for i, context := range e.Before {
		was := j.Along(k, effective.Base, context)
		var shift protection.Shift
		for _, level := range []hierarchy.Level{hierarchy.LevelBackend, hierarchy.LevelPort} {
			if was[level] != nil || is[level] != nil {
				shift = shift.And(between(p.Pair, k, was[level], is[level]).Only(func(f protection.Field) bool { return !isExposure(f) }))
			}
		}
		if !shift.Loosens() {
			return shift
		}
		if i == 0 {
			first = shift
		}
	}
	return first
}

// reportExchanged reports the requests that lose protection because their rule sends them to another backend.
func reportExchanged(p *Pair, report Report) {
	type loss struct {
		rule        *hierarchy.Node
		backend     loader.ID // a Service stands for its ports
		kind        *catalogue.Kind
		key, fields string
	}
	type found struct {
		answer.Passage
		answer.Exchange
		paths []string
	}
	var losses groups[loss, found]
	for _, passage := range p.Requests().Answered() {
		if !passage.Kept || len(passage.Doubts) > 0 || passage.Before == nil || passage.After == nil {
			continue
		}
		exchanges, _ := answer.Exchanges(p.Difference.Join, passage.Before, passage.After)
		for _, e := range exchanges {
			for _, k := range p.Requests().protecting() {
				shift := replaced(p, exchanged(p.Requests(), k, e), k, &passage)
				for _, form := range wayLosses {
					if fields := form.of(shift); len(fields) > 0 {
						what := listed(fields)
						losses.add(loss{passage.After.Rule, e.Edge.Child.Target.ID, k, form.key, what.words}, found{passage, e, what.paths})
					}
				}
			}
		}
	}
	for _, l := range losses.keys {
		form := wayLosses[slices.IndexFunc(wayLosses, func(form lossForm) bool { return form.key == l.key })]
		list := losses.of[l]
		var taken []*answer.Way
		before, known := list[0].Exchange.Before[0], map[string]bool{}
		for _, one := range list {
			if text := one.Request.Described(); !known[text] {
				known[text] = true
				taken = append(taken, one.Request)
			}
		}
		report(Hit{
			Target: l.rule.String(), Key: []string{"backend", l.key, l.kind.String(), l.fields, l.backend.String()}, At: list[0].Edge.Position(), Object: l.rule.Object,
			Severity: form.severity,
			Title:    fmt.Sprintf(form.title, "Requests to "+requests(taken), p.words(l.kind, list[0].paths)), Requests: requests(taken),
			Detail: say("%s gets them now, %s did before; ", l.backend, before[len(before)-1].Target.ID) + fmt.Sprintf(form.detail, l.fields, l.kind.Name()),
		})
	}
}
