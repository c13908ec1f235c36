package rule

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

// raise makes a new finding an error where it says that something stops working: what was
// wrong all along, or is wrong from the start, keeps the severity of its rule.
func raise(p *Pair, f *plan.Finding) {
	if f.State != New || f.Severity == plan.Error || p.settings().Settings.Severity[f.Rule] != "" {
		return
	}
	if r := ByID(f.Rule); r != nil && r.Stops != nil && r.Stops(p, f.Target) {
		f.Severity = plan.Error
	}
}

// routeStops says whether requests that a route answered for certain get no answer any more.
func routeStops(p *Pair, node string) bool {
	if p.unanswered == nil {
		p.unanswered = map[string]bool{}
		for _, passage := range p.passages() {
			if passage.Before == nil || passage.After != nil || !passage.Before.Certain {
				continue
			}
			if n := p.Difference.Join.Of(effective.Base, passage.Before.Route).Nodes[effective.Head]; n != nil {
				p.unanswered[n.String()] = true
			}
		}
	}
	return p.unanswered[node]
}

// policyStops says whether a policy that was in force at a target which is still there is
// not accepted any more.
func policyStops(p *Pair, node string) bool {
	if p.Difference == nil {
		return false
	}
	for _, v := range p.Difference.Policies {
		if v.Node != node || v.Before == nil || v.After == nil || v.After.Accepted == "true" {
			continue
		}
		return slices.ContainsFunc(v.Before.Targets, func(t plan.TargetVerdict) bool {
			return (t.Enforcement == plan.Enforced || t.Enforcement == plan.PartiallyEnforced) && stays(p, t.Target)
		})
	}
	return false
}

// stays says whether head has an object of base, or what it became.
func stays(p *Pair, node string) bool {
	object, _, _ := strings.Cut(node, "#")
	return p.survivor(object) != nil || p.survivor(p.renamed()[object]) != nil
}

// renamed gives the nodes that have another name in head, by that of base.
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

// inHead writes a text of base with the names that head gives to what it speaks of, so that
// a finding about something that was renamed is the same finding.
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

// isBetweenNames says whether a letter stands in no name of a node.
func isBetweenNames(r rune) bool { return strings.ContainsRune(" \t\n,;:()\"'", r) }
