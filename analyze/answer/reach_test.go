package answer_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gwplan/gwplan/analyze/answer"
)

// The way that takes all requests of another is found by its path as it would be by asking all of them.
func TestFirstTaker(t *testing.T) {
	paths := []string{"/", "/a", "/a/b", "/a/b/c", "/ab", "/a//b", "/b"}
	forms := []string{"PathPrefix", "Exact", "RegularExpression"}
	headers := [][]answer.Condition{nil, {{Name: "x", Form: "Exact", Value: "1"}}, {{Name: "y", Form: "Exact", Value: "1"}}}
	r := rand.New(rand.NewPCG(7, 17))
	taken := 0
	for range 20_000 {
		matches := make([]answer.Match, 2+r.IntN(6))
		for i := range matches {
			matches[i] = answer.Match{Form: forms[r.IntN(len(forms))], Path: paths[r.IntN(len(paths))], Headers: headers[r.IntN(len(headers))]}
		}
		found, asked := answer.FirstTaker(matches)
		if found != asked {
			t.Fatalf("%v: found %d, not %d", matches, found, asked)
		}
		if found >= 0 {
			taken++
		}
	}
	if taken < 1000 {
		t.Errorf("only %d matches were taken", taken)
	}
}
