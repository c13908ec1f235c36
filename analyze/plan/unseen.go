package plan

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Unseen is a change whose result cannot be determined: in a chart that is not available, a build
// that fails, or a file that nothing deploys.
type Unseen struct {
	// What names the object or file: "HelmRelease cart".
	What string `json:"what"`
	// Change is added, removed or changed.
	Change       string   `json:"change"`
	Environments []string `json:"environments"`
	File         string   `json:"file"`
	Line         int      `json:"line"`
	Column       int      `json:"column"`
	// Side is base for something removed.
	Side string `json:"side,omitempty"`
	// LeftOut is true if nothing deploys it. It has no effect now.
	LeftOut bool `json:"leftOut,omitempty"`
	// Unused is true if it was read and nothing in the input refers to it.
	Unused bool `json:"unused,omitempty"`
	// Unfollowed is true if Says are settings of a deployer's object whose effect is not followed.
	Unfollowed bool `json:"unfollowed,omitempty"`
	// TakesOver is an object that was applied without this deployer, which is new and may apply nothing by the settings in Says.
	TakesOver string `json:"takesOver,omitempty"`
	// Waited is true for an object that the cluster did not get as it was merged, or a deployer that applied nothing, until now.
	// Says are the reasons. What was merged meanwhile takes effect, and is not compared.
	Waited bool `json:"waited,omitempty"`
	// ForOthers is true if Says are annotations of an object of Gateway API by which other programs act, such as those
	// that make its DNS records.
	ForOthers bool `json:"forOthers,omitempty"`
	// Global is true if it decides about requests without being attached to anything, which is not followed. Says are these
	// requests.
	Global bool `json:"global,omitempty"`
	// Relabelled is true for a workload whose pods get labels or ports by which the policies in Says select them, or lose
	// them.
	Relabelled bool `json:"relabelled,omitempty"`
	// Account is the ServiceAccount by which it sends requests now, if that changes. Says are the policies that name it or
	// the one before.
	Account string `json:"account,omitempty"`
	// Version is true if the object gets the version that Says names, and it is not known whether the cluster serves
	// that version.
	Version bool `json:"version,omitempty"`
	// Sealed is true for a Secret, or a ConfigMap that is not followed, that changes, comes or goes; Says are the objects that read it.
	Sealed bool `json:"sealed,omitempty"`
	// Makes is the Secret or ConfigMap that it makes; Says are the objects that read this.
	Makes string `json:"makes,omitempty"`
	// Behind are the objects that send requests to it, if it is a Service or what runs behind one. Says are the fields
	// that change.
	Behind []string `json:"behind,omitempty"`
	// Uncompared is true for a network policy, or a workload with other labels or ports of its pods, whose connections the
	// run could not compare.
	Uncompared bool `json:"uncompared,omitempty"`
	// Opaque is true if its content is not known at all, because it is not in the tree.
	Opaque bool `json:"opaque,omitempty"`
	// Says are the keys about traffic in the changed part, such as hostnames and parentRefs. It is
	// empty if nothing in it concerns routes.
	Says []string `json:"says"`
}

// ProgramFields are the fields of containers that say what runs in them, and the volumes with their configuration.
func ProgramFields() []string {
	return []string{"args", "command", "env", "envFrom", "image", "volumes"}
}

// Reprogrammed reports whether what runs behind a Service is another program, or is started in another way.
func (u Unseen) Reprogrammed() bool {
	return len(u.Behind) > 0 && slices.ContainsFunc(u.Says, func(field string) bool { return slices.Contains(ProgramFields(), field) })
}

// Unknown reports whether it is not known what the change does, and something may deploy it.
func (u Unseen) Unknown() bool { return u.MayMatter() || u.Uncompared || u.Opaque && !u.LeftOut }

// MayMatter reports whether the unseen change may affect routes.
func (u Unseen) MayMatter() bool { return len(u.Says) > 0 && !u.LeftOut }

// LabelOfPods is the prefix of an entry of Says about a label by which network policies select pods.
const LabelOfPods = "label "

// MayChange says what the unseen change may affect: routes, network policies, or both.
func (u Unseen) MayChange() string {
	policies, others := 0, 0
	for _, key := range u.Says {
		switch {
		case loader.IsPolicyKey(key) || strings.HasPrefix(key, LabelOfPods):
			policies++
		case strings.HasSuffix(key, " labels") || strings.HasSuffix(key, ".labels"): // Services and policies select by them
			policies, others = policies+1, others+1
		default:
			others++
		}
	}
	switch {
	case policies == 0:
		return "routes"
	case others == 0:
		return "network policies"
	}
	return "routes and network policies"
}
