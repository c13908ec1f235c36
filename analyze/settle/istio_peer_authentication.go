package settle

import (
	"github.com/gwplan/gwplan/analyze/merge"
)

// istioPeerAuthentication sets the mode of ports with an unset mode to the effective mode of the
// workload. If the workload has none, it removes these ports, and those of policies that select no
// workload (Istio pilot/pkg/security/authn/policy_applier.go, ComposePeerAuthentication).
func istioPeerAuthentication(spec *merge.Tree, _ Target) *merge.Tree {
	ports, mode := spec.Get("portLevelMtls"), spec.At("mtls.mode")
	if ports == nil || len(ports.Entries) == 0 {
		return spec
	}
	for _, port := range ports.Entries {
		switch m := text(port.Tree, "mode"); {
		case port.Tree.Source != nil && port.Tree.Source.Object.Spec().Get("selector", "matchLabels").IsEmpty():
			ports = ports.Without(merge.Join("", port.Key))
		case m != "" && m != "UNSET":
		case mode == nil:
			ports = ports.Without(merge.Join("", port.Key))
		default:
			ports = ports.With(mode, port.Key, "mode")
		}
	}
	if len(ports.Entries) == 0 {
		return orNil(spec.Without("portLevelMtls"))
	}
	return spec.Put("portLevelMtls", ports)
}
