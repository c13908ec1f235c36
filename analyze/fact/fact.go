// Package fact implements a logic of three values, true, false and unknown: offline, not everything is known.
package fact

// Fact is a three-valued truth value (Kleene logic). Offline, not everything is known, and Unknown
// is never converted to true or false on the way.
type Fact int8

// The facts. The zero value is Unknown.
const (
	False   Fact = -1
	Unknown Fact = 0
	True    Fact = 1
)

// Of converts a boolean.
func Of(b bool) Fact {
	if b {
		return True
	}
	return False
}

// And returns the lower of two facts (False < Unknown < True).
func (f Fact) And(g Fact) Fact { return min(f, g) }

// Or returns the higher of two facts.
func (f Fact) Or(g Fact) Fact { return max(f, g) }

// Not swaps true and false.
func (f Fact) Not() Fact { return -f }

// String returns "true", "false" or "unknown".
func (f Fact) String() string {
	switch f {
	case True:
		return "true"
	case False:
		return "false"
	case Unknown:
	}
	return "unknown"
}
