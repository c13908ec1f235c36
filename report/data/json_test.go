package data_test

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/report/data"
)

// What is escaped in JSON means the same, and cannot act in a terminal or in a workflow log.
func TestWriteJSON(t *testing.T) {
	for _, text := range []string{"plain", "a\u202eb", "tag \U000E0041", "r##[add-mask]e", "\u009b31m", "line\u2028end"} {
		var b strings.Builder
		if err := data.WriteJSON(&b, map[string]string{"name": text}); err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		if err := json.Unmarshal([]byte(b.String()), &got); err != nil || got["name"] != text {
			t.Errorf("%q became %q (%v)", text, got["name"], err)
		}
		if text != "plain" && strings.Contains(b.String(), text) {
			t.Errorf("%q is written as it is: %s", text, b.String())
		}
	}
}

type inner struct {
	Text  string            `json:"text"`
	Maybe []string          `json:"maybe,omitempty"`
	List  []string          `json:"list"`
	Map   map[string]string `json:"map,omitempty"`
	Any   any               `json:"any"`
	Below *inner            `json:"below"`
	Inner []inner           `json:"inner"`
	own   int
}

type embedding struct {
	inner
	More bool `json:"more,omitempty"`
}

// What is encoded in parts is what encoding/json makes of the whole.
func TestPartsOfJSON(t *testing.T) {
	full := inner{Text: "<a>", Maybe: []string{"b"}, List: []string{}, Map: map[string]string{"k": "v"}, Any: []any{1, "x", map[string]any{"y": nil}}, Inner: []inner{}, own: 1}
	deep := full
	for range 8 {
		below, next := deep, full
		next.Below, next.Inner = &below, []inner{below, full}
		deep = next
	}
	for _, doc := range []any{
		full, &deep,
		[]inner{deep, full},
		[]*inner{&full},
		struct{}{},
		struct{ A, B any }{nil, embedding{full, true}},
		[]any{[]any{[]any{[]any{[]any{1}}}}},
		map[string]any{"a": []int{1}},
		[]byte("x"), "x", (*inner)(nil),
		[]embedding{{full, false}},
	} {
		var got strings.Builder
		if err := data.WriteJSON(&got, doc); err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(doc); err != nil {
			t.Fatal(err)
		}
		// An absent list is an empty one here, and null there.
		if expected := strings.NewReplacer(`"inner": null`, `"inner": []`).Replace(want.String()); strings.ReplaceAll(got.String(), `"inner": null`, `"inner": []`) != expected {
			t.Errorf("%T is written as\n%s\nnot as\n%s", doc, got.String(), expected)
		}
	}
}

// A large document takes little more memory than its text.
func TestMemoryOfJSON(t *testing.T) {
	doc := struct {
		Environments []inner `json:"environments"`
	}{Environments: []inner{{Inner: make([]inner, 50_000)}}}
	for i := range doc.Environments[0].Inner {
		doc.Environments[0].Inner[i].Text = strings.Repeat("x", 100)
	}
	before, after, out := new(runtime.MemStats), new(runtime.MemStats), &measured{}
	runtime.GC()
	runtime.ReadMemStats(before)
	out.at = func() { runtime.GC(); runtime.ReadMemStats(after) }
	if err := data.WriteJSON(out, doc); err != nil {
		t.Fatal(err)
	}
	if took := int(after.HeapAlloc - before.HeapAlloc); took > out.n+out.n/4+2<<20 {
		t.Errorf("%d bytes are held when %d bytes are written", took, out.n)
	}
}

// measured counts what is written, and looks at the memory when writing begins.
type measured struct {
	n  int
	at func()
}

func (m *measured) Write(p []byte) (int, error) {
	if m.n == 0 {
		m.at()
	}
	m.n += len(p)
	return len(p), nil
}
