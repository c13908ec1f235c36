package rule

import (
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/plan"
)

var readingsDiffer = &Rule{
	ID:       "gep-readings-differ",
	Title:    "GEP-713 can be read in two ways for these policies",
	Severity: plan.Note,
	Why: "With three or more levels the GEP's rule that the higher policy dictates the strategy and its abstract process, " +
		"taken literally, give different effective policies. The rule is followed here; a controller may follow the process.",
	Fix:   "Use one merge strategy along a path, or ask what the controller does.",
	Check: checkReadingsDiffer,
}

// maxReadings limits the reported targets of a kind: one is enough to make the user check the
// kind's strategies.
const maxReadings = 20

func checkReadingsDiffer(s *Environment, report Report) {
	join := s.walked()
	for _, k := range s.Run.Attached.Kinds {
		seen := map[effective.State]bool{}
		found := 0
		join.States(k, func(at *effective.Joint, flows []effective.Flow) bool {
			for i := range flows {
				state := flows[i].States[effective.Head]
				if found >= maxReadings || seen[state] {
					continue
				}
				seen[state] = true
				if !s.Run.ReadingDiffers(k, state) {
					continue
				}
				found++
				e := s.Run.Policy(k, state, at.Nodes[effective.Head])
				lowest := e.Shares[len(e.Shares)-1].Policy
				report(Hit{
					Target: at.Any().String(), Key: []string{k.String(), lowest.ID().String()}, At: lowest.Object.First(), Object: lowest.Object,
					Title: say("GEP-713 can be read in two ways for the effective %s of %s; here the merge strategy of %s applies, the higher policy",
						k.Name(), at.Any(), e.Shares[0].Policy.ID()),
				})
			}
			return found < maxReadings
		})
	}
}
