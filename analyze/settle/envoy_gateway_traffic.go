package settle

import (
	"slices"
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

// compressing drops what compresses nothing: the items of compressor without the settings of their
// type, and the older field compression beside compressor (Envoy Gateway,
// internal/gatewayapi/backendtrafficpolicy.go, buildCompression).
func compressing(of Spec) Spec {
	return func(spec *merge.Tree, at Target) *merge.Tree {
		spec = of(spec, at)
		items := spec.Get("compressor")
		if items == nil || !slices.ContainsFunc(items.Entries, func(e merge.Entry) bool { return settingsOf(e.Tree) != "" }) {
			return spec
		}
		used := *items
		used.Entries = slices.DeleteFunc(slices.Clone(items.Entries), func(e merge.Entry) bool {
			settings := settingsOf(e.Tree)
			return settings != "" && e.Tree.Get(settings) == nil
		})
		spec = spec.Without("compression").Without("compressor")
		if len(used.Entries) == 0 {
			return spec
		}
		return spec.With(&used, "compressor")
	}
}

// settingsOf returns the field with the settings of a compressor's type, "" for an unknown type.
func settingsOf(compressor *merge.Tree) string {
	kind := compressor.Get("type")
	if kind == nil || kind.Value == nil {
		return ""
	}
	return map[string]string{"Gzip": "gzip", "Brotli": "brotli", "Zstd": "zstd"}[kind.Value.Text]
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
