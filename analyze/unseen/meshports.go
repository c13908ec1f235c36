package unseen

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gwplan/gwplan/analyze/applied"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// meshPorts finds Services of namespaces with policies of Istio whose ports get another protocol or lead to another port of
// the pods. A proxy of Istio that takes a port for TCP does not know requests: it leaves out what policies say of them, and a
// rule of ALLOW with it (pilot/pkg/security/authz/model, generator.go; pkg/config/kube/conversion.go, ConvertProtocol).
func meshPorts(s *search, pair applied.Pair) {
	if pair.Base == nil || pair.Head == nil {
		return
	}
	guarded := guardedNamespaces(pair.Head, "security.istio.io")
	for _, e := range s.edits.of(pair) {
		id := e.Object().ID
		if id.Group != "" || id.Kind != "Service" || e.Was == nil || e.Is == nil || e.Is.Context || !guarded[id.Namespace] && !guarded[catalogue.IstioRoot] {
			continue
		}
		var says []string
		for _, port := range e.Is.Spec().List("ports") {
			number, was := port.Get("port"), portOf(e.Was, port)
			if number == nil || was == nil {
				continue
			}
			before, after := protocolOf(was), protocolOf(port)
			switch {
			case isHTTP(before) != isHTTP(after) || isKnown(before) != isKnown(after):
				says = append(says, fmt.Sprintf("requests under policies of the mesh (the protocol of port %s is %s, %s before)", number.Text, orDetected(after), orDetected(before)))
			case !loader.Equal(was.Get("targetPort"), port.Get("targetPort")):
				says = append(says, fmt.Sprintf("requests under policies of the mesh (port %s leads to another port of its pods)", number.Text))
			}
		}
		if len(says) > 0 {
			s.add(id.Spoken(), plan.EditChanged, pair.Name(), e.Is.First(), says).Global = true
		}
	}
}

// portOf returns the port of a Service with the number of another one, or nil.
func portOf(service *loader.Object, port *loader.Value) *loader.Value {
	for _, p := range service.Spec().List("ports") {
		if loader.Equal(p.Get("port"), port.Get("port")) && p.Str("protocol") == port.Str("protocol") {
			return p
		}
	}
	return nil
}

// protocolOf returns the word for the protocol of a port: that of appProtocol, or else what its name begins with.
func protocolOf(port *loader.Value) string {
	word := strings.ToLower(cmp.Or(port.Str("appProtocol"), port.Str("name")))
	switch word {
	case "kubernetes.io/h2c":
		return "http2"
	case "kubernetes.io/ws":
		return "http"
	case "kubernetes.io/wss":
		return "https"
	}
	word, _, _ = strings.Cut(word, "-")
	return word
}

// isHTTP reports whether Istio sees requests by the word for a protocol (pkg/config/protocol/instance.go, Parse and IsHTTP).
func isHTTP(word string) bool {
	switch word {
	case "http", "http2", "http_proxy", "grpc":
		return true
	}
	return false
}

// isKnown reports whether a word is one for a protocol. Otherwise Istio detects the protocol of each connection.
func isKnown(word string) bool {
	switch word {
	case "tcp", "udp", "https", "tls", "mongo", "redis", "mysql":
		return true
	}
	return isHTTP(word)
}

// orDetected returns the word for a protocol, or says that it is detected.
func orDetected(word string) string {
	if isKnown(word) {
		return word
	}
	return "detected"
}
