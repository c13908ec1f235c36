package effective

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
)

// differs returns equal texts for targets at which equal states result in equal specs. The run may be nil.
func differs(r *Run, k *catalogue.Kind, target *hierarchy.Node) string {
	if checksTLS(r, k, target) {
		return k.Differs(target) + " with TLS"
	}
	return k.Differs(target)
}

// checksTLS reports whether a target is a listener that terminates TLS, of a kind with settings for that.
func checksTLS(r *Run, k *catalogue.Kind, target *hierarchy.Node) bool {
	return r != nil && len(k.CheckedWithTLS) > 0 && target != nil && target.Level == hierarchy.LevelListener &&
		target.TerminatesTLS(r.Graph.Implementation(hierarchy.GatewayOf(target)))
}

// unaffectedByTLS reports whether a target is a listener without TLS, whose requests do not fail because of TLS settings that
// cannot be used.
func unaffectedByTLS(r *Run, k *catalogue.Kind, target *hierarchy.Node) bool {
	return len(k.CheckedWithTLS) > 0 && target != nil && target.Level == hierarchy.LevelListener && !checksTLS(r, k, target)
}

// withoutTLS removes from the steps of a fold what does not apply at a listener that terminates TLS, because the
// settings of a policy for TLS there cannot be used (Envoy Gateway, internal/gatewayapi/clienttrafficpolicy.go,
// translateClientTrafficPolicyForListener). Listeners without TLS keep them all.
func withoutTLS(r *Run, k *catalogue.Kind, stack []element, target *hierarchy.Node) []element {
	if !checksTLS(r, k, target) {
		return stack
	}
	out := slices.Clone(stack)
	for i, e := range out {
		if e.spec == nil || len(e.policies) == 0 || e.policies[0].Broken == nil || e.policies[0].FailsOpen {
			continue
		}
		kept := *e.spec
		kept.Entries = slices.DeleteFunc(slices.Clone(e.spec.Entries), func(entry merge.Entry) bool {
			return target.Value.Str("protocol") != "HTTPS" || !slices.Contains(k.AppliedFirst, entry.Key)
		})
		out[i].spec = &kept
	}
	return out
}
