package chart_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader/chart"
)

// db is a small chart, to stand inside others.
func db(more string) []chart.File {
	return files("-- Chart.yaml --\n{apiVersion: v2, name: db, version: 1.0.0}\n" + settings("templates/x.yaml", "{chart: {{ .Chart.Name }}}") + more)
}

func with(text string, more ...chart.File) []chart.File { return slices.Concat(files(text), more) }

func TestLoadVendored(t *testing.T) {
	inner := packed(t, "queue", files("-- Chart.yaml --\n{apiVersion: v2, name: queue, version: 2.0.0}\n"+settings("templates/q.yaml", "{}")))
	tests := []struct {
		name  string
		files []chart.File
		want  string
	}{
		{"a folder", with(shop + strings.ReplaceAll("-- @Chart.yaml --\n{apiVersion: v2, name: db, version: 1.0.0}\n"+settings("@templates/x.yaml", "{}"), "@", "charts/db/")), "charts/db/templates/x.yaml ConfigMap x"},
		{"an archive", with(shop, chart.File{Name: "charts/db-1.0.0.tgz", Data: packed(t, "db", db(""))}), "charts/db/templates/x.yaml ConfigMap x"},
		{
			"an archive in an archive", with(shop, chart.File{Name: "charts/db-1.0.0.tgz", Data: packed(t, "db", append(db(""), chart.File{Name: "charts/queue-2.0.0.tgz", Data: inner}))}),
			"charts/db/charts/queue/templates/q.yaml ConfigMap x\ncharts/db/templates/x.yaml ConfigMap x",
		},
		{"what begins with an underscore or a dot is none", with(shop, chart.File{Name: "charts/_db.tgz", Data: packed(t, "db", db(""))}, chart.File{Name: "charts/.db.tgz", Data: []byte("no archive")}), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := chart.Load(tt.files)
			if err != nil {
				t.Fatal(err)
			}
			if got := shown(rendered(t, c, released(chart.Values{}))); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			if c.Name != "shop" || c.Version != "1.2.3" || len(c.Missing) > 0 {
				t.Errorf("%s %s misses %v", c.Name, c.Version, c.Missing)
			}
		})
	}
}

func TestLoadMissing(t *testing.T) {
	const needs = `-- Chart.yaml --
apiVersion: v2
name: shop
version: 1.2.3
dependencies:
- {name: db, version: 1.x.x, repository: 'https://charts.example', condition: db.enabled}
- {name: queue, version: 2.0.0, repository: 'file://../queue', alias: jobs}
`
	c := load(t, needs)
	want := []chart.Dependency{
		{Name: "db", Version: "1.x.x", Repository: "https://charts.example", Condition: "db.enabled"},
		{Name: "queue", Version: "2.0.0", Repository: "file://../queue", Alias: "jobs"},
	}
	if !slices.Equal(c.Missing, want) {
		t.Errorf("got %v, want %v", c.Missing, want)
	}
	sub, err := chart.Load(db(""))
	if err != nil {
		t.Fatal(err)
	}
	whole := c.With(sub, "../db")
	if !slices.Equal(whole.Missing, want[1:]) || len(c.Missing) != 2 {
		t.Errorf("with db there are missing %v, without %v", whole.Missing, c.Missing)
	}
	if got := shown(rendered(t, whole, released(chart.Values{}))); got != "charts/db/templates/x.yaml ConfigMap x" {
		t.Error(got)
	}
	if got := shown(rendered(t, whole, released(values(t, "v.yaml", "db: {enabled: false}")))); got != "" {
		t.Error(got)
	}
	if got := shown(rendered(t, c, released(chart.Values{}))); got != "" {
		t.Errorf("the chart without it gives %s", got)
	}
}

