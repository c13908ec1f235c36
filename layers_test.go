package gwplan_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
)

const modulePath = "github.com/gwplan/gwplan"

// Only tests import these: they make input, they are no part of the flow.
func testOnly() []string { return []string{"internal/corpus", "internal/leak"} }

// place is a package's line in rooms, or -1.
func place(dir string) int {
	return slices.IndexFunc(rooms(), func(r room) bool { return r.dir == dir })
}

// arrow complains about an import within the module that goes the wrong way.
func arrow(dir, target string) string {
	from, to := place(dir), place(target)
	switch {
	case slices.Contains(testOnly(), dir):
		return dir + " stands apart and imports nothing of the module"
	case slices.Contains(testOnly(), target):
		return target + " is for tests alone"
	case from < 0:
		return dir + " has no place in the flow; give it one in layers_test.go and in CONTRIBUTING.md"
	case to < 0:
		return target + " has no place in the flow"
	case to >= from:
		return target + " stands below it in the flow"
	case within(target, "internal"): // what every package may use
		return ""
	case strings.HasPrefix(dir, "loader/") && !within(target, "loader"):
		return "loader decides nothing about gateways"
	case within(dir, "report") && dir != "report/kinds" && within(target, "analyze") && target != "analyze/plan":
		return "reports know plans, not how they are made"
	case strings.HasPrefix(dir, "analyze") && strings.HasPrefix(target, "loader/"):
		return "analysis sees objects, not where they come from"
	}
	return ""
}

// rule allows an import to some packages only.
type rule struct {
	imports []string
	// allowed are folders; what is below them is allowed, too.
	allowed []string
	why     string
}

func rules() []rule {
	return []rule{
		{[]string{"os", "net", "net/http", "io/ioutil", "syscall", "os/signal", "os/user"}, []string{"loader", "cmd"}, "analysis and reports are pure"},
		{[]string{"os/exec"}, []string{"loader/source"}, "one package starts programs, and git alone"},
		{[]string{"sigs.k8s.io/kustomize/kyaml"}, []string{"loader/manifest", "loader/kustomize", "loader/buildfs"}, "other packages see values with positions"},
		{[]string{"sigs.k8s.io/kustomize/api"}, []string{"loader/kustomize"}, "builds stand behind one gate"},
		{[]string{"helm.sh/helm/v4"}, []string{"loader/chart"}, "archives are read behind one set of bounds"},
		{[]string{"github.com/Masterminds/sprig/v3"}, []string{"loader/gotemplate", "loader/helm"}, "functions of templates are bounded first"},
		{[]string{"github.com/fluxcd/pkg/envsubst"}, []string{"loader/variable"}, "texts are split and bounded first"},
		{[]string{"mvdan.cc/sh/v3"}, []string{"loader/argoplugin"}, "commands of plugins are read, never run"},
		{[]string{"github.com/sergi/go-diff"}, []string{"loader/source"}, "texts are compared where they are read"},
		{[]string{"github.com/alecthomas/kong"}, []string{"cmd"}, "only commands have flags"},
		{[]string{"math/rand", "math/rand/v2"}, []string{"internal/corpus"}, "equal input gives equal output"},
		// kustomize logs by itself, and is told not to where it is called.
		{[]string{"log", "log/slog"}, []string{"loader/kustomize", "cmd"}, "libraries return problems and errors; they do not log"},
		{[]string{"unsafe", "plugin"}, nil, "untrusted input stays behind Go's own checks"},
		{[]string{"testing", "github.com/google/go-cmp", "github.com/rogpeppe/go-internal", "github.com/yuin/goldmark", "github.com/santhosh-tekuri/jsonschema"}, nil, "a library of the tests"},
	}
}

// single are libraries that one file of the module knows, below these folders:
// changing them is a change of one file.
func single() map[string]string {
	return map[string]string{
		"sigs.k8s.io/kustomize/kyaml/yaml": "loader/manifest",
		"github.com/sergi/go-diff":         "loader/source",
	}
}

// within says whether a slash path is another or stands below it.
func within(name, parent string) bool {
	return name == parent || strings.HasPrefix(name, parent+"/")
}

// layers returns what is wrong with the imports of files.
func layers(files []file) (complaints []string) {
	users := map[string][]string{}
	for _, f := range files {
		if f.test() {
			continue
		}
		for _, imported := range f.imports() {
			if why := wrong(f.dir, imported); why != "" {
				complaints = append(complaints, fmt.Sprintf("%s imports %s: %s", f.path(), imported, why))
			}
			for library, folder := range single() {
				if within(imported, library) && within(f.dir, folder) && !slices.Contains(users[library], f.path()) {
					users[library] = append(users[library], f.path())
				}
			}
		}
	}
	for library, files := range users {
		if len(files) > 1 {
			complaints = append(complaints, fmt.Sprintf("%s is imported by %q: one file is to know it", library, files))
		}
	}
	return complaints
}

