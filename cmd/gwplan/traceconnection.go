package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/traffic"
	"github.com/gwplan/gwplan/report"
)

// connect says what network policies say of a connection, for gwplan trace --from --to.
func (c *traceCommand) connect(ctx context.Context, t terminal) error {
	outs, err := outputs(c.Output, report.Connection)
	if err != nil {
		return err
	}
	ask, err := c.connecting()
	if err != nil {
		return usageError(err.Error(), "gwplan trace --help has examples")
	}
	doc, err := c.traceConnection(ctx, t, ask)
	if err != nil {
		return err
	}
	if !doc.Found {
		return usageError(fmt.Sprintf("the input has no connection from %s to %s: %s", c.Caller, c.To, cmp.Or(doc.Absent, "no environment has both ends")), "gwplan trace --help has examples")
	}
	if err := write(outs, t, doc, c.near(ctx, t, c.largest(c.style(t)))); err != nil {
		return err
	}
	return c.strict(doc.Problems, nil)
}

// connecting reads both ends. What is about requests is refused beside them.
func (c *traceCommand) connecting() (traffic.Connecting, error) {
	var ask traffic.Connecting
	switch {
	case c.Caller == "":
		return ask, fmt.Errorf("--to needs --from, the end where the connection begins")
	case c.Method != "" || len(c.Header) > 0 || c.Requests != "" || c.Gateway != "" || c.Listener != "" || c.Explain:
		return ask, fmt.Errorf("--to asks about a connection; leave out -X, -H, --requests, --gateway, --listener and --explain")
	}
	if c.Request != "" { // it is a revision
		c.Revisions = append([]string{c.Request}, c.Revisions...)
	}
	var err error
	if ask.From, err = traffic.ParseEnd(c.Caller, false); err != nil {
		return ask, err
	}
	ask.To, err = traffic.ParseEnd(c.To, true)
	return ask, err
}

func (c *traceCommand) traceConnection(ctx context.Context, t terminal, ask traffic.Connecting) (*plan.ConnectionTrace, error) {
	c.workloads = true
	if c.two() {
		base, head, s, err := c.loadPair(ctx, t)
		if err != nil {
			return nil, err
		}
		defer s.analysing()()
		return analyze.TraceConnectionBoth(base, head, ask, s.options), nil
	}
	snapshot, s, err := c.loadOne(ctx, t)
	if err != nil {
		return nil, err
	}
	defer s.analysing()()
	return analyze.TraceConnection(snapshot, ask, s.options), nil
}
