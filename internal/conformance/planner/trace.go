package planner

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// Answer is what a Gateway does with a request: an answer in the output of gwplan trace.
type Answer struct {
	Outcome  string
	Status   int
	Location string
	Gateway  string // "" if nothing takes the request
	Listener string
	Route    string
	Rule     string
	Steps    []Step
	Backends []Backend
	Policies []Policy
}

// Step is one thing that happens to a request or its answer.
type Step struct{ Action, Name, Value, Backend string }

// Backend is a backend with its share of requests, and the status that they get if it cannot be used.
type Backend struct {
	Backend       string
	Weight, Total int
	Status        int
}

// Policy is an effective policy in force.
type Policy struct {
	PolicyKind struct{ Group, Kind string }
	Target     string
	Fields     []struct {
		Path  string
		Value any
	}
}

// The outcomes of an answer.
const (
	ByBackend  = "backend"
	ByStatus   = "status"
	ByRedirect = "redirect"
	Refused    = "refused"
	NotKnown   = "unknown"
)

// Request is a request to a Gateway, or a connection for the schemes tls, tcp and udp.
type Request struct {
	// Gateway is NAMESPACE/NAME, or "" inside a mesh. There From is the namespace of the caller.
	Gateway, From string
	URL           string
	Method        string
	// Header holds all headers, with Host.
	Header http.Header
}

// Trace says what a Gateway does with a request.
func (p *Planner) Trace(r *Request) (*Answer, error) {
	args := []string{"trace", r.URL, "--gateway", r.Gateway}
	if r.From != "" {
		args = []string{"trace", r.URL, "--from", r.From}
	}
	if r.Method != "" {
		args = append(args, "-X", r.Method)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		if !p.matters(name) {
			continue
		}
		for _, value := range r.Header[name] {
			args = append(args, "-H", name+": "+value)
		}
	}
	result, err := p.ask(answerIn, args...)
	if err != nil {
		return nil, err
	}
	return result.(*Answer), nil
}

// answerIn reads the only answer in the output of gwplan trace.
func answerIn(output []byte) (any, error) {
	var trace struct {
		Environments []struct {
			Requests []struct{ Answers []*Answer }
		}
	}
	if err := json.Unmarshal(output, &trace); err != nil {
		return nil, err
	}
	if len(trace.Environments) != 1 || len(trace.Environments[0].Requests) != 1 || len(trace.Environments[0].Requests[0].Answers) != 1 {
		return nil, fmt.Errorf("not one answer: %s", output)
	}
	return trace.Environments[0].Requests[0].Answers[0], nil
}

// matters reports whether gwplan is told of a header. Those that no object names are left out, so that requests that
// only differ in a random header are one question; the headers of browsers matter without being named.
func (p *Planner) matters(name string) bool {
	name = strings.ToLower(name)
	switch {
	case name == "host", name == "origin", strings.HasPrefix(name, "access-control-"):
		return true
	}
	return p.mentions(name)
}
