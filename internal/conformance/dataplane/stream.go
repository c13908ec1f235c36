package dataplane

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"

	"github.com/gwplan/gwplan/internal/conformance/planner"
)

// stream passes bytes between a client and the backend of an answer, or ends the connection.
func (p *port) stream(conn net.Conn, answer *planner.Answer, err error) {
	defer conn.Close()
	if err != nil {
		log.Print(err)
		return
	}
	backend, err := p.connect(answer)
	if err != nil {
		return
	}
	defer backend.Close()
	done := make(chan struct{}, 2)
	pass := func(to, from net.Conn) {
		io.Copy(to, from)
		done <- struct{}{}
	}
	go pass(backend, conn)
	go pass(conn, backend)
	<-done
}

// connect connects to the backend of an answer.
func (p *port) connect(answer *planner.Answer) (net.Conn, error) {
	if answer.Outcome != planner.ByBackend {
		return nil, net.ErrClosed
	}
	backend, found := p.pick(answer)
	if !found || backend.Status != 0 {
		return nil, net.ErrClosed
	}
	t, err := p.target(backend.Backend)
	if err != nil {
		return nil, err
	}
	conn, err := p.dial(context.Background(), t)
	if err != nil {
		return nil, err
	}
	config, err := p.backendTLS(answer, t)
	if err != nil || config == nil {
		return conn, err
	}
	secured := tls.Client(conn, config)
	return secured, secured.Handshake()
}

// datagrams answers the datagrams that clients send to the port.
func (p *port) datagrams(conn net.PacketConn) {
	buffer := make([]byte, 64*1024)
	for {
		n, from, err := conn.ReadFrom(buffer)
		if err != nil {
			return
		}
		if out := p.datagram(buffer[:n]); out != nil {
			conn.WriteTo(out, from)
		}
	}
}

func (p *port) datagram(payload []byte) []byte {
	answer, err := p.trace("udp", "", "", "", nil)
	if err != nil {
		log.Print(err)
		return nil
	}
	if answer.Outcome != planner.ByBackend {
		return nil
	}
	backend, found := p.pick(answer)
	if !found || backend.Status != 0 {
		return nil
	}
	t, err := p.target(backend.Backend)
	if err != nil {
		return nil
	}
	e, err := p.endpoint(t)
	if err != nil {
		return nil
	}
	return p.Network.Datagram(e, payload)
}
