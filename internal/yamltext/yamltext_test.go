package yamltext_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/internal/yamltext"
)

// doubled is a text of which each line has the one above it twice.
func doubled(lines int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x]\n")
	for i := 1; i <= lines; i++ {
		b.WriteString(strings.NewReplacer("I", string(rune('a'+i)), "P", string(rune('a'+i-1))).Replace("aI: &aI [*aP, *aP]\n"))
	}
	return strings.ReplaceAll(b.String(), "a0", "aa")
}

func TestUnmarshal(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for _, tt := range []struct{ name, text, want string }{
		{"without aliases", "a: 1", ""},
		{"a few aliases", "b: &b " + long + "\na: [*b, *b, *b]", ""},
		{"a text and many aliases", "b: &b " + long + "\na: [" + strings.Repeat("*b,", 40) + "]", "16777216 bytes"},
		{"merged maps", "b: &b {k: " + long + "}\na: [" + strings.Repeat("{<<: *b},", 40) + "]", "16777216 bytes"},
		{"doubled lists", doubled(24), "16777216 bytes"},
		{"a second document", "a: 1\n---\nb: &b " + long + "\na: [" + strings.Repeat("*b,", 40) + "]", "16777216 bytes"},
		{"a second document that is broken", "a: &a 1\nb: *a\n---\n]", ""},
		{"an anchor within itself", "a: &a [*a]", "contains itself"},
		{"what the decoder refuses", "a: *b &", "yaml:"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var v any
			err := yamltext.Unmarshal([]byte(tt.text), &v)
			if tt.want == "" && err != nil {
				t.Fatal(err)
			}
			if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// A text that is let through is not much longer once it is decoded.
func FuzzUnmarshal(f *testing.F) {
	f.Add("b: &b x\na: [*b, {<<: {c: *b}}]")
	f.Add(doubled(20))
	f.Add("a: &a {k: 1}\n? *a\n: *a\n--- \n&b [*b]")
	f.Fuzz(func(t *testing.T, text string) {
		var v any
		if len(text) > 4096 || yamltext.Unmarshal([]byte(text), &v) != nil {
			return
		}
		written, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		// A byte takes at most six as JSON, and a null is longer than nothing.
		if len(written) > 6*yamltext.MaxBytes {
			t.Errorf("%d bytes", len(written))
		}
	})
}
