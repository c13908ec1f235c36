package dataplane

import (
	"net"
	"net/http"
	"strconv"

	"github.com/gwplan/gwplan/internal/conformance/planner"
)

// port is a port of a Gateway that is open. Its key names a listening socket, which may pass on to another Gateway.
type port struct {
	portKey
	holder  *holder
	carrier *carrier
	http    *http.Server
	conns   chan net.Conn // those that HTTP is spoken on
}

// trace asks what the Gateway does with a request. Scheme and host make its URL, with what follows the port.
func (p *port) trace(scheme, host, rest, method string, header http.Header) (*planner.Answer, error) {
	if host == "" {
		host = p.address
	}
	return p.carrier.Planner.Trace(&planner.Request{
		Gateway: p.holder.owner().String(), URL: scheme + "://" + net.JoinHostPort(host, strconv.Itoa(p.number)) + rest,
		Method: method, Header: header,
	})
}
