// Package traffic says in the words of the plan what becomes of requests and connections: who answers them, with which
// policies in force, and what two revisions do differently.
package traffic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// Tracing is what is asked about requests.
type Tracing struct {
	Requests []*answer.Request
	// Gateway and Listener narrow where the requests arrive, unless they are empty.
	Gateway  selection.Selection
	Listener string
	// Explain adds the rules that do not answer.
	Explain bool
}

// Trace says what happens to requests in one run, which may be nil. open is true if something listens where they are sent.
func Trace(r *effective.Run, ask Tracing) (env plan.TraceEnvironment, open bool) {
	t := newTracer(r, ask)
	for _, request := range ask.Requests {
		one := plan.TracedRequest{Request: request.String(), Headers: sent(request), Answers: t.answers(request)}
		hideCredentials(&one)
		env.Requests = append(env.Requests, one)
	}
	return env, t.open()
}

// TraceBoth says what happens to requests in two runs, and what differs. difference is that of the runs.
func TraceBoth(difference *change.Difference, r [2]*effective.Run, ask Tracing) (env plan.TraceEnvironment, open bool) {
	before, after := newTracer(r[0], ask), newTracer(r[1], ask)
	edits := editsOf(difference, true)
	for _, request := range ask.Requests {
		one := plan.TracedRequest{Request: request.String(), Headers: sent(request), Base: before.answers(request), Answers: after.answers(request)}
		programs, _, _ := differentPrograms(before.programs, after.programs)
		if one.Result, one.Differences = compareAnswers(one.Base, one.Answers, notComputed(programs)); len(one.Differences) > 0 {
			one.Causes = edits.ofAnswers(slices.Concat(one.Base, one.Answers))
		}
		hideCredentials(&one)
		env.Requests = append(env.Requests, one)
	}
	return env, before.open() || after.open()
}

// tracer answers requests in one run.
type tracer struct {
	join  *effective.Join
	run   *effective.Run
	ports []*answer.Port
	ask   Tracing
	// programs are those on the ways of the last request.
	programs []effective.Program
	// reach says which backends network policies keep the Gateways from. It is prepared for the first request that needs it.
	reach func() (r *rule.BlockedBackends, exceeded bool)
}

// newTracer prepares a run, which is nil for an environment that the revision does not have.
func newTracer(r *effective.Run, ask Tracing) *tracer {
	t := &tracer{run: r, ask: ask}
	if r == nil {
		return t
	}
	t.join = effective.Alone(r)
	t.reach = sync.OnceValues(func() (*rule.BlockedBackends, bool) { return rule.BlockedBackendsOf(r) })
	for _, p := range answer.Ports(r.Graph) {
		if ask.Gateway.Empty() || ask.Gateway.Matches(p.Gateway.Target) {
			t.ports = append(t.ports, p.Only(ask.Listener))
		}
	}
	return t
}

// open reports whether there is a listener at the places that requests are sent to.
func (t *tracer) open() bool {
	return slices.ContainsFunc(t.ports, func(p *answer.Port) bool {
		return len(p.Tables) > 0 || slices.ContainsFunc(p.Idle, func(i answer.Idle) bool {
			return t.ask.Listener == "" || i.Listener.Target.Section == t.ask.Listener
		})
	})
}

// answers returns what each Gateway does that may get a request: those with a route that answers, or
// all if there is none.
func (t *tracer) answers(r *answer.Request) []plan.Answer {
	t.programs = nil
	ports, elsewhere := answer.At(t.ports, r)
	var answered, silent []plan.Answer
	for _, p := range ports {
		one, found := t.answerAt(p, r)
		if elsewhere {
			one.Why = clauses(one.Why, "nothing listens at the port of "+r.Scheme+": a load balancer must lead to port "+p.Number)
		}
		if found {
			answered = append(answered, one)
		} else {
			silent = append(silent, one)
		}
	}
	if len(answered) > 0 {
		return answered
	}
	if len(silent) == 0 {
		if service := t.called(r); service != nil {
			return []plan.Answer{{Outcome: plan.NotKnown, Why: service.ID.Spoken() + " has no route: a mesh passes the requests on to its pods, with policies that are not followed here"}}
		}
	}
	if t.run != nil {
		if by := unfollowed(t.run.Environment, r.Host); by != "" {
			return append(silent, plan.Answer{Outcome: plan.NotKnown, Why: by + " may answer it, which is not followed; no route of Gateway API does"})
		}
	}
	if len(silent) == 0 {
		return []plan.Answer{{Outcome: plan.Refused, Why: t.whyNowhere(r)}}
	}
	return silent
}

