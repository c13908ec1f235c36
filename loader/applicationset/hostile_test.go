package applicationset_test

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/applicationset"
	"github.com/gwplan/gwplan/loader/manifest"
)

// TestHostile: what would never end, fill the memory or look around gives a
// problem, in time.
func TestHostile(t *testing.T) {
	element := goTemplate + "generators:\n- list: {elements: [{a: b}]}\n"
	deep := list("{a: b}")
	for range 50 {
		deep = matrix(deep, list("{a: b}"))
	}
	for i, tt := range []struct{ name, spec, code string }{
		{"a loop without end", element + template("{{ range until 1000000000 }}x{{ end }}"), "limit-applications"},
		{"a number to range over", element + template("{{ range 1000000000000 }}{{ end }}"), "limit-applications"},
		{"a template that calls itself", element + template(`{{ define "x" }}{{ template "x" }}{{ end }}{{ template "x" }}`), "limit-applications"},
		{"loops in loops", element + template(strings.Repeat("{{ range until 1000 }}", 8)+strings.Repeat("{{ end }}", 8)), "limit-applications"},
		{"a text that doubles", element + template("{{ $x := `aaaaaaaa` }}{{ range until 60 }}{{ $x = print $x $x }}{{ end }}{{ $x }}"), "limit-applications"},
		{"a repetition", element + template("{{ repeat 1000000000 `aaaaaaaa` }}"), "limit-applications"},
		{"a dictionary in itself", element + template("{{ $d := dict }}{{ $_ := set $d `a` $d }}{{ toYaml $d }}"), "limit-applications"},
		{"the environment", element + template("{{ env `HOME` }}"), "argocd-template"},
		{"the environment, expanded", element + template("{{ expandenv `$HOME` }}"), "argocd-template"},
		{"the budget's own functions", element + template("{{ gwplanStep -1000 }}"), "argocd-template"},
		{"a template without end", element + template("{{ if true }}"), "argocd-template"},
		{"in a patch", element + template("x") + "templatePatch: '{{ range 1000000000000 }}{{ end }}'\n", "limit-applications"},
		{"aliases of a long text", goTemplate + of(list("{t: \"b: &b '"+strings.Repeat("x", 1<<17)+"'\\na: ["+strings.Repeat("*b,", 200)+"]\"}"), "{{ (fromYaml .t).a | len }}"), "limit-applications"},
		{"in the values of a generator", goTemplate + of(git("directories: [{path: apps/alpha}], values: {a: '{{ range 1000000000000 }}{{ end }}'}"), "x"), "limit-applications"},
		{"in elementsYaml", goTemplate + of(matrix(list("{a: b}"), "list: {elements: [], elementsYaml: '{{ range 1000000000000 }}{{ end }}'}"), "x"), "limit-applications"},
		{"a matrix in a matrix in a matrix and so on", of(deep, "x"), "argocd-generator-fails"},
		{"a matrix of thousands", of(matrix(list(elements(1000)), list(elements(1000))), "x"), "limit-applications"},
		{"thousands of Applications", of(list(elements(applicationset.MaxApplications+1)), "{{n0}}"), "limit-applications"},
		{"a patch with aliases of aliases", of(list("{a: b}"), "x") + "templatePatch: |\n  " + strings.ReplaceAll(aliases(), "\n", "\n  ") + "\n", "argocd-template"},
		{"a patch that nests", of(list("{a: b}"), "x") + "templatePatch: '" + strings.Repeat("[", 1000) + "'\n", "argocd-template"},
	} {
		if testing.Short() && i%4 > 0 {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			apps, problems := applicationset.Generate(appSet(t, tt.spec), home(), manifest.Limits{})
			if len(apps) > 0 || len(problems) != 1 || problems[0].Code != tt.code {
				t.Errorf("%d Applications, %v", len(apps), problems)
			}
			for _, p := range problems {
				if p.Mark.Line == 0 || len(p.Message) > 2000 {
					t.Errorf("%v: %d bytes", p.Mark, len(p.Message))
				}
			}
		})
	}
}

// elements are n elements of a list, each with a key of its own.
func elements(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("{n%d: x}", i)
	}
	return strings.Join(out, ", ")
}

