package parity_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader/helm"
)

var charts = flag.Int("charts", 400, "how many charts TestGeneratedCharts makes")

// TestGeneratedCharts renders charts with subcharts, aliases, conditions, tags, exports,
// global values and nulls, and templates that print all that they see. Half of them at
// least must render: the others show that both refuse the same.
func TestGeneratedCharts(t *testing.T) {
	rendered := 0
	for seed := range *charts {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			g := generator{rand.New(rand.NewPCG(1, uint64(seed)))}
			if equal(t, g.chart("top", 0), g.values([]string{"left", "right", "near"}, 3)) {
				rendered++
			}
		})
	}
	if rendered*2 < *charts {
		t.Errorf("%d of %d charts render", rendered, *charts)
	}
}

type generator struct{ *rand.Rand }

func (g generator) one(of ...string) string { return of[g.IntN(len(of))] }

// chance is true once in n.
func (g generator) chance(n int) bool { return g.IntN(n) == 0 }

// chart makes the files of a chart and of those that it holds.
func (g generator) chart(name string, depth int) []helm.File {
	var files []helm.File
	add := func(name, text string) { files = append(files, helm.File{Name: name, Data: []byte(text)}) }
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: %s\nname: %s\nversion: 1.%d.0\nappVersion: %q\n", g.one("v2", "v2", "v2", "v1"), name, g.IntN(3), g.one("1", "v2.0"))
	if g.chance(8) {
		b.WriteString("type: library\n")
	}
	if g.chance(4) {
		b.WriteString("maintainers: [{name: a, email: b}]\nkeywords: [x, y]\nannotations: {k: v}\n")
	}
	var names []string
	if depth < 2 {
		b.WriteString("dependencies:\n")
		for _, sub := range []string{"left", "right", "near"} {
			if g.chance(3) {
				continue
			}
			for _, f := range g.chart(sub, depth+1) {
				add("charts/"+g.one(sub)+"/"+f.Name, string(f.Data))
			}
			names = append(names, sub)
			for i := range g.IntN(3) {
				names = append(names, g.dependency(&b, sub, i))
			}
		}
		if len(names) == 0 {
			b.WriteString("- {name: gone, version: 1.x.x, repository: \"\"}\n")
		}
	}
	add("Chart.yaml", b.String())
	if !g.chance(6) {
		add("values.yaml", g.values(names, 3))
	}
	if g.chance(3) {
		add("conf/a.txt", "one\ntwo\n")
		add("conf/deep/b.yaml", "k: v")
	}
	add("templates/_lib.tpl", g.namedTemplates(name))
	for i := range 1 + g.IntN(2) {
		add(fmt.Sprintf("templates/t%d.yaml", i), g.template(name))
	}
	return files
}

// dependency writes an entry for a subchart and gives its name or alias.
func (g generator) dependency(b *strings.Builder, name string, i int) string {
	fmt.Fprintf(b, "- name: %s\n  version: %q\n  repository: \"\"\n", name, g.one("1.x.x", "*", ">=1.0.0", "1.1.0", "2.x.x"))
	as := name
	if (i > 0) != g.chance(100) {
		as = fmt.Sprintf("%s%d", name, i)
		fmt.Fprintf(b, "  alias: %s\n", as)
	}
	if g.chance(3) {
		fmt.Fprintf(b, "  condition: %s\n", g.one(as+".on", "flags.on", as+".on,flags.on", "none.on"))
	}
	if g.chance(3) {
		fmt.Fprintf(b, "  tags: [%s]\n", g.one("red", "red, blue", "green"))
	}
	if g.chance(3) {
		fmt.Fprintf(b, "  import-values: [%s]\n", g.one("data", "{child: a, parent: b}", "data, {child: a.b, parent: .}", "{child: none, parent: a}"))
	}
	return as
}

// values makes values, with keys for subcharts among them.
func (g generator) values(subs []string, depth int) string {
	var b strings.Builder
	keys := append([]string{"a", "b", "on", "global", "flags", "tags", "exports", "data", "red", "blue"}, subs...)
	for _, key := range keys {
		if g.chance(2) {
			continue
		}
		fmt.Fprintf(&b, "%s: %s\n", key, g.value(key, depth))
	}
	if b.Len() == 0 {
		return "{}\n"
	}
	return b.String()
}

