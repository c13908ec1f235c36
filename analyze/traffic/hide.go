package traffic

import (
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// hideCredentials hides the credentials that show by their form in what is said of a request: in the location of a redirect, the
// value of a header, a path. Until then they are as they are written, so that answers that differ in them alone differ.
func hideCredentials(r *plan.TracedRequest) {
	for i := range r.Differences {
		r.Differences[i] = loader.WithoutCredentials(r.Differences[i])
	}
	for _, answers := range [][]plan.Answer{r.Base, r.Answers} {
		for i := range answers {
			a := &answers[i]
			a.Location, a.Why, a.Match = loader.WithoutCredentials(a.Location), loader.WithoutCredentials(a.Why), loader.WithoutCredentials(a.Match)
			for j := range a.Steps {
				s := &a.Steps[j]
				s.What, s.Value = loader.WithoutCredentials(s.What), loader.WithoutCredentials(s.Value)
			}
			for _, contenders := range [][]plan.Contender{a.Doubts, a.Others} {
				for j := range contenders {
					contenders[j].Why, contenders[j].Match = loader.WithoutCredentials(contenders[j].Why), loader.WithoutCredentials(contenders[j].Match)
				}
			}
		}
	}
}
