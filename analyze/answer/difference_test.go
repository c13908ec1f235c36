package answer_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/implementation"
)

// edited returns a world with one random edit.
func (w world) edited(r *rand.Rand) world {
	out := world{controller: w.controller, listeners: slices.Clone(w.listeners), routes: slices.Clone(w.routes)}
	at := r.IntN(len(out.routes))
	route := worldRoute{age: out.routes[at].age, hosts: slices.Clone(out.routes[at].hosts), rules: slices.Clone(out.routes[at].rules)}
	switch r.IntN(5) {
	case 0:
		route.rules[r.IntN(len(route.rules))] = []worldMatch{randomMatch(r)}
	case 1:
		route.rules = append(route.rules, []worldMatch{randomMatch(r), randomMatch(r)})
	case 2:
		route.hosts = randomWorld(r).routes[0].hosts
	case 3:
		out.listeners = out.listeners[:max(1, len(out.listeners)-1)]
	default:
		out.routes = append(out.routes, randomWorld(r).routes[0])
	}
	out.routes[at] = route
	return out
}

// answering is the listener and the rule that answer a request, "" if none does. It is not certain where the
// controller does not say which of several does.
func answering(g *hierarchy.Graph, r *answer.Request) (name string, certain bool) {
	certain = true
	at, _ := answer.At(answer.Ports(g), r)
	for _, p := range at {
		a := p.Answer(r)
		certain = certain && len(a.Doubts) == 0
		if a.Way != nil {
			name = a.Way.Rule.String() + " at " + a.Way.Listener.String()
		}
	}
	return name, certain
}

func wayName(w *answer.Way) string {
	if w == nil {
		return ""
	}
	return w.Rule.String() + " at " + w.Listener.String()
}

// excepted reports whether a passage says of a request in its set that another rule answers it.
func excepted(p *answer.Passage, r *answer.Request) bool {
	return slices.ContainsFunc(p.Except(), func(m *answer.Match) bool { ok, _ := m.Accepts(r); return ok == fact.True })
}

// Each witness is answered as its passage claims, in both revisions, and a request that no passage is
// about is answered in the same way, whatever the controller, also where that changes.
func TestRandomPassages(t *testing.T) {
	controllers := []string{""}
	for _, i := range implementation.All() {
		if i.Name != "OpenShift" { // Istio by another name
			controllers = append(controllers, i.Controllers[0])
		}
	}
	worlds := *worlds
	if testing.Short() {
		worlds = min(worlds, 50)
	}
	differ := 0
	for seed := range worlds {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		before := randomWorld(r)
		before.controller = controllers[seed/3%len(controllers)]
		after := before.edited(r)
		if r.IntN(10) == 0 {
			after.controller = pick(r, controllers...)
		}
		states := effective.NewStates()
		j := effective.NewJoin(run(t, states, before.manifests()), run(t, states, after.manifests()), nil)
		graphs := [2]*hierarchy.Graph{j.Runs[0].Graph, j.Runs[1].Graph}
		passages, left := answer.Passages(j, nil)
		if len(left) > 0 {
			t.Fatalf("seed %d: %d ways are left", seed, len(left))
		}
		claimed := map[string][]answer.Passage{}
		for _, p := range passages {
			turn := wayName(p.Before) + " → " + wayName(p.After)
			claimed[turn] = append(claimed[turn], p)
			if len(p.Doubts) > 0 && !implementation.For(before.controller).Matching.TiesUnknown && !implementation.For(after.controller).Matching.TiesUnknown {
				t.Fatalf("seed %d: %q", seed, p.Doubts)
			}
			witness := p.Witness()
			if excepted(&p, witness) {
				t.Fatalf("seed %d: witness %s is in what other rules answer\n%s\n---- after\n%s", seed, witness, before.manifests(), after.manifests())
			}
			b, sure := answering(graphs[0], witness)
			a, surely := answering(graphs[1], witness)
			if sure && surely && (b != wayName(p.Before) || a != wayName(p.After)) {
				t.Fatalf("seed %d: witness %s %v is answered by %q → %q, claimed %q → %q\n%s\n---- after\n%s", seed, witness, witness.Headers, b, a, wayName(p.Before), wayName(p.After), before.manifests(), after.manifests())
			}
		}
		for range 60 {
			host := pick(r, "a.example.com", "b.a.example.com", "x.example.com", "x.a.example.com", "other.org", "example.com")
			url := "http://" + host + pick(r, "/", "/a", "/a/b", "/ab", "/a/b/c", "/a/b/c/d", "/b", "/a/c", "/z")
			var headers []string
			for _, name := range []string{"x", "y"} {
				if r.IntN(2) == 0 {
					headers = append(headers, name+": "+pick(r, "1", "2", "12", "1 2", "3"))
				}
			}
			separator := "?"
			for _, name := range []string{"x", "y"} {
				if r.IntN(2) == 0 {
					url += separator + name + "=" + pick(r, "1", "2", "12", "1+2", "3")
					separator = "&"
				}
			}
			request, err := answer.ParseRequest(url, pick(r, "GET", "POST", "PUT"), headers)
			if err != nil {
				t.Fatal(err)
			}
			b, sure := answering(graphs[0], request)
			a, surely := answering(graphs[1], request)
			if b != a && sure && surely {
				differ++
				if !slices.ContainsFunc(claimed[b+" → "+a], func(p answer.Passage) bool {
					ok, _ := p.Request.Match.Accepts(request)
					return ok == fact.True && !excepted(&p, request)
				}) {
					t.Fatalf("seed %d: %s %v is answered by %q → %q, which no passage tells; %v\n%s\n---- after\n%s", seed, request, headers, b, a, claimed, before.manifests(), after.manifests())
				}
			}
		}
	}
	if differ < worlds {
		t.Errorf("only %d requests are answered differently: the worlds are too alike", differ)
	}
}
