package analyze_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/analyze/selection"
	"github.com/gwplan/gwplan/loader"
)

const propertyWorlds = 60

// pairs gives random worlds and what became of them after some edits.
func pairs(t *testing.T, check func(t *testing.T, o analyze.Options, base, head []doc)) {
	t.Helper()
	t.Parallel()
	o := options(t, testKinds)
	worlds := uint64(propertyWorlds)
	if testing.Short() {
		worlds /= 4
	}
	for seed := uint64(0); seed < worlds && !t.Failed(); seed++ {
		w := newWorld(1_000_000 + seed).populate()
		base := slices.Clone(w.docs)
		w.edit()
		o.Complete = seed%3 == 0
		check(t, o, base, w.docs)
	}
}

// edit changes, adds and removes a few objects. Names are few, so most of what
// is made anew replaces something.
func (w *world) edit() {
	made := []func(){w.gateway, w.listenerSet, w.route, w.service, w.rest}
	for range 1 + w.IntN(3) {
		switch i := w.IntN(len(w.docs)); w.IntN(4) {
		case 0:
			w.drop(i)
		case 1:
			made[w.IntN(len(made))]()
		default:
			w.respec(i)
		}
	}
}

// respec writes the fields of a policy anew, and keeps its targets.
func (w *world) respec(i int) {
	old := w.docs[i]
	if !strings.HasSuffix(kindOf(old), "Policy") {
		return
	}
	d := object("test.dev/v1", kindOf(old), namespaceOf(old), nameOf(old))
	fields := w.spec(kindOf(old))
	for _, key := range []string{"targetRef", "targetRefs"} {
		if refs, ok := spec(old)[key]; ok {
			fields[key] = refs
		}
	}
	d["metadata"], d["spec"] = old["metadata"], fields
	w.docs[i] = d
}

// documents are all that the analysis can say of a pair, as JSON.
func documents(o analyze.Options, base, head *loader.Snapshot) map[string]string {
	return map[string]string{
		"plan":      jsonText(analyze.Compare(base, head, o)),
		"check":     jsonText(analyze.Inspect(head, o)),
		"effective": jsonText(analyze.ListEffective(head, selection.Selection{}, o)),
		"policies":  jsonText(analyze.ListPolicies(head, selection.Selection{}, o)),
		"tree":      jsonText(analyze.ListTree(head, selection.Selection{}, o)),
	}
}

// An environment that is the same in both revisions is analysed once. The plan is the one of two
// analyses, also beside an environment that differs, and if only positions differ.
func TestSameEnvironmentsOnce(t *testing.T) {
	pairs(t, func(t *testing.T, o analyze.Options, base, head []doc) {
		t.Helper()
		two := func(docs []doc, comment string, annotated bool) *loader.Snapshot {
			same, other := files(base), files(docs)
			if annotated {
				same = files(ignoring(base))
			}
			same[0].text = comment + same[0].text
			s := snapshot("a", same...)
			s.Environments = append(s.Environments, snapshot("b", other...).Environments...)
			return s
		}
		for _, comment := range []string{"", "# later\n"} {
			for _, annotations := range []bool{false, true} {
				o := o
				o.Rules.Ignore = []rule.Ignore{{Rule: "*", Target: "HTTPRoute/**", Reason: "known"}}
				o.Results = results{}
				for _, times := range []string{"once", "again"} {
					once := jsonText(analyze.Compare(two(base, "", annotations), two(head, comment, annotations), o))
					if twice := jsonText(analyze.Compare(two(base, "", annotations), two(head, comment, annotations), analyze.Separately(o))); once != twice {
						t.Errorf("analysed %s:\n%s\ntwice:\n%s", times, once, twice)
					}
				}
			}
		}
	})
}

// ignoring are documents whose annotations ignore what is common in random worlds.
func ignoring(docs []doc) []doc {
	out := make([]doc, len(docs))
	for i, d := range docs {
		metadata := maps.Clone(d["metadata"].(map[string]any))
		metadata["annotations"] = map[string]any{"gwplan.dev/ignore": "backend-not-found: known"}
		out[i] = maps.Clone(d)
		out[i]["metadata"] = metadata
	}
	return out
}

// results are those of earlier runs.
type results map[[32]byte]string

func (r results) Get(key [32]byte) ([]byte, bool) { data, ok := r[key]; return []byte(data), ok }
func (r results) Put(key [32]byte, data []byte)   { r[key] = string(data) }

