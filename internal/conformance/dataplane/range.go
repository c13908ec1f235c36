package dataplane

import (
	"errors"
	"fmt"
	"io"
	"net"
)

// ClaimRange claims a range of addresses of the loopback network, "127.1.", so that several runs on one machine do not
// meet. The range is claimed until the closer is closed.
func ClaimRange() (string, io.Closer, error) {
	for n := 1; n < 255; n++ {
		prefix := fmt.Sprintf("127.%d.", n)
		if claim, err := net.Listen("tcp", prefix+"255.254:40000"); err == nil {
			return prefix, claim, nil
		}
	}
	return "", nil, errors.New("all addresses of the loopback network are taken; they exist on Linux only")
}
