package effective_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
)

const gepKind = `
- {profile: gep, group: acme.io, kind: AcmePolicy}
`

// strategies are the GEP's four that merge, as a policy writes them around its
// spec.
var strategies = map[string]string{
	"AD": "defaults: {strategy: atomic, %s}", "AO": "overrides: {strategy: atomic, %s}",
	"PD": "defaults: {strategy: patch, %s}", "PO": "overrides: {strategy: patch, %s}",
}

// Three levels A > B > C: the strategy of A and that of B decide; C's plays no
// part. differs says that the GEP's literal stack algorithm, which hands on the
// strategy of the lower policy, gives another result.
func TestDictatingStrategy16Pairs(t *testing.T) {
	const (
		a = `{"a":1,"x":"A"}`
		b = `{"b":1,"x":"B"}`
		c = `{"c":1,"x":"C"}`
	)
	for _, tt := range []struct {
		a, b, want string
		differs    bool
	}{
		{"AD", "AD", c, false},
		{"AD", "AO", b, false},
		{"AD", "PD", `{"b":1,"c":1,"x":"C"}`, false},
		{"AD", "PO", `{"b":1,"c":1,"x":"B"}`, false},
		{"AO", "AD", a, true},
		{"AO", "AO", a, false},
		{"AO", "PD", a, true},
		{"AO", "PO", a, true},
		{"PD", "AD", `{"a":1,"c":1,"x":"C"}`, true},
		{"PD", "AO", `{"a":1,"b":1,"x":"B"}`, false},
		{"PD", "PD", `{"a":1,"b":1,"c":1,"x":"C"}`, false},
		{"PD", "PO", `{"a":1,"b":1,"c":1,"x":"B"}`, false},
		{"PO", "AD", `{"a":1,"c":1,"x":"A"}`, true},
		{"PO", "AO", `{"a":1,"b":1,"x":"A"}`, false},
		{"PO", "PD", `{"a":1,"b":1,"c":1,"x":"A"}`, true},
		{"PO", "PO", `{"a":1,"b":1,"c":1,"x":"A"}`, false},
	} {
		t.Run(tt.a+" over "+tt.b, func(t *testing.T) {
			for strategy, lowest := range strategies {
				s := stage(t, gepKind, one,
					acme("pa", "Gateway g", fmt.Sprintf(strategies[tt.a], "x: A, a: 1")),
					acme("pb", "HTTPRoute r", fmt.Sprintf(strategies[tt.b], "x: B, b: 1")),
					acme("pc", "HTTPRoute r, sectionName: only", fmt.Sprintf(lowest, "x: C, c: 1")))
				s.check(expect{name: "C is " + strategy, got: s.spec("AcmePolicy", "g > r#only"), want: tt.want})
				if got := s.readingsDiffer("AcmePolicy", "g > r#only"); got != tt.differs {
					t.Errorf("C is %s: ReadingDiffers is %v, want %v", strategy, got, tt.differs)
				}
			}
		})
	}
}

// Two levels cannot tell the GEP's readings apart.
func TestDictatingStrategyOfTwoLevels(t *testing.T) {
	for strategy, want := range map[string]string{
		"AD": `{"b":1,"x":"B"}`, "AO": `{"a":1,"x":"A"}`, "PD": `{"a":1,"b":1,"x":"B"}`, "PO": `{"a":1,"b":1,"x":"A"}`,
	} {
		for lower := range strategies {
			s := stage(t, gepKind, one,
				acme("pa", "Gateway g", fmt.Sprintf(strategies[strategy], "x: A, a: 1")),
				acme("pb", "HTTPRoute r", fmt.Sprintf(strategies[lower], "x: B, b: 1")))
			s.check(expect{name: strategy + " over " + lower, got: s.spec("AcmePolicy", "g > r#only"), want: want})
			if s.readingsDiffer("AcmePolicy", "g > r#only") {
				t.Errorf("%s over %s: readings differ", strategy, lower)
			}
		}
	}
}

// dated writes a policy with a time of creation.
func dated(policy, created string) string {
	return strings.Replace(policy, "metadata: {", fmt.Sprintf("metadata: {creationTimestamp: %q, ", created), 1)
}

