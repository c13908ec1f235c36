package plan

// Unseen is something that a change touches and of which nobody here knows what it becomes:
// a chart that is not at hand, a build that fails, a file that nothing deploys.
type Unseen struct {
	// What names it: "HelmRelease cart".
	What string `json:"what"`
	// Change is added, removed or changed.
	Change       string   `json:"change"`
	Environments []string `json:"environments"`
	File         string   `json:"file"`
	Line         int      `json:"line"`
	Column       int      `json:"column"`
	// Side is base for what is gone.
	Side string `json:"side,omitempty"`
	// LeftOut says that nothing deploys it: it has no effect now.
	LeftOut bool `json:"leftOut,omitempty"`
	// Unused says that it was read, and that nothing in the input refers to it.
	Unused bool `json:"unused,omitempty"`
	// Opaque says that nothing at all is known of what it holds: it is not in the tree.
	Opaque bool `json:"opaque,omitempty"`
	// Says are the keys about traffic in what changes, such as hostnames and parentRefs; none
	// where nothing of it is about routes.
	Says []string `json:"says"`
}

// MayMatter says whether what is not seen may change routes.
func (u Unseen) MayMatter() bool { return len(u.Says) > 0 && !u.LeftOut }
