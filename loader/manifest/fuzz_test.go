package manifest_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	sigsyaml "sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

func seeds(f *testing.F) {
	for _, s := range []string{
		route, policy, deployment, string(repeat(2, route, deployment)), head, wide(head), bomb(4), nestedBlock(20),
		nested("[", "]", 30), "a: &a {b: *a}\n", "%YAML 1.2\n---\na: [\n---\nb: 1\n", "a: 1\rb: 2\u2028---\n{c: [1]}\n",
		"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: apps/v1, kind: Deployment}\n",
		"apiVersion: apps/v1\nkind: Deployment\n<<: {kind: HTTPRoute}\n", "  a: \"x\nkind: Deployment\napiVersion: apps/v1\n  \"\n  kind: HTTPRoute\n  apiVersion: gateway.networking.k8s.io/v1\n",
		"apiVersion: apps/v1\nkind: Deployment\n\n  Foo\n", "apiVersion: x.io/v1\nkind: P\nspec: {\"target\\x52ef\": {}}\n", "a: ~\nb: ${X}\n...\n--- |\n x\n",
	} {
		f.Add([]byte(s))
	}
}

const fuzzSize = 16 << 10

// FuzzDecode: no panic, places within the file, and nothing larger than the
// limits allow.
func FuzzDecode(f *testing.F) {
	seeds(f)
	limits := manifest.Limits{Depth: 50, AliasNodes: 1000, Documents: 100}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > fuzzSize {
			return
		}
		last := bytes.Count(data, []byte("\n")) + 1
		roots, ps := manifest.ParseAgain(data, limits, nil)
		nodes := 0
		for _, root := range roots {
			nodes += within(t, root, last, 1)
		}
		if most := 2*len(data) + 2*limits.AliasNodes*max(len(roots), 1) + 2; nodes > most {
			t.Errorf("%d values from %d bytes", nodes, len(data))
		}
		placed(t, ps, last)
		for _, all := range []bool{false, true} {
			file := manifest.Decode(data, manifest.Options{Limits: limits, Relevance: appsOnly, ParseAll: all})
			for _, d := range file.Documents {
				within(t, d.Root, last, 1)
				if d.Kind == "" || d.Line < 1 || d.Line > last {
					t.Errorf("%+v", d)
				}
			}
			placed(t, file.Problems, last)
			again, others := manifest.ParseAgain(data, limits, file)
			if !reflect.DeepEqual(again, roots) || !reflect.DeepEqual(others, ps) {
				t.Errorf("parsed after it was decoded:\n%+v %+v\nparsed:\n%+v %+v", again, others, roots, ps)
			}
		}
	})
}

func placed(t *testing.T, ps []loader.Problem, last int) {
	t.Helper()
	for _, p := range ps {
		if p.Code == "broke-down" {
			t.Error(p.Message)
		}
		if p.Position.Line < 1 || p.Position.Line > last || p.Position.File != "" || p.Code == "" || p.Message == "" {
			t.Errorf("of %d lines: %+v", last, p)
		}
	}
}

func within(t *testing.T, v *loader.Value, last, depth int) int {
	t.Helper()
	if v.Mark.Line < 1 || int(v.Mark.Line) > last || v.Mark.Column < 1 {
		t.Errorf("line %d, column %d in a file of %d lines", v.Mark.Line, v.Mark.Column, last)
	}
	if depth > 60 {
		t.Errorf("a value %d levels deep", depth)
	}
	nodes, seen := 1, map[string]bool{}
	for _, field := range v.Fields {
		if seen[field.Key] {
			t.Errorf("the key %q is there twice", field.Key)
		}
		seen[field.Key] = true
		nodes += within(t, field.Value, last, depth+1)
	}
	for _, item := range v.Items {
		nodes += within(t, item, last, depth+1)
	}
	return nodes
}

// FuzzSkip: what is left out by its bytes is what a full parse would leave out.
func FuzzSkip(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > fuzzSize {
			return
		}
		byBytes := manifest.Decode(data, manifest.Options{Relevance: appsOnly})
		all := manifest.Decode(data, manifest.Options{Relevance: appsOnly, ParseAll: true})
		if len(byBytes.Documents) != len(all.Documents) {
			t.Fatalf("%d documents by bytes, %d by a full parse", len(byBytes.Documents), len(all.Documents))
		}
		for i, d := range all.Documents {
			if b := byBytes.Documents[i]; d.Line != b.Line || !loader.Equal(d.Root, b.Root) {
				t.Errorf("document %d differs: %v and %v", i, b, d)
			}
		}
		total := func(f *manifest.File) (n int) {
			for _, c := range f.Skipped {
				n += c
			}
			return n
		}
		if broken := len(all.Problems) - len(byBytes.Problems); total(byBytes) > total(all)+broken {
			t.Errorf("skipped %v by bytes, %v by a full parse with %v", byBytes.Skipped, all.Skipped, problems(all.Problems))
		}
		unskippable(t, data, all.Skipped)
	})
}

// unskippable finds a policy among what a full parse has left out.
func unskippable(t *testing.T, data []byte, skipped map[string]int) {
	t.Helper()
	for key := range skipped {
		group, kind, core := strings.Cut(key, "/")
		if !core {
			group, kind = "", key
		}
		switch appsOnly(group, kind) {
		case manifest.Needed:
			t.Errorf("%s is needed and was skipped", key)
		case manifest.Undecided, manifest.Companion:
			roots, _ := manifest.ParseAgain(data, manifest.Limits{}, nil)
			for _, root := range roots {
				if strings.HasPrefix(root.Str("apiVersion"), group+"/") && root.Str("kind") == kind && root.Get("spec", "targetRef") != nil {
					t.Errorf("%s could be a policy and was skipped", key)
				}
			}
		case manifest.Irrelevant:
		}
	}
}

// FuzzSigs: where both decoders accept a document, they agree on it.
func FuzzSigs(f *testing.F) {
	seeds(f)
	for _, s := range scalars {
		f.Add([]byte("a: " + s + "\n" + "b: {" + s + ": 1}\n"))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		// The two differ by design on merge keys (own keys win) and on streams of
		// several documents, and the parsers below them on the tag "!".
		if len(data) > fuzzSize || bytes.Contains(data, []byte("<<")) || bytes.Contains(data, []byte("!")) ||
			bytes.Contains(data, []byte("---")) || bytes.Contains(data, []byte("...")) {
			return
		}
		roots, ps := manifest.ParseAgain(data, manifest.Limits{}, nil)
		want, err := sigsyaml.YAMLToJSONStrict(data)
		if err != nil || len(ps) > 0 || len(roots) != 1 {
			return
		}
		if got := jsonOf(roots[0]); !sameJSON(t, got, want) {
			t.Errorf("%s, sigs gives %s", got, want)
		}
	})
}
