package rule

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
)

// reportSelecting reports targets of policies that only select pods and are removed, such as a Server of Linkerd: the
// policies count for nothing then, and the pods, if they stay, follow the cluster's default (linkerd2
// policy-controller/k8s/index/src/inbound/index.rs, PodIndex.default_inbound_server). It is a warning, because the
// pods may go as well.
func reportSelecting(p *Pair, report Report) {
	for i := range p.Difference.Changes {
		c := &p.Difference.Changes[i]
		k, before, _ := c.Effective()
		if c.Kind != plan.Removed || k == nil || before == nil || len(c.Targets) == 0 || !k.OnlySelects(c.Targets[0].Target.Group, c.Targets[0].Target.Kind) {
			continue
		}
		var policies []string
		for _, share := range before.Shares {
			policies = append(policies, share.Policy.ID().Spoken())
		}
		h := p.hit([]*change.Compared{c}, nil)
		h.Key, h.Severity = append(h.Key, "selecting"), plan.Warning
		removed, _ := reach([]*change.Compared{c})
		h.Title = fmt.Sprintf("%s is removed: its pods, if they stay, are without %s", removed, spelling.And(policies))
		h.Detail = "they follow the default of the mesh, which allows everybody unless it is configured otherwise"
		report(h)
	}
}
