package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/gwplan/gwplan/internal/differential/world"
)

// verdict is how gwplan did on one world.
type verdict struct {
	rows, right, telling, tellingRight int
	disagreements                      []disagreement
	// objects are those that the API server keeps.
	objects []world.Object
	// failed says why the judge has no answer.
	failed string
}

// try gives a world to the judge and what its API server keeps to both, so that each sees the same objects.
func (c *court) try(objects []world.Object) (verdict, error) {
	a, err := c.ask(objects)
	if err != nil {
		return verdict{}, err
	}
	kept := slices.DeleteFunc(slices.Clone(objects), func(o world.Object) bool {
		_, refused := a.Refused[o.Kind()+"/"+o.Namespace()+"/"+o.Name()]
		return refused
	})
	v := verdict{objects: kept, failed: a.Error}
	if a.Error != "" {
		return v, nil
	}
	planned, err := c.plan(kept)
	if err != nil {
		return verdict{}, err
	}
	skip := c.others(kept)
	want, got := c.rows(a.Statuses, skip), c.rows(planned, skip)
	for again := 0; again < asks && len(compare(want, got)) > 0; again++ {
		other, err := c.ask(objects)
		if err != nil {
			return verdict{}, err
		}
		// What the controller leaves to chance, such as the order of a map, nobody can foresee.
		for place := range chance(want, c.rows(other.Statuses, skip)) {
			delete(want, place)
			delete(got, place)
		}
	}
	for _, d := range compare(want, got) {
		if c.known[d.kind()] != "" {
			delete(want, d.place)
			delete(got, d.place)
		}
	}
	v.disagreements = compare(want, got)
	wrong := map[string]bool{}
	for _, d := range v.disagreements {
		wrong[d.place] = true
	}
	for place := range union(want, got) {
		v.rows++
		telling := want[place].telling() || want[place] == nil
		if telling {
			v.telling++
		}
		if !wrong[place] {
			v.right++
			if telling {
				v.tellingRight++
			}
		}
	}
	return v, nil
}

// asks is how often a judge is asked again about a world in which there is a disagreement.
const asks = 5

// chance are the places of which two answers to one question differ.
func chance(one, other map[string]row) map[string]bool {
	places := map[string]bool{}
	for _, d := range compare(one, other) {
		places[d.place] = true
	}
	return places
}

// report sums up the worlds of a judge.
type report struct {
	name  string
	sum   verdict
	n     int
	kinds map[string][]uint64 // the seeds of the worlds with a disagreement of this kind
	first map[string]disagreement
	fails []uint64
}

func newReport(name string) *report {
	return &report{name: name, kinds: map[string][]uint64{}, first: map[string]disagreement{}}
}

func (r *report) add(seed uint64, v verdict) {
	r.n++
	if v.failed != "" {
		r.fails = append(r.fails, seed)
		return
	}
	r.sum.rows += v.rows
	r.sum.right += v.right
	r.sum.telling += v.telling
	r.sum.tellingRight += v.tellingRight
	for _, d := range v.disagreements {
		seeds := r.kinds[d.kind()]
		if len(seeds) == 0 {
			r.first[d.kind()] = d
		}
		if len(seeds) == 0 || seeds[len(seeds)-1] != seed {
			r.kinds[d.kind()] = append(seeds, seed)
		}
	}
}

func (r *report) line() string {
	percent := func(a, b int) float64 { return 100 * float64(a) / float64(max(b, 1)) }
	line := fmt.Sprintf("%s: %d worlds, rows %.2f %% of %d, telling rows %.2f %% of %d, %d kinds of disagreement", r.name, r.n,
		percent(r.sum.right, r.sum.rows), r.sum.rows, percent(r.sum.tellingRight, r.sum.telling), r.sum.telling, len(r.kinds))
	if len(r.fails) > 0 {
		line += fmt.Sprintf("; no answer of the judge for %d, the first of seed %d", len(r.fails), r.fails[0])
	}
	return line
}

// most are the n commonest kinds of disagreement.
func (r *report) most(n int) []string {
	kinds := slices.SortedFunc(maps.Keys(r.kinds), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(r.kinds[b]), len(r.kinds[a])), cmp.Compare(a, b))
	})
	return kinds[:min(n, len(kinds))]
}

func (r *report) describe(kind string) string {
	seeds := r.kinds[kind]
	return fmt.Sprintf("%4d  %s  (seeds %v, %s)", len(seeds), kind, seeds[:min(3, len(seeds))], r.first[kind].place)
}
