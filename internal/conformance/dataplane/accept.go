package dataplane

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"time"

	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/gwplan/gwplan/internal/conformance/planner"
)

// accepted is a listener whose connections somebody else has accepted.
type accepted struct {
	conns <-chan net.Conn
	addr  net.Addr
}

func (a *accepted) Accept() (net.Conn, error) { return <-a.conns, nil }
func (a *accepted) Close() error              { return nil }
func (a *accepted) Addr() net.Addr            { return a.addr }

// accept sorts connections by what is spoken on them.
func (p *port) accept(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go p.begin(conn)
	}
}

func (p *port) begin(conn net.Conn) {
	switch {
	case p.holder.speaks(gatewayv1.HTTPSProtocolType, gatewayv1.TLSProtocolType):
		reader := bufio.NewReader(conn)
		conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		first, err := reader.Peek(1)
		if err != nil {
			conn.Close()
			return
		}
		whole := &reread{conn, reader}
		if first[0] != 0x16 { // the record type of a handshake
			p.plain(whole)
			return
		}
		p.secure(whole)
	case p.holder.speaks(gatewayv1.TCPProtocolType):
		answer, err := p.trace("tcp", "", "", "", nil)
		p.stream(conn, answer, err)
	default:
		p.plain(conn)
	}
}

func (p *port) plain(conn net.Conn) {
	if !p.holder.speaks(gatewayv1.HTTPProtocolType) {
		conn.Close()
		return
	}
	conn.SetReadDeadline(time.Time{})
	p.conns <- conn
}

// secure begins TLS, or passes it through: the listener that takes the server name decides.
func (p *port) secure(conn net.Conn) {
	hello, conn, err := peekHello(conn)
	conn.SetReadDeadline(time.Time{})
	if err != nil {
		conn.Close()
		return
	}
	if p.holder.speaks(gatewayv1.TLSProtocolType) {
		answer, err := p.trace("tls", hello, "", "", nil)
		if err != nil || answer.Outcome != planner.Refused {
			p.secured(conn, answer, err)
			return
		}
	}
	var answer *planner.Answer
	if p.holder.speaks(gatewayv1.HTTPSProtocolType) {
		if answer, err = p.trace("https", hello, "/", "GET", nil); err != nil {
			log.Print(err)
		}
	}
	if answer == nil || answer.Outcome == planner.Refused {
		conn.Close()
		return
	}
	config, err := p.holder.tlsConfig(answer.Listener, "h2", "http/1.1")
	if err != nil {
		log.Print(err)
		conn.Close()
		return
	}
	p.conns <- tls.Server(conn, config)
}

// secured serves a connection that a TLSRoute takes.
func (p *port) secured(conn net.Conn, answer *planner.Answer, err error) {
	if err == nil {
		l, known := p.holder.named(answer.Listener)
		if known && l.TLS != nil && (l.TLS.Mode == nil || *l.TLS.Mode == gatewayv1.TLSModeTerminate) {
			var config *tls.Config
			if config, err = p.holder.tlsConfig(answer.Listener); err == nil {
				conn = tls.Server(conn, config)
			}
		}
	}
	p.stream(conn, answer, err)
}

// reread is a connection of which something has been read ahead.
type reread struct {
	net.Conn
	from io.Reader
}

func (r *reread) Read(into []byte) (int, error) { return r.from.Read(into) }

// errPeeked ends a handshake that was only begun to read what the client says first.
var errPeeked = errors.New("read")

// peekHello reads the server name in a ClientHello, and returns a connection that begins with it again.
func peekHello(conn net.Conn) (string, net.Conn, error) {
	var read bytes.Buffer
	name := ""
	err := tls.Server(&listenOnly{conn, io.TeeReader(conn, &read)}, &tls.Config{
		GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			name = hello.ServerName
			return nil, errPeeked
		},
	}).HandshakeContext(context.Background())
	if errors.Is(err, errPeeked) {
		err = nil
	}
	return name, &reread{conn, io.MultiReader(&read, conn)}, err
}
