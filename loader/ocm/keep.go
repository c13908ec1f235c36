package ocm

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
)

// Keep adds what a cluster keeps of an earlier revision. A policy with musthave adds to an object and takes nothing away,
// and an object that no policy gives any more stays, unless its policy prunes (pruneObjectBehavior, None by default;
// config-policy-controller controllers/configurationpolicy_controller.go, cleanUpChildObjects). Objects of a work that may
// have left the cluster are kept. It returns a note for
// each object that stays.
func (c *Cluster) Keep(before *Cluster) (notes []string) {
	m := merger{&c.hub.effort}
	for _, old := range before.Objects {
		id := old.AsObject().ID
		was, byPolicy := before.compliances[id]
		if !c.hub.effort.spend(objectSteps) {
			continue
		}
		i, given := c.index[id]
		switch {
		case !byPolicy:
			if !given && old.Deployer != nil && c.mayHave(old.Deployer.ID) { // whether the work is still at the cluster is not known
				c.index[id] = len(c.Objects)
				c.Objects = append(c.Objects, old)
			}
		case given && c.compliances[id].object == mustHave && c.hub.effort.spend(valueSteps*(size(old.Root, maxSteps)+size(c.Objects[i].Root, maxSteps))):
			if now, _ := m.enforced(old, c.Objects[i], c.compliances[id]); !m.equivalent(now.Root, c.Objects[i].Root) {
				now.Deployer = c.Objects[i].Deployer
				c.Objects[i] = now
				notes = append(notes, fmt.Sprintf("managed cluster %s keeps what %s had before: a policy with musthave takes nothing away", c.Name, deploy.Clip(id.String())))
			}
		case given || c.removes(id) || was.prunes && !c.informs(was.policy):
		default:
			c.index[id] = len(c.Objects)
			c.Objects = append(c.Objects, old)
			if c.mayHave(was.policy) {
				continue // or it is still enforced
			}
			notes = append(notes, fmt.Sprintf("managed cluster %s keeps %s, which no policy enforces there any more: its policy does not prune", c.Name, deploy.Clip(id.String())))
		}
	}
	return notes
}

// mayHave reports whether it is not known that a policy is at the cluster.
func (c *Cluster) mayHave(policy loader.ID) bool {
	return slices.ContainsFunc(c.Placed, func(p loader.Placed) bool { return p.Object == policy && !p.Certain })
}

// removes reports whether a policy has the cluster not have an object.
func (c *Cluster) removes(id loader.ID) bool {
	_, removed := c.removed[id]
	return removed
}

// informs reports whether a policy is at the cluster and only informs: then it neither sets nor prunes.
func (c *Cluster) informs(policy loader.ID) bool {
	return slices.ContainsFunc(c.Placed, func(p loader.Placed) bool { return p.Object == policy && p.Action != enforce })
}