// called returns the Service that a request inside a mesh is for, nil if the input does not have it.
func (t *tracer) called(r *answer.Request) *loader.Object {
	if r.Namespace == "" || t.run == nil {
		return nil
	}
	host := strings.TrimSuffix(strings.TrimSuffix(r.Host, ".cluster.local"), ".svc")
	name, namespace, _ := strings.Cut(host, ".")
	return t.run.Graph.Object(loader.ID{Kind: "Service", Namespace: cmp.Or(namespace, r.Namespace), Name: name})
}

// whyNowhere says why no port takes a request: which listeners there are.
func (t *tracer) whyNowhere(r *answer.Request) string {
	var idle []string
	for _, p := range t.ports {
		for _, i := range p.Idle {
			idle = append(idle, fmt.Sprintf("%s serves nothing (%s)", i.Listener, i.Why))
		}
	}
	at := "of protocol " + r.Scheme
	if r.Port != "" {
		at = "of protocol " + r.Scheme + " at port " + r.Port
	}
	if r.Namespace != "" {
		at = "of the mesh for " + r.Host
		return clauses("nothing in the input takes requests "+at, spelling.Few(idle))
	}
	there := ""
	if listeners := t.listeners(); len(listeners) > 0 {
		there = "there are listeners for " + spelling.Few(listeners)
	}
	return clauses(clauses("nothing in the input takes requests "+at, there), spelling.Few(idle))
}

