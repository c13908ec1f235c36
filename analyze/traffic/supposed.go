package traffic

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/loader"
)

// Supposed adds to the classes of a comparison the requests that are answered worse only if what another one supposes is
// true: that objects of base are gone which something that is not rendered may hold. They are perhaps so.
func Supposed(known []plan.RequestChange, p, supposed *rule.Pair, list []rule.Untraced, shown func(*plan.RequestChange) bool) []plan.RequestChange {
	told := map[passageKey]plan.RequestClass{}
	for _, one := range p.Requests().Turns() {
		if c := requestChange(p, &one); c.Class != "" {
			told[keyOf(&one, &c)] = c.Effect()
		}
	}
	causes := editsOf(supposed.Difference, true)
	out := append(known, classes(supposed, shown, func(p *rule.Pair, one *answer.Passage) plan.RequestChange {
		c := requestChange(p, one)
		effect := c.Effect()
		if c.Class == "" || effect == plan.RequestsGained || effect == plan.RequestsGuarded || told[keyOf(one, &c)] == effect {
			return plan.RequestChange{}
		}
		edits := causes.of(answering(p, one)...)
		edited := func(id loader.ID) bool {
			return slices.ContainsFunc(edits, func(c plan.Cause) bool { return c.Object == id.String() })
		}
		c.Class, c.Perhaps = plan.RequestsUnknown, effect
		for _, u := range rule.About(list, edited) {
			c.Unknown = append(c.Unknown, fmt.Sprintf("whether %s is gone: %s", u.ID.Spoken(), u.Why()))
		}
		return c
	})...)
	worstFirst(out)
	return out
}

// passageKey finds a passage in another comparison of the same revisions.
type passageKey struct{ listener, requests string }

func keyOf(passage *answer.Passage, c *plan.RequestChange) passageKey {
	way := passage.Before
	if way == nil {
		way = passage.After
	}
	return passageKey{way.Listener.String(), c.Requests[0]}
}