// What was found out about an environment is used for the same environment alone: whatever an environment or
// its settings differ in, the plan is the one without earlier results.
func TestResultsOfOtherEnvironments(t *testing.T) {
	variants := []func(*analyze.Options, *loader.Snapshot){
		func(*analyze.Options, *loader.Snapshot) {},
		func(o *analyze.Options, _ *loader.Snapshot) { o.Complete = !o.Complete },
		func(o *analyze.Options, _ *loader.Snapshot) {
			o.Rules.Severity = map[string]plan.Severity{"backend-not-found": plan.Off, "parent-not-found": plan.Error}
		},
		func(o *analyze.Options, _ *loader.Snapshot) {
			o.Controllers = map[string]string{"c0": "istio.io/gateway-controller", "c1": "istio.io/gateway-controller"}
		},
		func(o *analyze.Options, _ *loader.Snapshot) { o.Rules.Owners = map[string][]string{"*": {"elsewhere"}} },
		func(o *analyze.Options, _ *loader.Snapshot) {
			o.Complete, o.External = true, map[loader.ID]bool{}
			for _, name := range []string{"b0", "b1", "b2"} {
				for _, namespace := range []string{"n0", "n1"} {
					o.External[loader.ID{Kind: "Service", Namespace: namespace, Name: name}] = true
				}
			}
		},
		func(_ *analyze.Options, s *loader.Snapshot) {
			s.Skipped = map[string]int{"/Service": 1, "/Gateway": 1, "gateway.networking.k8s.io/Gateway": 1}
		},
		func(_ *analyze.Options, s *loader.Snapshot) {
			s.Environments[0].Gaps = append(s.Environments[0].Gaps, loader.Gap{Kind: "HelmRelease", Name: "chart"})
		},
	}
	recalled, worlds := 0, 0
	pairs(t, func(t *testing.T, o analyze.Options, base, head []doc) {
		if worlds++; worlds%3 != 0 {
			return // there are many variants of each
		}
		kept := results{}
		for _, docs := range [][]doc{base, head, base} {
			for _, vary := range variants {
				given := o
				same := func() *loader.Snapshot {
					s := snapshot("a", files(docs)...)
					given = o
					vary(&given, s)
					return s
				}
				b, h := same(), same()
				without := jsonText(analyze.Compare(b, h, given))
				b, h = same(), same()
				given.Results, given.Work = kept, &analyze.Work{}
				if with := jsonText(analyze.Compare(b, h, given)); with != without {
					t.Errorf("with earlier results:\n%s\nwithout:\n%s", with, without)
				}
				recalled += given.Work.Recalled
			}
		}
	})
	if recalled == 0 && !t.Failed() {
		t.Error("nothing was recalled")
	}
}

func TestNothingDiffersFromItself(t *testing.T) {
	pairs(t, func(t *testing.T, o analyze.Options, base, _ []doc) {
		// The same objects on other lines, in another file.
		moved := file{name: "moved.yaml", text: "# moved\n\n" + manifests(append(slices.Clone(base), directCRD()))}
		for _, head := range []*loader.Snapshot{snapshot(".", files(base)...), snapshot(".", moved)} {
			p := analyze.Compare(snapshot(".", files(base)...), head, o)
			env := p.Environments[0]
			if len(env.Changes)+len(env.PolicyChanges) > 0 {
				t.Errorf("changes: %s\npolicies: %s\nin this world:\n%s", jsonText(env.Changes), jsonText(env.PolicyChanges), manifests(base))
			}
			for _, f := range env.Findings {
				if f.State != "unchanged" {
					t.Errorf("the finding %s is %s\nin this world:\n%s", jsonText(f), f.State, manifests(base))
				}
			}
		}
	})
}

// argument matches an object as the command line names it, which is not how a sentence does.
var argument = regexp.MustCompile(`\b[A-Z][A-Za-z]+(\.[a-z0-9.-]+)?/[a-z]`)

func TestFindingsAreSentences(t *testing.T) {
	seen := 0
	pairs(t, func(t *testing.T, o analyze.Options, base, head []doc) {
		for _, env := range analyze.Compare(snapshot(".", files(base)...), snapshot(".", files(head)...), o).Environments {
			for _, f := range env.Findings {
				seen++
				if f.Title == "" || !strings.HasPrefix(f.Message, f.Title) {
					t.Errorf("%s: the message does not begin with the sentence %q: %s", f.Rule, f.Title, f.Message)
				}
				if found := argument.FindString(f.Title); found != "" {
					t.Errorf("%s names %s as the command line does: %s", f.Rule, found, f.Title)
				}
			}
		}
	})
	if seen == 0 {
		t.Error("there were no findings")
	}
}

