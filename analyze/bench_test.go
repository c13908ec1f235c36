package analyze_test

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/internal/corpus"
	"github.com/gwplan/gwplan/loader"
)

// loaded are the files of a corpus as one environment.
func loaded(f corpus.Files) *loader.Snapshot {
	var all []file
	for _, name := range slices.Sorted(maps.Keys(f)) {
		all = append(all, file{name: name, text: string(f[name])})
	}
	return snapshot(".", all...)
}

// work is what propagation takes, which no machine changes.
type work struct{ states, visits int }

// propagate walks every kind of a corpus once.
func propagate(t testing.TB, o analyze.Options, s *loader.Snapshot) work {
	t.Helper()
	states := effective.NewStates()
	run := analysed(s, o.Table(s), states)
	join := effective.Alone(run)
	var out work
	for _, k := range run.Attached.Kinds {
		join.States(k, func(*effective.Joint, []effective.Flow) bool { return true })
		out.visits += join.Visits()
	}
	out.states = states.Len()
	if out.states < 2 || out.visits < 2 {
		t.Fatalf("%+v: nothing flows", out)
	}
	return out
}

// TestGrowth doubles one thing at a time: work may double with it, and hardly
// grows with listeners that have no policy.
func TestGrowth(t *testing.T) {
	o := options(t, "[]")
	adversarial := func(gateways, listeners, routes int) corpus.Files {
		return corpus.Adversarial(corpus.Size{
			Gateways: gateways, Listeners: listeners, Routes: routes, Services: 10, Policies: 40, Rules: 3,
		}, 1)
	}
	for name, c := range map[string]struct {
		make  func(n int) corpus.Files
		most  float64
		start int
	}{
		"routes of policy-machinery, few":  {func(n int) corpus.Files { return corpus.PolicyMachinery(n, corpus.Few) }, 2.3, 100},
		"routes of policy-machinery, each": {func(n int) corpus.Files { return corpus.PolicyMachinery(n, corpus.Each) }, 2.3, 50},
		"routes of egctl":                  {corpus.Egctl, 2.3, 100},
		"routes":                           {func(n int) corpus.Files { return adversarial(4, 4, n) }, 2.3, 20},
		"gateways":                         {func(n int) corpus.Files { return adversarial(n, 2, 20) }, 2.3, 8},
		"listeners":                        {func(n int) corpus.Files { return adversarial(4, n, 40) }, 1.2, 8},
	} {
		t.Run(name, func(t *testing.T) {
			before := propagate(t, o, loaded(c.make(c.start)))
			for _, n := range []int{2 * c.start, 4 * c.start} {
				after := propagate(t, o, loaded(c.make(n)))
				if float64(after.states) > c.most*float64(before.states) || float64(after.visits) > c.most*float64(before.visits) {
					t.Errorf("%d instead of %d: %+v after %+v, want at most %.1f times as much", n, n/2, after, before, c.most)
				}
				before = after
			}
		})
	}
}

// TestChangesGrowth doubles the changes of a plan: what it takes to make may double with them.
func TestChangesGrowth(t *testing.T) {
	o := options(t, "[]")
	var before float64
	for _, n := range []int{200, 400, 800} {
		b, a := corpus.Changes(n)
		base, head := loaded(b), loaded(a)
		var changes int
		after := allocated(func() {
			changes = len(analyze.Compare(base, head, o).Environments[0].Changes)
		})
		if changes != n {
			t.Fatalf("%d changes, want %d", changes, n)
		}
		// Measured at 200 kB a change, and at 400 kB while each form of a loss judged each change anew.
		if n > 200 && after > 2.2*before || after > 300_000*float64(n) {
			t.Errorf("%d changes: %.0f bytes after %.0f for %d", n, after, before, n/2)
		} else {
			t.Logf("%d: %.0f each", n, after/float64(n))
		}
		before = after
	}
}

// overlapping has policies that overlap at every level.
func overlapping() corpus.Files {
	return corpus.Adversarial(corpus.Size{Gateways: 12, Listeners: 2, Routes: 20, Services: 12, Policies: 4, Rules: 3}, 7)
}

func analysed(s *loader.Snapshot, kinds *catalogue.Table, states *effective.States) *effective.Run {
	env := s.Environments[0]
	g := hierarchy.Build(env, inventory.Options{})
	return effective.NewRun(env, g, policy.Attach(env, g, kinds, age.Ages{}), states)
}

