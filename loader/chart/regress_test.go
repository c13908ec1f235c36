package chart_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader/chart"
)

// TestAliasTwice: one chart under two names shares its files.
func TestAliasTwice(t *testing.T) {
	c := load(t, "-- Chart.yaml --\n{apiVersion: v2, name: shop, version: 1.2.3, dependencies: [{name: db, version: 1.0.0, alias: a}, {name: db, version: 1.0.0, alias: b}]}\n"+
		"-- charts/db/Chart.yaml --\n{apiVersion: v2, name: db, version: 1.0.0}\n"+settings("charts/db/templates/x.yaml", "{chart: {{ .Chart.Name }}}"))
	var got []string
	for _, d := range rendered(t, c, released(chart.Values{})).Documents {
		got = append(got, show(d.Root.Get("data")))
	}
	if text := strings.Join(got, " "); text != `{chart: "a"} {chart: "b"}` {
		t.Error(text)
	}
}

// TestPlaceMark: a value that looks like a mark ends.
func TestPlaceMark(t *testing.T) {
	for _, host := range []string{"gwplanmark1x", "gwplanmark1xgwplanmark1x", "agwplanmark1x", "gwplanmark2x"} {
		if got := placed(t, route("  host: {{ .Values.host }}\n"), values(t, "v.yaml", "host: "+host+"\n")); got != `/spec/host "`+host+`" v.yaml:1:7` {
			t.Errorf("%s: got %s", host, got)
		}
	}
}

// TestPlaceRoot: the document itself is its template's, whichever values are in it.
func TestPlaceRoot(t *testing.T) {
	c, r, v := load(t, route("  host: {{ .Values.host }}\n")), renderer(), values(t, "v.yaml", "host: a\n")
	out, err := r.Render(c, released(v))
	if err != nil {
		t.Fatal(err)
	}
	r.Place(c, released(v), &out)
	if at := out.Documents[0].Root.Mark; at.Line != 0 {
		t.Errorf("the document stands at %v", at)
	}
}

// TestStack: calls and branches together may not overflow the stack, which ends the
// process. Each of these texts is refused.
func TestStack(t *testing.T) {
	nested := func(n int, inner string) string {
		return strings.Repeat("{{if 1}}", n) + inner + strings.Repeat("{{end}}", n)
	}
	for _, text := range []string{
		`{{ define "a" }}` + nested(10, `{{ template "a" . }}`) + `{{ end }}{{ template "a" . }}`,
		`{{ define "a" }}` + nested(199, `{{ include "a" . }}`) + `{{ end }}{{ include "a" . }}`,
		`{{ define "a" }}` + nested(50_000, `{{ include "a" . }}`) + `{{ end }}{{ include "a" . }}`,
		`{{ tpl (repeat 200000 "{{if 1}}") . }}`,
	} {
		if out, err := renderer().Render(load(t, shop+"-- templates/x.yaml --\n"+text+"\n"), released(chart.Values{})); err == nil {
			t.Errorf("%.60s gave %s", text, shown(out))
		}
	}
}
