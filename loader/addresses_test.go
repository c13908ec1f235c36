package loader_test

import (
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

func TestEqualInEffect(t *testing.T) {
	parse := func(text string) *loader.Value {
		values, problems := manifest.Parse([]byte(text), manifest.Limits{})
		if len(problems) > 0 || len(values) != 1 {
			t.Fatal(text, problems)
		}
		return values[0]
	}
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"{cidrs: [10.0.0.0/8, 192.0.2.1]}", "{cidrs: [192.0.2.1, 10.0.0.0/8]}", true},
		{"{cidrs: [10.0.0.0/8]}", "{cidrs: [10.1.0.0/16, 10.0.0.0/8, 10.0.0.0/8]}", true},
		{"{cidrs: [10.0.0.7/8]}", "{cidrs: [10.0.0.0/8]}", true},
		{"{cidrs: [192.0.2.1]}", "{cidrs: [192.0.2.1/32]}", true},
		{"{cidrs: [10.0.0.0/8]}", "{cidrs: [10.0.0.0/9]}", false},
		{"{cidrs: [10.0.0.0/9, 10.128.0.0/9]}", "{cidrs: [10.0.0.0/8]}", false}, // equal, but hardly written so
		{"{cidrs: ['2001:db8::/32', 10.0.0.0/8]}", "{cidrs: [10.0.0.0/8, '2001:db8::/32']}", true},
		{"{cidrs: ['::ffff:10.0.0.0/104']}", "{cidrs: [10.0.0.0/8]}", false},
		{"{upstreams: [10.0.0.1, 10.0.0.2]}", "{upstreams: [10.0.0.2, 10.0.0.1]}", false},
		{"{config: {ips: [10.0.0.1, 10.0.0.2]}}", "{config: {ips: [10.0.0.2, 10.0.0.1]}}", false},
		{"{sourceRange: [10.0.0.1, 10.0.0.2]}", "{sourceRange: [10.0.0.2, 10.0.0.1]}", true},
		{"{cidrs: [a, b]}", "{cidrs: [b, a]}", false},
		{"{cidrs: [10.0.0.0/8, a]}", "{cidrs: [a, 10.0.0.0/8]}", false},
		{"{cidrs: []}", "{cidrs: [10.0.0.0/8]}", false},
		{"{cidrs: [{ips: [10.0.0.1, 10.0.0.2]}], z: 1}", "{z: 1, cidrs: [{ips: [10.0.0.2, 10.0.0.1]}]}", true},
		{"{cidrs: 1}", "{cidrs: 1, y: 2}", false},
		{"{cidrs: 1, y: 2}", "{cidrs: 1, z: 2}", false},
	} {
		a, b := parse(tt.a), parse(tt.b)
		if got := loader.EqualInEffect(nil, a, b); got != tt.want {
			t.Errorf("%s and %s: got %t", tt.a, tt.b, got)
		}
		if loader.EqualInEffect(nil, a, b) != loader.EqualInEffect(nil, b, a) {
			t.Errorf("%s and %s: not symmetric", tt.a, tt.b)
		}
	}
}
