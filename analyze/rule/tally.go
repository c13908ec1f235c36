package rule

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/afford"
)

// maxHits is how many findings of one rule in one environment are told: each of some hundred policies may meet each of some hundred
// routes, and nobody reads so many.
const maxHits = 10_000

// tally counts the findings of a rule in an environment.
type tally struct {
	rule        *Rule
	parts       *afford.Parts
	environment string
	hits        int
}

// tells reports whether the next finding is told.
func (t *tally) tells() bool {
	t.hits++
	return t.hits <= maxHits || t.parts == nil
}

// exceeded reports whether some findings are not told, and notes how many the rule has.
func (t *tally) exceeded() bool {
	if t.hits <= maxHits || t.parts == nil {
		return false
	}
	t.parts.Omit(fmt.Sprintf("what the rule %s finds beyond the first %d", t.rule.ID, maxHits), t.environment, fmt.Sprintf("it has %d findings", t.hits), "correct what most of them are about")
	return true
}
