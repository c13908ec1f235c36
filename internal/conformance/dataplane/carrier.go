package dataplane

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/gwplan/gwplan/internal/conformance/planner"
)

// carrier does with a request what an answer of gwplan says, on behalf of the Gateway that holds a port.
type carrier struct {
	*DataPlane
	holder *holder
}

func newCarrier(d *DataPlane, port int, owner types.NamespacedName) *carrier {
	return &carrier{DataPlane: d, holder: &holder{DataPlane: d, number: port, name: owner}}
}

// answer does with a request what an answer of gwplan says.
func (c *carrier) answer(w http.ResponseWriter, r *http.Request, answer *planner.Answer) {
	switch answer.Outcome {
	case planner.ByBackend:
		c.forward(w, r, answer)
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
func (c *carrier) forward(w http.ResponseWriter, r *http.Request, answer *planner.Answer) {
	backend, found := c.pick(answer)
	if !found {
		backend.Status = http.StatusInternalServerError
	}
	steps := stepsFor(answer.Steps, backend.Backend)
	if backend.Status != 0 {
		changeResponse(w.Header(), steps)
		w.WriteHeader(backend.Status)
		return
	}
	t, err := c.target(backend.Backend)
	if err != nil {
		log.Print(err)
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	c.proxy(w, r, answer, t, steps)
}

// proxy sends a request to a target, and takes the steps on the way.
func (c *carrier) proxy(w http.ResponseWriter, r *http.Request, answer *planner.Answer, t *target, steps []planner.Step) {
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
			c.changeRequest(out.Out, answer, steps)
		},
		Transport:      &attempts{carrier: c, answer: answer, target: t, steps: steps},
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

// connect connects to the backend of an answer.
func (c *carrier) connect(answer *planner.Answer) (net.Conn, error) {
	if answer.Outcome != planner.ByBackend {
		return nil, net.ErrClosed
	}
	backend, found := c.pick(answer)
	if !found || backend.Status != 0 {
		return nil, net.ErrClosed
	}
	t, err := c.target(backend.Backend)
	if err != nil {
		return nil, err
	}
	conn, err := c.dial(context.Background(), t)
	if err != nil {
		return nil, err
	}
	config, err := c.backendTLS(answer, t)
	if err != nil || config == nil {
		return conn, err
	}
	secured := tls.Client(conn, config)
	return secured, secured.Handshake()
}
