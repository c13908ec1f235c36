package chart_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader/chart"
)

// placed renders a chart with values, places them, and lists the scalars that have
// a place.
func placed(t *testing.T, text string, v chart.Values) string {
	t.Helper()
	c, r := load(t, text), renderer()
	out, err := r.Render(c, released(v))
	if err != nil {
		t.Fatal(err)
	}
	before := shown(out)
	r.Place(c, released(v), &out)
	if after := shown(out); after != before {
		t.Errorf("placing made\n%s\nof\n%s", after, before)
	}
	var lines []string
	for _, d := range out.Documents {
		for line := range strings.Lines(places(d.Root, v.Files, 1)) {
			if strings.Contains(line, ".yaml:") {
				lines = append(lines, strings.TrimSpace(line))
			}
		}
	}
	return strings.Join(lines, "\n")
}

// route is a chart with one HTTPRoute.
func route(spec string) string {
	return shop + "-- templates/route.yaml --\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: {{ .Release.Name }}}\nspec:\n" + spec
}

// TestPlace: a value of a release has its line in what comes out. Nothing else has
// one: the values of the chart itself and the template's own text.
func TestPlace(t *testing.T) {
	tests := []struct{ name, chart, values, want string }{
		{"a text", route("  hostnames: ['{{ .Values.host }}']\n"), "\nhost: a.example.com\n", `/spec/hostnames/0 "a.example.com" v.yaml:2:7`},
		{"a number", route("  port: {{ .Values.port }}\n"), "a: 1\nport: 8080\n", `/spec/port 8080 v.yaml:2:7`},
		{"a text in a longer one", route("  host: www.{{ .Values.host }}:443\n"), "host: a.example.com\n", `/spec/host "www.a.example.com:443" v.yaml:1:7`},
		{"two texts in one: the first", route("  host: '{{ .Values.name }}.{{ .Values.domain }}'\n"), "domain: example.com\nname: shop\n", `/spec/host "shop.example.com" v.yaml:2:7`},
		{"one text twice", route("  host: '{{ .Values.name }}.{{ .Values.name }}'\n"), "name: shop\n", `/spec/host "shop.shop" v.yaml:1:7`},
		{"a text that is a template", route("  host: '{{ tpl .Values.host . }}'\n"), "domain: example.com\nhost: '{{ .Release.Name }}.{{ .Values.domain }}'\n", `/spec/host "web.example.com" v.yaml:2:7`},
		{"a list", route("  hostnames: {{ .Values.hosts | toJson }}\n"), "hosts:\n- a.example.com\n- b.example.com\n", "/spec/hostnames/0 \"a.example.com\" v.yaml:2:3\n/spec/hostnames/1 \"b.example.com\" v.yaml:3:3"},
		{
			"a tree", route("  rules: {{ .Values.rules | toYaml | nindent 2 }}\n"), "rules:\n- matches: [{path: {value: /cart}}]\n  backendRefs: [{name: cart, port: 80}]\n",
			"/spec/rules/0/backendRefs/0/name \"cart\" v.yaml:3:24\n/spec/rules/0/backendRefs/0/port 80 v.yaml:3:36\n/spec/rules/0/matches/0/path/value \"/cart\" v.yaml:2:28",
		},
		{"a range over a map", route("  hostnames:\n{{ range $k, $v := .Values.hosts }}  - {{ $v }}\n{{ end }}"), "hosts:\n  b: b.example.com\n  a: a.example.com\n", "/spec/hostnames/0 \"a.example.com\" v.yaml:3:6\n/spec/hostnames/1 \"b.example.com\" v.yaml:2:6"},
		{"a partial", route("  host: {{ include \"host\" . }}\n") + "-- templates/_h.tpl --\n{{ define \"host\" }}{{ .Values.host | lower | trunc 63 | quote }}{{ end }}\n", "host: a.example.com\n", `/spec/host "a.example.com" v.yaml:1:7`},
		{
			"a value of a chart inside", shop + "-- charts/db/Chart.yaml --\n{apiVersion: v2, name: db, version: 1.0.0}\n" + settings("charts/db/templates/x.yaml", "{a: '{{ .Values.a }}', b: '{{ .Values.global.b }}'}"), "db:\n  a: one\nglobal:\n  b: two\n",
			"/data/a \"one\" v.yaml:2:6\n/data/b \"two\" v.yaml:4:6",
		},
		{"a value that replaces the chart's", route("  host: {{ .Values.host }}\n  path: {{ .Values.path }}\n") + "-- values.yaml --\nhost: own.example.com\npath: /own\n", "host: a.example.com\n", `/spec/host "a.example.com" v.yaml:1:7`},
		{"equal texts are told apart", route("  a: {{ .Values.a }}\n  b: {{ .Values.b }}\n"), "b: same\na: same\n", "/spec/a \"same\" v.yaml:2:4\n/spec/b \"same\" v.yaml:1:4"},
		{"equal numbers, too", route("  a: {{ .Values.first }}\n  b: {{ .Values.second }}\n"), "second: 80\nfirst: 80\n", "/spec/a 80 v.yaml:2:8\n/spec/b 80 v.yaml:1:9"},
		{"a number that looks like a mark", route("  a: {{ .Values.first }}\n  b: {{ .Values.second }}\n  c: 20012\n"), "first: 20011\nsecond: 20012\n", "/spec/a 20011 v.yaml:1:8\n/spec/b 20012 v.yaml:2:9"},
		{"a document of several", shop + "-- templates/x.yaml --\nkind: A\n---\n{{ if .Values.b }}\nkind: B\nb: {{ .Values.b }}\n{{ end }}\n---\nkind: C\nc: {{ .Values.c }}\n", "b: one\nc: two\n", "/b \"one\" v.yaml:1:4\n/c \"two\" v.yaml:2:4"},
		{"no values", route("  host: x\n"), "", ""},
		{"an empty text", route("  host: '{{ .Values.host }}'\n"), "host: ''\n", ""},
		{"a boolean", route("  on: {{ .Values.enabled }}\n"), "enabled: true\n", ""},
		{"a text that is computed", route("  host: {{ .Values.host | sha256sum | trunc 8 | quote }}\n"), "host: a\n", ""},
		{"a number in a text", route("  host: 'a:{{ .Values.port }}'\n"), "port: 80\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := placed(t, tt.chart, values(t, "v.yaml", tt.values)); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// TestPlaceFiles: of several files, the one that a value came from.
func TestPlaceFiles(t *testing.T) {
	v := values(t, "base.yaml", "host: base.example.com\nport: 80\n").
		Over(values(t, "prod.yaml", "\n\nhost: prod.example.com\n")).
		Over(values(t, "last.yaml", "path: /x\n"))
	const want = "/spec/host \"prod.example.com\" prod.yaml:3:7\n/spec/port 80 base.yaml:2:7\n/spec/path \"/x\" last.yaml:1:7"
	if got := placed(t, route("  host: {{ .Values.host }}\n  port: {{ .Values.port }}\n  path: {{ .Values.path }}\n"), v); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestPlaceContainers: a map or list stands where its first value does.
func TestPlaceContainers(t *testing.T) {
	c, r, v := load(t, route("  hostnames: ['{{ .Values.host }}']\n  own: [x]\n")), renderer(), values(t, "v.yaml", "\n\nhost: a\n")
	out, err := r.Render(c, released(v))
	if err != nil {
		t.Fatal(err)
	}
	r.Place(c, released(v), &out)
	root := out.Documents[0].Root
	if at := root.Get("spec", "hostnames").Mark; at.Line != 3 || at.File != 1 {
		t.Errorf("the list stands at %v", at)
	}
	if at := root.Get("spec", "own").Mark; at.Line != 0 {
		t.Errorf("the template's own list stands at %v", at)
	}
}

// TestPlaceBreaks: values that decide what is rendered cannot be marked. What came
// out stays, and what can be placed is.
func TestPlaceBreaks(t *testing.T) {
	tests := []struct{ name, chart, values, want string }{
		{"a number is checked: texts are placed", route("  host: {{ .Values.host }}\n  port: {{ .Values.port }}\n{{ if gt (int .Values.port) 10000 }}{{ fail \"no port\" }}{{ end }}"), "host: a.example.com\nport: 80\n", `/spec/host "a.example.com" v.yaml:1:7`},
		{"a text is checked: nothing is", route("  host: {{ .Values.host }}\n{{ if not (hasSuffix \".com\" .Values.host) }}{{ fail \"no host\" }}{{ end }}"), "host: a.example.com\n", ""},
		{"a text decides: its branch is another one", route("{{ if eq .Values.size \"big\" }}  host: {{ .Values.host }}\n{{ else }}  none: 1\n{{ end }}"), "host: a.example.com\nsize: big\n", ""},
		{"a kind is left alone", shop + "-- templates/x.yaml --\nkind: {{ .Values.kind }}\nhost: {{ .Values.host }}\n", "kind: HTTPRoute\nhost: a\n", `/host "a" v.yaml:2:7`},
		{"the name of a key is left alone", route("  host: {{ index .Values.hosts .Values.main }}\n"), "main: blue\nhosts: {blue: a, green: b}\n", `/spec/host "a" v.yaml:2:15`},
		{"the name of a key of the chart is left alone", route("  host: {{ index .Values.hosts .Values.main }}\n") + "-- values.yaml --\nhosts: {blue: a, green: b}\n", "main: blue\n", ""},
		{"another kind comes out", shop + "-- templates/x.yaml --\nkind: {{ if eq .Values.size \"big\" }}A{{ else }}B{{ end }}\nhost: {{ .Values.host }}\n", "host: a\nsize: big\n", ""},
		{"a document is missing", shop + "-- templates/x.yaml --\n{{ if eq .Values.size \"big\" }}\nkind: A\nhost: {{ .Values.host }}\n{{ end }}\n", "host: a\nsize: big\n", ""},
		{"a list has another length", route("  hostnames: {{ splitList \".\" .Values.host | toJson }}\n"), "host: a.b\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := placed(t, tt.chart, values(t, "v.yaml", tt.values)); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
