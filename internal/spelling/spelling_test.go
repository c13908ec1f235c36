package spelling_test

import (
	"testing"

	"github.com/gwplan/gwplan/internal/spelling"
)

// Findings rest on similar names: two names that both make sense are never slips.
func TestSimilar(t *testing.T) {
	for _, tt := range []struct {
		name  string
		known []string
		want  string
	}{
		{"gatway", []string{"gateway"}, "gateway"},
		{"gatewya", []string{"gateway"}, "gateway"},
		{"gateway", []string{"gateway", "gatewy"}, ""},
		{"internal", []string{"external"}, ""},
		{"shop-1", []string{"shop-2"}, ""},
		{"ap", []string{"pa"}, ""},
		{"api", []string{"apis"}, "apis"},
		{"api", []string{"apixy"}, ""},
		{"payment", []string{"payments", "paymen"}, "paymen"},
		{"payment", make([]string, spelling.MaxNamed+1), ""},
	} {
		if got := spelling.Similar(tt.name, tt.known); got != tt.want {
			t.Errorf("%s among %d: got %q, want %q", tt.name, len(tt.known), got, tt.want)
		}
	}
}

func TestNearest(t *testing.T) {
	for _, tt := range []struct{ wrong, want string }{
		{"enviroments", "environments"},
		{"RULES", "rules"},
		{"env", "environments"},
		{"rlues", "rules"},
		{"nothing", ""},
		{"", ""},
	} {
		if got := spelling.Nearest(tt.wrong, []string{"environments", "rules"}); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.wrong, got, tt.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"ab", "ba", 1}, {"kitten", "sitting", 3}, {"abc", "abc", 0}} {
		if a, b := spelling.Distance(tt.a, tt.b), spelling.Distance(tt.b, tt.a); a != tt.want || b != tt.want {
			t.Errorf("%q and %q: got %d and %d, want %d", tt.a, tt.b, a, b, tt.want)
		}
	}
}

func TestAtMost(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string
	}{
		{nil, ""},
		{[]string{"a"}, "a"},
		{[]string{"a", "b"}, "a and b"},
		{[]string{"a", "b", "c", "d"}, "a, b and 2 more"},
	} {
		if got := spelling.AtMost(2, c.words); got != c.want {
			t.Errorf("AtMost(2, %q) = %q, want %q", c.words, got, c.want)
		}
	}
}

func TestBrief(t *testing.T) {
	for _, test := range []struct {
		text string
		most int
		want string
	}{
		{"one two three", 13, "one two three"},
		{"one two three", 12, "one two …"},
		{"one, two three", 6, "one …"},
		{"one-long-word-alone", 10, "one-long …"},
		{"", 3, ""},
	} {
		if got := spelling.Brief(test.text, test.most); got != test.want {
			t.Errorf("%q in %d: %q, want %q", test.text, test.most, got, test.want)
		}
	}
}
