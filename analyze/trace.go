package analyze

import (
	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/traffic"
	"github.com/gwplan/gwplan/loader"
)

// Trace says what happens to requests in one revision.
func Trace(s *loader.Snapshot, ask traffic.Tracing, o Options) *plan.Trace {
	out := &plan.Trace{SchemaVersion: plan.SchemaVersion}
	out.Notes, out.Problems = o.each(s, func(r *effective.Run) {
		env, open := traffic.Trace(r, ask)
		env.Name = r.Environment.Name
		out.Environments, out.Sent = append(out.Environments, env), out.Sent || open
	})
	return out
}

// TraceBoth says what happens to requests in two revisions, and what differs.
func TraceBoth(base, head *loader.Snapshot, ask traffic.Tracing, o Options) *plan.Trace {
	out := &plan.Trace{SchemaVersion: plan.SchemaVersion}
	out.Notes, out.Problems = o.eachPair(base, head, func(pair applied.Pair, runs runs) {
		difference := change.Between(runs.before, runs.after, o.changes(runs, base, head))
		env, open := traffic.TraceBoth(difference, [2]*effective.Run{runs.before, runs.after}, ask)
		env.Name = pair.Name()
		out.Environments, out.Sent = append(out.Environments, env), out.Sent || open
	})
	return out
}

// TraceConnection says what network policies say of a connection in one revision.
func TraceConnection(s *loader.Snapshot, ask traffic.Connecting, o Options) *plan.ConnectionTrace {
	out := &plan.ConnectionTrace{SchemaVersion: plan.SchemaVersion}
	var undecided []plan.Problem
	var hidden []*loader.Environment
	var all []*effective.Run
	out.Notes, out.Problems = o.each(s, func(r *effective.Run) {
		connections, exceeded := traffic.Connect(r, ask)
		if exceeded {
			undecided, out.Found = append(undecided, manyPolicies(r.Environment.Name, "")), true
		}
		addConnections(out, r.Environment.Name, connections)
		all = append(all, r)
		if len(connections) > 0 {
			hidden = append(hidden, r.Environment)
		}
	})
	out.Notes = append(out.Notes, hiddenPolicies(hidden...)...)
	out.Problems = append(out.Problems, undecided...)
	if !out.Found {
		out.Absent = traffic.Absent(all, ask)
	}
	return out
}

// TraceConnectionBoth says what network policies say of a connection in two revisions.
func TraceConnectionBoth(base, head *loader.Snapshot, ask traffic.Connecting, o Options) *plan.ConnectionTrace {
	out := &plan.ConnectionTrace{SchemaVersion: plan.SchemaVersion}
	var hidden []*loader.Environment
	var all []*effective.Run
	out.Notes, out.Problems = o.eachPair(base, head, func(pair applied.Pair, runs runs) {
		connections := traffic.ConnectBoth(runs.before, runs.after, ask)
		addConnections(out, pair.Name(), connections)
		all = append(all, runs.before, runs.after)
		if len(connections) > 0 {
			hidden = append(hidden, pair.Base, pair.Head)
		}
	})
	out.Notes = append(out.Notes, hiddenPolicies(hidden...)...)
	if !out.Found {
		out.Absent = traffic.Absent(all, ask)
	}
	return out
}

func addConnections(out *plan.ConnectionTrace, environment string, connections []plan.TracedConnection) {
	out.Found = out.Found || len(connections) > 0
	out.Environments = append(out.Environments, plan.ConnectionTraceEnvironment{
		Name: environment, Connections: append([]plan.TracedConnection{}, connections...),
	})
}