// TestLoadIgnored: .helmignore hides files of a folder, as it does from helm
// template; the names are those of pkg/ignore.
func TestLoadIgnored(t *testing.T) {
	all := []string{"templates/a.yaml", "templates/a.bak.yaml", "templates/sub/b.yaml", "templates/sub/c.yaml", "templates/.hidden.yaml"}
	text := shop
	for _, name := range all {
		text += settings(name, "{}")
	}
	tests := []struct{ name, rules, want string }{
		{"no rules: hidden templates are left out", "", "a.bak.yaml a.yaml sub/b.yaml sub/c.yaml"},
		{"a name anywhere", "b.yaml\n", "a.bak.yaml a.yaml sub/c.yaml"},
		{"a pattern", "# copies\n\n*.bak.*\n", "a.yaml sub/b.yaml sub/c.yaml"},
		{"a folder", "sub/\n", "a.bak.yaml a.yaml"},
		{"a path", "templates/sub/b.yaml\n", "a.bak.yaml a.yaml sub/c.yaml"},
		{"a path from the root", "/templates/a.yaml\n", "a.bak.yaml sub/b.yaml sub/c.yaml"},
		{"a byte order mark", "\ufeffa.yaml\n", "a.bak.yaml sub/b.yaml sub/c.yaml"},
		{"rules that cannot be read count for nothing", "**/a.yaml\n", "a.bak.yaml a.yaml sub/b.yaml sub/c.yaml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list := with(text)
			if tt.rules != "" {
				list = append(list, chart.File{Name: ".helmignore", Data: []byte(tt.rules)})
			}
			c, err := chart.Load(list)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range rendered(t, c, released(chart.Values{})).Documents {
				got = append(got, strings.TrimPrefix(d.Template, "templates/"))
			}
			if names := strings.Join(got, " "); names != tt.want {
				t.Errorf("got %s, want %s", names, tt.want)
			}
		})
	}
}

func TestLoadInvalid(t *testing.T) {
	chartOf := func(text string) []chart.File {
		return []chart.File{{Name: "Chart.yaml", Data: []byte(text)}}
	}
	tests := []struct {
		name  string
		files []chart.File
		want  string
	}{
		{"nothing", nil, "Chart.yaml"},
		{"no Chart.yaml", files(settings("templates/x.yaml", "{}")), "Chart.yaml"},
		{"an empty one", chartOf(""), "name"},
		{"one that is not valid YAML", chartOf("a: b: c"), "Chart.yaml"},
		{"one that is a list", chartOf("[a]"), "Chart.yaml"},
		{"no name", chartOf("{apiVersion: v2, version: 1.0.0}"), "name"},
		{"a name that is a path", chartOf("{apiVersion: v2, name: ../x, version: 1.0.0}"), "name"},
		{"no version", chartOf("{apiVersion: v2, name: shop}"), "version"},
		{"a version that is none", chartOf("{apiVersion: v2, name: shop, version: latest}"), "version"},
		{"another type", chartOf("{apiVersion: v2, name: shop, version: 1.0.0, type: other}"), "type"},
		{"an empty dependency", chartOf("{apiVersion: v2, name: shop, version: 1.0.0, dependencies: [null]}"), "dependenc"},
		{"two dependencies of one name", chartOf("{apiVersion: v2, name: shop, version: 1.0.0, dependencies: [{name: a, version: 1}, {name: a, version: 1}]}"), "more than one"},
		{"values that are no map", with(shop + "-- values.yaml --\n[a]\n"), "values.yaml"},
		{"values full of aliases", with(shop + "-- values.yaml --\n" + bomb()), "values.yaml"},
		{"a chart inside that is none", with(shop + "-- charts/db/Chart.yaml --\n{name: db}\n"), "db"},
		{"a file where charts are", with(shop + "-- charts/README.md --\ndb\n"), "README.md"},
		{"an archive that is none", with(shop, chart.File{Name: "charts/db.tgz", Data: []byte("text")}), "charts/db.tgz"},
		{"an archive that ends too soon", with(shop, chart.File{Name: "charts/db.tgz", Data: packed(t, "db", db(""))[:100]}), "charts/db.tgz"},
		{"a folder that is called an archive", with(shop + "-- charts/db.tgz/Chart.yaml --\n{apiVersion: v2, name: db, version: 1.0.0}\n"), "db.tgz"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := chart.Load(tt.files)
			if err == nil {
				t.Fatalf("gave %s", c.Name)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %q, want %q in it", err, tt.want)
			}
		})
	}
}

