package network

// maxEffort limits what deciding about all connections of an environment may cost, in steps of some tens of
// nanoseconds: one selector for one endpoint, or a few words of a set. It also bounds the memory, because
// sets are paid for before they are made.
const maxEffort = 250_000_000

// effort is what is left to spend. It is shared by the worlds of one comparison.
type effort struct{ left int }

// spend takes some steps. It returns false once there are none left: what is made from then on is
// meaningless and thrown away.
func (e *effort) spend(steps int) bool {
	e.left -= max(steps, 1)
	return e.left >= 0
}

// Exceeded reports whether there was too much to decide, or too many selectors to presume pods for, so that the world
// says nothing.
func (w *World) Exceeded() bool { return w.effort.left < 0 || w.cut }
