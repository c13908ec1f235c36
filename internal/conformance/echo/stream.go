package echo

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"

	"sigs.k8s.io/gateway-api-conformance-images/echo-basic/tcpserver"
	"sigs.k8s.io/gateway-api-conformance-images/echo-basic/udpechoserver"
)

// serveTCP serves the suite's protocol of lines, with TLS or without.
func (p *pod) serveTCP(secure bool) func(net.Listener) {
	return func(listener net.Listener) {
		if secure {
			listener = tls.NewListener(listener, p.tlsConfig())
		}
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go p.lines(conn)
		}
	}
}

// lines answers each line of a client.
func (p *pod) lines(conn net.Conn) {
	defer conn.Close()
	out := tcpserver.TCPAssertions{Context: tcpserver.Context{Namespace: p.Namespace, Pod: p.Name}}
	if secured, ok := conn.(*tls.Conn); ok {
		if secured.Handshake() != nil {
			return
		}
		state := secured.ConnectionState()
		out.IsTLS = true
		out.TLSAssertion = &tcpserver.TLSAssertions{
			Version: tls.VersionName(state.Version), ServerName: state.ServerName, NegotiatedProtocol: state.NegotiatedProtocol, CipherSuite: tls.CipherSuiteName(state.CipherSuite),
		}
	}
	fmt.Fprint(conn, tcpserver.WelcomeMessage)
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		switch lines.Text() {
		case "TEST":
			json.NewEncoder(conn).Encode(out)
		case "IS_TLS":
			fmt.Fprintln(conn, out.IsTLS)
		case "PING":
			fmt.Fprintln(conn, "PONG")
		}
	}
}

// Datagram is what a pod answers to a datagram, or nil if nothing listens.
func (n *Network) Datagram(e Endpoint, payload []byte) []byte {
	p := &pod{store: n.Store, logs: n.Logs, Pod: e.Pod}
	if p.env("UDP_ECHO_SERVER", "") == "" || p.env("UDP_PORT", "8080") != fmt.Sprint(e.Port) {
		return nil
	}
	out, err := json.Marshal(udpechoserver.EchoResponse{
		Request: string(payload), Context: udpechoserver.Context{Namespace: p.Namespace, Service: p.env("SERVICE_NAME", ""), Pod: p.Name},
	})
	if err != nil {
		return nil
	}
	return out
}
