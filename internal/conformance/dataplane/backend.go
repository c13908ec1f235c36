package dataplane

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/gwplan/gwplan/internal/conformance/echo"
	"github.com/gwplan/gwplan/internal/conformance/planner"
)

// shares spreads things evenly: of any number in a row, each share is met as closely as that number allows, so that
// tests of weights do not fail by chance.
type shares struct {
	mu     sync.Mutex
	counts map[string]int
}

// next returns the next of evenly spread numbers in [0, 1), for each key anew.
func (s *shares) next(key string) float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts == nil {
		s.counts = map[string]int{}
	}
	s.counts[key]++
	const golden = 0.6180339887498949 // multiples of it, without their integer parts, are spread evenly
	x := float64(s.counts[key]) * golden
	return x - float64(int(x))
}

// pick picks the backend that a request goes to.
func (d *DataPlane) pick(answer *planner.Answer) (planner.Backend, bool) {
	at := d.shares.next(answer.Rule)
	sum := 0
	for _, backend := range answer.Backends {
		sum += backend.Weight
		if at*float64(backend.Total) < float64(sum) {
			return backend, true
		}
	}
	return planner.Backend{}, false
}

// target is a port of a Service, as trace names it: Service/NAMESPACE/NAME:PORT.
type target struct {
	service   types.NamespacedName
	port      corev1.ServicePort
	endpoints []echo.Endpoint
}

func (d *DataPlane) target(name string) (*target, error) {
	path, number, _ := strings.Cut(name, ":")
	parts := strings.Split(path, "/")
	port, err := strconv.Atoi(number)
	if err != nil || len(parts) != 3 || parts[0] != "Service" {
		return nil, fmt.Errorf("backend %s is not a port of a Service", name)
	}
	t := &target{service: types.NamespacedName{Namespace: parts[1], Name: parts[2]}}
	t.endpoints, t.port, err = d.Network.Endpoints(t.service, port)
	return t, err
}

// dial connects to the pods of a target in turn.
func (d *DataPlane) dial(ctx context.Context, t *target) (net.Conn, error) {
	e, err := d.endpoint(t)
	if err != nil {
		return nil, err
	}
	return d.Network.Dial(ctx, e)
}

func (d *DataPlane) endpoint(t *target) (echo.Endpoint, error) {
	if len(t.endpoints) == 0 {
		return echo.Endpoint{}, fmt.Errorf("Service %s has no endpoints", t.service)
	}
	return t.endpoints[int(d.shares.next(t.service.String())*float64(len(t.endpoints)))], nil
}

// backendTLS is how the Gateway speaks TLS to a target: as the BackendTLSPolicy in force says, or nil without one.
func (c *carrier) backendTLS(answer *planner.Answer, t *target, protocols ...string) (*tls.Config, error) {
	name := "Service/" + t.service.String()
	i := slices.IndexFunc(answer.Policies, func(policy planner.Policy) bool {
		return policy.PolicyKind.Kind == "BackendTLSPolicy" && (policy.Target == name || policy.Target == name+"#"+t.port.Name)
	})
	if i < 0 {
		return nil, nil
	}
	validation := validationOf(&answer.Policies[i])
	config := &tls.Config{
		ServerName: validation.hostname, NextProtos: protocols,
		InsecureSkipVerify: true, VerifyConnection: validation.verify, // names other than that of the connection may be asked for
	}
	certificate, err := c.holder.clientCertificate()
	if certificate != nil {
		config.Certificates = []tls.Certificate{*certificate}
	}
	return config, err
}

// validation is what an effective BackendTLSPolicy wants of the certificate of a backend.
type validation struct {
	hostname    string
	authorities *x509.CertPool // nil for those of the system
	names       []string       // of which one must be in the certificate, if there are any
}

func validationOf(policy *planner.Policy) *validation {
	v := &validation{}
	for _, field := range policy.Fields {
		text, _ := field.Value.(string)
		switch {
		case field.Path == "/validation/hostname":
			v.hostname = text
		case strings.HasPrefix(field.Path, "/validation/caCertificateRefs[") && strings.HasSuffix(field.Path, "/data/ca.crt"):
			if v.authorities == nil {
				v.authorities = x509.NewCertPool()
			}
			v.authorities.AppendCertsFromPEM([]byte(text))
		case field.Path == "/validation/subjectAltNames":
			names, _ := field.Value.([]any)
			for _, name := range names {
				entry, _ := name.(map[string]any)
				for _, key := range []string{"hostname", "uri"} {
					if value, ok := entry[key].(string); ok {
						v.names = append(v.names, value)
					}
				}
			}
		}
	}
	return v
}

// verify checks the certificate of a backend.
func (v *validation) verify(state tls.ConnectionState) error {
	leaf := state.PeerCertificates[0]
	options := x509.VerifyOptions{Roots: v.authorities, Intermediates: x509.NewCertPool()}
	for _, certificate := range state.PeerCertificates[1:] {
		options.Intermediates.AddCert(certificate)
	}
	if len(v.names) == 0 {
		options.DNSName = v.hostname
	}
	if _, err := leaf.Verify(options); err != nil {
		return err
	}
	for _, name := range v.names {
		if leaf.VerifyHostname(name) == nil || slices.ContainsFunc(leaf.URIs, func(uri *url.URL) bool { return uri.String() == name }) {
			return nil
		}
	}
	if len(v.names) > 0 {
		return errors.New("no name in the certificate is one of those that the policy asks for")
	}
	return nil
}