// bomb is a small text that is large once its aliases are followed.
func bomb() string {
	text := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 8 {
		alias := fmt.Sprintf("*a%d", i)
		text += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.Join(slices.Repeat([]string{alias}, 10), ", "))
	}
	return text
}

// TestLoadLimits: a chart of anyone may be no larger than its limits, packed or
// not.
func TestLoadLimits(t *testing.T) {
	zeros := func(n int) chart.File { return chart.File{Name: "files/zeros", Data: make([]byte, n)} }
	many := func(n int) []chart.File {
		var out []chart.File
		for i := range n {
			out = append(out, chart.File{Name: fmt.Sprintf("files/%d", i)})
		}
		return out
	}
	archives := func(n int, data []byte) []chart.File {
		var out []chart.File
		for i := range n {
			out = append(out, chart.File{Name: fmt.Sprintf("charts/db%d.tgz", i), Data: data})
		}
		return out
	}
	small := packed(t, "db", db(""))
	nested := small
	for i := range 10 {
		nested = packed(t, "db", append(files(fmt.Sprintf("-- Chart.yaml --\n{apiVersion: v2, name: db%d, version: 1.0.0}\n", i)), chart.File{Name: "charts/next.tgz", Data: nested}))
	}
	tests := []struct {
		name  string
		files []chart.File
	}{
		{"many bytes", with(shop, zeros(33<<20))},
		{"many files", with(shop, many(20_001)...)},
		{"an archive of many bytes", with(shop, archives(1, packed(t, "db", append(db(""), zeros(40<<20))))...)},
		{"many bytes in two archives", with(shop, archives(2, packed(t, "db", append(db(""), zeros(20<<20))))...)},
		{"an archive of many files", with(shop, archives(1, packed(t, "db", append(db(""), many(20_001)...)))...)},
		{"many archives", with(shop, archives(101, small)...)},
		{"archives in archives", with(shop, chart.File{Name: "charts/db.tgz", Data: nested})},
	}
	for i, tt := range tests {
		if testing.Short() && i > 1 {
			continue // archives are compressed slowly under the race detector
		}
		t.Run(tt.name, func(t *testing.T) {
			if c, err := chart.Load(tt.files); err == nil {
				t.Errorf("gave %s", c.Name)
			}
		})
	}
	if _, err := chart.Load(with(shop, archives(100, small)...)); err != nil {
		t.Errorf("100 archives: %v", err)
	}
}

func TestUnpack(t *testing.T) {
	got, err := chart.Unpack(packed(t, "db", db("-- values.yaml --\na: 1\n")))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range got {
		names = append(names, f.Name)
	}
	if want := []string{"Chart.yaml", "templates/x.yaml", "values.yaml"}; !slices.Equal(names, want) || !bytes.Equal(got[2].Data, []byte("a: 1\n")) {
		t.Errorf("got %q, want %q", names, want)
	}
	for _, name := range []string{"../x", "../../etc/x", "/etc/x", "c:/x", `..\..\x`} {
		if out, err := chart.Unpack(packed(t, "db", []chart.File{{Name: name, Data: []byte("x")}})); err == nil {
			t.Errorf("%s became %s", name, out[0].Name)
		}
	}
	for _, data := range [][]byte{nil, []byte("text"), packed(t, "db", nil)} {
		if out, err := chart.Unpack(data); err == nil {
			t.Errorf("%d bytes that are no chart gave %d files", len(data), len(out))
		}
	}
}
