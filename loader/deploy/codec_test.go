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
		Problems: []loader.Problem{{Severity: loader.Note, Code: "c", Part: "p", Message: "m", Hint: "h", Position: loader.Position{File: "x", Line: 1}}},
		Gaps:     []loader.Gap{{Kind: "k", Name: "w", Namespace: "n", Position: loader.Position{File: "y"}, Content: [16]byte{1, 2, 3}, Roots: []string{"r"}, Chart: loader.RemoteChart{Repository: "c", Name: "d", Version: "e"}, Placing: "f", ChartAt: loader.Position{File: "z", Line: 2}}},
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
	out := chart.Output{Documents: []chart.Document{{Template: "charts/a/templates/x.yaml", Path: "charts/a-1.0/templates/x.yaml", Root: want.Objects[0].Root}}, Problems: []chart.Problem{{Template: "t", Path: "p", Message: "m"}}}
	again, err := DecodeChart(EncodeChart(out))
	if err != nil || !bytes.Equal(EncodeChart(again), EncodeChart(out)) {
		t.Fatalf("%v: %+v", err, again)
	}
}

// TestCodecWhole: an entry holds each field, so that a build that is kept says what it said at first.
func TestCodecWhole(t *testing.T) {
	want := &Built{Objects: make([]Object, 1), Problems: make([]loader.Problem, 1), Gaps: make([]loader.Gap, 1)}
	fill(t, reflect.ValueOf(want).Elem(), 0)
	want.Objects[0].Deployer = nil // nothing that is built has one yet
	want.Objects[0].origin = "origin"
	got, err := DecodeBuilt(EncodeBuilt(want))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\ngot  %+v\nwant %+v", err, got, want)
	}
	charted := chart.Output{Documents: make([]chart.Document, 1), Problems: make([]chart.Problem, 1)}
	fill(t, reflect.ValueOf(&charted).Elem(), 0)
	if again, err := DecodeChart(EncodeChart(charted)); err != nil || !reflect.DeepEqual(again, charted) {
		t.Errorf("%v\ngot  %+v\nwant %+v", err, again, charted)
	}
}

// fill sets everything in a value that is exported. Values of YAML are a text: their forms are in sample.
func fill(t *testing.T, v reflect.Value, depth int) {
	t.Helper()
	if v.Type() == reflect.TypeFor[*loader.Value]() {
		v.Set(reflect.ValueOf(&loader.Value{Shape: loader.String, Text: "text", Mark: loader.Mark{File: 1, Line: 2, Column: 3}, Opaque: true}))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(t, v.Field(i), depth+1)
			}
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		}
		for i := range v.Len() {
			fill(t, v.Index(i), depth+1)
		}
	case reflect.Array:
		for i := range v.Len() {
			v.Index(i).SetUint(uint64(i + 1))
		}
	case reflect.String:
		v.SetString("text " + v.Type().Name() + string(rune('a'+depth)))
	case reflect.Int:
		v.SetInt(int64(depth + 7))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer: // a deployer
	default:
		t.Fatalf("a field of type %s needs an example", v.Type())
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
