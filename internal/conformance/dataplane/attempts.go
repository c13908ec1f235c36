package dataplane

import (
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/internal/conformance/planner"
)

// attempts sends a request to a target, and again if a step says so.
type attempts struct {
	*carrier
	answer *planner.Answer
	target *target
	steps  []planner.Step
}

// RoundTrip sends a request until an answer is good enough.
func (a *attempts) RoundTrip(r *http.Request) (*http.Response, error) {
	again, codes := a.retries()
	for {
		response, err := a.once(r)
		failed := err != nil && r.Context().Err() == nil || err == nil && slices.Contains(codes, strconv.Itoa(response.StatusCode))
		if !failed || again == 0 {
			return response, err
		}
		again--
		if response != nil {
			response.Body.Close()
		}
		if r.GetBody != nil {
			r.Body, _ = r.GetBody()
		}
	}
}

// retries says how often a request is tried again, and after which statuses.
func (a *attempts) retries() (int, []string) {
	for _, step := range a.steps {
		if step.Action == "retry" {
			times, _ := strconv.Atoi(step.Value)
			return times, strings.Split(step.Name, ",")
		}
	}
	return 0, nil
}

// once sends a request to one pod.
func (a *attempts) once(r *http.Request) (*http.Response, error) {
	transport := &http.Transport{
		DialContext:        func(ctx context.Context, _, _ string) (net.Conn, error) { return a.dial(ctx, a.target) },
		DisableKeepAlives:  true,
		DisableCompression: true,
		Protocols:          new(http.Protocols),
	}
	config, err := a.backendTLS(a.answer, a.target)
	if err != nil {
		return nil, err
	}
	http2 := strings.HasPrefix(a.answer.Route, "GRPCRoute/") || a.target.port.AppProtocol != nil && *a.target.port.AppProtocol == "kubernetes.io/h2c"
	sent := r
	if config != nil {
		sent = r.Clone(r.Context())
		sent.URL.Scheme = "https"
		transport.TLSClientConfig = config
		transport.Protocols.SetHTTP1(!http2)
		transport.Protocols.SetHTTP2(true)
	} else {
		transport.Protocols.SetHTTP1(!http2)
		transport.Protocols.SetUnencryptedHTTP2(http2)
	}
	limit := timeout(a.steps, "backendRequest")
	if limit == 0 {
		return transport.RoundTrip(sent)
	}
	ctx, cancel := context.WithTimeoutCause(sent.Context(), limit, context.DeadlineExceeded)
	response, err := transport.RoundTrip(sent.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	response.Body = &closing{response.Body, cancel}
	return response, nil
}

// closing is a body that ends the time that a request may take.
type closing struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (c *closing) Close() error {
	c.cancel()
	return c.ReadCloser.Close()
}
