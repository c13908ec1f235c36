package rule

import "github.com/gwplan/gwplan/analyze/plan"

// Baseline holds the findings of an earlier check, which are not reported again. Of findings with one
// fingerprint, as many are silenced as the earlier check had.
type Baseline struct {
	left map[string]int
}

// NewBaseline returns the baseline of an earlier check.
func NewBaseline(check *plan.Check) *Baseline {
	b := &Baseline{left: map[string]int{}}
	for _, env := range check.Environments {
		for _, f := range env.Findings {
			b.left[f.Fingerprint]++
		}
	}
	return b
}

// Gone returns how many findings of the baseline the check did not find again.
func (b *Baseline) Gone() int {
	gone := 0
	if b != nil {
		for _, n := range b.left {
			gone += n
		}
	}
	return gone
}

// has takes a finding out of the baseline if it is in it.
func (b *Baseline) has(fingerprint string) bool {
	if b == nil || b.left[fingerprint] == 0 {
		return false
	}
	b.left[fingerprint]--
	return true
}
