package variable_test

import (
	"errors"
	"testing"

	"github.com/fluxcd/pkg/envsubst"
	"sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/variable"
)

func object(t *testing.T, text string) *loader.Value {
	t.Helper()
	docs, problems := manifest.Parse([]byte(text), manifest.Limits{})
	if len(docs) != 1 || len(problems) > 0 {
		t.Fatalf("%q: %v", text, problems)
	}
	return docs[0]
}

func set(values map[string]string) *variable.Set {
	s := &variable.Set{Values: map[string]variable.Value{}}
	for k, v := range values {
		s.Values[k] = variable.Value{Text: v, At: loader.Position{File: "vars.yaml", Line: 7, Column: 3}}
	}
	return s
}

// TestFill: fluxcd/pkg envsubst, README (supported functions), and
// kustomize_varsub.go for what becomes of types.
func TestFill(t *testing.T) {
	vars := map[string]string{"HOST": "Shop", "PORT": "8080", "EMPTY": "", "ON": "true", "DOMAIN": "example.com", "PATH_": "a/b/c"}
	for _, c := range []struct{ in, want string }{
		{"v: ${HOST}.${DOMAIN}", "v: Shop.example.com"},
		{"v: ${NONE:-fallback}", "v: fallback"},
		{"v: ${NONE:=fallback}", "v: fallback"},
		{"v: ${EMPTY:-fallback}", "v: fallback"},
		{"v: ${NONE:-${HOST}}", "v: Shop"},
		{"v: ${HOST,,}", "v: shop"},
		{"v: ${HOST^^}", "v: SHOP"},
		{"v: ${HOST:0:2}", "v: Sh"},
		{"v: ${PATH_//\\//-}", "v: a-b-c"},
		{"v: ${PATH_##*/}", "v: c"},
		{"v: ${PATH_%/*}", "v: a/b"},
		{"v: ${#HOST}", "v: 4"},
		// A naive loader would leave a text here, which no port may be.
		{"v: ${PORT}", "v: 8080"},
		{"v: ${ON}", "v: true"},
		{`v: "${PORT}"`, "v: 8080"},
		{"v: port ${PORT}", "v: port 8080"},
		{"v: $${HOST}", "v: ${HOST}"},
		{"v: $HOST", "v: $HOST"},
		{"${HOST}: {x: [\"${DOMAIN}\"]}", "Shop: {x: [example.com]}"},
		{"v: '${EMPTY}'", "v:"},
		{"metadata: {annotations: {kustomize.toolkit.fluxcd.io/substitute: disabled}}\nv: ${HOST}", "metadata: {annotations: {kustomize.toolkit.fluxcd.io/substitute: disabled}}\nv: ${HOST}"},
	} {
		got, err := set(vars).Fill(object(t, c.in), []string{"a.yaml"}, manifest.Limits{})
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if want := object(t, c.want); !loader.Equal(got.Root, want) {
			t.Errorf("%s became %+v, want %s", c.in, got.Root.Get("v"), c.want)
		}
	}
}

// TestUnknown: what is not known stays as it is written, and what is known beside
// it is filled in.
func TestUnknown(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		open           bool
		missing        int
	}{
		{"a Secret may set it", "v: ${HOST}.${NONE}", "v: Shop.${NONE}", true, 0},
		{"a Secret may set what has a default", "v: ${NONE:-x}", "v: ${NONE:-x}", true, 0},
		{"nothing sets it", "v: ${NONE}.x", "v: ${NONE}.x", false, 1},
		{"its default needs it", "v: ${NONE:-${OTHER}}", "v: ${NONE:-${OTHER}}", false, 2},
		{"set and not readable", "v: ${SECRET}", "v: ${SECRET}", false, 0},
	} {
		s := set(map[string]string{"HOST": "Shop"})
		s.Values["SECRET"] = variable.Value{Opaque: true}
		s.Open = c.open
		got, err := s.Fill(object(t, c.in), nil, manifest.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		v := got.Root.Get("v")
		if v.Text != object(t, c.want).Str("v") || !v.Opaque || len(got.Missing) != c.missing {
			t.Errorf("%s: %q (opaque %v), %d missing", c.name, v.Text, v.Opaque, len(got.Missing))
		}
	}
}

