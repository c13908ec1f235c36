// Package exposure looks for loosenings that nobody is told of, and for alarms about edits
// that mean nothing: worlds are made for each kind of policy, one edit is made in each, and
// the plan is judged. Rates are printed; a single miss or false alarm fails.
package exposure_test

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/policy"
)

var (
	mutations = flag.Int("mutations", 1000, "how many mutations are made in all")
	seed      = flag.Uint64("seed", 1, "what decides the worlds")
	keep      = flag.String("keep", "", "write the worlds of what fails into this folder")
	only      = flag.String("mutation", "", "make the mutations alone whose names contain this")
)

func entries(t testing.TB) []policy.Entry {
	t.Helper()
	c, err := policy.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return c.Entries
}

func TestExposure(t *testing.T) {
	var all []mutation
	for _, e := range entries(t) {
		e.Protects = each(e.Protects)
		all = append(all, slices.Concat(rowMutations(&e), detachings(&e), neutralEdits(&e), awayMutations(&e))...)
	}
	judge(t, slices.Concat(all, ownMutations(), breakages(), quiet()))
}

// each writes the alternatives of paths out.
func each(protects []policy.Protection) []policy.Protection {
	var out []policy.Protection
	for _, p := range protects {
		before, rest, open := strings.Cut(p.Path, "{")
		words, after, _ := strings.Cut(rest, "}")
		if !open {
			out = append(out, p)
			continue
		}
		for word := range strings.SplitSeq(words, ",") {
			p.Path = before + word + after
			out = append(out, each([]policy.Protection{p})...)
		}
	}
	return out
}

// judge makes a sample of mutations, all of them if there are not more than asked for, and
// more than once if there are fewer.
func judge(t *testing.T, all []mutation) {
	all = slices.DeleteFunc(all, func(m mutation) bool { return !strings.Contains(m.name, *only) })
	r := rand.New(rand.NewPCG(*seed, 1))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var loosened, found, neutral, alarmed, idle int
	number := *mutations
	if testing.Short() {
		number /= 5
	}
	for i := range number {
		if len(all) == 0 || *only != "" && i >= len(all) {
			break
		}
		m := all[i%len(all)]
		before, after := m.make(rand.New(rand.NewPCG(*seed, uint64(i))))
		doc := compare(t, before, after)
		if m.least == "" {
			neutral++
			if len(doc.alarms()) > 0 {
				alarmed++
				t.Errorf("%s: a false alarm\n%s", m.name, doc.listing())
				kept(t, m.name, before, after)
			}
			continue
		}
		wrong := doc.says(m.least)
		if wrong != "" && (doc.idle() || m.beside != nil && doesNothing(t, m.beside, uint64(i))) {
			idle++
			continue
		}
		loosened++
		if wrong != "" {
			t.Errorf("%s: %s\n%s", m.name, wrong, doc.listing())
			kept(t, m.name, before, after)
			continue
		}
		found++
	}
	t.Logf("%d of %d loosenings found; %d false alarms on %d edits that mean nothing (%d of policies that do nothing; %d different mutations known)",
		found, loosened, alarmed, neutral, idle, len(all))
}

// doesNothing says whether the policy of a mutation does nothing where it is.
func doesNothing(t *testing.T, m *mutation, n uint64) bool {
	before, after := m.make(rand.New(rand.NewPCG(*seed, n)))
	return compare(t, before, after).idle()
}

// kept writes the worlds of a mutation where `gwplan diff --base-dir --head-dir` finds them.
func kept(t *testing.T, name string, before, after *world) {
	t.Helper()
	if *keep == "" {
		return
	}
	folder := filepath.Join(*keep, strings.NewReplacer("/", "_", " ", "-", "*", "x").Replace(name))
	for side, w := range map[string]*world{"base": before, "head": after} {
		for file, text := range w.files() {
			to := filepath.Join(folder, side, filepath.FromSlash(file))
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
