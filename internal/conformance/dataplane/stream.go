package dataplane

import (
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
	backend, err := p.carrier.connect(answer)
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
	backend, found := p.carrier.pick(answer)
	if !found || backend.Status != 0 {
		return nil
	}
	t, err := p.carrier.target(backend.Backend)
	if err != nil {
		return nil
	}
	e, err := p.carrier.endpoint(t)
	if err != nil {
		return nil
	}
	return p.carrier.Network.Datagram(e, payload)
}