// TestTallies holds what is told without folding against the folds themselves.
func TestTallies(t *testing.T) {
	o := options(t, "[]")
	s := loaded(overlapping())
	run := analysed(s, o.Table(s), effective.NewStates())
	join := effective.Alone(run)
	k := run.Attached.Kinds[0]
	seen := map[*policy.Policy]map[plan.Enforcement]bool{}
	contexts := map[*policy.Policy]int{}
	join.Flows(k, func(at *effective.Joint, flows []effective.Flow) {
		for _, f := range flows {
			s := f.States[effective.Head]
			e := run.Policy(k, s, at.Nodes[effective.Head])
			if e == nil {
				continue
			}
			for _, share := range e.Shares {
				if got := join.Enforcement(k, effective.Head, s, share.Policy); got != share.Enforcement {
					t.Errorf("%s at %s: %s, folded %s", share.Policy.ID(), at.Any(), got, share.Enforcement)
				}
				if seen[share.Policy] == nil {
					seen[share.Policy] = map[plan.Enforcement]bool{}
				}
				seen[share.Policy][share.Enforcement] = true
				contexts[share.Policy] += f.Count
			}
		}
	})
	for p, tally := range join.Tallies(k, effective.Head, func(*policy.Policy) bool { return true }) {
		want := plan.PartiallyEnforced
		if len(seen[p]) == 1 {
			want = slices.Collect(maps.Keys(seen[p]))[0]
		}
		if v := run.VerdictOf(p, tally); v.Enforcement != want || v.Contexts != contexts[p] {
			t.Errorf("%s: %s in %d contexts, want %s in %d", p.ID(), v.Enforcement, v.Contexts, want, contexts[p])
		}
	}
}

// TestAlike edits the policies, each and its neighbour, and turns the next one
// from defaults to overrides: states that are said to be alike have equal specs.
func TestAlike(t *testing.T) {
	o := options(t, "[]")
	files := overlapping()
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(name string) bool {
		return !bytes.Contains(files[name], []byte("request: "))
	})
	alike, other := 0, 0
	for i := range names {
		edited := maps.Clone(files)
		for place, edit := range [][2]string{{"request: ", "request: 9"}, {"request: ", "request: 8"}, {"defaults:", "overrides:"}} {
			name := names[(i+place)%len(names)]
			edited[name] = bytes.Replace(edited[name], []byte(edit[0]), []byte(edit[1]), 1)
		}
		before, after, states := loaded(files), loaded(edited), effective.NewStates()
		kinds := o.Table(before, after)
		base, head := analysed(before, kinds, states), analysed(after, kinds, states)
		k := base.Attached.Kinds[0]
		join := effective.NewJoin(base, head, nil)
		join.Flows(k, func(at *effective.Joint, flows []effective.Flow) {
			for _, f := range flows {
				b, h := f.States[effective.Base], f.States[effective.Head]
				switch {
				case b == h:
				case !join.Alike(k, b, h):
					other++
				case !merge.Equal(base.Policy(k, b, nil).Spec, head.Policy(k, h, nil).Spec):
					t.Errorf("%s edited, at %s: said to be alike, specs differ", names[i], at.Any())
				default:
					alike++
				}
			}
		})
	}
	if alike == 0 || other == 0 {
		t.Errorf("%d alike, %d not", alike, other)
	}
}

// BenchmarkPropagate is the adversarial corpus in small, and the workloads that
// others take quadratic time for, each at N, 2N and 4N.
func BenchmarkPropagate(b *testing.B) {
	o := options(b, "[]")
	for name, make := range map[string]func(n int) corpus.Files{
		"policy-machinery-few":  func(n int) corpus.Files { return corpus.PolicyMachinery(1000*n, corpus.Few) },
		"policy-machinery-each": func(n int) corpus.Files { return corpus.PolicyMachinery(250*n, corpus.Each) },
		"egctl":                 func(n int) corpus.Files { return corpus.Egctl(1000 * n) },
		"adversarial": func(n int) corpus.Files {
			size := corpus.Small()
			size.Routes *= n
			return corpus.Adversarial(size, 1)
		},
	} {
		for _, n := range []int{1, 2, 4} {
			b.Run(name+"/"+string(rune('0'+n))+"N", func(b *testing.B) {
				s := loaded(make(n))
				var w work
				for b.Loop() {
					w = propagate(b, o, s)
				}
				b.ReportMetric(float64(w.states), "states")
				b.ReportMetric(float64(w.visits), "visits")
			})
		}
	}
}
