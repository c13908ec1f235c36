package rule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/protection"
	"github.com/gwplan/gwplan/analyze/sentence"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// ExposureWidened is the id of the rule about what an object itself admits.
const ExposureWidened = "exposure-widened"

var exposureWidened = &Rule{
	ID:       ExposureWidened,
	Title:    "An object of Gateway API admits or discloses more than before",
	Severity: plan.Warning,
	Why: "More requests, routes or readers are admitted, though no policy asks less of them: a wider hostname or match, routes of more " +
		"namespaces or kinds, an address or class that may be public, a Service of the proxies that is, a backend in another namespace or of the address that a client names, a Service behind a route that is reached past the Gateway, a mirror, an origin of CORS, " +
		"a header of clients that is no longer removed and that a backend may trust, a ReferenceGrant that permits more, or a Namespace whose labels let it in.",
	Fix:      "Keep the narrower value, or make sure that the additional traffic is meant to be admitted.",
	Security: true,
	Opens:    true,
	Weighs:   true,
	Compare:  compareExposure,
}

func compareExposure(p *Pair, report Report) {
	if p.Base == nil || p.Head == nil {
		return
	}
	reportOwn(p, true, exposures, report)
	p.byEdit(sentence.Admission, func(c *change.Compared) fieldWords {
		if staysBehind(c) {
			return fieldWords{}
		}
		s := shift(p, c).Only(isExposure)
		return listed(slices.Concat(s.Lost, s.Lowered))
	}, func(h Hit, what fieldWords, c *change.Compared) {
		h.Title = cmp.Or(h.Title, p.title(h, "admits more by", "admit more by", c, what))
		h.Severity = plan.Warning
		h.Detail = fmt.Sprintf("%s of %s lets more of the network reach it", what.words, c.PolicyKind.Kind)
		report(h)
	})
	reportGrants(p, report)
	reportNamespaces(p, report)
}

// exposures are the ways in which an object itself admits more.
var exposures = []lossForm{
	{key: "lost", severity: plan.Warning, of: func(s protection.Shift) []protection.Field { return s.Lost }, title: "%s admits more, without %s", detail: "%s is gone"},
	{key: "lowered", severity: plan.Warning, of: func(s protection.Shift) []protection.Field { return s.Lowered }, title: "%s admits more by %s", detail: "%s"},
	{key: "weakened", severity: plan.Warning, of: func(s protection.Shift) []protection.Field { return s.Weakened }, title: "%s admits more by %s", detail: "%s"},
	{key: "let in", severity: plan.Warning, of: func(s protection.Shift) []protection.Field { return s.LetIn }, title: "%s admits more by %s", detail: "%s"},
	{key: "edited", severity: plan.Warning, of: func(s protection.Shift) []protection.Field { return s.Edited }, title: "%s may admit more by %s", detail: "%s"},
}

// reportGrants reports what ReferenceGrants permit that none permitted before. Gateways and ListenerSets say themselves who attaches to
// them: no grant takes part in that (Gateway API, ParentReference.namespace).
func reportGrants(p *Pair, report Report) {
	base := p.Base.Run.Graph
	for _, g := range inventory.Grants(p.Head.Run.Environment.Objects) {
		if level := hierarchy.LevelOf(g.To.Group, g.To.Kind); level == hierarchy.LevelGateway || level == hierarchy.LevelListenerSet {
			continue
		}
		if g.Object.Context || base.Granted(g.From, g.To) || p.Unreadable[effective.Base][g.Object.First().File] {
			continue
		}
		to := g.To.Spoken()
		if g.To.Name == "" {
			to = "every " + g.To.Kind + " of " + g.To.Namespace
		}
		report(Hit{
			Target: g.Object.ID.String(), Key: []string{g.From.String(), g.To.String()}, At: g.At, Object: g.Object,
			Title: say("%s lets every %s of %s refer to %s, which nothing permitted before", g.Object.ID, g.From.Kind, g.From.Namespace, to),
		})
	}
}

// reportNamespaces reports the namespaces that a selector selects because their labels changed.
func reportNamespaces(p *Pair, report Report) {
	base, head := p.Base.Run.Graph, p.Head.Run.Graph
	for _, o := range p.Head.Run.Environment.Objects {
		if o.ID.Group != "" || o.ID.Kind != "Namespace" || o.Context {
			continue
		}
		before := base.Object(o.ID)
		if before == nil || before.Digest == o.Digest {
			continue
		}
		p.Difference.Join.Nodes(func(at *effective.Joint) {
			b, a := at.Nodes[effective.Base], at.Nodes[effective.Head]
			if b == nil || a == nil {
				return
			}
			stanza := namespacesOf(a)
			if stanza == nil || !loader.Equal(namespacesOf(b), stanza) {
				return
			}
			if base.Selects(stanza, o.ID.Name) == fact.False && head.Selects(stanza, o.ID.Name) != fact.False {
				report(Hit{
					Target: o.ID.String(), Key: []string{a.String()}, At: o.Position(o.Root.Get("metadata", "labels")), Object: o,
					Title: say("%s has new labels: its %s may now attach to %s", o.ID, whatAttaches(a), a),
				})
			}
		})
	}
}

