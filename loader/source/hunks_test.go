package source

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gwplan/gwplan/loader"
)

func TestLineHunks(t *testing.T) {
	for _, tt := range []struct {
		name, before, after string
		want                []loader.Hunk
	}{
		{"equal", "a\nb\n", "a\nb\n", nil},
		{"changed", "a\nb\nc\n", "a\nx\nc\n", []loader.Hunk{{Base: 2, BaseLines: 1, Head: 2, HeadLines: 1}}},
		{"deleted", "a\nb\nc\n", "a\nc\n", []loader.Hunk{{Base: 2, BaseLines: 1, Head: 1}}},
		{"deleted at the start", "a\nb\n", "b\n", []loader.Hunk{{Base: 1, BaseLines: 1, Head: 0}}},
		{"added", "a\nc\n", "a\nb\nc\n", []loader.Hunk{{Base: 1, Head: 2, HeadLines: 1}}},
		{"two places", "a\nb\nc\nd\n", "b\nc\nd\ne\n", []loader.Hunk{{Base: 1, BaseLines: 1, Head: 0}, {Base: 4, Head: 4, HeadLines: 1}}},
		{"end of line", "a\nb", "a\nb\n", []loader.Hunk{{Base: 2, BaseLines: 1, Head: 2, HeadLines: 1}}},
		{"all new", "", "a\n", []loader.Hunk{{Head: 1, HeadLines: 1}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, lineHunks(tt.before, tt.after)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What lies outside the hunks is the same on both sides, in order.
func TestLineHunksLeaveTheRest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func() []string {
		var out []string
		for range r.IntN(30) {
			out = append(out, string(rune('a'+r.IntN(6)))+"\n")
		}
		return out
	}
	rest := func(all []string, in func(loader.Hunk, int) bool, hunks []loader.Hunk) string {
		var out []string
		for i, line := range all {
			outside := true
			for _, h := range hunks {
				outside = outside && !in(h, i+1)
			}
			if outside {
				out = append(out, line)
			}
		}
		return strings.Join(out, "")
	}
	for range 2000 {
		b, a := text(), text()
		hunks := lineHunks(strings.Join(b, ""), strings.Join(a, ""))
		if before, after := rest(b, loader.Hunk.InBase, hunks), rest(a, loader.Hunk.InHead, hunks); before != after {
			t.Fatalf("%q and %q: %v leave %q and %q", b, a, hunks, before, after)
		}
	}
}
