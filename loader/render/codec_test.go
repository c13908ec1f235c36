package render

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/manifest"
)

// sample is the result of a build with every kind of value.
func sample(t testing.TB) *built {
	t.Helper()
	docs, problems := manifest.Parse([]byte("apiVersion: x.io/v1\nkind: A\nmetadata: {name: a, namespace: '${NS}'}\nspec: {n: 1, f: 1.5, t: true, z: null, l: [], m: {}, s: ['', \"é\\n\"]}\n"), manifest.Limits{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	docs[0].Fields[0].Value.Defaulted = true
	return &built{
		objects: []declared{
			{group: "x.io", version: "v1", kind: "A", namespace: "ns", name: "a", root: docs[0], files: []string{"a.yaml", "b.yaml"}, listed: []loader.Position{{File: "k.yaml", Line: 3, Column: 2}}},
			{kind: "B"},
		},
		problems: []loader.Problem{{Severity: loader.Note, Code: "c", Message: "m", Hint: "h", Position: loader.Position{File: "x", Line: 1}}},
		gaps:     []loader.Gap{{Kind: "k", Name: "w", Namespace: "n", Position: loader.Position{File: "y"}, Content: [16]byte{1, 2, 3}, Roots: []string{"r"}}},
	}
}

func TestCodec(t *testing.T) {
	want := sample(t)
	got, err := decodeBuilt(encodeBuilt(want))
	if err != nil || !bytes.Equal(encodeBuilt(got), encodeBuilt(want)) {
		t.Fatalf("%v: %+v", err, got)
	}
	if !loader.Equal(got.objects[0].root, want.objects[0].root) || !got.objects[0].root.Get("metadata", "namespace").Opaque ||
		!got.objects[0].root.Fields[0].Value.Defaulted || got.objects[0].root.Get("spec").Mark != want.objects[0].root.Get("spec").Mark {
		t.Errorf("the value is another: %+v", got.objects[0].root)
	}
	if !reflect.DeepEqual(got.problems, want.problems) || !reflect.DeepEqual(got.gaps, want.gaps) || !reflect.DeepEqual(got.objects[0].listed, want.objects[0].listed) {
		t.Errorf("got %+v", got)
	}
	out := chart.Output{Documents: []chart.Document{{Template: "templates/x.yaml", Root: want.objects[0].root}}, Problems: []chart.Problem{{Template: "t", Message: "m"}}, Lookups: true}
	again, err := decodeChart(encodeChart(out))
	if err != nil || !bytes.Equal(encodeChart(again), encodeChart(out)) {
		t.Fatalf("%v: %+v", err, again)
	}
}

// TestCodecCut: no part of an entry is an entry.
func TestCodecCut(t *testing.T) {
	data := encodeBuilt(sample(t))
	for n := range data {
		if _, err := decodeBuilt(data[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes were read", n, len(data))
		}
	}
	if _, err := decodeBuilt(append(data, 0)); err == nil {
		t.Error("bytes were left over")
	}
}

// FuzzCodec: whatever the bytes, reading ends, and what is read can be written and
// read again.
func FuzzCodec(f *testing.F) {
	f.Add(encodeBuilt(sample(f)))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := decodeBuilt(data)
		if err != nil {
			return
		}
		again, err := decodeBuilt(encodeBuilt(b))
		if err != nil || !bytes.Equal(encodeBuilt(again), encodeBuilt(b)) {
			t.Fatalf("%v", err)
		}
	})
}
