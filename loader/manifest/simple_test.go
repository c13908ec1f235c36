package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/internal/corpus"
	"github.com/gwplan/gwplan/loader"
)

// all lists every value below v with its position and flags.
func all(v *loader.Value, path string) []string {
	out := []string{fmt.Sprintf("%s %d %q %v opaque=%t blank=%t", path, v.Shape, v.Text, v.Mark, v.Opaque, v.Blank)}
	for _, f := range v.Fields {
		out = append(out, all(f.Value, path+"/"+f.Key)...)
	}
	for i, item := range v.Items {
		out = append(out, all(item, fmt.Sprintf("%s/%d", path, i))...)
	}
	return out
}

// sameAsParser reports whether a document is simple, and fails if the general parser reads it
// differently.
func sameAsParser(t *testing.T, data []byte) bool {
	t.Helper()
	limits := Limits{Depth: 20, AliasNodes: 100, Documents: 10}
	quick, general := walker{limits: limits, line: 7}, walker{limits: limits, line: 7}
	got, ok := quick.simply(data)
	if !ok {
		return false
	}
	var want []tree
	err := general.documents(data, func(t tree, p *loader.Problem) {
		if p != nil {
			want = append(want, tree{})
			return
		}
		want = append(want, t)
	})
	if err != nil || len(want) != 1 || want[0].root == nil {
		t.Fatalf("simple, but the parser gives %d documents and %v:\n%s", len(want), errors.Join(err), data)
	}
	if got.encrypted != want[0].encrypted {
		t.Fatalf("encrypted: %t, the parser says %t:\n%s", got.encrypted, want[0].encrypted, data)
	}
	if g, w := all(got.root, ""), all(want[0].root, ""); !slices.Equal(g, w) {
		t.Fatalf("differs:\n%s\nthe parser gives\n%s\nfor\n%s", strings.Join(g, "\n"), strings.Join(w, "\n"), data)
	}
	return true
}

// simpleTexts are texts with each part of the subset; notSimple are next to it.
var simpleTexts = []string{
	"a: 1\n", "a:\n  b: c\n  d:\n  - x\n  -   y: 1\n      z: 2\n  - - 1\n    - 2\ne:\n", "---\n# c\na: b # c\n", "--- # c\n'a': \"b\"\n",
	"a: [1, x, \"y z\", {b: c, 'd': [e]}, []] # c\nf: {}\n", "a: |\n  x\n\n    y\n   # z\n\n\nb: |-\n    q\n", "a:\n- b\n-\n  c: d\ne: null\n",
	"a: 'it''s'\nb: http://x#y:8080/z\nc: -5\n8080: yes\non: 0x1F\n", "a: é — ü # ö\nb: \"ß\"\n", "a: ENC[AES256_GCM,data:x]\nb: ${X}\n", "a:    # c\n\n   \n  # c\n  b: 1", "a: b  ",
	"a:\n  - b: |\n      x\n    c: 1\n", "a/b.c-d: <x>\n", "a: b #c\n",
	"a: \"b\\\"c\\\\ \\n\\t\\ \"\n", "a: \"b \\n\n  \\ c  \n\n  d\\\"\"\n",
	"a:\n  b\n  c\nd:\n    |-\n    e\n  # f\n", "a:\n  |-\n  b\n\n  c\nd:\n  \"e\n  f\"\ng:\n -\n  h\n -\n  [i]\n", "a:\n  - \n   b\n   c\nd:\n  {e: f}\n",
	"a: b\n  c\n", "a: b\n  c d  \n\n\n   - e # f\ng: 1\n", "x:\n- a: b\n    c\n  d:\n  - x\n    y\n", "a: b\n  # c\nd: e\n", "a: 1\n  2\n", "a: b\n  'c\n",
	"a: 'x\n  y'\n", "a: 'x''\n\n   ''y '  # z\nb: 1\n", "a: \"x  \n\n\n  y\n  \"\nb: 'c\n  '\n", "x:\n- 'a\n  b'\n- c\n", "a:\n- \"b\n  c\"\n-  d\n   e\n", "a: \"b\n    # c\"\n",
	"a: &x b\nc: *x\nd:\n- *x # e\n- [*x, {f: *x}]\n", "a: &x-1_Y 'b'\nc: *x-1_Y\n", "a: &x b\n  c\nd: *x\ne: &x 1\nf: *x\n", "a: &x  ${X} # b\nb:\n  *x\nc: &x ENC[AES256_GCM,data:x]\nd: *x\n",
	"a: &x \"b\n  c\"\nd: *x\n", "a:\n  &x b\nc: [*x]\n",
}

