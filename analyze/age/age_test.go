package age_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// object is one of a name, with the metadata of a text beside it.
func object(t *testing.T, name, metadata string) *loader.Object {
	t.Helper()
	docs, problems := manifest.Parse([]byte("metadata: {name: "+name+", namespace: ns, "+metadata+"}"), manifest.Limits{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return &loader.Object{ID: loader.ID{Group: "g", Kind: "Policy", Namespace: "ns", Name: name}, Root: docs[0]}
}

// TestOrder: creation time, then namespace and name (GEP-713, Rules for implementing merge
// strategies), with what decided it and whether a cluster may know better.
func TestOrder(t *testing.T) {
	const (
		first   = `creationTimestamp: "2024-01-01T00:00:00Z"`
		second  = `creationTimestamp: "2024-01-02T00:00:00Z"`
		written = `annotations: {gwplan.dev/created-at: "2024-01-03T00:00:00Z"}`
	)
	for _, tt := range []struct {
		name, x, y string
		given      string
		inBase     string
		want       int
		by         string
		unsure     bool
	}{
		{name: "the older first", x: second, y: first, want: 1, by: plan.ByTimestamp},
		{name: "equal times: the name", x: first, y: first, want: -1, by: plan.ByName},
		{name: "no times: the name, and a cluster may know better", want: -1, by: plan.ByName, unsure: true},
		{name: "a missing time sorts first", x: first, want: 1, by: plan.ByTimestamp, unsure: true},
		{name: "an annotation counts as a time", x: written, y: second, want: 1, by: plan.ByAnnotation},
		{name: "a creation time beats the annotation", x: first + ", " + written, y: second, want: -1, by: plan.ByTimestamp},
		{name: "the configuration beats both", x: second, y: first, given: "a", want: -1, by: plan.ByAnnotation},
		{name: "what base has is older", x: second, y: first, inBase: "a", want: -1, by: plan.ByBase},
		{name: "what head alone has is younger", x: first, y: second, inBase: "b", want: 1, by: plan.ByBase},
		{name: "no time that can be read", x: "creationTimestamp: never", y: "creationTimestamp: never", want: -1, by: plan.ByName, unsure: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x, y := object(t, "a", tt.x), object(t, "b", tt.y)
			ages := age.Ages{}
			if tt.given != "" {
				ages.Given = map[loader.ID]time.Time{x.ID: time.Unix(0, 0)}
			}
			if tt.inBase != "" {
				ages.Base = map[loader.ID]*loader.Object{}
				for _, o := range []*loader.Object{x, y} {
					if strings.Contains(tt.inBase, o.ID.Name) {
						ages.Base[o.ID] = o
					}
				}
			}
			want := age.Order{Compare: tt.want, By: tt.by, Unsure: tt.unsure}
			if got := ages.Order(x, y); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			want.Compare = -want.Compare
			if got := ages.Order(y, x); got != want {
				t.Errorf("the other way round: got %+v, want %+v", got, want)
			}
		})
	}
}

// What a controller makes of an object is as old as that.
func TestGeneratedIsAsOldAsItsObject(t *testing.T) {
	x, y := object(t, "a", ""), object(t, "b", "")
	by := loader.ID{Group: "g", Kind: "Maker", Namespace: "ns", Name: "a"}
	x.GeneratedBy = by
	ages := age.Ages{Base: map[loader.ID]*loader.Object{y.ID: y}}
	if got := ages.Order(x, y); got.By != plan.ByBase || got.Compare != 1 {
		t.Errorf("without its maker in base: %+v", got)
	}
	ages.Base[by] = object(t, "a", "")
	if got := ages.Order(x, y); got.By != plan.ByName {
		t.Errorf("with its maker in base: %+v", got)
	}
}
