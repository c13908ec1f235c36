package settle

import (
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
)

// trafficKind returns the kind of traffic at a listener, or at a route and its rules: HTTP, UDP or
// TCP, which includes TLS. If the kind is unknown, it is HTTP, to which all fields apply.
func trafficKind(at *hierarchy.Node) string {
	if at.Level == hierarchy.LevelListener {
		switch protocol := at.Value.Str("protocol"); protocol {
		case "TCP", "TLS":
			return "TCP"
		case "UDP":
			return protocol
		}
		return "HTTP"
	}
	switch at.Target.Kind {
	case "TCPRoute", "TLSRoute":
		return "TCP"
	case "UDPRoute":
		return "UDP"
	}
	return "HTTP"
}

// taking keeps only the fields of a spec that apply to TCP or UDP traffic, by dotted paths.
func taking(tcp, udp []string) Spec {
	return func(spec *merge.Tree, at Target) *merge.Tree {
		switch trafficKind(at.Node) {
		case "TCP":
			return paths(spec, tcp)
		case "UDP":
			return paths(spec, udp)
		}
		return spec
	}
}

// paths returns a spec with only the fields at some paths.
func paths(spec *merge.Tree, dotted []string) *merge.Tree {
	var out *merge.Tree
	for _, path := range dotted {
		if at := spec.At(path); at != nil {
			out = out.With(at, strings.Split(path, ".")...)
		}
	}
	return orNil(out)
}