// listeners says what the listeners of Gateways take: "HTTPS at port 443".
func (t *tracer) listeners() []string {
	var out []string
	for _, p := range t.ports {
		for _, table := range p.Tables {
			if text := fmt.Sprintf("%s at port %s", table.Protocol, p.Number); table.Protocol != "" && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return out
}

func (t *tracer) describe(a *answer.Answer, r *answer.Request) plan.Answer {
	out := plan.Answer{Gateway: a.Port.Gateway.String(), Port: a.Port.Number, Why: a.Why}
	if a.Table != nil {
		out.Listener = a.Table.Listeners[0].String()
	}
	if a.Host != nil {
		out.Host = a.Host.Name
		if a.Way == nil {
			for _, route := range a.Host.Routes() {
				out.HostRoutes = append(out.HostRoutes, route.String())
			}
		}
	}
	for _, doubt := range a.Doubts {
		out.Doubts = append(out.Doubts, contender(doubt))
	}
	if t.ask.Explain {
		for _, other := range a.Others(r) {
			out.Others = append(out.Others, contender(other))
		}
	}
	switch {
	case len(a.Doubts) > 0:
		out.Outcome = plan.NotKnown
	case a.Misdirected:
		out.Outcome, out.Status = plan.ByStatus, misdirected
	case a.Unrouted:
		at := a.Port.Gateway.Position()
		service := a.Port.Gateway.String() + ":" + a.Port.Number
		out.Outcome, out.Why = plan.ByBackend, "no route of the Service is for callers in namespace "+r.Namespace
		out.Backends = []plan.TraceBackend{{Backend: service, Weight: 1, Total: 1, File: at.File, Line: at.Line}}
	case a.Way == nil && r.HTTP() && (a.Table != nil || !r.Secure()):
		out.Outcome, out.Status = plan.ByStatus, notFound
		out.Why = clauses(out.Why, t.rejected(a, r))
	case a.Way == nil:
		out.Outcome = plan.Refused
		out.Why = clauses(out.Why, t.rejected(a, r))
	}
	if a.Way == nil {
		return out
	}
	t.happens(&out, a.Way, r)
	return out
}

// misdirected is the status for a request that another listener serves (Gateway API, Listener.hostname).
const misdirected = 421

// notFound is the status without a rule that matches (Gateway API, HTTPRouteRule.matches).
const notFound = 404

// happens adds what the rule of a way does.
func (t *tracer) happens(out *plan.Answer, w *answer.Way, r *answer.Request) {
	out.Listener, out.Route, out.Rule, out.Match = w.Listener.String(), w.Route.String(), w.Rule.String(), w.Match.String()
	if !r.HTTP() {
		out.Match = ""
	}
	at := w.Rule.Position()
	out.File, out.Line = at.File, at.Line
	describeOutcome(out, w, r)
	out.Policies = t.policies(w)
	programs := t.join.ProgramsAlong(effective.Head, w.Contexts())
	t.programs = append(t.programs, programs...)
	out.Programs = tracePrograms(programs)
	answerByPolicies(out, t.join, effective.Head, w)
	t.admitted(out, w)
}

// admitted adds which backends network policies keep the Gateway of a way from.
func (t *tracer) admitted(out *plan.Answer, w *answer.Way) {
	if out.Outcome != plan.ByBackend {
		return
	}
	reach, exceeded := t.reach()
	if exceeded {
		out.Why = clauses(out.Why, "there are too many network policies to say whether they admit the Gateway")
	}
	if reach == nil {
		return
	}
	for _, e := range w.Rule.Down {
		for _, d := range reach.Denials(w.Gateway(), e) {
			name := answer.BackendName(e.Ref, w)
			for i := range out.Backends {
				if b := &out.Backends[i]; b.Backend == name && b.Denied == "" {
					b.Denied, b.Why = d.By, clauses(b.Why, fmt.Sprintf("%s keeps the pods of %s from %s", loader.Spoken(d.By), w.Gateway().Spoken(), d.Workload))
				}
			}
		}
	}
}

// policies returns the effective policies in force on a way and at its backends.
func (t *tracer) policies(w *answer.Way) []plan.TracePolicy {
	type at struct {
		kind *catalogue.Kind
		node *hierarchy.Node
	}
	found := map[at]*effective.Policy{}
	var order []at
	contexts := w.Contexts()
	for _, k := range t.run.Attached.Kinds {
		for _, nodes := range contexts {
			along := t.join.Along(k, effective.Head, nodes)
			for _, n := range effective.Lowest(nodes) {
				key := at{k, n}
				if p := along[n.Level]; p != nil && p.Spec != nil && found[key] == nil {
					found[key], order = p, append(order, key)
				}
			}
		}
	}
	var out []plan.TracePolicy
	for _, key := range order {
		p := found[key]
		one := plan.TracePolicy{
			PolicyKind: plan.GroupKind{Group: key.kind.Group, Kind: key.kind.Name()}, Target: key.node.String(),
			AgeSensitive: p.AgeSensitive, Certain: !p.Uncertain,
		}
		one.Fields = change.Fields(key.kind, p)
		out = append(out, one)
	}
	slices.SortStableFunc(out, func(a, b plan.TracePolicy) int {
		return cmp.Or(strings.Compare(a.PolicyKind.Kind, b.PolicyKind.Kind), strings.Compare(a.PolicyKind.Group, b.PolicyKind.Group), strings.Compare(a.Target, b.Target))
	})
	return out
}

// rejected names a route that would answer a request if its parent admitted it.
func (t *tracer) rejected(a *answer.Answer, r *answer.Request) string {
	for _, n := range t.run.Graph.Nodes {
		if n.Level != hierarchy.LevelRoute || n.Object == nil {
			continue
		}
		for _, e := range n.Up {
			if e.Open() || !a.Port.Has(e.Parent) || !answer.WouldAnswer(e, r) {
				continue
			}
			return fmt.Sprintf("%s would answer, but is not admitted: %s: %s", n, e.Reason, e.Message)
		}
	}
	return ""
}

func contender(c answer.Contender) plan.Contender {
	at := c.Way.Rule.Position()
	return plan.Contender{Rule: c.Way.Rule.String(), Match: c.Way.Match.String(), Why: c.Why, File: at.File, Line: at.Line}
}
