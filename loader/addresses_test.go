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
		{"{x: [10.0.0.0/8, 192.0.2.1]}", "{x: [192.0.2.1, 10.0.0.0/8]}", true},
		{"{x: [10.0.0.0/8]}", "{x: [10.1.0.0/16, 10.0.0.0/8, 10.0.0.0/8]}", true},
		{"{x: [10.0.0.7/8]}", "{x: [10.0.0.0/8]}", true},
		{"{x: [192.0.2.1]}", "{x: [192.0.2.1/32]}", true},
		{"{x: [10.0.0.0/8]}", "{x: [10.0.0.0/9]}", false},
		{"{x: [10.0.0.0/9, 10.128.0.0/9]}", "{x: [10.0.0.0/8]}", false}, // equal, but hardly written so
		{"{x: ['2001:db8::/32', 10.0.0.0/8]}", "{x: [10.0.0.0/8, '2001:db8::/32']}", true},
		{"{x: ['::ffff:10.0.0.0/104']}", "{x: [10.0.0.0/8]}", false},
		{"{x: [a, b]}", "{x: [b, a]}", false},
		{"{x: [10.0.0.0/8, a]}", "{x: [a, 10.0.0.0/8]}", false},
		{"{x: []}", "{x: [10.0.0.0/8]}", false},
		{"{x: [{y: [10.0.0.1, 10.0.0.2]}], z: 1}", "{z: 1, x: [{y: [10.0.0.2, 10.0.0.1]}]}", true},
		{"{x: 1}", "{x: 1, y: 2}", false},
		{"{x: 1, y: 2}", "{x: 1, z: 2}", false},
	} {
		a, b := parse(tt.a), parse(tt.b)
		if got := loader.EqualInEffect(a, b); got != tt.want {
			t.Errorf("%s and %s: got %t", tt.a, tt.b, got)
		}
		if loader.EqualInEffect(a, b) != loader.EqualInEffect(b, a) {
			t.Errorf("%s and %s: not symmetric", tt.a, tt.b)
		}
	}
}
