package analyze

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/protection"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/analyze/traffic"
	"github.com/gwplan/gwplan/loader"
)

// ListRoutes lists the matches of each hostname in the order in which they are tried, at the selected
// Gateways or for one hostname.
func ListRoutes(s *loader.Snapshot, sel selection.Selection, host string, o Options) *plan.RouteTable {
	list := &plan.RouteTable{SchemaVersion: plan.SchemaVersion}
	table := o.Table(s)
	list.Notes, list.Problems = o.each(s, func(r *effective.Run) {
		w := routeWriter{run: r, join: effective.Alone(r), table: table, known: map[[2]*hierarchy.Node][]string{}, patterns: answer.NewPatterns()}
		env := plan.RouteEnvironment{Name: r.Environment.Name}
		for _, p := range answer.Ports(r.Graph) {
			if !sel.Empty() && !sel.Matches(p.Gateway.Target) {
				continue
			}
			for _, t := range p.Tables {
				hosts := t.Hosts()
				if host != "" {
					hosts = t.HostsFor(host)
				}
				for _, h := range hosts {
					env.Hosts = append(env.Hosts, w.host(p, t, h))
				}
			}
		}
		list.Environments = append(list.Environments, env)
	})
	return list
}

// routeWriter describes the ways of a run.
type routeWriter struct {
	run   *effective.Run
	join  *effective.Join
	table *catalogue.Table
	// known keeps the protection of each rule at each listener.
	known    map[[2]*hierarchy.Node][]string
	patterns answer.Patterns
}

// maxPartly limits how many rules are named that take some requests of a match.
const maxPartly = 10

func (w *routeWriter) host(p *answer.Port, t *answer.Table, h *answer.Host) plan.RouteHost {
	out := plan.RouteHost{Gateway: p.Gateway.String(), Port: p.Number, Protocol: t.Protocol, Host: h.Name}
	for _, n := range t.Listeners {
		out.Listeners = append(out.Listeners, n.String())
	}
	shadows, _ := h.Shadowed()
	instead := p.Instead(t, h.Name)
	reached := func(way *answer.Way) bool {
		return !slices.ContainsFunc(shadows, func(s answer.Shadow) bool { return s.Way == way })
	}
	for n, way := range h.Ways {
		at := way.Rule.Position()
		row := plan.RouteRow{
			Match: loader.WithoutCredentials(way.Match.String()), Rule: way.Rule.String(), Answer: w.answer(way), Protection: w.protection(way),
			Certain: way.Certain, File: at.File, Line: at.Line,
		}
		if i := slices.IndexFunc(shadows, func(s answer.Shadow) bool { return s.Way == way }); i >= 0 {
			row.Shadowed = true
			if by := shadows[i].By; by != nil {
				row.By = by.Rule.String()
			}
		}
		if instead != nil {
			row.Shadowed, row.By = true, instead.Listeners[0].String()
		}
		if row.By == "" {
			for _, rule := range h.Before(n, w.patterns, reached) {
				if row.PartlyBy++; row.PartlyBy <= maxPartly {
					row.Partly = append(row.Partly, rule.String())
				}
			}
		}
		out.Matches = append(out.Matches, row)
	}
	return out
}

// answer says what requests of a way get.
func (w *routeWriter) answer(way *answer.Way) string {
	example := way.Example()
	a := traffic.OutcomeOf(w.join, effective.Head, way, example)
	switch {
	case a.Location != "":
		// The host of a redirect that sets none is that of the request.
		return fmt.Sprintf("%d to %s", a.Status, loader.WithoutCredentials(strings.Replace(a.Location, "://"+example.Host, "://"+way.Host, 1)))
	case a.Status != 0:
		return fmt.Sprint(a.Status)
	}
	return traffic.Shares(&a)
}

// protection lists the protecting settings in force for a way.
func (w *routeWriter) protection(way *answer.Way) []string {
	key := [2]*hierarchy.Node{way.Listener, way.Rule}
	if words, known := w.known[key]; known {
		return words
	}
	var words protectionWords
	for _, k := range w.run.Attached.Kinds {
		if len(k.Protects) == 0 {
			continue
		}
		along := w.join.Along(k, effective.Head, way.Context())
		for level := range hierarchy.LevelOutside {
			if along[level] == nil {
				continue
			}
			for _, f := range protection.Between(k, nil, along[level]).Tightened {
				words.add(f.What, w.table.Words(k, catalogue.Dotted(f.Path)))
			}
		}
	}
	for _, n := range []*hierarchy.Node{way.Listener, way.Rule} {
		for _, f := range protection.Guards(n, func(group, kind string) bool { return w.table.Kind(group, kind) != nil }) {
			if f.Admits() {
				words.add(f.What, f.What)
			}
		}
	}
	w.known[key] = words.list()
	return w.known[key]
}

// protectionWords are the words for what protects requests, by what it protects by.
type protectionWords map[string][]string

// add adds the words for a protecting setting, unless it decides from where requests come rather than what they need.
func (w *protectionWords) add(what, word string) {
	if what == protection.Exposure || slices.ContainsFunc(slices.Collect(maps.Values(*w)), func(of []string) bool { return slices.Contains(of, word) }) {
		return
	}
	if *w == nil {
		*w = protectionWords{}
	}
	(*w)[what] = append((*w)[what], word)
}

// list returns the words with those first that a reader looks for: who gets in, what they may do, and how much of it.
func (w protectionWords) list() []string {
	var out []string
	for _, what := range []string{protection.Authentication, protection.Authorisation, protection.Limits, protection.TLS, protection.Headers} {
		out = append(out, w[what]...)
	}
	return out
}