var notSimple = []string{
	"", "# c\n", "a\n", "- a\n", "a: b\n  c: d\n", "a: b # c\n  d\n", "a: b\n  c:\n", "a: b\n  # c\n  d\n", "a: 'b\nc'\n", "x:\n- a: b\n  c\n", "a: 'b\n  c' d\n", "a: 'b\n", "a: \"b\n c\n", "a: &x\n  b: c\nd: *x\n", "a: &x [b]\nc: *x\n", "a: &x |\n  b\nc: *x\n", "a: &x\nb: *x\n", "a: &x &y b\n", "a: &x *x\n", "a: *x\nb: &x c\n", "a: &x b\n*x : c\n", "a: &x b\nc: *x d\n", "a: &x b\nc: *x\n  d\n", "a: & b\n", "a: &x b\nc: *\n", "a: &x b\nc: [*x d]\n", "a: &x b\nc: {*x : d}\n", "a: &x !!str b\n", "a: &x # b\n  c\n", "&x a: b\n", "a: &x b\nc: [*x]d\n", "a: &x b\n<<: *x\n", "a: &é b\n", "a: !!str 1\n", "a: \"\\x41\"\n", "a: \"b\\\n  c\"\n", "a: \"b\\ \n  c\"\n", "a: \"\\u0041\"\n", "a: >\n  b\n", "a: |+\n  b\n\n", "a: |2\n    b\n", "a: b: c\n", "a: b:\n", "a\t: b\n",
	"a: [\n 1]\n", "a: [a b]\n", "a: {b}\n", "a: {b:c}\n", "a: [1,]\n", "a: 1\na: 2\n", "? a\n: b\n", "<<: {a: b}\n", "a:\n   b: 1\n  c: 2\n", "a: |\n", "a: |\n  x", "a: \"b\" c\n",
	"a: \"b\"#c\n", "null: 1\n", "kind: Secret\n", "kind: SecretList\n", "kind: List\nitems: []\n", "a: \x85\n", "a: \xff\n", "a: b\r\n", " a: b\n", "a: @b\n", "a: %b\n", "a: [1] 2\n", "a: .inf\n", "{a: b}\n", "a:\n - b\nc\n", "a: |\n   \n  x\n", "a: \uFEFF\n", "a: \u007f\n",
}

func TestSimple(t *testing.T) {
	for _, text := range simpleTexts {
		if !sameAsParser(t, []byte(text)) {
			t.Errorf("not simple: %q", text)
		}
	}
	for _, text := range notSimple {
		if sameAsParser(t, []byte(text)) {
			t.Errorf("simple: %q", text)
		}
	}
}

// The benchmarks' repository is all simple.
func TestSimpleOfCorpus(t *testing.T) {
	before, _ := corpus.Realistic(1000, 1)
	for name, data := range before {
		parts, _ := split(data)
		for _, p := range parts {
			if hasContent(p.body) && strings.HasSuffix(name, ".yaml") && !sameAsParser(t, p.data) {
				t.Errorf("%s: not simple:\n%s", name, p.data)
			}
		}
	}
}

// FuzzSimple: a simple document is the same to the general parser.
func FuzzSimple(f *testing.F) {
	for _, text := range slices.Concat(simpleTexts, notSimple) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		parts, sure := split(data)
		if len(data) > 4<<10 || !sure {
			return
		}
		for _, p := range parts {
			sameAsParser(t, bytes.Clone(p.data))
		}
	})
}