func TestOrderOfDocumentsIsNothing(t *testing.T) {
	pairs(t, func(t *testing.T, o analyze.Options, base, head []doc) {
		want := documents(o, snapshot(".", files(base)...), snapshot(".", files(head)...))
		w := newWorld(uint64(len(base)))
		w.Shuffle(len(base), func(i, j int) { base[i], base[j] = base[j], base[i] })
		w.Shuffle(len(head), func(i, j int) { head[i], head[j] = head[j], head[i] })
		got := documents(o, snapshot(".", files(base)...), snapshot(".", files(head)...))
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("the %s differs:\n%s\n%s", name, want[name], got[name])
			}
		}
	})
}

func TestEveryValueHasAPlace(t *testing.T) {
	values := 0
	pairs(t, func(t *testing.T, o analyze.Options, base, _ []doc) {
		list := analyze.ListEffective(snapshot(".", files(base)...), selection.Selection{}, o)
		for _, e := range list.Environments[0].Effective {
			for _, f := range e.Fields {
				values++
				if f.Source.Object == "" || f.Source.File == "" || f.Source.Line < 2 || f.Source.Column == 0 || f.Source.Role == "" {
					t.Errorf("%s of %s comes from %+v", f.Path, e.Target, f.Source)
				}
			}
		}
	})
	if values == 0 {
		t.Error("no world has an effective value")
	}
}

// TestEveryChangeHasACause also holds the reported places: a cause is an edited
// object.
func TestEveryChangeHasACause(t *testing.T) {
	pairs(t, func(t *testing.T, o analyze.Options, base, head []doc) {
		env := analyze.Compare(snapshot(".", files(base)...), snapshot(".", files(head)...), o).Environments[0]
		before, after := newReference(base, false).objects, newReference(head, false).objects
		check := func(what any, causes []plan.Cause) {
			if len(causes) == 0 {
				t.Errorf("no cause: %s\nfrom\n%s\nto\n%s", jsonText(what), manifests(base), manifests(head))
			}
			for _, c := range causes {
				if jsonText(before[c.Object]) == jsonText(after[c.Object]) || c.File == "" || c.Line == 0 {
					t.Errorf("%+v is no edit; it is given for %s", c, jsonText(what))
				}
			}
		}
		for _, c := range env.Changes {
			check(c, c.Causes)
		}
		for _, c := range env.PolicyChanges {
			check(c, c.Causes)
		}
	})
}

func TestNameOfAnEnvironmentIsNothing(t *testing.T) {
	pairs(t, func(t *testing.T, o analyze.Options, base, head []doc) {
		same := analyze.Compare(snapshot("a", files(base)...), snapshot("a", files(head)...), o).Environments
		renamed := analyze.Compare(snapshot("a", files(base)...), snapshot("b", files(head)...), o).Environments
		if len(renamed) != 1 || renamed[0].Status != "renamed" {
			t.Fatalf("got %d environments, the first %s", len(renamed), renamed[0].Status)
		}
		if got, want := withoutFingerprints(t, renamed[0]), withoutFingerprints(t, same[0]); got != want {
			t.Errorf("changes differ:%s\nfrom\n%s\nto\n%s", lineDifference(got, want), manifests(base), manifests(head))
		}
	})
}