// At one level the older wins and dictates: whole where it is atomic, per field
// where it is a patch. A newer override does not beat an older default.
func TestStrategiesAtOneLevel(t *testing.T) {
	for _, tt := range []struct{ older, newer, want string }{
		{"AD", "AD", `{"a":1,"x":"A"}`},
		{"AD", "AO", `{"a":1,"x":"A"}`},
		{"AD", "PO", `{"a":1,"x":"A"}`},
		{"AO", "PD", `{"a":1,"x":"A"}`},
		{"PD", "PD", `{"a":1,"b":1,"x":"A"}`},
		{"PD", "AO", `{"a":1,"b":1,"x":"A"}`},
		{"PD", "PO", `{"a":1,"b":1,"x":"A"}`},
		{"PO", "AD", `{"a":1,"b":1,"x":"A"}`},
	} {
		s := stage(t, gepKind, one,
			dated(acme("z", "HTTPRoute r", fmt.Sprintf(strategies[tt.older], "x: A, a: 1")), early),
			dated(acme("a", "HTTPRoute r", fmt.Sprintf(strategies[tt.newer], "x: B, b: 1")), late))
		s.check(expect{name: tt.older + " older than " + tt.newer, got: s.spec("AcmePolicy", "g > r#only"), want: tt.want})
	}
}

// The group of one level acts with its oldest member's strategy towards what
// is below.
func TestOldestDictatesForItsLevel(t *testing.T) {
	below := acme("c", "HTTPRoute r", "x: C, c: 1")
	for strategy, want := range map[string]string{
		"AD": `{"c":1,"x":"C"}`, "AO": `{"a":1,"x":"A"}`,
		"PD": `{"a":1,"b":1,"c":1,"x":"C"}`, "PO": `{"a":1,"b":1,"c":1,"x":"A"}`,
	} {
		for newer := range strategies {
			s := stage(t, gepKind, one, below,
				dated(acme("z", "Gateway g", fmt.Sprintf(strategies[strategy], "x: A, a: 1")), early),
				dated(acme("a", "Gateway g", fmt.Sprintf(strategies[newer], "x: B, b: 1")), late))
			s.check(expect{name: strategy + " older than " + newer, got: s.spec("AcmePolicy", "g > r#only"), want: want})
		}
	}
}

// A policy declares one merge strategy at most (GEP-713, Rules for implementing
// merge strategies).
func TestTwoBodiesAreInvalid(t *testing.T) {
	for _, body := range []string{
		"defaults: {x: 1}, overrides: {x: 2}", "defaults: {x: 1}, x: 2", "overrides: {x: 1}, x: 2",
	} {
		v := stage(t, gepKind, one, acme("p", "Gateway g", body)).verdict("AcmePolicy", "p")
		if v.Accepted != "false" || v.Reason != "Invalid" || v.Enforcement != plan.NotEnforced {
			t.Errorf("%s: %+v", body, v)
		}
	}
}

// A strategy that is not the GEP's is atomic, with a note at its place.
func TestUnknownStrategy(t *testing.T) {
	for kinds, kind := range map[string]string{gepKind: "config", "": "objects alone"} {
		s := stage(t, kinds, one,
			acme("a", "Gateway g", "overrides: {strategy: JSONMerge, x: A}"), acme("b", "HTTPRoute r", "y1: B"))
		s.check(expect{name: kind, got: s.spec("AcmePolicy", "g > r#only"), want: `{"x":"A"}`})
		notes := s.run.Attached.Policies[0].Notes
		if len(notes) != 1 || !strings.Contains(notes[0].Text, `"JSONMerge"`) || notes[0].At == nil || notes[0].At.Mark.Line == 0 {
			t.Errorf("%s: the notes are %+v", kind, notes)
		}
	}
}

// "strategy" may stand in the body or beside it in kinds of which only objects
// tell; merge is patch there.
func TestAssumedStrategyPlaces(t *testing.T) {
	for _, higher := range []string{
		"defaults: {strategy: patch, x: A}", "defaults: {strategy: merge, x: A}", "strategy: merge, defaults: {x: A}",
		"strategy: patch, x: A", "default: {x: A}, strategy: patch",
	} {
		s := stage(t, "", one, acme("a", "Gateway g", higher), acme("b", "HTTPRoute r", "y1: B"))
		s.check(expect{name: higher, got: s.spec("AcmePolicy", "g > r#only"), want: `{"x":"A","y1":"B"}`})
	}
}

// A patch's null deletes, to the end of the fold.
func TestPatchNullDeletes(t *testing.T) {
	s := stage(t, gepKind, one,
		acme("a", "Gateway g", "overrides: {strategy: patch, retry: {tries: null}}"),
		acme("b", "HTTPRoute r", "defaults: {strategy: patch, retry: {codes: [1]}}"),
		acme("c", "HTTPRoute r, sectionName: only", "retry: {tries: 3, wait: 5s}"))
	s.check(expect{name: "null above", got: s.spec("AcmePolicy", "g > r#only"), want: `{"retry":{"codes":[1],"wait":"5s"}}`})
}
