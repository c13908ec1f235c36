package dataplane

import (
	"io"
	"log"
	"net/http"
	"strings"
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
	p.carrier.answer(w, r, answer)
}
