package settle

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// autoTLS is what a proxy does without TLS settings: the mutual TLS of the mesh where the other end has it, and plain text
// elsewhere.
const autoTLS = "AUTO"

// ofPorts gives the settings of ports what they are where they set nothing: a port with settings of its own inherits none
// of the host's (Istio pilot/pkg/networking/util/util.go, GetPortLevelTrafficPolicy).
func ofPorts(rule *merge.Tree) *merge.Tree {
	ports := rule.At("trafficPolicy.portLevelSettings")
	if ports == nil || ports.Kind != merge.Keyed || rule.At("trafficPolicy.tls") == nil {
		return rule
	}
	out := *ports
	out.Entries = slices.Clone(ports.Entries)
	for i, e := range out.Entries {
		if e.Tree.Get("tls") == nil {
			mode := &loader.Value{Shape: loader.String, Text: autoTLS, Mark: e.Tree.Value.Mark}
			out.Entries[i].Tree = e.Tree.With(&merge.Tree{Value: mode, Source: e.Tree.Source, Kind: merge.Leaf}, "tls", "mode")
		}
	}
	return rule.With(&out, "trafficPolicy", "portLevelSettings")
}