// aliases is a small text of very many nodes.
func aliases() string {
	text := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 9; i++ {
		text += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	return text
}

// TestMostApplications: as many as there may be are made.
func TestMostApplications(t *testing.T) {
	apps, problems := applicationset.Generate(appSet(t, of(list(elements(applicationset.MaxApplications)), "{{n0}}")), home(), manifest.Limits{})
	if len(apps) != applicationset.MaxApplications || len(problems) > 0 {
		t.Errorf("%d Applications, %v", len(apps), problems)
	}
}

// TestLongPattern: a pattern costs no more than its length times that of a path; one
// that is tried in all ways would not come to an end.
func TestLongPattern(t *testing.T) {
	tree := memory{strings.Repeat("a/", 500) + "b": ""}
	generate(t, of(git("files: [{path: '"+strings.Repeat("*a", 400)+"*c'}]"), "x"), tree)
	generate(t, of(git("files: [{path: '"+strings.Repeat("*", 5000)+"'}]"), "x"), tree)
	// One over the limit takes nothing.
	for stars, want := range map[int]string{1024: "x", 1025: ""} {
		if got := generate(t, of(git("files: [{path: '"+strings.Repeat("*", stars)+"'}]"), "x"), memory{"c.json": "{}"}); got != want {
			t.Errorf("%d stars: got %q, want %q", stars, got, want)
		}
	}
}

// TestManyPatterns: patterns are paid for by the paths that they are compared with, before they are.
func TestManyPatterns(t *testing.T) {
	tree := memory{}
	for i := range 3000 {
		tree[fmt.Sprintf("d%d/c.json", i)] = "{}"
	}
	patterns := strings.Repeat("{path: x}, ", 11_000)
	for _, kind := range []string{"files", "directories"} {
		if got := generate(t, of(git(kind+": ["+patterns+"]"), "x"), tree); !strings.Contains(got, "limit-applications: ") || !strings.Contains(got, "more than 500000 steps") {
			t.Errorf("%s: got %q", kind, got)
		}
	}
}

// textMap is a map of texts.
func textMap(pairs ...string) *loader.Value {
	out := &loader.Value{Shape: loader.Map}
	for i := 0; i < len(pairs); i += 2 {
		out.Fields = append(out.Fields, loader.Field{Key: pairs[i], Value: &loader.Value{Shape: loader.String, Text: pairs[i+1]}})
	}
	return out
}

// with is a map of one value.
func with(key string, v *loader.Value) *loader.Value {
	return &loader.Value{Shape: loader.Map, Fields: []loader.Field{{Key: key, Value: v}}}
}

func items(v ...*loader.Value) *loader.Value { return &loader.Value{Shape: loader.List, Items: v} }

// set is an ApplicationSet of a generator and a text in its template.
func set(generator *loader.Value, name, text string) *loader.Value {
	template := with("metadata", textMap("name", name))
	template.Fields = append(template.Fields, loader.Field{Key: "spec", Value: textMap("text", text)})
	spec := with("generators", items(generator))
	spec.Fields = append(spec.Fields, loader.Field{Key: "template", Value: template})
	return with("spec", spec)
}

// FuzzText: a text comes out as fasttemplate would give it: names that are
// parameters are replaced, once, and everything else stays as it is.
func FuzzText(f *testing.F) {
	for _, seed := range []string{"a {{x}} b", "{{ y }}", "{{none}}", "{{}}", "{{{{x}}}}", "{{x}", "{{x}} {{", "}}{{x}}", "{{ x\n}}", "{{xx}}{{y}}", "{{values.z}}", "{{ .x }}"} {
		f.Add(seed)
	}
	params := map[string]string{"x": "{{y}}", "y": "why", "values.z": "deep"}
	generator := with("list", with("elements", items(&loader.Value{Shape: loader.Map, Fields: append(
		textMap("x", params["x"], "y", params["y"]).Fields, with("values", textMap("z", "deep")).Fields...,
	)})))
	tag := regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	// Argo CD leaves a text alone that has no tag on one line.
	oneLine := regexp.MustCompile(`\{\{.*\}\}`)
	f.Fuzz(func(t *testing.T, text string) {
		apps, problems := applicationset.Generate(set(generator, "app", text), memory{}, manifest.Limits{})
		if strings.Contains(tag.ReplaceAllString(text, ""), "{{") {
			return // one without an end, which is refused where another one has an end
		}
		want := tag.ReplaceAllStringFunc(text, func(found string) string {
			if by, ok := params[strings.TrimSpace(found[2:len(found)-2])]; ok {
				return by
			}
			return found
		})
		if !oneLine.MatchString(text) {
			want = text
		}
		if len(problems) > 0 || len(apps) != 1 || apps[0].Str("spec", "text") != want {
			t.Fatalf("%q: %d Applications, %v; want %q", text, len(apps), problems, want)
		}
	})
}

// FuzzPatterns: folders match as path.Match says, files as git's pathspecs do; what
// is excluded never appears.
func FuzzPatterns(f *testing.F) {
	for _, seed := range [][2]string{{"apps/*", "apps/beta"}, {"*", "*"}, {"**/config.yaml", "clusters/us"}, {"a?ps/*/deep", ""}, {"[a-c]*/*", "[^a]*"}, {"clusters/*.yaml", "*eu*"}, {"clusters/us/", "/"}, {"[", "\\"}, {"./apps/*", ".."}} {
		f.Add(seed[0], seed[1])
	}
	tree := home()
	f.Fuzz(func(t *testing.T, pattern, exclude string) {
		for _, kind := range []string{"directories", "files"} {
			patterns := items(textMap("path", pattern), textMap("path", exclude))
			patterns.Items[1].Fields = append(patterns.Items[1].Fields, loader.Field{Key: "exclude", Value: &loader.Value{Shape: loader.Bool, Text: "true"}})
			body := textMap("repoURL", own)
			body.Fields = append(body.Fields, loader.Field{Key: kind, Value: patterns})
			root := set(with("git", body), "{{path}}/{{path.filename}}", "")
			apps, problems := applicationset.Generate(root, tree, manifest.Limits{})
			if len(problems) > 0 {
				continue
			}
			var got []string
			for _, app := range apps {
				name := strings.TrimSuffix(app.Str("metadata", "name"), "/{{path.filename}}")
				if !slices.Contains(got, name) { // a file of a list gives several
					got = append(got, name)
				}
			}
			if kind == "directories" {
				equal(t, pattern+" but "+exclude, got, folders(tree, pattern, exclude))
			} else if !strings.ContainsAny(pattern+exclude, `[\`) && clean(pattern) && clean(exclude) {
				equal(t, pattern+" but "+exclude, got, matching(tree, pattern, exclude))
			}
		}
	})
}

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%q: got %q, want %q", what, got, want)
	}
}

// folders are those of a tree that a pattern names and another one does not.
func folders(tree memory, pattern, exclude string) []string {
	var out []string
	for _, dir := range tree.Directories() {
		in, _ := path.Match(pattern, dir)
		no, _ := path.Match(exclude, dir)
		if in && !no && !strings.HasPrefix(dir, ".") && !strings.Contains(dir, "/.") {
			out = append(out, dir)
		}
	}
	return out
}

// clean says that a pattern is a path inside the tree, written plainly.
func clean(pattern string) bool {
	odd := strings.ContainsFunc(pattern, func(r rune) bool { return r < ' ' || r > '~' })
	return !odd && pattern != "" && pattern != "." && path.Clean(pattern) == pattern && !strings.HasPrefix(pattern, "/") && !strings.HasPrefix(pattern, "..") && len(pattern) < 1000
}

// matching are the files of a tree that a pathspec of stars and question marks
// names and another one does not, by way of regular expressions.
func matching(tree memory, pattern, exclude string) []string {
	spec := func(p string) *regexp.Regexp {
		quoted := regexp.QuoteMeta(p)
		wild := strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(quoted)
		return regexp.MustCompile(`^(?s:` + wild + `|` + quoted + `/.*)$`)
	}
	in, no := spec(pattern), spec(exclude)
	var out []string
	for _, file := range tree.Files() {
		if in.MatchString(file) && !no.MatchString(file) {
			out = append(out, file)
		}
	}
	return out
}
