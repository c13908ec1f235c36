package rule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/protection"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

var routeEscapesPolicy = &Rule{
	ID:       "route-escapes-policy",
	Title:    "A new route, rule, hostname or listener lacks protection that all its siblings have",
	Severity: plan.Warning,
	Why: "A new route, rule, hostname or listener answers requests that were not answered before, without authentication, " +
		"authorisation, TLS or a limit that all its siblings have. Siblings are the other rules of its hostname (then it is an error, unless " +
		"only limits are missing), or, if these are too few, those of its namespace on the same Gateway, or of its listener. No policy was edited, but the new requests are served without this protection.",
	Fix:      "Attach a policy to the route, or one to the Gateway or Namespace above all of them.",
	Security: true,
	Compare:  compareEscapes,
}

// sibling is a way with its Gateway.
type sibling struct {
	*answer.Way
	gateway *hierarchy.Node
}

// siblingGroups define the siblings of a way. The first group with enough of them counts.
var siblingGroups = []struct {
	// name describes the siblings, least is their minimum number of rules.
	name  string
	least int
	of    func(w, other sibling) bool
	// severe makes the finding an error, unless only limits are missing.
	severe bool
}{
	{"of the same hostname", 1, func(w, other sibling) bool { return w.Host == other.Host && w.gateway == other.gateway }, true},
	{"of the same hostname on another Gateway", 1, func(w, other sibling) bool { return w.Host != "*" && w.Host == other.Host }, false},
	{"of the same namespace", 1, func(w, other sibling) bool {
		return w.Route.Namespace() == other.Route.Namespace() && w.gateway == other.gateway
	}, false},
	{"on the same listener", 2, func(w, other sibling) bool { return w.Listener == other.Listener }, false},
}

// ownHeaders is the first group whose siblings may be other sites. Each site sends its own headers to
// browsers, so missing ones do not count.
const ownHeaders = 2

func compareEscapes(p *Pair, report Report) {
	if p.Base == nil || p.Head == nil {
		return
	}
	e := p.Requests().escapes()
	for _, found := range e.ways.keys {
		e.report(found, report)
	}
}

// escapes returns what is newly answered, and which protection of its siblings it lacks.
func (p *Requests) escapes() *escapes {
	if p.escaping != nil {
		return p.escaping
	}
	e := &escapes{pair: p.Pair, siblings: map[escape]*answer.Way{}, judged: map[ruleAtListener]escape{}, lacksAccess: map[*answer.Way]bool{}}
	for _, passage := range p.passages() {
		// A Gateway that is not in the input cannot be compared.
		if w := passage.After; passage.Before == nil && w != nil && w.Listener.Object != nil && !redirects(w) && !e.atAnotherPort(w) && !p.AlreadyOpen(w) {
			e.gained = append(e.gained, w)
			e.judge(w)
		}
	}
	p.escaping = e
	return e
}

// escape is protection that a sibling has and some new ways lack.
type escape struct {
	at      *hierarchy.Node
	group   int
	missing string
}

type escapes struct {
	pair *Pair
	// gained are the ways that nothing answered before.
	gained []*answer.Way
	// old lists the ways of head that base had, served the rules that base had at a listener. Both
	// are computed when the first new way is judged. had are the ways of base.
	old    []sibling
	had    map[ruleAtListener]*answer.Way
	served map[ruleAtListener]bool
	// before has the way of base for each of old.
	before map[*answer.Way]*answer.Way
	// arrived are the ways of requests that the same rule answered elsewhere before. It is nil until first used.
	arrived map[*answer.Way]bool
	ways    groups[escape, *answer.Way]
	// siblings has one sibling for each escape, with the protection that is missing.
	siblings map[escape]*answer.Way
	// judged has the escape of each rule at a listener for a hostname, the zero value for none.
	judged map[ruleAtListener]escape
	// lacksAccess has the ways that lack the authentication or authorisation of their siblings.
	lacksAccess map[*answer.Way]bool
}

// redirects reports whether a way leads to a redirect, which serves nothing.
func redirects(w *answer.Way) bool {
	return slices.ContainsFunc(w.Rule.Value.List("filters"), func(f *loader.Value) bool { return f.Str("type") == "RequestRedirect" })
}

// ruleAtListener identifies a rule at a listener for a hostname.
type ruleAtListener struct {
	listener, rule *effective.Joint
	host           string
}

func (e *escapes) ruleAtListener(side effective.Side, w *answer.Way) ruleAtListener {
	join := e.pair.Difference.Join
	return ruleAtListener{listener: join.Of(side, w.Listener), rule: join.Of(side, w.Rule), host: w.Host}
}

// compare finds the ways of head that base had, and the rules that base served at a listener, once.
func (e *escapes) compare() {
	if e.served != nil {
		return
	}
	e.served, e.before, e.had = map[ruleAtListener]bool{}, map[*answer.Way]*answer.Way{}, map[ruleAtListener]*answer.Way{}
	for _, w := range answer.Ways(e.pair.Difference.Join, effective.Base) {
		at := e.ruleAtListener(effective.Base, w)
		e.had[at] = w
		at.host = ""
		e.served[at] = true
	}
	seen := map[ruleAtListener]bool{}
	for _, w := range answer.Ways(e.pair.Difference.Join, effective.Head) {
		at := e.ruleAtListener(effective.Head, w)
		if before := e.had[at]; before != nil && !seen[at] && !redirects(w) {
			seen[at] = true // its other matches have the same protection
			e.old = append(e.old, sibling{w, w.Gateway()})
			e.before[w] = before
		}
	}
}

