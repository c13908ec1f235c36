package chart_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/gotemplate"
	"github.com/gwplan/gwplan/loader/manifest"
)

// shop begins every chart that is called shop.
const shop = "-- Chart.yaml --\n{apiVersion: v2, name: shop, version: 1.2.3, appVersion: v9}\n"

// files reads the files of a chart from a txtar archive.
func files(text string) []chart.File {
	var out []chart.File
	for _, f := range txtar.Parse([]byte(text)).Files {
		out = append(out, chart.File{Name: f.Name, Data: f.Data})
	}
	return out
}

func load(t *testing.T, text string) *chart.Chart {
	t.Helper()
	c, err := chart.Load(files(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// values reads values as they stand in a file.
func values(t *testing.T, file, text string) chart.Values {
	t.Helper()
	docs, problems := manifest.Parse([]byte(text), manifest.Limits{})
	if len(problems) > 0 || len(docs) > 1 {
		t.Fatalf("%s: %d documents, %v", file, len(docs), problems)
	}
	if len(docs) == 0 {
		return chart.Values{}
	}
	return chart.Values{Root: docs[0], Files: []string{file}}
}

// released is the chart's release in the namespace bakery.
func released(v chart.Values) chart.Release {
	return chart.Release{Name: "web", Namespace: "bakery", Values: v}
}

func renderer() *chart.Renderer { return chart.NewRenderer(manifest.Limits{}) }

func rendered(t *testing.T, c *chart.Chart, r chart.Release) chart.Output {
	t.Helper()
	out, err := renderer().Render(c, r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// show writes a value on one line.
func show(v *loader.Value) string {
	if v == nil {
		return "nothing"
	}
	var parts []string
	switch v.Shape {
	case loader.Map:
		for _, f := range v.Fields {
			parts = append(parts, f.Key+": "+show(f.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case loader.List:
		for _, item := range v.Items {
			parts = append(parts, show(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case loader.Null:
		return "null"
	case loader.String:
		if v.Opaque {
			return "unknown"
		}
		return fmt.Sprintf("%q", v.Text)
	case loader.Bool, loader.Int, loader.Float:
	}
	return v.Text
}

// shown are the documents of an output, a line each: template and name.
func shown(out chart.Output) string {
	var lines []string
	for _, d := range out.Documents {
		lines = append(lines, d.Template+" "+d.Root.Str("kind")+" "+d.Root.Str("metadata", "name"))
	}
	return strings.Join(lines, "\n")
}

// data is that of the only document.
func data(t *testing.T, out chart.Output) string {
	t.Helper()
	if len(out.Documents) != 1 {
		t.Fatalf("%d documents: %s", len(out.Documents), shown(out))
	}
	return show(out.Documents[0].Root.Get("data"))
}

// settings is a template that prints data.
func settings(name, data string) string {
	return "-- " + name + " --\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: " + data + "\n"
}

// packed packs files under a folder, as helm package does.
func packed(t *testing.T, dir string, list []chart.File) []byte {
	t.Helper()
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	archive := tar.NewWriter(zip)
	for _, f := range list {
		if err := archive.WriteHeader(&tar.Header{Name: dir + "/" + f.Name, Mode: 0o644, Size: int64(len(f.Data))}); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write(f.Data); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestValues(t *testing.T) {
	tests := []struct{ name, chart, values, want string }{
		{
			"the release's over the chart's, deep", settings("templates/x.yaml", "{{ .Values | toJson }}") + "-- values.yaml --\n{a: {b: 1, c: 2}, l: [1, 2], s: own}\n",
			"{a: {c: 3}, l: [4], s: its}", `{a: {b: 1, c: 3}, l: [4], s: "its"}`,
		},
		{
			"null takes a default away", settings("templates/x.yaml", "{{ .Values | toJson }}") + "-- values.yaml --\n{a: {b: 1, c: 2}, d: 3}\n",
			"{a: {b: null}, d: null}", `{a: {c: 2}}`,
		},
		{"no values at all", settings("templates/x.yaml", "{{ .Values | toJson }}") + "-- values.yaml --\n{a: 1}\n", "", `{a: 1}`},
		{"numbers are those of Helm", settings("templates/x.yaml", `{a: "{{ kindOf .Values.a }}", b: "{{ .Values.a }}", c: {{ .Values.a | int }}}`), "{a: 8080}", `{a: "float64", b: "8080", c: 8080}`},
		{"the release", settings("templates/x.yaml", "{a: {{ .Release.Name }}, b: {{ .Release.Namespace }}, c: {{ .Release.Service }}, d: {{ .Release.IsInstall }}, e: {{ .Release.Revision }}}"), "", `{a: "web", b: "bakery", c: "Helm", d: true, e: 1}`},
		{"the chart", settings("templates/x.yaml", "{a: {{ .Chart.Name }}, b: {{ .Chart.Version }}, c: {{ .Chart.AppVersion }}, d: {{ .Template.Name }}}"), "", `{a: "shop", b: "1.2.3", c: "v9", d: "shop/templates/x.yaml"}`},
		{"a file of the chart", settings("templates/x.yaml", `{{ .Files.Get "conf/a.json" }}`) + "-- conf/a.json --\n{\"k\": 1}\n", "", `{k: 1}`},
		{"what is missing is empty", settings("templates/x.yaml", `{a: "{{ .Values.none }}", b: "{{ tpl "{{ .Values.none }}" . }}"}`), "", `{a: "", b: ""}`},
		{"a partial", settings("templates/x.yaml", `{a: {{ include "host" . }}}`) + "-- templates/_h.tpl --\n{{ define \"host\" }}{{ .Values.host | upper }}{{ end }}\n", "{host: a}", `{a: "A"}`},
		{"a text that is a template", settings("templates/x.yaml", `{a: {{ tpl .Values.a . }}}`), `{a: "{{ .Release.Name }}.{{ .Values.d }}", d: example.com}`, `{a: "web.example.com"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := load(t, shop+tt.chart)
			if got := data(t, rendered(t, c, released(values(t, "values.yaml", tt.values)))); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestSubcharts: conditions, tags, aliases, globals and imports decide what a chart
// inside another one gets and whether it is there.
func TestSubcharts(t *testing.T) {
	sub := "-- charts/db/Chart.yaml --\n{apiVersion: v2, name: db, version: 1.0.0}\n-- charts/db/values.yaml --\n{port: 5432, exports: {up: {dbPort: 1}}}\n" +
		settings("charts/db/templates/x.yaml", "{chart: {{ .Chart.Name }}, port: {{ .Values.port }}, domain: {{ .Values.global.domain | default \"none\" }}}")
	needs := func(more string) string {
		return "-- Chart.yaml --\napiVersion: v2\nname: shop\nversion: 1.2.3\ndependencies:\n" + more + sub
	}
	tests := []struct{ name, chart, values, want string }{
		{"its own values and the globals", needs("- {name: db, version: 1.x.x}\n"), "{db: {port: 1}, global: {domain: a.example}}", `{chart: "db", port: 1, domain: "a.example"}`},
		{"its defaults", needs("- {name: db, version: 1.x.x}\n"), "", `{chart: "db", port: 5432, domain: "none"}`},
		{"an alias", needs("- {name: db, version: 1.x.x, alias: cache}\n"), "{cache: {port: 2}, db: {port: 1}}", `{chart: "cache", port: 2, domain: "none"}`},
		{"a condition that holds", needs("- {name: db, version: 1.x.x, condition: db.enabled}\n"), "{db: {enabled: true}}", `{chart: "db", port: 5432, domain: "none"}`},
		{"a condition that does not", needs("- {name: db, version: 1.x.x, condition: db.enabled}\n"), "{db: {enabled: false}}", ""},
		{"a condition of the chart's own values", needs("- {name: db, version: 1.x.x, condition: db.enabled}\n") + "-- values.yaml --\n{db: {enabled: false}}\n", "", ""},
		{"the first of two conditions counts", needs("- {name: db, version: 1.x.x, condition: 'a.enabled,b.enabled'}\n"), "{a: {enabled: false}, b: {enabled: true}}", ""},
		{"a tag that is off", needs("- {name: db, version: 1.x.x, tags: [back]}\n"), "{tags: {back: false}}", ""},
		{"a condition over a tag", needs("- {name: db, version: 1.x.x, tags: [back], condition: db.enabled}\n"), "{tags: {back: false}, db: {enabled: true}}", `{chart: "db", port: 5432, domain: "none"}`},
		{"one that Chart.yaml does not name", shop + sub, "", `{chart: "db", port: 5432, domain: "none"}`},
		{"values imported from it", strings.Replace(needs("- {name: db, version: 1.x.x, import-values: [up]}\n"), "-- charts/db/templates/x.yaml", "-- charts/db/templates/_x", 1) +
			settings("templates/y.yaml", "{port: {{ .Values.dbPort }}}"), "", `{port: 1}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := rendered(t, load(t, tt.chart), released(values(t, "values.yaml", tt.values)))
			if tt.want == "" && len(out.Documents) == 0 {
				return
			}
			if got := data(t, out); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestWhatIsApplied: which of the files and objects of a chart reach the cluster.
func TestWhatIsApplied(t *testing.T) {
	named := func(file, name, annotations string) string {
		return "-- " + file + " --\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", annotations: {" + annotations + "}}\n"
	}
	hook := func(events string) string { return `"helm.sh/hook": "` + events + `"` }
	c := load(t, shop+
		named("templates/plain.yaml", "plain", "")+
		named("templates/sub/dir/deep.yaml", "deep", "")+
		named("templates/install.yaml", "install", hook("post-install,post-upgrade"))+
		named("templates/test.yaml", "test", hook("test"))+
		named("templates/tests/success.yaml", "success", hook("test-success"))+
		named("templates/delete.yaml", "delete", hook("pre-delete, post-delete"))+
		named("templates/rollback.yaml", "rollback", hook("pre-rollback"))+
		named("templates/both.yaml", "both", hook("test, pre-upgrade"))+
		named("templates/NOTES.txt", "notes", "")+
		named("templates/_partial.yaml", "partial", "")+
		named("crds/crd.yaml", "crd", "")+
		named("elsewhere/x.yaml", "elsewhere", "")+
		named("charts/sub/templates/NOTES.txt", "notes", "")+
		named("charts/sub/templates/x.yaml", "sub", "")+
		named("charts/sub/crds/y.yaml", "sub-crd", "")+
		"-- charts/sub/Chart.yaml --\n{apiVersion: v2, name: sub, version: 1.0.0}\n"+
		"-- templates/empty.yaml --\n{{ if false }}\nkind: X\n{{ end }}\n"+
		"-- templates/list.yaml --\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Service, metadata: {name: one}}\n- {apiVersion: v1, kind: Service, metadata: {name: two}}\n"+
		"-- templates/three.yaml --\nkind: A\nmetadata: {name: a}\n---\n# nothing\n---\nkind: B\nmetadata: {name: b}\n")
	const want = `charts/sub/templates/x.yaml ConfigMap sub
templates/both.yaml ConfigMap both
templates/install.yaml ConfigMap install
templates/list.yaml Service one
templates/list.yaml Service two
templates/plain.yaml ConfigMap plain
templates/sub/dir/deep.yaml ConfigMap deep
templates/three.yaml A a
templates/three.yaml B b`
	r := released(chart.Values{})
	if got := shown(rendered(t, c, r)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	r.CRDs = true
	var crds []string
	for line := range strings.Lines(shown(rendered(t, c, r))) {
		if strings.Contains(line, "crd") {
			crds = append(crds, strings.TrimSpace(line))
		}
	}
	if got := strings.Join(crds, "\n"); got != "charts/sub/crds/y.yaml ConfigMap sub-crd\ncrds/crd.yaml ConfigMap crd" {
		t.Errorf("with CRDs: %s", got)
	}
}

// TestSurroundings: charts see a cluster with Gateway API and nothing else.
func TestSurroundings(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"Gateway API is served", `{a: {{ .Capabilities.APIVersions.Has "gateway.networking.k8s.io/v1" }}, b: {{ .Capabilities.APIVersions.Has "gateway.networking.k8s.io/v1/HTTPRoute" }}, c: {{ .Capabilities.APIVersions.Has "gateway.networking.k8s.io/v1alpha2/TCPRoute" }}}`, `{a: true, b: true, c: true}`},
		{"so is what Kubernetes has", `{a: {{ .Capabilities.APIVersions.Has "apps/v1" }}}`, `{a: true}`},
		{"other groups are not", `{a: {{ .Capabilities.APIVersions.Has "monitoring.coreos.com/v1" }}}`, `{a: false}`},
		{"a version", `{a: {{ semverCompare ">=1.31-0" .Capabilities.KubeVersion.Version }}, b: "{{ .Capabilities.KubeVersion.Minor }}"}`, `{a: true, b: "36"}`},
		{"no names are resolved", `{a: "{{ getHostByName "localhost" }}"}`, `{a: ""}`},
		{"nothing is random", `{a: "{{ randAlphaNum 4 }}", b: "{{ uuidv4 }}", c: "{{ now | date "2006" }}"}`, `{a: "0000", b: "00000000-0000-4000-8000-000000000000", c: "1970"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := rendered(t, load(t, shop+settings("templates/x.yaml", tt.data)), released(chart.Values{}))
			if got := data(t, out); got != tt.want {
				t.Errorf("got %s; want %s", got, tt.want)
			}
		})
	}
}

func TestLookup(t *testing.T) {
	c := load(t, shop+settings("templates/x.yaml", `{a: {{ len (lookup "v1" "Secret" "bakery" "x") }}, b: "{{ (lookup "v1" "Secret" "" "").items }}", c: "{{ dig "data" "key" "new" (lookup "v1" "Secret" "bakery" "x") }}"}`))
	out := rendered(t, c, released(chart.Values{}))
	if got := data(t, out); got != `{a: 0, b: "", c: "new"}` {
		t.Errorf("got %s", got)
	}
	if len(out.Asks) != 1 || out.Asks[0].Function != "lookup" || !slices.Equal(out.Asks[0].Kinds, []chart.Kind{{Name: "ConfigMap"}}) {
		t.Errorf("got %v", out.Asks)
	}
}

// TestRefused: what cannot be rendered is an error that names the template, where
// there is one to name.
func TestRefused(t *testing.T) {
	aliases := "b: &b '" + strings.Repeat("x", 1<<17) + "'\na: [" + strings.Repeat("*b,", 200) + "]\n"
	tests := []struct{ name, chart, want string }{
		{"aliases in a text of a template", settings("templates/x.yaml", `{a: {{ .Files.Get "a.yaml" | fromYaml | len }}}`) + "-- a.yaml --\n" + aliases, "more than 16777216 bytes once its aliases are written out"},
		{"aliases in a list of a template", settings("templates/x.yaml", `{a: {{ .Files.Get "a.yaml" | fromYamlArray | len }}}`) + "-- a.yaml --\n" + strings.NewReplacer("b: &b", "- &b", "a: [", "- [").Replace(aliases), "more than 16777216 bytes"},
		{"no environment", settings("templates/x.yaml", `{a: {{ env "HOME" }}}`), `templates/x.yaml`},
		{"no environment in a text", settings("templates/x.yaml", `{a: {{ expandenv "$HOME" }}}`), `"expandenv" not defined`},
		{"no environment in tpl", settings("templates/x.yaml", `{a: {{ tpl "{{ env \"HOME\" }}" . }}}`), `"env" not defined`},
		{"tpl of itself", settings("templates/x.yaml", `{a: {{ tpl .Values.t . }}}`) + "-- values.yaml --\nt: '{{ tpl .Values.t . }}'\n", "deeper than 200 levels"},
		{"include of itself", settings("templates/x.yaml", `{a: {{ include "a" . }}}`) + "-- templates/_a.tpl --\n{{ define \"a\" }}{{ include \"a\" . }}{{ end }}\n", "deeper than 200 levels"},
		{"an endless range", settings("templates/x.yaml", `{a: {{ range 1000000000000 }}{{ end }}}`), "more than 500000 steps"},
		{"an endless range in tpl", settings("templates/x.yaml", `{a: {{ tpl .Values.t . }}}`) + "-- values.yaml --\nt: '{{ range 1000000000000 }}{{ end }}'\n", "more than 500000 steps"},
		{"a huge text", settings("templates/x.yaml", `{a: {{ repeat 1000000000 "x" }}}`), "more than 134217728 bytes"},
		{"a template that ends it", settings("templates/x.yaml", `{a: {{ fail "the host is missing" }}}`), "the host is missing"},
		{"a value that is required", settings("templates/x.yaml", `{a: {{ required "set .Values.host" .Values.host }}}`), "set .Values.host"},
		{"a template that is none", settings("templates/x.yaml", `{a: {{ if }}}`), "missing value for if"},
		{"a function that is none", settings("templates/x.yaml", `{a: {{ nothing }}}`), `"nothing" not defined`},
		{"an include of nothing", settings("templates/x.yaml", `{a: {{ include "none" . }}}`), `no template "none"`},
		{"a field of a text", settings("templates/x.yaml", `{a: {{ .Release.Name.Of.It }}}`), "can't evaluate field Of"},
		{"calls of our own", settings("templates/x.yaml", `{a: {{ gwplanStep 1 }}}`), "none of its functions"},
		{"a value where a chart's table is", "-- charts/db/Chart.yaml --\n{apiVersion: v2, name: db, version: 1.0.0}\n-- values.yaml --\ndb: text\n", "type mismatch on db"},
	}
	for _, tt := range tests {
		if testing.Short() && strings.HasPrefix(tt.name, "an endless range") {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			out, err := renderer().Render(load(t, shop+tt.chart), released(chart.Values{}))
			if err == nil {
				t.Fatalf("gave %s", shown(out))
			}
			if text := err.Error(); !strings.Contains(text, tt.want) || len(text) > 500 || strings.Contains(text, "\n") {
				t.Errorf("got %q, want one line with %q", text, tt.want)
			}
		})
	}
}

// TestLimits: the caller decides how much a chart may cost.
func TestLimits(t *testing.T) {
	c := load(t, shop+settings("templates/x.yaml", `{a: "{{ range 100 }}x{{ end }}"}`))
	for _, limits := range []gotemplate.Limits{{Steps: 50, Bytes: 1 << 20, Depth: 9}, {Steps: 1000, Bytes: 50, Depth: 9}} {
		r := renderer()
		r.Limits = limits
		if out, err := r.Render(c, released(chart.Values{})); err == nil {
			t.Errorf("%v: gave %s", limits, shown(out))
		}
	}
	if out := rendered(t, c, released(chart.Values{})); len(out.Documents) != 1 {
		t.Error(shown(out))
	}
}

// TestNoYAML: what is not valid YAML costs its own template alone.
func TestNoYAML(t *testing.T) {
	out := rendered(t, load(t, shop+settings("templates/a.yaml", "{a: 1}")+"-- templates/b.yaml --\na: b: c\n"+
		"-- charts/db/Chart.yaml --\n{apiVersion: v2, name: db, version: 1.0.0}\n-- charts/db/templates/c.yaml --\n\tx: [\n"), released(chart.Values{}))
	var got []string
	for _, p := range out.Problems {
		got = append(got, p.Template)
		if p.Message == "" {
			t.Errorf("%s: no message", p.Template)
		}
	}
	if want := []string{"charts/db/templates/c.yaml", "templates/b.yaml"}; !slices.Equal(got, want) {
		t.Errorf("problems of %q, want %q", got, want)
	}
	if got := shown(out); got != "templates/a.yaml ConfigMap x" {
		t.Error(got)
	}
}

// TestSteady: equal input gives equal output, whatever order maps have.
func TestSteady(t *testing.T) {
	text := shop + "-- values.yaml --\nhosts: {a: 1, b: 2, c: 3, d: 4, e: 5, f: 6}\n" +
		settings("templates/x.yaml", `{k: {{ keys .Values.hosts | toJson }}, v: {{ values .Values.hosts | toJson }}, n: {{ now | unixEpoch }}, u: "{{ uuidv4 }}", s: "{{ shuffle "abcdef" }}", c: "{{ (genSelfSignedCert "x" nil nil 1).Cert }}", t: {{ include "who" . }}, d: {{ include "names" . | fromYaml | toJson }}}`) +
		"-- templates/_n.tpl --\n{{ define \"names\" }}{{ range $k, $v := .Values.hosts }}\n{{ $k }}: {{ $v }}{{ end }}{{ end }}\n"
	// Three charts define one template; the same one wins each time.
	for _, name := range []string{"a", "b", "c"} {
		text += fmt.Sprintf("-- charts/%s/Chart.yaml --\n{apiVersion: v2, name: %s, version: 1.0.0}\n-- charts/%s/templates/_w.tpl --\n{{ define \"who\" }}%s{{ end }}\n", name, name, name, name)
		text += settings("charts/"+name+"/templates/x.yaml", "{a: "+name+"}")
	}
	var first string
	for i := range 20 {
		list := files(text)
		// Neither does the order of the files count.
		if i%2 == 1 {
			slices.Reverse(list)
		}
		c, err := chart.Load(list)
		if err != nil {
			t.Fatal(err)
		}
		out := rendered(t, c, released(chart.Values{}))
		got := shown(out)
		for _, d := range out.Documents {
			got += "\n" + show(d.Root)
		}
		if i == 0 {
			first = got
		}
		if got != first {
			t.Fatalf("run %d gave\n%s\nand the first\n%s", i, got, first)
		}
	}
	if strings.Count(first, "\n") != 7 {
		t.Error(first)
	}
}

// TestRendererTwice: a chart is not changed by rendering it, and one renderer
// serves several.
func TestRendererTwice(t *testing.T) {
	r := renderer()
	a := load(t, shop+settings("templates/x.yaml", `{a: "{{ .Values.a }}"}`)+"-- values.yaml --\na: own\n")
	b := load(t, shop+settings("templates/x.yaml", `{a: "{{ .Values.a }}"}`)+"-- values.yaml --\na: other\n")
	for _, tt := range []struct {
		chart        *chart.Chart
		values, want string
	}{{a, "", `{a: "own"}`}, {a, "a: 1", `{a: "1"}`}, {b, "", `{a: "other"}`}, {a, "", `{a: "own"}`}} {
		out, err := r.Render(tt.chart, released(values(t, "v.yaml", tt.values)))
		if err != nil {
			t.Fatal(err)
		}
		if got := data(t, out); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

// TestDigest: everything that decides what comes out, and where it stands,
// counts.
func TestDigest(t *testing.T) {
	text := shop + settings("templates/x.yaml", "{}") + "-- values.yaml --\na: 1\n"
	base := released(values(t, "v.yaml", "a: 1"))
	seen := map[[32]byte]string{load(t, text).Digest(base): "the first"}
	add := func(what string, sum [32]byte) {
		if other, ok := seen[sum]; ok {
			t.Errorf("%s and %s have one digest", what, other)
		}
		seen[sum] = what
	}
	c := load(t, text)
	if c.Digest(base) != load(t, text).Digest(released(values(t, "v.yaml", "a: 1"))) {
		t.Error("equal releases have two digests")
	}
	for what, r := range map[string]chart.Release{
		"the name":       {Name: "w", Namespace: "bakery", Values: base.Values},
		"the namespace":  {Name: "web", Namespace: "b", Values: base.Values},
		"CRDs":           {Name: "web", Namespace: "bakery", Values: base.Values, CRDs: true},
		"no values":      {Name: "web", Namespace: "bakery"},
		"the file":       released(values(t, "w.yaml", "a: 1")),
		"the line":       released(values(t, "v.yaml", "\na: 1")),
		"the shape":      released(values(t, "v.yaml", "a: '1'")),
		"the key":        released(values(t, "v.yaml", "b: 1")),
		"a null":         released(values(t, "v.yaml", "a:")),
		"a list of one":  released(values(t, "v.yaml", "a: [1]")),
		"a list of two":  released(values(t, "v.yaml", "a: [1, 2]")),
		"a list in list": released(values(t, "v.yaml", "a: [[1, 2]]")),
	} {
		add(what, c.Digest(r))
	}
	add("a template", load(t, strings.Replace(text, "name: x", "name: y", 1)).Digest(base))
	add("the name of a template", load(t, strings.Replace(text, "templates/x", "templates/y", 1)).Digest(base))
	add("the chart's values", load(t, strings.Replace(text, "a: 1\n", "a: 2\n", 1)).Digest(base))
	add("no values of the chart", c.Bare().Digest(base))
}

// TestBare: a chart without values of its own keeps those of the charts in it.
func TestBare(t *testing.T) {
	text := shop + "-- values.yaml --\n{a: 1, b: 2}\n" + settings("templates/x.yaml", "{{ omit .Values \"db\" \"global\" | toJson }}") +
		"-- charts/db/Chart.yaml --\n{apiVersion: v2, name: db, version: 1.0.0}\n-- charts/db/values.yaml --\nport: 5432\n" + settings("charts/db/templates/x.yaml", "{port: {{ .Values.port }}}")
	c := load(t, text)
	for _, tt := range []struct {
		chart *chart.Chart
		want  string
	}{{c.Bare(), `{port: 5432}, {b: 3}`}, {c, `{port: 5432}, {a: 1, b: 3}`}} {
		var got []string
		for _, d := range rendered(t, tt.chart, released(values(t, "v.yaml", "b: 3"))).Documents {
			got = append(got, show(d.Root.Get("data")))
		}
		if text := strings.Join(got, ", "); text != tt.want {
			t.Errorf("got %s, want %s", text, tt.want)
		}
	}
}

// TestErrorsRepeatNoValues: a name that a template computes from values may be a secret.
func TestErrorsRepeatNoValues(t *testing.T) {
	for _, template := range []string{
		`{a: {{ include .Values.password . }}}`,
		`{a: {{ tpl (print "{{ no" .Values.password " }}") . }}}`,
	} {
		c := load(t, shop+settings("templates/x.yaml", template)+"-- values.yaml --\npassword: hunter2\n")
		if out, err := renderer().Render(c, released(chart.Values{})); err == nil || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), "x.yaml") {
			t.Errorf("%s: got %v %s", template, err, shown(out))
		}
	}
}
