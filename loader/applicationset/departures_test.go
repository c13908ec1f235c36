package applicationset_test

import (
	"strings"
	"testing"
)

// TestDepartures: corners in which a simpler reading of the rules would depart from
// Argo CD.
func TestDepartures(t *testing.T) {
	patched := func(language, patch string) string {
		return language + of(list("{env: prod}"), "app", "project: default", "source: {path: base}", "sync: {automated: {prune: true}}") + "templatePatch: |\n  " + strings.ReplaceAll(patch, "\n", "\n  ") + "\n"
	}
	check(t, []row{
		{"values do not see each other", of(git("directories: [{path: apps/alpha}], values: {ns: 'ns-{{path.basename}}', two: '{{values.ns}}'}"), "{{path.basename}}", "ns: '{{values.ns}} {{values.two}}'"), "alpha ns=ns-alpha {{values.ns}}"},
		{"slugify", goTemplate + of(list("{env: 'A b'}"), "{{ slugify .env }}"), "a-b"},
		{"a patch with null takes away", patched("", "spec: {sync: {automated: null}}"), "app project=default source/path=base"},
		{"a patch with an empty text", patched("", "spec: {source: {path: ''}}"), "app project=default source/path= sync/automated/prune=true"},
		{"a patch does not change the project", patched("", "spec: {project: evil}"), "app project=default source/path=base sync/automated/prune=true"},
		{"a nested matrix sees the outer half", of(matrix(list("{dir: alpha}"), matrix(list("{x: '1'}"), git("directories: [{path: 'apps/{{dir}}'}]"))), "{{dir}}-{{x}}-{{path.basename}}"), "alpha-1-alpha"},
		{"numbers in the older language", of(list("{env: 1}"), "{{env}}"), "8: argocd-generator-fails: …"},
		{"two of one key in merge", of(merge("env", list("{env: a, x: '1'}, {env: a, x: '2'}"), list("{env: b}")), "{{x}}"), "8: argocd-generator-fails: …"},
		{"merge is deep in Go templates", goTemplate + of(merge("env", list("{env: a, v: {x: 1, z: 1}}"), list("{env: a, v: {z: 2}}")), "{{.env}}", "p: '{{.v.x}}{{.v.z}}'"), "a p=12"},
		{"a matrix is deep in Go templates", goTemplate + of(matrix(git("directories: [{path: apps/alpha}], values: {a: '1'}"), "list: {elements: [{values: {b: '2'}}]}"), "{{.path.basename}}", "p: '{{.values.a}}{{.values.b}}'"), "alpha p=12"},
		{"values of the second half keep their own parameters", goTemplate + of(matrix(list("{env: prod}"), git("directories: [{path: apps/alpha}], values: {ns: '{{.path.basename}}'}")), "{{.env}}", "ns: '{{.values.ns}}'"), "prod ns=alpha"},
		{"a bad pattern of directories matches nothing", of(git("directories: [{path: '['}, {path: apps/alpha}]"), "{{path.basename}}"), "alpha"},
		{"a file that is a text", of(git("files: [{path: text/config.yaml}]"), "x"), "8: argocd-generator-fails: …"},
		{"a class in a pathspec", of(git("files: [{path: 'clusters/[eu]*/config.yaml'}, {path: 'clusters/empty/*', exclude: true}]"), "{{path.basename}}"), "eu\nus\nus"},
		{"a dot is everything", of(git("files: [{path: '.'}, {path: 'apps/*', exclude: true}, {path: 'broken/*', exclude: true}, {path: 'text/*', exclude: true}, {path: '.config/*', exclude: true}, {path: 'clusters/us/*', exclude: true}]"), "{{path.basename}}"), "ap\nempty\neu"},
		{"a brace without end in a text without tags", of(list("{env: a}"), "{{env}}", "p: 'a {{ b'"), "a p=a {{ b"},
		{"two generators in one entry", "generators:\n- list: {elements: [{env: a}]}\n  git: {repoURL: '" + own + "', directories: [{path: apps/alpha}]}\n" + template("x"), "x\nx"},
		{"a git generator of nothing", of(git("values: {}"), "x"), "8: argocd-generator-fails: …"},
	})
}
