package dataplane

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"strings"
	"syscall"
	"time"

	"github.com/gwplan/gwplan/internal/conformance/planner"
)

// server is what serves HTTP on connections to the port.
func (p *port) server() *http.Server {
	server := &http.Server{Handler: p, Protocols: new(http.Protocols), ErrorLog: log.New(io.Discard, "", 0)}
	server.Protocols.SetHTTP1(true)
	server.Protocols.SetHTTP2(true)
	server.Protocols.SetUnencryptedHTTP2(true)
	return server
}

// ServeHTTP does with a request what gwplan says.
func (p *port) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	scheme, name := "http", ""
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/grpc") && strings.Count(r.URL.Path, "/") == 2 {
		scheme = "grpc"
	}
	if r.TLS != nil {
		scheme, name = scheme+"s", r.TLS.ServerName
	}
	header := r.Header.Clone()
	header.Set("Host", r.Host)
	answer, err := p.trace(scheme, name, r.URL.RequestURI(), r.Method, header)
	if err != nil {
		log.Print(err)
		w.WriteHeader(http.StatusNotImplemented)
		return
	}
	p.answer(w, r, answer)
}

// answer does with a request what an answer of gwplan says.
func (p *port) answer(w http.ResponseWriter, r *http.Request, answer *planner.Answer) {
	switch answer.Outcome {
	case planner.ByBackend:
		p.forward(w, r, answer)
	case planner.ByRedirect:
		w.Header().Set("Location", answer.Location)
		fallthrough
	case planner.ByStatus:
		changeResponse(w.Header(), answer.Steps)
		w.WriteHeader(answer.Status)
	case planner.Refused:
		panic(http.ErrAbortHandler)
	default:
		log.Printf("gwplan does not know what becomes of %s %s", r.Method, r.URL)
		w.WriteHeader(http.StatusNotImplemented)
	}
}

// forward sends a request to a backend.
func (p *port) forward(w http.ResponseWriter, r *http.Request, answer *planner.Answer) {
	backend, found := p.pick(answer)
	if !found {
		backend.Status = http.StatusInternalServerError
	}
	steps := stepsFor(answer.Steps, backend.Backend)
	if backend.Status != 0 {
		changeResponse(w.Header(), steps)
		w.WriteHeader(backend.Status)
		return
	}
	t, err := p.target(backend.Backend)
	if err != nil {
		log.Print(err)
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	p.proxy(w, r, answer, t, steps)
}

// proxy sends a request to a target, and takes the steps on the way.
func (p *port) proxy(w http.ResponseWriter, r *http.Request, answer *planner.Answer, t *target, steps []planner.Step) {
	if limit := timeout(steps, "request"); limit > 0 {
		ctx, cancel := context.WithTimeout(r.Context(), limit)
		defer cancel()
		r = r.WithContext(ctx)
	}
	if has(steps, "mirror") || has(steps, "retry") {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(out *httputil.ProxyRequest) {
			out.Out.URL.Scheme, out.Out.URL.Host = "http", "backend" // the target is dialled whatever it is
			out.Out.GetBody = r.GetBody
			p.changeRequest(out.Out, answer, steps)
		},
		Transport:      &attempts{port: p, answer: answer, target: t, steps: steps},
		ModifyResponse: func(response *http.Response) error { changeResponse(response.Header, steps); return nil },
		ErrorHandler:   func(w http.ResponseWriter, _ *http.Request, err error) { w.WriteHeader(statusOf(err)) },
		ErrorLog:       log.New(io.Discard, "", 0),
	}
	proxy.ServeHTTP(w, r)
}

// statusOf is the status of a request that no backend has answered.
func statusOf(err error) int {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusGatewayTimeout
	case errors.Is(err, syscall.ECONNREFUSED):
		return http.StatusServiceUnavailable
	}
	return http.StatusBadGateway
}

// timeout is the time that a step allows, 0 for any.
func timeout(steps []planner.Step, name string) time.Duration {
	for _, step := range steps {
		if step.Action == "timeout" && step.Name == name {
			limit, _ := time.ParseDuration(step.Value) // the durations of Gateway API are a subset of Go's
			return limit
		}
	}
	return 0
}
