package rule

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

// raise makes a new finding an error if something stops working because of it. What did not work
// before, or did not exist, keeps the severity of its rule.
func raise(p *Pair, f *plan.Finding) {
	if f.State != plan.New || f.Severity == plan.Error || p.settings().Settings.Severity[f.Rule] != "" {
		return
	}
	if r := ByID(f.Rule); r != nil && r.Stops != nil && r.Stops(p, f.Target) {
		f.Severity = plan.Error
	}
}

// routeStops reports whether some requests that a route was known to answer get no answer any more.
func routeStops(p *Pair, node string) bool {
	if p.unanswered == nil {
		p.unanswered = map[string]bool{}
		for _, passage := range p.Requests().passages() {
			if passage.Before == nil || !passage.Before.Certain {
				continue
			}
			n := inHead(p, passage.Before.Route)
			if n != nil && (passage.After == nil || !slices.ContainsFunc(n.Up, (*hierarchy.Edge).Open)) {
				p.unanswered[n.String()] = true // or another route answers all of them, which nobody meant
			}
		}
	}
	return p.unanswered[node]
}

// policyStops reports whether a policy is no longer accepted that was in force at a target which
// still exists.
func policyStops(p *Pair, node string) bool {
	if p.Difference == nil {
		return false
	}
	for _, v := range p.Difference.Policies {
		if v.Node != node || v.Before == nil || v.After == nil || v.After.Accepted == plan.True {
			continue
		}
		return slices.ContainsFunc(v.Before.Targets, func(t plan.TargetVerdict) bool {
			return (t.Enforcement == plan.Enforced || t.Enforcement == plan.PartiallyEnforced) && stays(p, t.Target)
		})
	}
	return false
}

// stays reports whether head has an object of base, under its old or new name.
func stays(p *Pair, node string) bool {
	object, _, _ := strings.Cut(node, "#")
	return p.Head.object(object) != nil || p.Head.object(p.renamed()[object]) != nil
}

// renamed maps the names of nodes in base to their names in head if these differ.
func (p *Pair) renamed() map[string]string {
	if p.names != nil {
		return p.names
	}
	p.names = map[string]string{}
	if p.Difference == nil {
		return p.names
	}
	if p.Difference.Join != nil {
		p.Difference.Join.Nodes(func(at *effective.Joint) {
			b, a := at.Nodes[effective.Base], at.Nodes[effective.Head]
			if b != nil && a != nil && b.Target != a.Target && b.Level != hierarchy.LevelOutside {
				p.names[b.String()] = a.String()
			}
		})
	}
	for _, v := range p.Difference.Policies {
		if v.Formerly.Name != "" {
			p.names[v.Formerly.String()] = v.Node
		}
	}
	return p.names
}

// inHead replaces the names of renamed nodes in a text of base with those in head, so that a
// finding about a renamed object stays the same finding.
func (p *Pair) inHead(text string) string {
	names := p.renamed()
	if len(names) == 0 {
		return text
	}
	var out strings.Builder
	for len(text) > 0 {
		end := strings.IndexFunc(text, isBetweenNames)
		if end < 0 {
			end = len(text)
		}
		word := text[:end]
		if to, ok := names[word]; ok {
			word = to
		}
		out.WriteString(word)
		text = text[end:]
		rest := strings.TrimLeftFunc(text, isBetweenNames)
		out.WriteString(text[:len(text)-len(rest)])
		text = rest
	}
	return out.String()
}

// isBetweenNames reports whether a character cannot be part of a node name.
func isBetweenNames(r rune) bool { return strings.ContainsRune(" \t\n,;:()\"'", r) }
