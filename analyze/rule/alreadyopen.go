package rule

import (
	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
)

// AlreadyOpen reports whether base answers the requests of a new way over plain HTTP, too, by the same rule and without
// authentication or authorisation. A TLS listener that is added to the plain one then admits no new clients.
func (p *Requests) AlreadyOpen(w *answer.Way) bool {
	join := p.Difference.Join
	rule := join.Of(effective.Head, w.Rule)
	if p.Base == nil || rule.Nodes[effective.Base] == nil || !hierarchy.HasTLS(w.Listener) {
		return false
	}
	if p.plain == nil {
		p.plain = map[*effective.Joint][]*answer.Way{}
		for _, old := range answer.Ways(join, effective.Base) {
			if !hierarchy.HasTLS(old.Listener) {
				at := join.Of(effective.Base, old.Rule)
				p.plain[at] = append(p.plain[at], old)
			}
		}
	}
	gateway := join.Of(effective.Head, w.Gateway())
	for _, old := range p.plain[rule] {
		if old.Certain && old.Described() == w.Described() && join.Of(effective.Base, old.Gateway()) == gateway && p.Unprotected(effective.Base, old) {
			return true
		}
	}
	return false
}
