package analyze_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

const randomWorlds = 1500

// TestReference compares the engine, which never enumerates contexts, with a
// reference that does, on random worlds.
func TestReference(t *testing.T) {
	o := options(t, testKinds)
	const workers = 5
	worlds := uint64(randomWorlds)
	if testing.Short() {
		worlds /= 4
	}
	for worker := range uint64(workers) {
		t.Run(fmt.Sprint(worker), func(t *testing.T) {
			t.Parallel()
			o, met := o, map[string]int{}
			for seed := worker; seed < worlds && !t.Failed(); seed += workers {
				w := newWorld(seed).populate()
				o.Complete = seed%3 == 0
				agree(t, o, w, met)
			}
			if t.Failed() || testing.Short() { // a quarter of the worlds need not show everything
				return
			}
			for _, k := range refKinds() {
				if met[k.name] == 0 {
					t.Errorf("no world has an effective %s", k.name)
				}
			}
			for _, outcome := range outcomes() {
				if met[outcome] == 0 {
					t.Errorf("no world has a listener that is %s", outcome)
				}
			}
		})
	}
}

// agree holds the engine's results for one world against the reference's, and
// shows the smallest part of the world on which they differ.
func agree(t *testing.T, o analyze.Options, w *world, met map[string]int) {
	t.Helper()
	if disagreement(o, w.docs, met) == "" {
		return
	}
	docs := shrink(w.docs, func(docs []doc) bool { return disagreement(o, docs, nil) != "" })
	t.Errorf("%s\nin this world (complete: %t):\n%s", disagreement(o, docs, nil), o.Complete, manifests(docs))
}

// shrink leaves out every manifest without which it still fails.
func shrink(docs []doc, fails func([]doc) bool) []doc {
	for i := 0; i < len(docs); {
		fewer := slices.Delete(slices.Clone(docs), i, i+1)
		if fails(fewer) {
			docs = fewer
			continue
		}
		i++
	}
	return docs
}

func disagreement(o analyze.Options, docs []doc, met map[string]int) string {
	run := runOf(o, snapshot(".", files(docs)...))
	ref := newReference(docs, o.Complete)
	trails := ref.trails()
	verdicts, outcomes := ref.conflicts()
	if d := differences(engineConflicts(run), verdicts); d != "" {
		return "listeners differ" + d
	}
	if met != nil {
		for outcome, n := range outcomes {
			met[outcome] += n
		}
	}
	for _, k := range refKinds() {
		want, paths := ref.results(k, trails)
		got, listed := engineResults(run, k.name)
		if met != nil {
			met[k.name] += len(want)
		}
		if !maps.Equal(got, want) {
			return k.name + " differs" + differences(got, want)
		}
		if d := differences(engineReach(run, k.name), ref.reach(k, trails)); d != "" {
			return "the reach of a " + k.name + " differs" + d
		}
		for path, spec := range listed {
			if !slices.Contains(paths[path], spec) {
				return fmt.Sprintf("%s along %s: got %s, want one of %q", k.name, path, spec, paths[path])
			}
		}
	}
	return ""
}

// results are a kind's effective policies: how many contexts of each target
// have which spec and policies, and the same by context.
func (r *reference) results(k refKind, trails []trail) (counts map[string]int, paths map[string][]string) {
	counts, paths = map[string]int{}, map[string][]string{}
	at := r.attached(k)
	if r.older(k) {
		k.fold = foldOlder
	}
	for _, t := range append(slices.Clone(trails), r.strays(k, at)...) {
		layers := k.layers(t, at)
		if len(layers) == 0 || !r.effectiveAt(k, t, at) {
			continue
		}
		result := jsonText(strip(k.fold(layers))) + " of " + fmt.Sprint(k.names(layers))
		counts[t.last().String()+" "+result]++
		path := fmt.Sprint(t.context())
		paths[path] = append(paths[path], result)
	}
	return counts, paths
}

// reach says in how many contexts and at how many effective targets each policy
// takes part. A Service that is parent and backend has two roles.
func (r *reference) reach(k refKind, trails []trail) map[string]int {
	out := map[string]int{}
	at := r.attached(k)
	seen := map[string]bool{}
	for _, t := range append(slices.Clone(trails), r.strays(k, at)...) {
		if !r.effectiveAt(k, t, at) {
			continue
		}
		for _, name := range k.names(k.layers(t, at)) {
			out[name+" contexts"]++
			if target := name + " at " + t.last().level + " " + t.last().String(); !seen[target] {
				seen[target] = true
				out[name+" targets"]++
			}
		}
	}
	return out
}

func engineReach(r *effective.Run, kind string) map[string]int {
	out := map[string]int{}
	join := effective.Alone(r)
	for _, k := range r.Attached.Kinds {
		if k.Name() != kind {
			continue
		}
		for p, tally := range join.Tallies(k, effective.Head, func(*policy.Policy) bool { return true }) {
			name := p.ID().Namespace + "/" + p.ID().Name
			out[name+" contexts"], out[name+" targets"] = tally.Contexts, len(tally.Targets)
		}
	}
	return out
}

// names are the policies of a context in order, each once; where nothing merges at one
// target the oldest alone takes part.
func (k refKind) names(layers []layer) []string {
	var out []string
	for _, l := range layers {
		for i, p := range l.policies {
			if rejected := i > 0 && (k.direct || k.name == "ClosestPolicy"); !rejected && !slices.Contains(out, p.name) {
				out = append(out, p.name)
			}
		}
	}
	return out
}

func engineResults(r *effective.Run, kind string) (counts map[string]int, paths map[string]string) {
	counts, paths = map[string]int{}, map[string]string{}
	join := effective.Alone(r)
	for _, k := range r.Attached.Kinds {
		if k.Name() != kind {
			continue
		}
		join.Flows(k, func(at *effective.Joint, flows []effective.Flow) {
			for _, f := range flows {
				p := r.Policy(k, f.States[effective.Head], at.Any())
				if p == nil {
					continue
				}
				result := resultOf(p)
				counts[at.Any().String()+" "+result] += f.Count
				for _, s := range f.Samples {
					paths[fmt.Sprint(s.Context(effective.Head))] = result
				}
			}
		})
	}
	return counts, paths
}

func resultOf(p *effective.Policy) string {
	var names []string
	for _, s := range p.Shares {
		names = append(names, s.Policy.ID().Namespace+"/"+s.Policy.ID().Name)
	}
	spec := p.Spec.JSON()
	if spec == nil {
		spec = doc{}
	}
	return jsonText(spec) + " of " + fmt.Sprint(names)
}

func runOf(o analyze.Options, s *loader.Snapshot) *effective.Run {
	return runWith(o, o.Table(s), s, age.Ages{}, effective.NewStates())
}

func runWith(o analyze.Options, t *catalogue.Table, s *loader.Snapshot, ages age.Ages, states *effective.States) *effective.Run {
	env := s.Environments[0]
	g := hierarchy.Build(env, inventory.Options{Complete: o.Complete})
	return effective.NewRun(env, g, policy.Attach(env, g, t, ages), states)
}

func differences(got, want map[string]int) string {
	out := ""
	all := maps.Clone(got)
	maps.Copy(all, want)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if got[key] != want[key] {
			out += fmt.Sprintf("\n  %s: got %d, want %d", key, got[key], want[key])
		}
	}
	return out
}

func manifests(docs []doc) string {
	out := ""
	for _, d := range docs {
		out += "---" + document(d)
	}
	return out
}
