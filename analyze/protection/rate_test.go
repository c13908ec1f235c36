package protection

import (
	"testing"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// limitOf is a limit with its time, as a tree.
func limitOf(requests, unit string) *merge.Tree {
	scalar := func(text string) *loader.Value { return &loader.Value{Shape: loader.String, Text: text} }
	return merge.New(&loader.Value{Shape: loader.Map, Fields: []loader.Field{
		{Key: "limit", Value: &loader.Value{Shape: loader.Map, Fields: []loader.Field{{Key: "requests", Value: scalar(requests)}, {Key: "unit", Value: scalar(unit)}}}},
	}}, &merge.Source{}, merge.Form{})
}

// Where an amount and its time both change, the rate decides; a rate that only allows more at once may protect less.
func TestRates(t *testing.T) {
	k := &catalogue.Kind{Entry: catalogue.Entry{}}
	rows := []catalogue.Protection{
		{Path: "limit.requests", What: Limits, Loosens: catalogue.Higher, Per: "unit"},
		{Path: "limit.unit", What: Limits, Loosens: catalogue.Lower, Of: "requests", Order: []string{"Second", "Minute", "Hour"}},
	}
	for _, c := range []struct{ before, unitBefore, after, unitAfter, want string }{
		{"10", "Second", "300", "Minute", "edited"},
		{"10", "Second", "1000", "Minute", "weakened"},
		{"600", "Minute", "10", "Second", "tightened"},
		{"600", "Minute", "20", "Second", "weakened"},
		{"10", "Second", "20", "Second", "weakened"},
		{"10", "Minute", "10", "Second", "lowered"},
		{"10", "10s", "20", "1m", "edited"},
		{"10", "1m", "10", "60s", "none"},
		{"10", "${RATE}", "20", "Second", "weakened"},
	} {
		var s Shift
		for _, row := range rows {
			if c.unitBefore == "1m" || c.unitBefore == "10s" {
				row.Order = nil
			}
			s.judge(row, limitOf(c.before, c.unitBefore), limitOf(c.after, c.unitAfter), k)
		}
		got := "none"
		for name, list := range map[string][]Field{"edited": s.Edited, "weakened": s.Weakened, "lowered": s.Lowered, "tightened": s.Tightened} {
			if len(list) > 0 {
				if got != "none" {
					t.Errorf("%s per %s to %s per %s is told as %s and %s", c.before, c.unitBefore, c.after, c.unitAfter, got, name)
				}
				got = name
			}
		}
		if got != c.want {
			t.Errorf("%s per %s to %s per %s is %s, want %s", c.before, c.unitBefore, c.after, c.unitAfter, got, c.want)
		}
	}
}
