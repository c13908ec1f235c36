package plan_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/plan"
)

func TestShortNames(t *testing.T) {
	for names, want := range map[string]string{
		"":                               "",
		".":                              ".",
		"overlays/prod":                  "overlays/prod",
		"overlays/prod overlays/staging": "prod staging",
		"overlays/prod clusters/dev":     "prod dev",
		"a/prod b/prod":                  "a b",
		"a/x/prod b/x/prod c/prod":       "a/x/prod b/x/prod c",
		"clusters/prod/flux-system clusters/dev/flux-system": "prod dev",
		"prod prod/east": "prod east",
		"overlays/prod . overlays/dev overlays/dev": "prod . dev dev",
		"a/../b /": "b /",
	} {
		list := strings.Fields(names)
		short := plan.ShortNames(list)
		got := make([]string, len(list))
		for i, name := range list {
			got[i] = short[name]
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%q is %q, want %q", names, text, want)
		}
	}
}
