// Package exposure tests whether plans report every loosening of protection, and raise no
// alarm about edits without effect. It generates worlds for each policy kind, makes one edit
// in each, and checks the plan. It logs the rates; a single miss or false alarm is a failure.
// It also tests whether any output shows a secret.
package exposure_test

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/catalogue"
)

var (
	mutations = flag.Int("mutations", 300, "how many mutations are made in all")
	seed      = flag.Uint64("seed", 1, "what decides the worlds")
	keep      = flag.String("keep", "", "write the worlds of what fails into this folder")
	only      = flag.String("mutation", "", "make the mutations alone whose names contain this")
)

func entries(t testing.TB) []catalogue.Entry {
	t.Helper()
	c, err := catalogue.Builtin()
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

// each expands the {A,B} alternatives of paths into separate entries.
func each(protects []catalogue.Protection) []catalogue.Protection {
	var out []catalogue.Protection
	for _, p := range protects {
		before, rest, open := strings.Cut(p.Path, "{")
		words, after, _ := strings.Cut(rest, "}")
		if !open {
			out = append(out, p)
			continue
		}
		for word := range strings.SplitSeq(words, ",") {
			p.Path = before + word + after
			out = append(out, each([]catalogue.Protection{p})...)
		}
	}
	return out
}

// judge runs a random sample of the mutations. If more runs are requested than there are
// mutations, it runs each of them, some more than once.
func judge(t *testing.T, all []mutation) {
	all = slices.DeleteFunc(all, func(m mutation) bool { return !strings.Contains(m.name, *only) })
	r := rand.New(rand.NewPCG(*seed, 1))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var loosened, found, neutral, alarmed, idle int
	number := *mutations
	if testing.Short() {
		number /= 10
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
			if len(doc.alarms()) > 0 || doc.exposes() {
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
		if wrong == "" && doc.loses() && !doc.exposes() && !doc.fails() && reachable(m.name) {
			wrong = "found, and no request is told to be less protected or to fail"
		}
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

// doesNothing reports whether the policy of a mutation has no effect at its target.
func doesNothing(t *testing.T, m *mutation, n uint64) bool {
	before, after := m.make(rand.New(rand.NewPCG(*seed, n)))
	return compare(t, before, after).idle()
}

// kept writes the worlds of a mutation as folders for `gwplan diff --base-dir --head-dir`.
// reachable reports whether requests reach the target of a mutation: it is in the input, and a part of the hierarchy.
func reachable(name string) bool {
	return !strings.HasPrefix(name, "away: ") && !strings.Contains(name, " at server ") && !strings.Contains(name, " at workload ")
}

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