// namespacesOf returns the field that limits the namespaces of a listener's routes or of a
// Gateway's ListenerSets, nil for other nodes.
func namespacesOf(n *hierarchy.Node) *loader.Value {
	switch n.Level {
	case hierarchy.LevelListener:
		return n.Value.Get("allowedRoutes", "namespaces")
	case hierarchy.LevelGateway:
		return n.Value.Get("allowedListeners", "namespaces")
	default:
		return nil
	}
}

func whatAttaches(n *hierarchy.Node) string {
	if n.Level == hierarchy.LevelGateway {
		return "ListenerSets"
	}
	return "routes"
}

// isExposure reports whether a protecting field of an object limits what it admits, rather than
// what it requires of requests.
func isExposure(f protection.Field) bool {
	switch f.What {
	case protection.Access, protection.Exposure, protection.Disclosure, protection.Origins:
		return true
	}
	return false
}

// isWidenedPath reports whether a field is the path of a match whose wider prefix is already reported.
func isWidenedPath(s protection.Shift, f protection.Field) bool {
	match, isPath := strings.CutSuffix(f.Path, "/path")
	return isPath && slices.ContainsFunc(s.LetIn, func(g protection.Field) bool { return g.Path == match+"/prefix" })
}

// exposureWords names what an object admits, with its values: "its paths from /search/* to /*".
func exposureWords(p *Pair, fields []protection.Field) string {
	var out []string
	for _, f := range fields {
		words := cmp.Or(exposingWords(f.Path), headerWords(f.Path))
		if words == "" {
			words = p.words(nil, []string{f.Path})
		}
		if b, a := f.Text(); b != "" && a != "" && !strings.ContainsAny(b+a, "\n") {
			words += " from " + b + " to " + a
		}
		if !slices.Contains(out, words) {
			out = append(out, words)
		}
	}
	if more := len(out) - maxWords; more > 0 {
		out = append(out[:maxWords], spelling.Count(more, "more setting"))
	}
	return spelling.And(out)
}

// headerWords names a header that a filter sets or removes, "" for other fields.
func headerWords(path string) string {
	steps := strings.Split(strings.TrimPrefix(path, "/"), "/")
	if len(steps) != 5 || steps[0] != "filters" || steps[2] != "headers" {
		return ""
	}
	name := "the request header " + steps[4]
	if steps[1] == "ResponseHeaderModifier" {
		name = "the response header " + steps[4]
	}
	if steps[3] == "remove" {
		return "the removal of " + name
	}
	return name
}

// exposingWords returns the words for a field that decides what an object admits, "" for a field that the catalogue has
// words for.
func exposingWords(path string) string {
	steps := strings.Split(strings.TrimPrefix(path, "/"), "/")
	switch {
	case path == "/gatewayClassName":
		return "its class"
	case path == "/allowedRoutes/namespaces/from":
		return "the namespaces of its routes"
	case strings.HasPrefix(path, "/backends/elsewhere/") && len(steps) == 5:
		return "the backend " + steps[2] + " " + steps[3] + "/" + steps[4]
	case strings.HasPrefix(path, "/filters/RequestMirror/") && len(steps) == 5:
		return "a mirror to " + steps[2] + " " + steps[3] + "/" + steps[4]
	case steps[0] != "matches":
		return ""
	}
	if len(steps) < 3 {
		return "its matches"
	}
	name := strings.Join(steps[3:], "/")
	switch one := name != ""; {
	case steps[2] == "prefix":
		return "its paths"
	case steps[2] == "headers" && one:
		return "the header " + name
	case steps[2] == "queryParams" && one:
		return "the query parameter " + name
	case steps[2] == "headers":
		return "its headers"
	case steps[2] == "queryParams":
		return "its query parameters"
	}
	return "its " + steps[len(steps)-1]
}

// fromTo names a field, with its values if these are scalars of one line.
func fromTo(f protection.Field) string {
	b, a := f.Text()
	switch {
	case b == "" && a == "" || strings.ContainsAny(b+a, "\n"):
		return f.String()
	case b == "":
		return fmt.Sprintf("%s: %s", f, a)
	case a == "":
		return fmt.Sprintf("%s: %s before", f, b)
	}
	return fmt.Sprintf("%s: %s → %s", f, b, a)
}
