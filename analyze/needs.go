package analyze

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/unseen"
	"github.com/gwplan/gwplan/loader"
)

// Need is whether the analysis needs the objects of a kind.
type Need int

// The needs. Undecided is for unknown kinds: any of them may be a policy kind, or one to which something refers.
const (
	Needed Need = iota
	NotNeeded
	Undecided
	// Companion is for workloads: they are needed if there are network policies, or if a change makes a Service lead to
	// other pods.
	Companion
)

// OfNetwork reports whether the objects of a kind are workloads or network policies.
func OfNetwork(group, kind string) bool {
	selects, _ := network.Selects(group, kind)
	return selects || network.Workload(group, kind)
}

// MentionsNetwork reports whether bytes may hold a network policy: the names of all its kinds contain
// this word.
func MentionsNetwork(data []byte) bool { return bytes.Contains(data, []byte("NetworkPolic")) }

// Refers visits the kinds of objects to which an object refers and of which any kind may be: filters, parameters and
// backends.
func Refers(group, kind string, spec *loader.Value, visit func(group, kind string)) {
	hierarchy.EachReference(group, kind, spec, func(_ hierarchy.Reference, group, kind string) { visit(group, kind) })
}

// builtinGroups are the API groups of Kubernetes itself, which contain no policy kinds.
var builtinGroups = map[string]bool{
	"": true, "apps": true, "batch": true, "autoscaling": true, "policy": true, "extensions": true, "events.k8s.io": true,
	"rbac.authorization.k8s.io": true, "networking.k8s.io": true, "storage.k8s.io": true, "scheduling.k8s.io": true,
	"coordination.k8s.io": true, "discovery.k8s.io": true, "node.k8s.io": true, "certificates.k8s.io": true,
	"admissionregistration.k8s.io": true, "apiregistration.k8s.io": true, "authentication.k8s.io": true,
	"authorization.k8s.io": true, "flowcontrol.apiserver.k8s.io": true, "resource.k8s.io": true,
	"internal.apiserver.k8s.io": true, "storagemigration.k8s.io": true,
}

// Needs returns a function that says whether objects of a kind are needed, given a catalogue and the configuration's
// kinds. It uses only group and kind: nothing else in a document proves that it cannot matter.
func Needs(c *catalogue.Catalogue, configured []catalogue.Entry) func(group, kind string) Need {
	known := map[string]bool{}
	for _, entries := range [][]catalogue.Entry{c.Entries, configured} {
		for _, e := range entries {
			known[e.Group+"/"+e.Kind] = true
			for _, kind := range slices.Concat(e.Targets(c.Groups), e.DrawsFrom(c.Groups)) {
				known[kind] = true
			}
		}
	}
	return func(group, kind string) Need {
		name := group + "/" + kind
		selects, _ := network.Selects(group, kind)
		switch {
		case hierarchy.Needs(group, kind), known[name]:
			return Needed
		case selects, unseen.Unattached(group, kind):
			return Needed
		case network.Workload(group, kind):
			return Companion
		case builtinGroups[group]:
			return NotNeeded
		case strings.HasPrefix(group, "gateway.networking."):
			return Needed
		}
		return Undecided
	}
}