func (g generator) value(key string, depth int) string {
	switch {
	case key == "on" || key == "red" || key == "blue":
		return g.one("true", "false", "false", "yes please", "null")
	case strings.HasPrefix(key, "left") || strings.HasPrefix(key, "right") || strings.HasPrefix(key, "near") || key == "global" || key == "tags":
		if g.chance(200) {
			return g.one("null", "1", "[]")
		}
	case depth == 0 || g.chance(4):
		return g.one("null", "1", "2.5", "text", `"{{ .Release.Name }}"`, "[1, two]", "true", "1e3", `"null"`, "[]", "{}")
	}
	var inner []string
	for _, key := range []string{"a", "b", "on", "data", "red", "blue"} {
		if g.chance(2) {
			inner = append(inner, key+": "+g.value(key, depth-1))
		}
	}
	return "{" + strings.Join(inner, ", ") + "}"
}

// namedTemplates are those that a chart defines for others, one of them for another chart: which one wins is
// decided by the depth of their folders.
func (g generator) namedTemplates(name string) string {
	text := `{{- define "` + name + `.name" -}}own {{ .Chart.Name }}{{- end -}}
{{- define "values" -}}{{ toYaml .Values }}{{- end -}}
`
	if other := g.one("left", "right", "top"); other != name {
		text += `{{- define "` + other + `.name" -}}of {{ .Chart.Name }}{{- end -}}`
	}
	return text
}

// template prints some of what a template sees, by some of the functions.
func (g generator) template(name string) string {
	var b strings.Builder
	for range 2 + g.IntN(6) {
		b.WriteString(g.one(
			"values: {{ toYaml .Values | nindent 2 }}\n",
			"json: {{ toJson .Values }}\n",
			"pretty: {{ toYamlPretty .Values | nindent 2 }}\n",
			"toml: {{ toToml .Values | quote }}\n",
			"chart: {{ toYaml .Chart | nindent 2 }}\n",
			"release: {{ toYaml .Release | nindent 2 }}\n",
			"template: {{ .Template.Name }} {{ .Template.BasePath }}\n",
			"files: {{ (.Files.Glob \"conf/**\").AsConfig | nindent 2 }}\n",
			"secrets: {{ (.Files.Glob \"conf/*\").AsSecrets | nindent 2 }}\n",
			"lines: {{ range .Files.Lines \"conf/a.txt\" }}[{{ . }}]{{ end }} {{ .Files.Get \"none\" }}\n",
			"sub: {{ range $k, $v := .Subcharts }}{{ $k }}={{ $v.Chart.Name }}:{{ toJson $v.Values }} {{ end }}\n",
			"root: {{ .Chart.IsRoot }} {{ .Chart.Missing }} {{ .Values.missing }}\n",
			"tpl: {{ tpl (toYaml .Values) . | nindent 2 }}\n",
			"tpl2: {{ tpl \"{{ define \\\"x\\\" }}in{{ end }}{{ include \\\"x\\\" . }}\" . }}\n",
			"include: {{ include \"values\" . | nindent 2 }}\n",
			"own: {{ include \""+name+".name\" . }}\n",
			"caps: {{ .Capabilities.KubeVersion }} {{ .Capabilities.KubeVersion.Minor }} {{ .Capabilities.APIVersions.Has \"apps/v1\" }} {{ .Capabilities.HelmVersion.Version }}\n",
			"global: {{ toJson .Values.global }}\n",
			"default: {{ .Values.a | default \"none\" }} {{ dig \"b\" \"c\" \"d\" (dict \"b\" .Values.global) }}\n",
			"required: {{ required \"needed\" (.Values.a | default .Chart.Name) }}\n",
			"yaml: {{ fromYaml \"a: [1, 2]\" | toJson }} {{ fromYaml \"a: [\" | toJson }} {{ fromYamlArray \"- 1\" | toJson }}\n",
			"fromjson: {{ fromJson \"{\\\"a\\\": 1}\" | toJson }} {{ fromJsonArray \"x\" | len }}\n",
			"fromtoml: {{ fromToml \"a = 1\" | toJson }}\n",
			"durations: {{ durationSeconds \"1h2m\" }} {{ durationDays 86400 }} {{ durationRoundTo \"2h13m\" \"1h\" }} {{ durationMilliseconds \"x\" }} {{ mustToDuration 2.5 }}\n",
			"range: {{ range $k, $v := .Values }}{{ $k }}:{{ kindOf $v }} {{ end }}\n",
			"lookup: {{ lookup \"v1\" \"Secret\" \"a\" \"b\" | toJson }}\n",
			"semver: {{ semverCompare \">=1.30\" .Capabilities.KubeVersion.Version }}\n",
		))
	}
	if g.chance(40) {
		b.WriteString(g.one("{{ fail \"no\" }}", "{{ .Values.a.b.c }}", "{{ include \"nothing\" . }}", "{{ if }}"))
	}
	return b.String()
}
