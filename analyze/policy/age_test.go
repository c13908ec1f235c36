package policy_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

const (
	early = "2025-01-01T00:00:00Z"
	late  = "2025-01-01T00:00:01Z"
)

// aged writes a policy; created is its metadata besides the name.
func aged(t *testing.T, name, created string) *loader.Object {
	t.Helper()
	namespace, name, _ := strings.Cut(name, "/")
	return objects(t, fmt.Sprintf("{apiVersion: acme.io/v1, kind: P, metadata: {namespace: %s, name: %s, %s}, spec: {x: 1}}", namespace, name, created))[0]
}

func timestamp(at string) string  { return fmt.Sprintf("creationTimestamp: %q", at) }
func annotation(at string) string { return fmt.Sprintf("annotations: {gwplan.dev/created-at: %q}", at) }

// One total order: time of creation, absent first, then namespace and name.
func TestAgeOrder(t *testing.T) {
	for _, tt := range []struct {
		name, a, b, by string
		unsure         bool
		firstName      string
	}{
		{"by timestamp, against the name", timestamp(early), timestamp(late), plan.ByTimestamp, false, "z"},
		{"by annotation", annotation(early), annotation(late), plan.ByAnnotation, false, "z"},
		{"annotation and timestamp", annotation(early), timestamp(late), plan.ByAnnotation, false, "z"},
		{"a timestamp beats the object's annotation", timestamp(early) + ", " + annotation("2026-01-01T00:00:00Z"), timestamp(late), plan.ByTimestamp, false, "z"},
		{"absent sorts first", "labels: {}", timestamp(early), plan.ByTimestamp, true, "z"},
		{"null is absent", "creationTimestamp: null", timestamp(early), plan.ByTimestamp, true, "z"},
		{"unreadable is absent", "annotations: {gwplan.dev/created-at: yesterday}", annotation(early), plan.ByAnnotation, true, "z"},
		{"time zones count", timestamp("2025-01-01T01:00:00+02:00"), timestamp(early), plan.ByTimestamp, false, "z"},
		{"by name where times are absent", "labels: {}", "labels: {}", plan.ByName, true, "a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			older, younger := aged(t, "ns/"+tt.firstName, tt.a), aged(t, "ns/m", tt.b)
			wantOrder(t, age.Ages{}, older, younger, age.Order{Compare: -1, By: tt.by, Unsure: tt.unsure})
		})
	}
	same := aged(t, "ns/a", timestamp(early))
	if o := (age.Ages{}).Order(same, aged(t, "ns/b", timestamp(early))); o.Compare >= 0 || o.By != plan.ByName {
		t.Errorf("equal timestamps: %+v, want by name", o)
	}
	// {namespace}/{name} is compared as one text.
	if o := (age.Ages{}).Order(aged(t, "a/z", "labels: {}"), aged(t, "b/a", "labels: {}")); o.Compare >= 0 {
		t.Errorf("a/z does not come before b/a: %+v", o)
	}
	if o := (age.Ages{}).Order(aged(t, "ns-a/x", "labels: {}"), aged(t, "ns/x", "labels: {}")); o.Compare >= 0 {
		t.Errorf("ns-a/x does not come before ns/x, as texts do: %+v", o)
	}
}

func wantOrder(t *testing.T, ages age.Ages, older, younger *loader.Object, want age.Order) {
	t.Helper()
	if got := ages.Order(older, younger); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	want.Compare = -want.Compare
	if got := ages.Order(younger, older); got != want {
		t.Errorf("the other way round: %+v, want %+v", got, want)
	}
}

// In a diff what base has is older than what only head has, whose own times
// count for nothing; of what both have, base's times count.
func TestAgeOrderOfDiff(t *testing.T) {
	inBase := aged(t, "ns/z", timestamp(late))
	alsoInBase := aged(t, "ns/x", timestamp(early))
	ages := age.Ages{Base: map[loader.ID]*loader.Object{inBase.ID: inBase, alsoInBase.ID: alsoInBase}}
	byBase := age.Order{Compare: -1, By: plan.ByBase}
	wantOrder(t, ages, inBase, aged(t, "ns/a", timestamp(early)), byBase)
	wantOrder(t, ages, inBase, aged(t, "ns/a", annotation("2000-01-01T00:00:00Z")), byBase)
	// Two that only head has: by name alone.
	wantOrder(t, ages, aged(t, "ns/a", timestamp(late)), aged(t, "ns/b", timestamp(early)), age.Order{Compare: -1, By: plan.ByName, Unsure: true})
	// Head gives itself another time.
	wantOrder(t, ages, alsoInBase, aged(t, "ns/z", timestamp("2000-01-01T00:00:00Z")), age.Order{Compare: -1, By: plan.ByTimestamp})
	// An empty base is a base, too.
	none := age.Ages{Base: map[loader.ID]*loader.Object{}}
	wantOrder(t, none, aged(t, "ns/a", timestamp(late)), aged(t, "ns/b", timestamp(early)), age.Order{Compare: -1, By: plan.ByName, Unsure: true})
}

// Times from the configuration stand for the cluster's; they do not make an
// object of head alone older.
func TestAgesGiven(t *testing.T) {
	a, z := aged(t, "ns/a", timestamp(early)), aged(t, "ns/z", timestamp(late))
	given := map[loader.ID]time.Time{z.ID: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}
	if o := (age.Ages{Given: given}).Order(z, a); o.Compare >= 0 || o.Unsure {
		t.Errorf("%+v, want the given time to count", o)
	}
	ages := age.Ages{Given: given, Base: map[loader.ID]*loader.Object{a.ID: a}}
	wantOrder(t, ages, a, z, age.Order{Compare: -1, By: plan.ByBase})
}

// What was decided by a sure time, or would come out the same, is not unsure.
func TestUnsureSets(t *testing.T) {
	older, newer := "overrides: {strategy: patch, x: 1}", "overrides: {strategy: patch, x: 2}"
	for name, tt := range map[string]struct {
		a, b   string
		unsure bool
	}{
		"by name, another value":    {older, newer, true},
		"by name, the same value":   {older, older, false},
		"by name, fields apart":     {older, "overrides: {strategy: patch, other: 2}", false},
		"by name, atomic":           {"x: 1", "other: 2", true},
		"by name, other directions": {older, "defaults: {strategy: patch, other: 2}", true},
	} {
		t.Run(name, func(t *testing.T) {
			target := ", targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: g}]"
			second := strings.Replace(acme(tt.b+target), "name: p}", "name: q}", 1)
			for _, set := range attachSets(t, acme(tt.a+target), second) {
				if set.Unsure != tt.unsure || set.DecidedBy != plan.ByName {
					t.Errorf("%+v, want unsure %v, decided by name", set, tt.unsure)
				}
			}
			dated := func(p, at string) string {
				return strings.Replace(p, "metadata: {", "metadata: {"+timestamp(at)+", ", 1)
			}
			for _, set := range attachSets(t, dated(acme(tt.a+target), early), dated(second, late)) {
				if set.Unsure || set.DecidedBy != plan.ByTimestamp {
					t.Errorf("%+v, want sure, decided by timestamp", set)
				}
			}
		})
	}
}
