package protection

import (
	"math/big"
	"strings"
	"time"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// units are the words for the time of a rate, in seconds, by the first three letters in lower case.
var units = map[string]int64{"sec": 1, "min": 60, "hou": 3600, "day": 86400, "wee": 7 * 86400, "mon": 30 * 86400, "yea": 365 * 86400}

// rates are the amounts that a field allows in a second, before and after.
type rates struct{ before, after, amountBefore, amountAfter *big.Rat }

// rates reads the rates of a field whose row names the time beside it. ok is false if only one of the two differs, which
// its own row judges, or if one cannot be read.
func (f *protectedField) rates(p catalogue.Protection) (r rates, ok bool) {
	if p.Per == "" || merge.Equal(f.before, f.after) || merge.Equal(beside(f.around[0], p.Per), beside(f.around[1], p.Per)) {
		return r, false
	}
	known := [4]bool{}
	r.amountBefore, known[0] = amountOf(f.before)
	r.amountAfter, known[1] = amountOf(f.after)
	r.before, known[2] = perSecond(r.amountBefore, beside(f.around[0], p.Per))
	r.after, known[3] = perSecond(r.amountAfter, beside(f.around[1], p.Per))
	return r, known == [4]bool{true, true, true, true}
}

// rateWords says which rates a field allows, if its time differs, too.
func (f *protectedField) rateWords(p catalogue.Protection) string {
	if _, ok := f.rates(p); !ok {
		return ""
	}
	words := func(amount, around *merge.Tree) string {
		return amount.Value.Text + " per " + strings.ToLower(beside(around, p.Per).Value.Text)
	}
	return " from " + words(f.before, f.around[0]) + " to " + words(f.after, f.around[1])
}

// direction is -1 if more is allowed in the long run or at once, 1 if less.
func (r rates) direction() int {
	if r.after.Cmp(r.before) > 0 || r.bursts() {
		return -1
	}
	return 1
}

// bursts reports whether more is allowed at once, and no more in the long run.
func (r rates) bursts() bool {
	return r.after.Cmp(r.before) <= 0 && r.amountAfter.Cmp(r.amountBefore) > 0
}

// beside returns a field of the map around a protected one.
func beside(around *merge.Tree, field string) *merge.Tree {
	switch {
	case around == nil:
		return nil
	case len(around.Entries) > 0:
		return around.Get(field)
	case around.Value.Get(field) == nil:
		return nil
	}
	return &merge.Tree{Value: around.Value.Get(field), Source: around.Source}
}

func amountOf(t *merge.Tree) (*big.Rat, bool) {
	if t == nil || t.Value == nil {
		return nil, false
	}
	return merge.Quantity(t.Value.Text)
}

// perSecond divides an amount by a time: a duration, a number of seconds, or the word for a unit.
func perSecond(amount *big.Rat, per *merge.Tree) (*big.Rat, bool) {
	if amount == nil || per == nil || per.Value == nil {
		return nil, false
	}
	if d, err := time.ParseDuration(per.Value.Text); err == nil && d > 0 {
		return new(big.Rat).Quo(amount, big.NewRat(int64(d), int64(time.Second))), true
	}
	if seconds, ok := merge.Quantity(per.Value.Text); ok && seconds.Sign() > 0 && per.Value.Shape == loader.Int {
		return new(big.Rat).Quo(amount, seconds), true
	}
	word := strings.ToLower(per.Value.Text)
	seconds, ok := units[word[:min(len(word), 3)]]
	if !ok {
		return nil, false
	}
	return new(big.Rat).Quo(amount, big.NewRat(seconds, 1)), true
}
