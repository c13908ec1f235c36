package echo

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/websocket"
)

// seen is what a server tells of a request that reached it, in the suite's own form.
type seen struct {
	Path      string      `json:"path"`
	Host      string      `json:"host"`
	Method    string      `json:"method"`
	Proto     string      `json:"proto"`
	Headers   http.Header `json:"headers"`
	HTTPPort  string      `json:"httpPort"`
	Namespace string      `json:"namespace"`
	Pod       string      `json:"pod"`
	TLS       *seenTLS    `json:"tls,omitempty"`
}

type seenTLS struct {
	Version            string   `json:"version"`
	PeerCertificates   []string `json:"peerCertificates,omitempty"`
	ServerName         string   `json:"serverName"`
	NegotiatedProtocol string   `json:"negotiatedProtocol,omitempty"`
	CipherSuite        string   `json:"cipherSuite"`
}

// The protocols of a server.
const (
	plain = iota
	plainHTTP2
	secure
)

// serveHTTP serves HTTP by one of the protocols.
func (p *pod) serveHTTP(protocol int) func(net.Listener) {
	server := &http.Server{Handler: &handler{pod: p, failed: map[string]int{}}, Protocols: new(http.Protocols), ErrorLog: log.New(io.Discard, "", 0)}
	server.Protocols.SetHTTP1(protocol != plainHTTP2)
	server.Protocols.SetHTTP2(protocol == secure)
	server.Protocols.SetUnencryptedHTTP2(protocol == plainHTTP2)
	return func(listener net.Listener) {
		if protocol == secure {
			listener = tls.NewListener(listener, p.tlsConfig("h2", "http/1.1"))
		}
		server.Serve(listener)
	}
}

type handler struct {
	pod    *pod
	mu     sync.Mutex
	failed map[string]int // failures of each request by its uuid
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/ws":
		websocket.Handler(func(ws *websocket.Conn) { io.Copy(ws, ws) }).ServeHTTP(w, r)
	case strings.HasPrefix(r.URL.Path, "/retry/"):
		h.retry(w, r)
	default:
		h.echo(w, r)
	}
}

// echo answers with the request. The query's delay and the header X-Echo-Set-Header say how.
func (h *handler) echo(w http.ResponseWriter, r *http.Request) {
	h.pod.print(fmt.Sprintf("Echoing back request made to %s to client (%s)", r.RequestURI, r.RemoteAddr))
	if !wait(r, "delay") {
		return
	}
	out := seen{
		Path: r.RequestURI, Host: r.Host, Method: r.Method, Proto: r.Proto, Headers: r.Header,
		HTTPPort: h.pod.env("HTTP_PORT", "3000"), Namespace: h.pod.Namespace, Pod: h.pod.Name,
	}
	if state := r.TLS; state != nil {
		out.TLS = &seenTLS{
			Version: strings.ReplaceAll(tls.VersionName(state.Version), "TLS ", "TLSv"), ServerName: state.ServerName, NegotiatedProtocol: state.NegotiatedProtocol,
			CipherSuite: tls.CipherSuiteName(state.CipherSuite), PeerCertificates: certificates(state.PeerCertificates),
		}
	}
	for _, list := range r.Header.Values("X-Echo-Set-Header") {
		for header := range strings.SplitSeq(list, ",") {
			if name, value, found := strings.Cut(strings.TrimSpace(header), ":"); found {
				w.Header().Add(name, strings.TrimSpace(value))
			}
		}
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

// retry fails as often as the query's succeedAfter says, with its responseCode or else by ending the connection.
func (h *handler) retry(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	failures, err := strconv.Atoi(query.Get("succeedAfter"))
	if err != nil || query.Get("uuid") == "" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	h.mu.Lock()
	fail := h.failed[query.Get("uuid")] < failures
	if fail {
		h.failed[query.Get("uuid")]++
	}
	h.mu.Unlock()
	if !fail {
		h.echo(w, r)
		return
	}
	if !wait(r, "delayRetry") {
		return
	}
	if code, err := strconv.Atoi(query.Get("responseCode")); err == nil {
		w.WriteHeader(code)
		return
	}
	panic(http.ErrAbortHandler)
}

// wait waits for the time in a parameter of the query, and reports whether the client waited as well.
func wait(r *http.Request, parameter string) bool {
	delay, err := time.ParseDuration(r.URL.Query().Get(parameter))
	if err != nil {
		return true
	}
	select {
	case <-time.After(delay):
		return true
	case <-r.Context().Done():
		return false
	}
}