// atAnotherPort reports whether base served the same rule and hostname at the same listener, which has another
// port now: its requests are no new ones.
func (e *escapes) atAnotherPort(w *answer.Way) bool {
	e.compare()
	listener := e.pair.Difference.Join.Of(effective.Head, w.Listener).Nodes[effective.Base]
	return listener != nil && e.had[e.ruleAtListener(effective.Head, w)] != nil && text(listener.Value.Get("port")) != text(w.Listener.Value.Get("port"))
}

// judge adds a way to the escapes if it lacks protection. All matches of a rule at a listener for a hostname are judged alike.
func (e *escapes) judge(w *answer.Way) {
	at := e.ruleAtListener(effective.Head, w)
	found, known := e.judged[at]
	if !known {
		found = e.escape(w, at)
		e.judged[at] = found
	}
	if found != (escape{}) {
		e.ways.add(found, w)
		e.lacksAccess[w] = slices.ContainsFunc(strings.Split(found.missing, ", "), func(what string) bool { return protection.Field{What: what}.Admits() })
	}
}

// escape returns what a way lacks; the zero value is nothing.
func (e *escapes) escape(w *answer.Way, at ruleAtListener) escape {
	at.host = ""
	self := sibling{w, w.Gateway()}
	for i, group := range siblingGroups {
		if i > 0 && e.served[at] {
			break // the listener already served the rule: only the hostname is new
		}
		var siblings []*answer.Way
		rules := map[*hierarchy.Node]bool{}
		for _, other := range e.old {
			if (other.Rule != w.Rule || other.Listener != w.Listener) && w.Connections() == other.Connections() && group.of(self, other) {
				siblings = append(siblings, other.Way)
				rules[other.Rule] = true
			}
		}
		if len(rules) < group.least {
			continue
		}
		missing := e.missing(w, siblings)
		if i >= ownHeaders {
			missing = slices.DeleteFunc(missing, func(what string) bool { return what == protection.Headers })
		}
		if len(missing) == 0 {
			break
		}
		found := escape{at: w.Route, group: i, missing: strings.Join(missing, ", ")}
		if e.pair.Difference.Join.Of(effective.Head, w.Listener).Nodes[effective.Base] == nil {
			found.at = w.Listener
		}
		if e.siblings[found] == nil {
			e.siblings[found] = slices.MinFunc(siblings, func(a, b *answer.Way) int { return strings.Compare(a.Rule.String(), b.Rule.String()) })
		}
		return found
	}
	return escape{}
}

// missing returns the kinds of protection that all siblings of a way have and the way does not.
func (e *escapes) missing(w *answer.Way, siblings []*answer.Way) []string {
	var out []string
	for i, s := range siblings {
		var whats []string
		for _, g := range e.siblingGuards(s) {
			whats = append(whats, g.What)
		}
		slices.Sort(whats)
		if whats = slices.Compact(whats); i == 0 {
			out = whats
		} else {
			out = slices.DeleteFunc(out, func(what string) bool { return !slices.Contains(whats, what) })
		}
		if len(out) == 0 {
			return nil
		}
	}
	return slices.DeleteFunc(out, func(what string) bool {
		return slices.ContainsFunc(e.guards(w), func(g guard) bool { return g.What == what })
	})
}

func (e *escapes) guards(w *answer.Way) []guard { return e.pair.Requests().guards(effective.Head, w) }

// siblingGuards are what protects a sibling, or did before: a change that also takes the protection of a
// sibling away must not hide that a new route has none.
func (e *escapes) siblingGuards(w *answer.Way) []guard {
	return slices.Concat(e.pair.Requests().guards(effective.Base, e.before[w]), e.guards(w))
}

func (e *escapes) report(found escape, report Report) {
	sibling := e.siblings[found]
	missing := strings.Split(found.missing, ", ")
	var by []string
	for _, g := range e.siblingGuards(sibling) {
		if slices.Contains(missing, g.What) {
			by = append(by, strings.TrimPrefix(g.by+" "+g.Path, sibling.Rule.Spoken()+" "))
		}
	}
	slices.Sort(by)
	by = slices.Compact(by)
	if len(by) > 2 {
		by = append(by[:2], fmt.Sprintf("%d more", len(by)-2))
	}
	severity := plan.Warning
	if siblingGroups[found.group].severe && slices.ContainsFunc(missing, func(what string) bool { return what != protection.Limits }) {
		severity = plan.Error
	}
	have, has := "have", "has"
	if !slices.ContainsFunc(e.guards(sibling), func(g guard) bool { return slices.Contains(missing, g.What) }) {
		severity, have, has = plan.Warning, "had", "had" // the error is that the others lose it
	}
	without := strings.Replace(spelling.And(missing), protection.TLS, "TLS", 1)
	report(Hit{
		Title: say("%s answers %s without %s", found.at, requests(e.ways.of[found]), without), Requests: requests(e.ways.of[found]),
		Target: found.at.String(), Key: []string{found.missing, siblingGroups[found.group].name}, At: e.place(found), Object: found.at.Object, Severity: severity,
		Detail: say("all others %s %s it: %s %s %s", siblingGroups[found.group].name, have, sibling.Rule, has, strings.Join(by, ", ")),
	})
}

// place returns the line of the new listener, or of a new rule.
func (e *escapes) place(found escape) loader.Position {
	if found.at.Level == hierarchy.LevelListener {
		return found.at.Position()
	}
	return e.ways.of[found][0].Rule.Position()
}
