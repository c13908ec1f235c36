package ocm

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
)

// What policies and works cost in steps: a few lines of YAML can bring an object to each of thousands of
// clusters. A step is a decision about one cluster.
const (
	maxSteps    = 8_000_000
	objectSteps = 200 // an object that is kept, and analysed later
	placedSteps = 50  // a policy or work at a cluster, or a message about it
	valueSteps  = 5   // a value that is copied
)

// effort is how many steps are left; below 0 there were too few.
type effort struct{ left int }

// spend uses up some steps and reports whether enough were left.
func (e *effort) spend(steps int) bool {
	e.left = max(e.left-min(steps, maxSteps+1), -1)
	return e.left >= 0
}

// limited adds to each cluster that its objects are not all known, and returns the problem, if the hub
// costs too much.
func (h *Hub) limited(clusters map[string]*Cluster) []loader.Problem {
	if h.effort.left >= 0 || len(clusters) == 0 {
		return nil
	}
	first := h.doubtAll(clusters)
	message := fmt.Sprintf("what Open Cluster Management brings to %d managed clusters is too much to follow; the objects of these clusters are not all known", len(clusters))
	return []loader.Problem{deploy.Complain(loader.LimitClusters, message, "leave some ManagedClusters out with -f").Problem(first)}
}

// NotFollowed returns the clusters of a hub for which the run has no memory or time left, and the problem. Each
// cluster has a gap instead of objects, so that no object counts as removed.
func (h *Hub) NotFollowed(why string) ([]Cluster, []loader.Problem) {
	out := h.reached()
	first := h.doubtAll(out)
	return inOrder(out), []loader.Problem{deploy.Overdrawn("what Open Cluster Management brings to managed clusters is not known", why).Problem(first)}
}

// doubtAll adds to each cluster that its objects are not all known, and returns where the hub begins.
func (h *Hub) doubtAll(clusters map[string]*Cluster) loader.Position {
	first, content := h.all()
	gap := loader.Gap{Kind: "ManagedCluster", Position: first.First(), Content: content}
	for name, c := range clusters {
		gap.Name = deploy.Clip(name)
		c.Gaps = append(c.Gaps, gap)
	}
	return first.First()
}

// all returns the first of the hub's objects and what identifies all of them.
func (h *Hub) all() (first *loader.Object, content [16]byte) {
	hash := sha256.New()
	for _, kind := range slices.Sorted(maps.Keys(h.byKind)) {
		for _, d := range h.byKind[kind] {
			o := d.AsObject()
			digest := loader.Digest(o.ID, d.Root)
			hash.Write(digest[:])
			if first == nil || cmp.Or(o.First().Compare(first.First()), o.ID.Compare(first.ID)) < 0 {
				first = o
			}
		}
	}
	return first, [16]byte(hash.Sum(nil)[:16])
}

// size counts a value and all values below it, up to a limit.
func size(v *loader.Value, limit int) int {
	n := 1
	if v == nil || limit <= 0 {
		return n
	}
	for _, f := range v.Fields {
		if n += size(f.Value, limit-n); n > limit {
			return n
		}
	}
	for _, item := range v.Items {
		if n += size(item, limit-n); n > limit {
			return n
		}
	}
	return n
}