// TestPlaces: a value that is one variable has the variable's place, others have
// their own; every variable used is an input.
func TestPlaces(t *testing.T) {
	got, err := set(map[string]string{"HOST": "shop"}).Fill(object(t, "a: ${HOST}\nb: ${HOST}.x\n"), []string{"a.yaml"}, manifest.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	o := &loader.Object{Root: got.Root, Files: got.Files}
	if at := o.Position(got.Root.Get("a")).String(); at != "vars.yaml:7:3" {
		t.Errorf("a is at %s", at)
	}
	if at := o.Position(got.Root.Get("b")).String(); at != "a.yaml:2:4" {
		t.Errorf("b is at %s", at)
	}
	if len(got.Inputs) != 1 || got.Inputs[0].File != "vars.yaml" {
		t.Errorf("inputs: %v", got.Inputs)
	}
}

// TestRefused: what Flux refuses is an error with a place.
func TestRefused(t *testing.T) {
	for _, in := range []string{"v: ${HOST", "v: ${}", "v: ${HOST-x}"} {
		_, err := set(map[string]string{"HOST": "a"}).Fill(object(t, in), nil, manifest.Limits{})
		var refused *variable.Error
		if !errors.As(err, &refused) || refused.Mark.Line != 1 {
			t.Errorf("%s: %v", in, err)
		}
	}
	// Filled in, this is a map inside a plain scalar.
	if _, err := set(map[string]string{"HOST": "x: y: z"}).Fill(object(t, "v: ${HOST}"), nil, manifest.Limits{}); err == nil {
		t.Error("text that is not valid YAML any more was taken")
	}
}

// TestGrowth: a text that multiplies itself is bounded.
func TestGrowth(t *testing.T) {
	long := make([]byte, 1<<16)
	for i := range long {
		long[i] = 'a'
	}
	text := "v: "
	for range 100 {
		text += "${LONG}"
	}
	if _, err := set(map[string]string{"LONG": string(long)}).Fill(object(t, text), nil, manifest.Limits{}); err == nil {
		t.Error("6 MB of text were made")
	}
}

// FuzzFill: with every variable known, text outside of YAML's own syntax comes out
// as Flux's own package gives it.
func FuzzFill(f *testing.F) {
	for _, seed := range []string{"a ${X} b", "$${X}", "$$$${X}", "${X:-${Y:-z}}", "${X/a/b}${Y}", "${X", "$", "${Y:1:2}}", "$$"} {
		f.Add(seed)
	}
	vars := map[string]string{"X": "xa", "Y": "yb"}
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range text {
			if r < ' ' || r > '~' {
				return
			}
		}
		unknown := false
		want, wantErr := envsubst.Eval(text, func(name string) (string, bool) {
			v, ok := vars[name]
			unknown = unknown || !ok
			return v, true
		})
		root := &loader.Value{Shape: loader.Map, Fields: []loader.Field{{Key: text, Value: &loader.Value{}}}}
		got, err := set(vars).Fill(root, nil, manifest.Limits{})
		if unknown {
			return
		}
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("%q: %v, Flux says %v", text, err, wantErr)
		}
		if err == nil && got.Root.Fields[0].Key != want {
			t.Fatalf("%q became %q, Flux makes %q", text, got.Root.Fields[0].Key, want)
		}
	})
}

// TestWritten: what is filled in is what Flux reads from the YAML of the object after the
// substitution, for plain words, too (kustomize_varsub.go).
func TestWritten(t *testing.T) {
	vars := map[string]string{"X": "a.b", "N": "1", "E": "", "C": "c:", "T": "true", "D": "2001-01-01", "S": "a b"}
	pieces := []string{"a", "1", ".", "/", "-", ":", "_", "e", "0x1", "y", "${X}", "${N}", "${E}", "${C}", "${T}", "${D}", "${S}", "${U:-n/a}", "}", "$$"}
	n := len(pieces)
	for i := range n * n * n {
		text := pieces[i%n] + pieces[i/n%n] + pieces[i/n/n]
		written, err := yaml.Marshal(map[string]string{"v": text})
		if err != nil {
			t.Fatal(err)
		}
		filled, err := envsubst.Eval(string(written), func(name string) (string, bool) {
			v, ok := vars[name]
			return v, ok
		})
		if err != nil {
			continue
		}
		docs, problems := manifest.Parse([]byte(filled), manifest.Limits{})
		root := &loader.Value{Shape: loader.Map, Fields: []loader.Field{{Key: "v", Value: &loader.Value{Shape: loader.String, Text: text}}}}
		got, err := set(vars).Fill(root, []string{"object.yaml"}, manifest.Limits{})
		if len(docs) != 1 || len(problems) > 0 || docs[0].Get("v") == nil {
			if err == nil {
				t.Errorf("%q became %v, Flux reads no YAML", text, got.Root.Get("v"))
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v, Flux reads %q", text, err, filled)
		} else if want := docs[0].Get("v"); !loader.Equal(want, got.Root.Get("v")) {
			t.Errorf("%q became %v %q, Flux reads %v %q", text, got.Root.Get("v").Shape, got.Root.Get("v").Text, want.Shape, want.Text)
		}
	}
}
