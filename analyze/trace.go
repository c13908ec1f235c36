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
	var c tracedConnections
	var undecided []plan.Problem
	notes, problems := o.each(s, func(r *effective.Run) {
		connections, exceeded := traffic.Connect(r, ask)
		if exceeded {
			undecided, c.found = append(undecided, manyPolicies(r.Environment.Name, "")), true
		}
		c.add(r.Environment.Name, connections, []*effective.Run{r}, r.Environment)
	})
	return c.trace(ask, notes, append(problems, undecided...))
}

// TraceConnectionBoth says what network policies say of a connection in two revisions.
func TraceConnectionBoth(base, head *loader.Snapshot, ask traffic.Connecting, o Options) *plan.ConnectionTrace {
	var c tracedConnections
	var undecided []plan.Problem
	notes, problems := o.eachPair(base, head, func(pair applied.Pair, runs runs) {
		connections, exceeded := traffic.ConnectBoth(runs.before, runs.after, ask)
		for _, side := range exceeded {
			undecided, c.found = append(undecided, manyPolicies(pair.Name(), side)), true
		}
		c.add(pair.Name(), connections, []*effective.Run{runs.before, runs.after}, pair.Base, pair.Head)
	})
	return c.trace(ask, notes, append(problems, undecided...))
}

// tracedConnections are what network policies say of a connection, environment by environment.
type tracedConnections struct {
	environments []plan.ConnectionTraceEnvironment
	found        bool
	// runs are those of all environments, having the revisions of the environments in which the connection is.
	runs   []*effective.Run
	having []*loader.Environment
}

// add takes the connections of one environment, with its runs and revisions.
func (c *tracedConnections) add(name string, connections []plan.TracedConnection, runs []*effective.Run, revisions ...*loader.Environment) {
	c.environments = append(c.environments, plan.ConnectionTraceEnvironment{
		Name: name, Connections: append([]plan.TracedConnection{}, connections...),
	})
	c.runs = append(c.runs, runs...)
	if len(connections) > 0 {
		c.found, c.having = true, append(c.having, revisions...)
	}
}

// trace adds what the policies of parts that are not rendered may decide, and which end of the connection is in no environment.
func (c *tracedConnections) trace(ask traffic.Connecting, notes []string, problems []plan.Problem) *plan.ConnectionTrace {
	out := &plan.ConnectionTrace{
		SchemaVersion: plan.SchemaVersion, Environments: c.environments, Found: c.found,
		Notes: append(notes, hiddenPolicies(c.having...)...), Problems: problems,
	}
	if !c.found {
		out.Absent = traffic.Absent(c.runs, ask)
	}
	return out
}
