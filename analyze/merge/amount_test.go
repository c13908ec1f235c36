package merge_test

import (
	"testing"

	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

func TestQuantity(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"0", "0"},
		{"-1.5", "-3/2"},
		{".5", "1/2"},
		{"5.", "5"},
		{"100m", "1/10"},
		{"1u", "1/1000000"},
		{"2n", "1/500000000"},
		{"1k", "1000"},
		{"3M", "3000000"},
		{"1E", "1000000000000000000"},
		{"1E3", "1000"},
		{"1e-3", "1/1000"},
		{"1Ki", "1024"},
		{"2Mi", "2097152"},
		{"", "no"},
		{"10s", "no"},
		{"1 k", "no"},
		{"k", "no"},
		{"1K", "no"},
		{"1mi", "no"},
		{"1e9999999", "no"},
		{"0x10", "no"},
	} {
		got := "no"
		if n, ok := merge.Quantity(tt.text); ok {
			got = n.RatString()
		}
		if got != tt.want {
			t.Errorf("%q is %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestSameAmount(t *testing.T) {
	for _, tt := range []struct {
		path, before, after string
		want                bool
	}{
		{"/timeout/http/requestTimeout", "60s", "1m", true},
		{"/timeouts/request", "90s", "1m30s", true},
		{"/limits/a/rates/0/window", "24h", "1440m", true},
		{"/connection/bufferLimit", "32Ki", "32768", true},
		{"/rateLimit/local/rules/0/rate", "10r/s", "600r/m", true},
		{"/rateLimit/local/rules/0/rate", "10r/s", "10r/m", false},
		{"/rateLimit/local/rules/0/rate", "10r/s", "10", false},
		{"/requestBuffer/limit", "1Mi", "1024Ki", true},
		{"/timeout/http/requestTimeout", "60s", "2m", false},
		{"/connection/bufferLimit", "1m", "60s", true},
		{"/filters/RequestHeaderModifier/set/x-age/value", "60s", "1m", false},
		{"/headers/set/x-timeout", "60s", "1m", false},
		{"/timeout", "none", "0s", false},
	} {
		leaf := func(text string) *merge.Tree {
			return merge.New(&loader.Value{Shape: loader.String, Text: text}, nil, merge.Form{})
		}
		if got := merge.SameAmount(tt.path, leaf(tt.before), leaf(tt.after)); got != tt.want {
			t.Errorf("%s: %s and %s are equal: %t, want %t", tt.path, tt.before, tt.after, got, tt.want)
		}
	}
}
