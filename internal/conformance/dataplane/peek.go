package dataplane

import (
	"io"
	"net"
)

// listenOnly is a connection that nothing can be written to.
type listenOnly struct {
	net.Conn
	from io.Reader
}

func (l *listenOnly) Read(into []byte) (int, error)     { return l.from.Read(into) }
func (l *listenOnly) Write(payload []byte) (int, error) { return len(payload), nil }