// withoutFingerprints writes an environment without what names it, in an order
// of its own: fingerprints break ties of the order.
func withoutFingerprints(t *testing.T, env plan.Environment) string {
	t.Helper()
	var lines []string
	add := func(v any) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(jsonText(v)), &fields); err != nil {
			t.Fatal(err)
		}
		delete(fields, "fingerprint")
		delete(fields, "environment")
		lines = append(lines, jsonText(fields))
	}
	for _, c := range env.Changes {
		add(c)
	}
	for _, c := range env.PolicyChanges {
		add(c)
	}
	for _, f := range env.Findings {
		add(f)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// lineDifference are the lines that only one of two texts has.
func lineDifference(got, want string) string {
	g, w, out := strings.Split(got, "\n"), strings.Split(want, "\n"), ""
	for _, line := range g {
		if !slices.Contains(w, line) {
			out += "\n  got  " + line
		}
	}
	for _, line := range w {
		if !slices.Contains(g, line) {
			out += "\n  want " + line
		}
	}
	return out
}

// TestStrangersChangeNothing adds what has nothing to do with the rest: to head
// alone what no gateway knows of, to both sides another team's gateway.
func TestStrangersChangeNothing(t *testing.T) {
	pairs(t, func(t *testing.T, o analyze.Options, base, head []doc) {
		want := withoutFingerprints(t, analyze.Compare(snapshot("a", files(base)...), snapshot("a", files(head)...), o).Environments[0])
		deployment := object("apps/v1", "Deployment", "n0", "stranger")
		deployment["spec"] = doc{"replicas": 3}
		with := func(docs []doc, more ...doc) *loader.Snapshot {
			return snapshot("a", files(append(slices.Clone(docs), more...))...)
		}
		for name, p := range map[string]*plan.Plan{
			"a Deployment":      analyze.Compare(with(base), with(head, deployment), o),
			"another Namespace": analyze.Compare(with(base, strangers()...), with(head, strangers()...), o),
		} {
			if got := withoutFingerprints(t, p.Environments[0]); got != want {
				t.Errorf("%s changes something:%s\nfrom\n%s\nto\n%s", name, lineDifference(got, want), manifests(base), manifests(head))
			}
		}
	})
}

func strangers() []doc {
	// A Gateway of a name that is missing elsewhere would be what somebody meant there.
	gateway := object(gatewayGroup+"/v1", "Gateway", "stranger", "stranger")
	gateway["spec"] = doc{"gatewayClassName": "stranger", "listeners": []any{doc{"name": "l0", "port": 80, "protocol": "HTTP"}}}
	route := object(gatewayGroup+"/v1", "HTTPRoute", "stranger", "r0")
	route["spec"] = doc{"parentRefs": []any{doc{"name": "stranger"}}, "rules": []any{doc{"backendRefs": []any{doc{"name": "b0", "port": 8080}}}}}
	service := object("v1", "Service", "stranger", "b0")
	service["spec"] = doc{"ports": []any{doc{"port": 8080}}}
	class := object(gatewayGroup+"/v1", "GatewayClass", "", "stranger")
	class["spec"] = doc{"controllerName": "stranger.example.com/gateway"}
	out := []doc{class, gateway, route, service}
	for _, kind := range []string{"GepPolicy", "ListenerPolicy"} {
		p := object("test.dev/v1", kind, "stranger", "p0")
		p["spec"] = doc{"targetRef": doc{"group": gatewayGroup, "kind": "Gateway", "name": "stranger"}, "a": 1}
		out = append(out, p)
	}
	return out
}

// TestEnvironmentsStayApart pairs two environments with their own counterparts
// and finds in each what it has alone.
func TestEnvironmentsStayApart(t *testing.T) {
	pairs(t, func(t *testing.T, o analyze.Options, base, head []doc) {
		other := newWorld(uint64(len(base) + len(head))).populate().docs
		// What an assumed kind is holds for the whole plan.
		other = slices.DeleteFunc(other, func(d doc) bool { return kindOf(d) == "AssumedPolicy" })
		alone := analyze.Compare(snapshot("a", files(base)...), snapshot("a", files(head)...), o)
		two := func(docs []doc) *loader.Snapshot {
			s := snapshot("a", files(docs)...)
			s.Environments = append(s.Environments, snapshot("b", files(other)...).Environments...)
			return s
		}
		both := analyze.Compare(two(base), two(head), o)
		if len(both.Environments) != 2 || fmt.Sprint(len(both.Environments[1].Changes)) != "0" {
			t.Fatalf("got %s", jsonText(both.Environments))
		}
		if got, want := jsonText(both.Environments[0].Changes), jsonText(alone.Environments[0].Changes); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

// TestWorkOfUntouched: an environment that no edit touches is analysed once, and not at all where an earlier run
// found out about it, however many there are.
func TestWorkOfUntouched(t *testing.T) {
	o := options(t, testKinds)
	w := newWorld(1_000_000).populate()
	base := slices.Clone(w.docs)
	for manifests(base) == manifests(w.docs) {
		w.edit()
	}
	revision := func(n int, last []doc) *loader.Snapshot {
		var s *loader.Snapshot
		for i := range n {
			docs := base
			if i == n-1 {
				docs = last
			}
			one := snapshot(fmt.Sprint("e", i), files(docs)...)
			if s == nil {
				s = one
			} else {
				s.Environments = append(s.Environments, one.Environments...)
			}
		}
		return s
	}
	kept := results{}
	for _, n := range []int{2, 4, 8} {
		o.Results = kept
		for _, want := range []analyze.Work{
			{Analysed: n - 1 + 2, Reused: n - 1},
			{Analysed: 2, Reused: n - 1, Recalled: n - 1},
		} {
			if want.Recalled == 0 {
				o.Results = results{}
			}
			o.Work = &analyze.Work{}
			analyze.Compare(revision(n, base), revision(n, w.docs), o)
			if got := *o.Work; got.Analysed != want.Analysed || got.Reused != want.Reused || got.Recalled != want.Recalled {
				t.Errorf("%d environments: %+v, want %+v", n, got, want)
			}
			o.Results = kept
			analyze.Compare(revision(n, base), revision(n, w.docs), o)
		}
	}
}
