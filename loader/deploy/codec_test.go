package deploy

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/manifest"
)

// sample is the result of a build with every kind of value.
// sample takes a *testing.F, too; that of ClusterFuzzLite has not all that testing.TB has.
func sample(t interface {
	Helper()
	Fatal(args ...any)
},
) *Built {
	t.Helper()
	docs, problems := manifest.Parse([]byte("apiVersion: x.io/v1\nkind: A\nmetadata: {name: a, namespace: '${NS}'}\nspec: {n: 1, f: 1.5, t: true, z: null, l: [], m: {}, s: ['', \"é\\n\"]}\n"), manifest.Limits{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	docs[0].Fields[0].Value.Defaulted = true
	return &Built{
		Objects: []Object{
			{Group: "x.io", Version: "v1", Kind: "A", Namespace: "ns", Name: "a", Root: docs[0], Files: []string{"a.yaml", "b.yaml"}, Listed: []loader.Position{{File: "k.yaml", Line: 3, Column: 2}}},
			{Kind: "B"},
		},
		Problems: []loader.Problem{{Severity: loader.Note, Code: "c", Message: "m", Hint: "h", Position: loader.Position{File: "x", Line: 1}}},
		Gaps:     []loader.Gap{{Kind: "k", Name: "w", Namespace: "n", Position: loader.Position{File: "y"}, Content: [16]byte{1, 2, 3}, Roots: []string{"r"}, Chart: "c", ChartAt: loader.Position{File: "z", Line: 2}}},
	}
}

func TestCodec(t *testing.T) {
	want := sample(t)
	got, err := DecodeBuilt(EncodeBuilt(want))
	if err != nil || !bytes.Equal(EncodeBuilt(got), EncodeBuilt(want)) {
		t.Fatalf("%v: %+v", err, got)
	}
	if !loader.Equal(got.Objects[0].Root, want.Objects[0].Root) || !got.Objects[0].Root.Get("metadata", "namespace").Opaque ||
		!got.Objects[0].Root.Fields[0].Value.Defaulted || got.Objects[0].Root.Get("spec").Mark != want.Objects[0].Root.Get("spec").Mark {
		t.Errorf("the value is another: %+v", got.Objects[0].Root)
	}
	if !reflect.DeepEqual(got.Problems, want.Problems) || !reflect.DeepEqual(got.Gaps, want.Gaps) || !reflect.DeepEqual(got.Objects[0].Listed, want.Objects[0].Listed) {
		t.Errorf("got %+v", got)
	}
	out := chart.Output{Documents: []chart.Document{{Template: "templates/x.yaml", Root: want.Objects[0].Root}}, Problems: []chart.Problem{{Template: "t", Message: "m"}}, Lookups: true}
	again, err := DecodeChart(EncodeChart(out))
	if err != nil || !bytes.Equal(EncodeChart(again), EncodeChart(out)) {
		t.Fatalf("%v: %+v", err, again)
	}
}

// TestCodecCut: no part of an entry is an entry.
func TestCodecCut(t *testing.T) {
	data := EncodeBuilt(sample(t))
	for n := range data {
		if _, err := DecodeBuilt(data[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes were read", n, len(data))
		}
	}
	if _, err := DecodeBuilt(append(data, 0)); err == nil {
		t.Error("bytes were left over")
	}
}

// FuzzCodec: whatever the bytes, reading ends, and what is read can be written and
// read again.
func FuzzCodec(f *testing.F) {
	f.Add(EncodeBuilt(sample(f)))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := DecodeBuilt(data)
		if err != nil {
			return
		}
		again, err := DecodeBuilt(EncodeBuilt(b))
		if err != nil || !bytes.Equal(EncodeBuilt(again), EncodeBuilt(b)) {
			t.Fatalf("%v", err)
		}
	})
}
