package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/analyze/traffic"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/source"
	"github.com/gwplan/gwplan/report"
)

// traceCommand says what happens to a request.
type traceCommand struct {
	Request   string   `arg:"" optional:"" name:"request" help:"URL: https://host/path?query, grpc://host/service/method, tls://host:port, tcp://gateway:port, udp://gateway:port."`
	Revisions []string `arg:"" optional:"" name:"revision" complete:"revision" help:"One revision, or two to compare: A B, A..B, A...B. The work tree by default."`
	Method    string   `short:"X" placeholder:"METHOD" help:"Method of the request; GET by default."`
	Header    []string `sep:"none" short:"H" placeholder:"NAME: VALUE" help:"Header of the request. Repeatable."`
	Requests  string   `placeholder:"FILE" help:"Read requests from FILE instead, - is standard input: lines METHOD URL, each followed by its headers, NAME: VALUE, indented."`
	Gateway   string   `placeholder:"[NS/]NAME" help:"Send the request to this Gateway only."`
	Listener  string   `placeholder:"NAME" help:"Send the request to this listener only."`
	Caller    string   `name:"from" placeholder:"NAMESPACE|END" complete:"namespace" help:"Send the request from a workload of this namespace to a Service of the mesh. With --to, the end where a connection begins."`
	To        string   `placeholder:"END:PORT" help:"Ask network policies about a connection instead of a request: to this end, from --from. An end is KIND/NS/NAME (a workload, Service, Gateway), namespace/NAME (its other pods), an address, a domain name, or outside."`
	Explain   bool     `help:"Also say why each other rule does not answer."`
	Output    []string `sep:"none" short:"o" placeholder:"FORMAT[=FILE]" document:"trace" also:"connection" help:"Format: ${trace_formats}. Repeatable."`
	oneTree
}

func (c *traceCommand) Help() string {
	return `Examples:
  gwplan trace https://shop.example.com/cart
  gwplan trace https://shop.example.com/cart -X POST -H 'x-canary: 1' --explain
  gwplan trace grpc://shop.example.com/shop.Cart/Add
  gwplan trace https://shop.example.com/cart main...HEAD   what a branch changes for it
  gwplan trace http://cart:8080/ --from shop               a request inside a mesh
  gwplan trace --from deployment/web/front --to deployment/shop/cart:8080
                                                           whether network policies allow a connection`
}

// Run traces requests.
func (c *traceCommand) Run(ctx context.Context, t terminal) error {
	if c.To != "" {
		return c.connect(ctx, t)
	}
	outs, err := outputs(c.Output, report.Trace)
	if err != nil {
		return err
	}
	ask, err := c.asked(t)
	if err != nil {
		return err
	}
	doc, err := c.trace(ctx, t, ask)
	if err != nil {
		return err
	}
	if err := write(outs, t, doc, c.near(ctx, t, c.largest(c.style(t)))); err != nil {
		return err
	}
	if c.Strict && doc.Undecided() {
		return &exitError{code: exitFailed, message: "--strict: what answers is not known"}
	}
	return c.strict(doc.Problems, nil)
}

// asked reads what the command line asks.
func (c *traceCommand) asked(t terminal) (traffic.Tracing, error) {
	ask := traffic.Tracing{Listener: c.Listener, Explain: c.Explain}
	var err error
	switch {
	case c.Requests != "" && (c.Method != "" || len(c.Header) > 0):
		return ask, usageError("-X and -H beside --requests", "write methods and headers into the file")
	case c.Requests != "":
		if c.Request != "" {
			c.Revisions = append([]string{c.Request}, c.Revisions...)
		}
		ask.Requests, err = c.readRequests(t)
	case c.Request == "":
		return ask, usageError("no request is given", "write a URL: gwplan trace https://shop.example.com/cart")
	default:
		var r *answer.Request
		r, err = answer.ParseRequest(c.Request, c.Method, c.Header)
		ask.Requests = []*answer.Request{r}
	}
	if err != nil {
		return ask, usageError(err.Error(), "")
	}
	for _, r := range ask.Requests {
		r.Namespace = c.Caller
	}
	if c.Gateway != "" {
		if ask.Gateway, err = selection.Parse("gateway/" + c.Gateway); err != nil {
			return ask, usageError(err.Error(), "")
		}
	}
	return ask, nil
}

// readRequests reads the file of --requests, or standard input for "-".
func (c *traceCommand) readRequests(t terminal) ([]*answer.Request, error) {
	if c.Requests == "-" {
		return readRequests("standard input", t.stdin)
	}
	in, err := os.Open(c.path(c.Requests))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return readRequests(c.Requests, in)
}

// two reports whether two revisions are compared.
func (c *traceCommand) two() bool {
	return len(c.Revisions) > 1 || len(c.Revisions) == 1 && strings.Contains(c.Revisions[0], "..")
}

// trace reads one revision or two, and answers.
func (c *traceCommand) trace(ctx context.Context, t terminal, ask traffic.Tracing) (*plan.Trace, error) {
	if c.two() {
		base, head, s, err := c.loadPair(ctx, t)
		if err != nil {
			return nil, err
		}
		defer s.analysing()()
		return c.requireGateway(analyze.TraceBoth(base, head, ask, s.options))
	}
	snapshot, s, err := c.loadOne(ctx, t)
	if err != nil {
		return nil, err
	}
	defer s.analysing()()
	return c.requireGateway(analyze.Trace(snapshot, ask, s.options))
}

func (c *traceCommand) loadOne(ctx context.Context, t terminal) (*loader.Snapshot, settings, error) {
	if len(c.Revisions) == 1 {
		if c.Rev != nil || len(c.Filename) > 0 {
			return nil, settings{}, usageError("a revision beside --rev or -f", "leave one of them out")
		}
		c.Rev = &c.Revisions[0]
	}
	return c.load(ctx, t)
}

// requireGateway refuses a Gateway or listener that no environment has.
func (c *traceCommand) requireGateway(doc *plan.Trace) (*plan.Trace, error) {
	if doc.Sent || c.Gateway == "" && c.Listener == "" {
		return doc, nil
	}
	what := "Gateway " + c.Gateway
	switch {
	case c.Gateway == "":
		what = "listener " + c.Listener
	case c.Listener != "":
		what = fmt.Sprintf("listener %s of %s", c.Listener, what)
	}
	return nil, usageError(what+" is not in the input", "gwplan tree lists the Gateways and their listeners")
}

func (c *traceCommand) loadPair(ctx context.Context, t terminal) (base, head *loader.Snapshot, s settings, err error) {
	if c.Rev != nil || len(c.Filename) > 0 {
		return nil, nil, s, usageError("two revisions beside --rev or -f", "leave one of them out")
	}
	defer progress(t, "comparing")()
	before, after, err := source.OpenPair(ctx, source.Request{Dir: c.Directory, Revisions: c.Revisions, Limits: c.limits(), Environ: t.environ})
	if err != nil {
		return nil, nil, s, err
	}
	defer closeAll([]*source.Tree{before})
	configured, _, notes, err := c.pairConfig(before, after)
	if err != nil {
		return nil, nil, s, err
	}
	if s, err = prepare(configured, c.inputFlags, c.outputFlags); err != nil {
		return nil, nil, s, err
	}
	s.options.Notes = notes
	snapshots, err := s.render(ctx, t, c.inputFlags, before, after)
	if err != nil {
		return nil, nil, s, err
	}
	s.options.Filter.Environments, err = c.shown(snapshots...)
	return snapshots[0], snapshots[1], s, err
}
