package applicationset_test

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/applicationset"
	"github.com/gwplan/gwplan/loader/manifest"
)

// own is the address of the tree itself.
const own = "https://git.example/home.git"

// memory is a tree of files by name.
type memory map[string]string

func (m memory) Own(url string) bool { return url == own }

func (m memory) Placed(namespace, placement string) ([]string, error) {
	if placement != "prod" {
		return nil, fmt.Errorf("the Placement is not in the input")
	}
	return []string{"east", "west"}, nil
}

func (m memory) Directories() []string {
	dirs := map[string]bool{".": true}
	for name := range m {
		for dir := path.Dir(name); !dirs[dir]; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	return slices.Sorted(maps.Keys(dirs))
}

func (m memory) Files() []string { return slices.Sorted(maps.Keys(m)) }

func (m memory) Read(file string) ([]*loader.Value, error) {
	docs, problems := manifest.Parse([]byte(m[file]), manifest.Limits{})
	if len(problems) > 0 {
		return nil, errors.New(problems[0].Message)
	}
	return docs, nil
}

// home is the tree that most tests ask.
func home() memory {
	return memory{
		"apps/alpha/deploy.yaml":      "",
		"apps/beta/deploy.yaml":       "",
		"apps/beta/deep/deploy.yaml":  "",
		"apps/Gamma_2/deploy.yaml":    "",
		"apps/.hidden/deploy.yaml":    "",
		".config/apps/x/deploy.yaml":  "",
		"apps/readme.md":              "not a folder",
		"clusters/eu/config.yaml":     "name: eu\nport: 8080\nbig: 12345678\nup: true\nnet:\n  zone: west\n  hosts: [a.example, b.example]\n",
		"clusters/us/config.yaml":     "- name: us-1\n  port: 1\n- name: us-2\n  port: 2\n",
		"clusters/us/deep/config.yml": "name: deep\n",
		"clusters/empty/config.yaml":  "",
		"clusters/ap/config.json":     `{"name": "ap", "path": "mine"}`,
		"broken/config.yaml":          "a: [",
		"text/config.yaml":            "just a text",
	}
}

// appSet reads an ApplicationSet from what stands below spec.
func appSet(t testing.TB, spec string) *loader.Value {
	t.Helper()
	text := "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata:\n  name: set\n  namespace: argocd\nspec:\n"
	for line := range strings.Lines(spec) {
		text += "  " + line
	}
	docs, problems := manifest.Parse([]byte(text), manifest.Limits{})
	if len(problems) > 0 || len(docs) != 1 {
		t.Fatalf("%v in\n%s", problems, text)
	}
	return docs[0]
}

// show writes an Application in a line: its name and its other scalars, but for
// what is equal in all.
func show(v *loader.Value) string {
	var parts []string
	var walk func(string, *loader.Value)
	walk = func(at string, v *loader.Value) {
		if v == nil {
			return
		}
		switch v.Shape {
		case loader.Map:
			for _, f := range v.Fields {
				walk(path.Join(at, f.Key), f.Value)
			}
		case loader.List:
			for i, item := range v.Items {
				walk(fmt.Sprintf("%s[%d]", at, i), item)
			}
		case loader.Null, loader.Bool, loader.Int, loader.Float, loader.String:
			parts = append(parts, at+"="+v.Text)
		}
	}
	walk("", &loader.Value{Shape: loader.Map, Fields: []loader.Field{{Key: "spec", Value: v.Get("spec")}, {Key: "metadata", Value: v.Get("metadata")}}})
	out := []string{v.Str("metadata", "name")}
	for _, part := range parts {
		// TestFinalizers is about the last one.
		if !strings.HasPrefix(part, "metadata/name=") && part != "metadata/namespace=argocd" && part != "metadata/finalizers[0]="+applicationset.Finalizer {
			out = append(out, strings.TrimPrefix(part, "spec/"))
		}
	}
	return strings.Join(out, " ")
}

// generate shows what a spec gives: a line for each Application, or for each
// problem with its line and code.
func generate(t testing.TB, spec string, tree applicationset.Tree) string {
	t.Helper()
	apps, problems := applicationset.Generate(appSet(t, spec), tree, manifest.Limits{})
	var out []string
	for _, p := range problems {
		out = append(out, fmt.Sprintf("%d: %s: %s", p.Mark.Line, p.Code, p.Message))
	}
	if len(problems) > 0 && len(apps) > 0 {
		t.Errorf("%d Applications beside a problem", len(apps))
	}
	for _, app := range apps {
		if app.Str("kind") != "Application" || app.Str("apiVersion") != "argoproj.io/v1alpha1" || app.Str("metadata", "namespace") != "argocd" {
			t.Errorf("%s is no Application in the namespace of its set", show(app.Value))
		}
		out = append(out, show(app.Value))
	}
	return strings.Join(out, "\n")
}

// git writes a git generator.
func git(more string) string { return "git: {repoURL: '" + own + "', " + more + "}" }

// of writes a spec with one generator and a template of scalars.
func of(generator, name string, fields ...string) string {
	return "generators:\n- " + generator + "\n" + template(name, fields...)
}

func template(name string, fields ...string) string {
	return "template:\n  metadata: {name: '" + name + "'}\n  spec: {" + strings.Join(fields, ", ") + "}\n"
}

type row struct{ name, spec, want string }

func check(t *testing.T, rows []row) {
	t.Helper()
	for _, tt := range rows {
		t.Run(tt.name, func(t *testing.T) {
			if got := generate(t, tt.spec, home()); !matches(got, strings.TrimSpace(tt.want)) {
				t.Errorf("got\n%s\nwant\n%s", got, strings.TrimSpace(tt.want))
			}
		})
	}
}

// matches compares texts; … in want stands for any words of a library.
func matches(got, want string) bool {
	parts := strings.Split(want, "…")
	for i, part := range parts {
		at := strings.Index(got, part)
		if at < 0 || i == 0 && at > 0 {
			return false
		}
		got = got[at+len(part):]
	}
	return got == "" || parts[len(parts)-1] == "" && len(parts) > 1
}

const goTemplate = "goTemplate: true\n"

func TestList(t *testing.T) {
	check(t, []row{
		{"elements in order", of("list: {elements: [{env: prod, url: 'https://a'}, {env: dev, url: 'https://b'}]}", "app-{{env}}", "server: '{{ url }}'"), `
app-prod server=https://a
app-dev server=https://b`},
		{"no elements", of("list: {elements: []}", "app"), ""},
		{"values are flattened", of("list: {elements: [{env: prod, values: {zone: west}}]}", "{{env}}", "zone: '{{values.zone}}'"), "prod zone=west"},
		{"what is no parameter stays as it is written", of("list: {elements: [{env: prod}]}", "{{env}}", "a: '{{ unknown }}'", "b: '{{}} { } {{ env }}-{{env}}'"), "prod a={{ unknown }} b={{}} { } prod-prod"},
		{"an element without parameters leaves the template as it is", of("list: {elements: [{}]}", "app-{{env}}"), "app-{{env}}"},
		{"a parameter is not run as a template", of("list: {elements: [{env: '{{other}}', other: x}]}", "app", "env: '{{env}}'"), "app env={{other}}"},
		{"keys are rendered", of("list: {elements: [{env: prod}]}", "app", "'{{env}}-key': 1"), "app prod-key=1"},
		{"elementsYaml", of("list: {elements: [{env: a}], elementsYaml: '[{env: b}, {env: c}]'}", "{{env}}"), "a\nb\nc"},
		{"nested values of Go templates", goTemplate + of("list: {elements: [{env: prod, net: {zone: west, ports: [80, 443]}, up: true}]}", "{{.env}}", "zone: '{{ .net.zone | upper }}'", "port: '{{ index .net.ports 1 }}'", "up: '{{ if .up }}yes{{ end }}'"), "prod zone=WEST port=443 up=yes"},
		{"a missing key", goTemplate + of("list: {elements: [{env: prod}]}", "{{.env}}", "a: '{{.none}}'"), "prod a=<no value>"},
		{"the older language means nothing to Go templates", goTemplate + of("list: {elements: [{env: prod}]}", "{{.env}}", "a: '{{ env }}'"), "10: argocd-template: the template of the ApplicationSet fails: …function \"env\" not defined"},
		{"and the other way round", of("list: {elements: [{env: prod}]}", "{{env}}", "a: '{{ .env }}'"), "prod a={{ .env }}"},
	})
}

func TestGitDirectories(t *testing.T) {
	check(t, []row{
		{"a star stays within a folder, and folders with a dot are none", of(git("directories: [{path: 'apps/*'}]"), "{{path.basename}}", "path: '{{path}}'"), `
Gamma_2 path=apps/Gamma_2
alpha path=apps/alpha
beta path=apps/beta`},
		{"two stars are two folders, not any number", of(git("directories: [{path: 'apps/**/deep'}]"), "{{path.basename}}", "path: '{{path}}'"), "deep path=apps/beta/deep"},
		{"not the root", of(git("directories: [{path: '*'}]"), "{{path}}"), "apps\nbroken\nclusters\ntext"},
		{"what is excluded stays out, whatever comes after it", of(git("directories: [{path: 'apps/*'}, {path: apps/beta, exclude: true}, {path: 'apps/[ab]*'}]"), "{{path.basename}}"), "Gamma_2\nalpha"},
		{"one that several patterns name comes once", of(git("directories: [{path: 'apps/alpha'}, {path: 'apps/a*'}]"), "{{path.basename}}"), "alpha"},
		{"nothing matches", of(git("directories: [{path: 'none/*'}]"), "x"), ""},
		{"parameters of the older language", of(git("directories: [{path: 'apps/Gamma*'}, {path: 'apps/beta/*'}]"), "{{path.basenameNormalized}}", "p: '{{path}} {{path[0]}} {{path[1]}} {{path[2]}}'"), `
gamma-2 p=apps/Gamma_2 apps Gamma_2 {{path[2]}}
deep p=apps/beta/deep apps beta deep`},
		{"parameters of Go templates", goTemplate + of(git("directories: [{path: 'apps/Gamma*'}, {path: 'apps/beta/*'}]"), "{{.path.basenameNormalized}}", "p: '{{.path.path}} {{.path.basename}} {{index .path.segments 1}} {{len .path.segments}}'"), `
gamma-2 p=apps/Gamma_2 Gamma_2 Gamma_2 2
deep p=apps/beta/deep deep beta 3`},
		{"a prefix", of(git("directories: [{path: apps/alpha}], pathParamPrefix: my"), "{{my.path.basename}}", "p: '{{my.path}} {{my.path[0]}} {{path}}'"), "alpha p=apps/alpha apps {{path}}"},
		{"a prefix of Go templates", goTemplate + of(git("directories: [{path: apps/alpha}], pathParamPrefix: my"), "{{.my.path.basename}}", "p: '{{.path}}'"), "alpha p=<no value>"},
		{"values see the parameters", of(git("directories: [{path: apps/alpha}], values: {ns: 'ns-{{path.basename}}'}"), "{{path.basename}}", "ns: '{{values.ns}}'"), "alpha ns=ns-alpha"},
		{"values of Go templates", goTemplate + of(git("directories: [{path: apps/alpha}], values: {ns: 'ns-{{.path.basename}}'}"), "{{.path.basename}}", "ns: '{{.values.ns}}'"), "alpha ns=ns-alpha"},
		{"another repository", of("git: {repoURL: 'https://git.example/other.git', directories: [{path: 'apps/*'}]}", "x"), `8: argocd-generator: the git generator of the ApplicationSet reads "https://git.example/other.git", which is not this repository; its Applications are unknown`},
	})
}

func TestGitFiles(t *testing.T) {
	check(t, []row{
		{"an object, flattened", of(git("files: [{path: clusters/eu/config.yaml}]"), "{{name}}", "p: '{{port}} {{big}} {{up}} {{net.zone}} {{net.hosts.1}}'"), "eu p=8080 12345678 true west b.example"},
		{"a list gives a set for each item", of(git("files: [{path: clusters/us/config.yaml}]"), "{{name}}", "p: '{{port}} {{path}}'"), "us-1 p=1 clusters/us\nus-2 p=2 clusters/us"},
		{"a star crosses folders, as in git", of(git("files: [{path: 'clusters/*.y*ml'}, {path: 'clusters/e*', exclude: true}]"), "{{path.basename}}", "name: '{{name}}'"), `
us name=us-1
us name=us-2
deep name=deep`},
		{"two stars", of(git("files: [{path: 'clusters/**/deep/*.yml'}, {path: '**/ap/config.json'}]"), "{{name}}"), "ap\ndeep"},
		{"a folder means all below it", of(git("files: [{path: clusters/us/}]"), "{{name}}"), "us-1\nus-2\ndeep"},
		{"what is excluded stays out, whatever comes after it", of(git("files: [{path: 'clusters/us/*', exclude: true}, {path: 'clusters/us/*'}]"), "x"), ""},
		{"the place of the file", of(git("files: [{path: clusters/us/deep/config.yml}]"), "{{path.basename}}", "p: '{{path}} {{path.filename}} {{path.filenameNormalized}} {{path[0]}} {{path[2]}}'"), "deep p=clusters/us/deep config.yml config.yml clusters deep"},
		{"the place of the file, Go templates", goTemplate + of(git("files: [{path: clusters/us/deep/config.yml}]"), "{{.name}}", "p: '{{.path.path}} {{.path.filename}} {{index .path.segments 1}}'"), "deep p=clusters/us/deep config.yml us"},
		{"a prefix keeps the file's own path", goTemplate + of(git("files: [{path: clusters/ap/*.json}], pathParamPrefix: at"), "{{.name}}", "p: '{{.path}} {{.at.path.basename}}'"), "ap p=mine ap"},
		{"without a prefix the place wins", goTemplate + of(git("files: [{path: clusters/ap/*.json}]"), "{{.name}}", "p: '{{.path.basename}}'"), "ap p=ap"},
		{"values of Go templates keep their shape", goTemplate + of(git("files: [{path: clusters/eu/config.yaml}]"), "{{.name}}", "p: '{{range .net.hosts}}{{.}},{{end}}{{ int .big }}'"), "eu p=a.example,b.example,12345678"},
		{"an empty file has a place", of(git("files: [{path: clusters/empty/*}]"), "{{path.basename}}"), "empty"},
		{"values", of(git("files: [{path: clusters/eu/config.yaml}], values: {host: '{{name}}.example'}"), "{{name}}", "h: '{{values.host}}'"), "eu h=eu.example"},
		{"a file that is not valid YAML", of(git("files: [{path: '*/config.yaml'}]"), "x"), "8: argocd-generator-fails: a generator of the ApplicationSet fails: broken/config.yaml: …"},
	})
}

// list writes a list generator.
func list(elements string) string { return "list: {elements: [" + elements + "]}" }

// matrix and merge write generators of generators.
func matrix(children ...string) string { return "matrix: {generators: " + inline(children) + "}" }

func merge(keys string, children ...string) string {
	return "merge: {mergeKeys: [" + keys + "], generators: " + inline(children) + "}"
}

func inline(children []string) string { return "[{" + strings.Join(children, "}, {") + "}]" }

func TestMatrix(t *testing.T) {
	check(t, []row{
		{"each with each, the first outermost", of(matrix(list("{env: prod}, {env: dev}"), list("{app: web}, {app: db}")), "{{env}}-{{app}}"), "prod-web\nprod-db\ndev-web\ndev-db"},
		{"the second sees the first", of(matrix(list("{dir: alpha}, {dir: beta}"), git("directories: [{path: 'apps/{{dir}}'}]")), "{{dir}}", "path: '{{path}}'"), "alpha path=apps/alpha\nbeta path=apps/beta"},
		{"the first does not see the second", of(matrix(git("directories: [{path: 'apps/{{dir}}'}]"), list("{dir: alpha}")), "x"), ""},
		{"the second sees the first in Go templates", goTemplate + of(matrix(git("files: [{path: clusters/eu/config.yaml}]"), git("directories: [{path: 'apps/{{ if .up }}alpha{{ end }}'}], pathParamPrefix: app")), "{{.name}}-{{.app.path.basename}}"), "eu-alpha"},
		{"elements made of the first", goTemplate + of(matrix(list("{hosts: [{h: a}, {h: b}]}"), "list: {elements: [], elementsYaml: '{{ .hosts | toJson }}'}"), "{{.h}}"), "a\nb"},
		{"equal parameters are one", of(matrix(list("{env: prod, x: '1'}"), list("{env: prod, z: '2'}")), "{{env}}-{{x}}-{{z}}"), "prod-1-2"},
		{"different ones clash", of(matrix(list("{env: prod}"), list("{env: dev}")), "x"), `8: argocd-generator-fails: a generator of the ApplicationSet fails: both generators of the matrix set "env"`},
		{"in Go templates the first wins", goTemplate + of(matrix(list("{env: prod}"), list("{env: dev, x: '1'}")), "{{.env}}-{{.x}}"), "prod-1"},
		{"two git generators are told apart by a prefix", of(matrix(git("directories: [{path: 'apps/alpha'}]"), git("files: [{path: clusters/us/config.yaml}], pathParamPrefix: cluster")), "{{path.basename}}-{{name}}-{{cluster.path.basename}}"), "alpha-us-1-us\nalpha-us-2-us"},
		{"of three", of(matrix(list("{a: '1'}"), list("{b: '1'}"), list("{c: '1'}")), "x"), "8: argocd-generator-fails: a generator of the ApplicationSet fails: a matrix must have exactly two generators and may be nested only once"},
		{"of one", of(matrix(list("{a: '1'}")), "x"), "8: argocd-generator-fails: a generator of the ApplicationSet fails: a matrix must have exactly two generators and may be nested only once"},
		{"a matrix in a matrix", of(matrix(matrix(list("{a: '1'}, {a: '2'}"), list("{b: '3'}")), list("{c: '4'}")), "{{a}}{{b}}{{c}}"), "134\n234"},
		{"a merge in a matrix", of(matrix(merge("env", list("{env: prod, x: '1'}"), list("{env: prod, x: '2'}")), list("{c: '4'}")), "{{env}}{{x}}{{c}}"), "prod24"},
		{"too deep", of(matrix(matrix(matrix(list("{a: '1'}"), list("{b: '1'}")), list("{c: '1'}")), list("{d: '1'}")), "x"), "8: argocd-generator-fails: a generator of the ApplicationSet fails: a matrix must have exactly two generators and may be nested only once"},
		{"one half is unknown", of(matrix(list("{a: '1'}"), "clusters: {}"), "x"), `8: argocd-generator: the generator "clusters" of the ApplicationSet needs data that is not in the repository; its Applications are unknown`},
	})
}

func TestMerge(t *testing.T) {
	check(t, []row{
		{"later ones lie over the first, and add nothing", of(merge("env", list("{env: a, x: '1', z: '1'}, {env: b, x: '1', z: '1'}"), list("{env: b, x: '2'}, {env: c, x: '2'}")), "{{env}}", "p: '{{x}}{{z}}'"), "a p=11\nb p=21"},
		{"two keys", of(merge("env, zone", list("{env: a, zone: w, x: '1'}, {env: a, zone: e, x: '1'}"), list("{env: a, zone: e, x: '2'}")), "{{env}}{{zone}}", "p: '{{x}}'"), "aw p=1\nae p=2"},
		{"three generators", of(merge("env", list("{env: a, x: '1'}"), list("{env: a, x: '2', z: '2'}"), list("{env: a, z: '3'}")), "{{env}}", "p: '{{x}}{{z}}'"), "a p=23"},
		{"Go templates", goTemplate + of(merge("env", list("{env: a, x: '1'}"), list("{env: a, x: '2'}")), "{{.env}}", "p: '{{.x}}'"), "a p=2"},
		{"the key of a git generator", of(merge("path.basename", git("directories: [{path: 'apps/*a'}]"), list("{'path.basename': beta, ns: other}")), "{{path.basename}}", "ns: '{{ns}}'"), "alpha ns={{ns}}\nbeta ns=other"},
		{"of one", of(merge("env", list("{env: a}")), "x"), "8: argocd-generator-fails: a generator of the ApplicationSet fails: a merge must have at least two generators and mergeKeys, and may be nested only once"},
		{"without keys", of(merge("", list("{env: a}"), list("{env: a}")), "x"), "8: argocd-generator-fails: a generator of the ApplicationSet fails: a merge must have at least two generators and mergeKeys, and may be nested only once"},
	})
}

func TestSelector(t *testing.T) {
	sets := list("{env: prod, id: a}, {env: dev, id: b}, {id: c}")
	of := func(selector string) string {
		return "generators:\n- " + sets + "\n  selector: {" + selector + "}\n" + template("{{id}}")
	}
	check(t, []row{
		{"labels", of("matchLabels: {env: prod}"), "a"},
		{"In", of("matchExpressions: [{key: env, operator: In, values: [dev, none]}]"), "b"},
		{"NotIn takes what has none", of("matchExpressions: [{key: env, operator: NotIn, values: [dev]}]"), "a\nc"},
		{"Exists", of("matchExpressions: [{key: env, operator: Exists}]"), "a\nb"},
		{"DoesNotExist", of("matchExpressions: [{key: env, operator: DoesNotExist}]"), "c"},
		{"all of them", of("matchLabels: {env: prod}, matchExpressions: [{key: id, operator: In, values: [b]}]"), ""},
		{"no operator", of("matchExpressions: [{key: env, operator: Like}]"), `9: argocd-generator-fails: a generator of the ApplicationSet fails: "Like" is no operator of a selector`},
		{"inside a matrix", "generators:\n- matrix:\n    generators:\n    - " + sets + "\n      selector: {matchLabels: {env: dev}}\n    - " + list("{x: '1'}") + "\n" + template("{{id}}{{x}}"), "b1"},
		{"over nested values and segments", goTemplate + "generators:\n- " + git("directories: [{path: 'apps/*'}], values: {kind: '{{.path.basename}}-x'}") +
			"\n  selector: {matchLabels: {values.kind: beta-x, path.basename: beta, path.segments.0: apps}}\n" + template("{{.path.basename}}"), "beta"},
	})
}

func TestTemplates(t *testing.T) {
	patched := func(language, patch string) string {
		text := language + of(list("{env: prod, wave: '3'}"), "app", "project: default", "source: {path: base, repoURL: 'https://a'}", "list: [1, 2]") + "templatePatch: |\n"
		for line := range strings.Lines(patch) {
			text += "  " + line
		}
		return text + "\n"
	}
	check(t, []row{
		{"a generator's own template lies over that of the set", "generators:\n- list:\n    elements: [{env: prod}]\n    template:\n      metadata: {labels: {env: '{{env}}'}}\n      spec: {project: own, source: {path: 'p/{{env}}'}}\n- " +
			list("{env: dev}") + "\n" + template("{{env}}", "project: default", "source: {path: base, repoURL: 'https://a'}"), `
prod project=own source/path=p/prod source/repoURL=https://a metadata/labels/env=prod
dev project=default source/path=base source/repoURL=https://a`},
		{"of several generators, in order", "generators:\n- " + list("{id: b}") + "\n- " + list("{id: a}") + "\n" + template("{{id}}"), "b\na"},
		{"a patch", patched("", "spec:\n  source: {path: 'over/{{env}}'}\n  list: [3]\nmetadata: {annotations: {wave: '{{wave}}'}}"), "app project=default source/path=over/prod source/repoURL=https://a list[0]=3 metadata/annotations/wave=3"},
		{"a patch of Go templates is text", patched(goTemplate, "{{- if eq .env \"prod\" }}\nspec: {source: {path: over}}\n{{- end }}"), "app project=default source/path=over source/repoURL=https://a list[0]=1 list[1]=2"},
		{"a patch that comes to nothing", patched(goTemplate, "{{- if eq .env \"dev\" }}\nspec: {source: {path: over}}\n{{- end }}"), "app project=default source/path=base source/repoURL=https://a list[0]=1 list[1]=2"},
		{"a patch that is not valid YAML", patched("", "a: [{{env}}"), "9: argocd-template: the template of the ApplicationSet fails: templatePatch is not valid YAML: …"},
		{"missingkey=error", goTemplate + "goTemplateOptions: ['missingkey=error']\n" + of(list("{env: a, x: 1}, {env: b}"), "{{.env}}", "x: '{{.x}}'"), `11: argocd-template: the template of the ApplicationSet fails: …map has no entry for key "x"`},
		{"missingkey=zero", goTemplate + "goTemplateOptions: ['missingkey=zero']\n" + of(list("{env: a}"), "{{.env}}", "x: '{{.x}}'"), "a x=<no value>"},
		{"no option", goTemplate + "goTemplateOptions: ['missingkey=errr']\n" + of(list("{env: a}"), "{{.env}}"), `11: argocd-template: the template of the ApplicationSet fails: "missingkey=errr" is not a valid value of goTemplateOptions`},
		{"one Application that fails costs all", goTemplate + of(list("{env: a}, {env: ''}"), `{{ required "an env" .env }}`), `10: argocd-template: the template of the ApplicationSet fails: …function "required" not defined`},
		{"fail", goTemplate + of(list("{env: a}"), "{{ if .env }}{{ fail `no` }}{{ end }}"), "10: argocd-template: the template of the ApplicationSet fails: …error calling fail: no"},
		{"no name", of(list("{env: ''}"), "{{env}}"), "9: argocd-template: the template of the ApplicationSet gives no name"},
		{"a namespace of the template is not taken", "generators:\n- " + list("{env: a}") + "\ntemplate:\n  metadata: {name: '{{env}}', namespace: other}\n", "a"},
		{"functions of sprig and of Argo CD", goTemplate + of(list("{env: 'A_b.', m: {k: v}}"), "{{ normalize .env }}", "s: '{{ .env | lower | replace `_` `-` | trimSuffix `.` }}'", "z: '{{ toYaml .m }}'", "f: '{{ (fromYaml `a: b`).a }}{{ index (fromYamlArray `[c]`) 0 }}'"), "a-b s=a-b z=k: v f=bc"},
		{"two generators, one of which fails", "generators:\n- " + list("{env: a}") + "\n- scmProvider: {github: {}}\n" + template("{{env}}"), `9: argocd-generator: the generator "scmProvider" of the ApplicationSet needs data that is not in the repository; its Applications are unknown`},
	})
}

// TestUnknownGenerators: what asks clusters or hosts of repositories is reported
// where it stands, and makes nothing.
func TestUnknownGenerators(t *testing.T) {
	for _, kind := range []string{"clusters", "scmProvider", "pullRequest", "plugin", "later"} {
		want := fmt.Sprintf("8: argocd-generator: the generator %q of the ApplicationSet needs data that is not in the repository; its Applications are unknown", kind)
		if got := generate(t, of(kind+": {selector: {matchLabels: {a: b}}}", "x"), home()); got != want {
			t.Errorf("got %s", got)
		}
	}
}

// TestDecisions: a Placement gives a set for each cluster that it chooses, by the label of its decisions or by the
// name of one of them.
func TestDecisions(t *testing.T) {
	byLabel := "clusterDecisionResource: {labelSelector: {matchLabels: {cluster.open-cluster-management.io/placement: %s}}, values: {env: 'of-{{name}}'}}"
	for _, c := range [][2]string{
		{of(fmt.Sprintf(byLabel, "prod"), "{{clusterName}}", "v: '{{values.env}}'"), "east v=of-east\nwest v=of-west"},
		{of("clusterDecisionResource: {name: prod-decision-1}", "{{name}}"), "east\nwest"},
		{of(fmt.Sprintf(byLabel, "none"), "{{name}}"), "8: argocd-generator: which clusters the generator clusterDecisionResource of the ApplicationSet gives is not known: the Placement is not in the input; its Applications are unknown"},
		{of("clusterDecisionResource: {configMapRef: x}", "{{name}}"), "8: argocd-generator: which clusters the generator clusterDecisionResource of the ApplicationSet gives is not known: it names no Placement; its Applications are unknown"},
	} {
		if got := generate(t, c[0], home()); got != c[1] {
			t.Errorf("got %s, want %s", got, c[1])
		}
	}
}

// TestMarks: what an Application says has the places of its template, or of what
// lies over it.
func TestMarks(t *testing.T) {
	spec := "generators:\n- list:\n    elements: [{env: prod}]\ntemplate:\n  metadata:\n    name: '{{env}}'\n  spec:\n    source:\n      path: p\n      repoURL: '{{env}}'\ntemplatePatch: |\n  spec: {source: {path: over}}\n"
	apps, problems := applicationset.Generate(appSet(t, spec), home(), manifest.Limits{})
	if len(problems) > 0 || len(apps) != 1 {
		t.Fatalf("%d Applications, %v", len(apps), problems)
	}
	for at, line := range map[string]uint32{"metadata/name": 12, "spec/source/repoURL": 16, "spec/source/path": 17, "spec": 13} {
		v := apps[0].Get(strings.Split(at, "/")...)
		if v == nil || v.Mark.Line != line {
			t.Errorf("%s is at %v, want line %d", at, v, line)
		}
	}
}

// TestNothing: what is no ApplicationSet of anybody's makes nothing, without a
// crash.
func TestNothing(t *testing.T) {
	for _, spec := range []string{
		"a: b", "generators: []", "generators: {}", "generators: [null, 1, [], {}]", "generators: [{list: null}]", "generators: [{list: []}]",
		"generators: [{list: {elements: null}}]\ntemplate: null", "generators: [{list: {elements: [1, a, []]}}]\ntemplate: {metadata: {name: x}}",
		"generators: [{matrix: null}]", "generators: [{merge: {generators: [1, 2], mergeKeys: [{}]}}]", "generators: [{git: null}]",
		"generators: [{list: {elements: [{a: b}]}}]\ntemplate: []", "generators: [{list: {elements: [{a: b}]}}]\ntemplate: {metadata: [], spec: 1}",
		"generators: [{selector: {}}]", "generators: [{list: {elements: [{a: b}]}, selector: []}]",
	} {
		generate(t, spec, home())
	}
}

// Generated Applications have the finalizer that deletes their objects with them, unless the template has others or the
// set preserves the objects (argo-cd applicationset/utils/utils.go, RenderTemplateParams).
func TestFinalizers(t *testing.T) {
	for what, c := range map[string]struct{ metadata, policy, want string }{
		"none":      {"", "", applicationset.Finalizer},
		"empty":     {", finalizers: []", "", applicationset.Finalizer},
		"its own":   {", finalizers: [a]", "", "a"},
		"preserved": {"", "{preserveResourcesOnDeletion: true}", ""},
	} {
		set := "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s, namespace: argocd}\nspec:\n  generators: [{list: {elements: [{n: a}]}}]\n  template: {metadata: {name: '{{n}}'" + c.metadata + "}, spec: {project: p}}\n"
		if c.policy != "" {
			set += "  syncPolicy: " + c.policy + "\n"
		}
		docs, problems := manifest.Parse([]byte(set), manifest.Limits{})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		apps, failed := applicationset.Generate(docs[0], memory{}, manifest.Limits{})
		if len(apps) != 1 || len(failed) > 0 {
			t.Fatalf("%s: %d Applications, %v", what, len(apps), failed)
		}
		var got []string
		for _, f := range apps[0].List("metadata", "finalizers") {
			got = append(got, f.Text)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %q, want %q", what, got, c.want)
		}
	}
}