// wrong says why a package must not import another, or nothing.
func wrong(dir, imported string) string {
	if target, ok := strings.CutPrefix(imported, modulePath+"/"); ok {
		return arrow(dir, target)
	}
	for _, r := range rules() {
		banned := slices.ContainsFunc(r.imports, func(name string) bool {
			return imported == name || strings.Contains(name, ".") && within(imported, name)
		})
		if banned && !slices.ContainsFunc(r.allowed, func(folder string) bool { return within(dir, folder) }) {
			return r.why
		}
	}
	return ""
}

func TestLayers(t *testing.T) {
	for _, complaint := range layers(module(t)) {
		t.Error(complaint)
	}
}

// The guard tells good imports from bad ones.
func TestLayersNotices(t *testing.T) {
	for _, tt := range []struct {
		file, imported string
		good           bool
	}{
		{"cmd/gwplan/diff.go", modulePath + "/report", true},
		{"report/text.go", modulePath + "/cmd/gwplan", false},
		{"report/text.go", modulePath + "/analyze/change", false},
		{"report/text.go", modulePath + "/analyze/plan", true},
		{"report/markdown/plan.go", modulePath + "/analyze/change", false},
		{"report/outline/group.go", modulePath + "/report/text", false},
		{"report/text.go", modulePath + "/loader", true},
		{"analyze/plan.go", modulePath + "/report", false},
		{"analyze/plan.go", modulePath + "/analyze/rule", true},
		{"analyze/rule/rule.go", modulePath + "/analyze", false},
		{"analyze/change/change.go", modulePath + "/analyze/status", true},
		{"analyze/status/of.go", modulePath + "/analyze/change", false},
		{"analyze/policy/kind.go", modulePath + "/analyze/merge", true},
		{"analyze/merge/patch.go", modulePath + "/analyze/policy", false},
		{"analyze/hierarchy/build.go", modulePath + "/loader", true},
		{"analyze/hierarchy/build.go", modulePath + "/loader/manifest", false},
		{"loader/object.go", modulePath + "/loader/source", false},
		{"loader/render/plain.go", modulePath + "/loader/manifest", true},
		{"loader/render/plain.go", modulePath + "/analyze/hierarchy", false},
		{"loader/source/git.go", modulePath + "/loader/manifest", false},
		{"internal/corpus/corpus.go", modulePath + "/loader", false},
		{"analyze/plan.go", modulePath + "/internal/corpus", false},
		{"analyze/new/new.go", modulePath + "/loader", false},
		{"analyze/plan.go", modulePath + "/internal/new", false},
		{"analyze/inventory/similar.go", modulePath + "/internal/spelling", true},
		{"loader/schema/unknown.go", modulePath + "/internal/spelling", true},
		{"loader/config/suggest.go", modulePath + "/internal/spelling", true},
		{"loader/source/dir.go", "os", true},
		{"cmd/gwplan/main.go", "os", true},
		{"analyze/plan.go", "os", false},
		{"report/text.go", "net/http", false},
		{"loader/source/git.go", "os/exec", true},
		{"loader/render/build.go", "os/exec", false},
		{"cmd/gwplan/demo.go", "os/exec", false},
		{"loader/manifest/decode.go", "sigs.k8s.io/kustomize/kyaml/yaml", true},
		{"loader/kustomize/build.go", "sigs.k8s.io/kustomize/kyaml/filesys", true},
		{"loader/source/dir.go", "sigs.k8s.io/kustomize/kyaml/yaml", false},
		{"loader/kustomize/build.go", "sigs.k8s.io/kustomize/api/krusty", true},
		{"loader/manifest/decode.go", "sigs.k8s.io/kustomize/api/types", false},
		{"loader/source/hunks.go", "github.com/sergi/go-diff/diffmatchpatch", true},
		{"analyze/change/change.go", "github.com/sergi/go-diff/diffmatchpatch", false},
		{"cmd/gwplan/main.go", "github.com/alecthomas/kong", true},
		{"report/text.go", "github.com/alecthomas/kong", false},
		{"report/text.go", "log", false},
		{"report/text.go", "github.com/yuin/goldmark", false},
		{"report/text_test.go", "github.com/yuin/goldmark", true},
		{"report/text.go", "fmt", true},
	} {
		text := fmt.Sprintf("package %s\n\nimport _ %q\n", path.Base(path.Dir(tt.file)), tt.imported)
		complaints := layers([]file{parse(t, tt.file, text)})
		if good := len(complaints) == 0; good != tt.good {
			t.Errorf("%s imports %s: good is %v, want %v; %q", tt.file, tt.imported, good, tt.good, complaints)
		}
	}
}

// A second file that knows a library of one file is noticed.
func TestLayersNoticesSecondFile(t *testing.T) {
	const text = "package source\n\nimport _ \"github.com/sergi/go-diff/diffmatchpatch\"\n"
	one, two := parse(t, "loader/source/hunks.go", text), parse(t, "loader/source/tree.go", text)
	if complaints := layers([]file{one}); len(complaints) > 0 {
		t.Errorf("one file: %q", complaints)
	}
	if complaints := layers([]file{one, two}); len(complaints) != 1 {
		t.Errorf("two files: %q, want one complaint", complaints)
	}
}
