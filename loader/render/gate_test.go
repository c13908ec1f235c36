package render

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/gate"
	"github.com/gwplan/gwplan/loader/kustomize"
	"github.com/gwplan/gwplan/loader/source"
	"github.com/gwplan/gwplan/loader/tree"
)

// TestFieldTable fails when kustomize has a field that the gate does not know.
func TestFieldTable(t *testing.T) {
	var visit func(reflect.Type)
	visit = func(typ reflect.Type) {
		for i := range typ.NumField() {
			f := typ.Field(i)
			name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
			if strings.Contains(rest, "inline") {
				visit(f.Type)
				continue
			}
			if _, known := gate.FieldRule(name); !known {
				t.Errorf("the gate does not know the field %q of a kustomization", name)
			}
		}
	}
	visit(reflect.TypeFor[types.Kustomization]())
	for typ, known := range map[reflect.Type]string{
		reflect.TypeFor[types.Patch]():            "path patch target options",
		reflect.TypeFor[types.SecretArgs]():       "namespace name behavior literals files envs env options type",
		reflect.TypeFor[types.ReplacementField](): "path source targets sourceValue",
	} {
		if got := jsonNames(typ); got != known {
			t.Errorf("%s has the fields %q, the gate knows %q", typ, got, known)
		}
	}
}

func jsonNames(typ reflect.Type) string {
	var names []string
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous {
			name = jsonNames(f.Type)
		}
		names = append(names, name)
	}
	all := strings.Join(names, " ")
	if typ == reflect.TypeFor[types.ReplacementField]() {
		// The embedded replacement comes first in the type.
		all = "path " + strings.TrimSuffix(all, " path")
	}
	return all
}

func TestBuiltinPlugins(t *testing.T) {
	for _, kind := range krusty.GetBuiltinPluginNames() {
		if gate.Builtin(kind) == (kind == "HelmChartInflationGenerator") {
			t.Errorf("the plugin %s is let through: %v", kind, gate.Builtin(kind))
		}
	}
}

func TestLocalReference(t *testing.T) {
	tests := map[string]bool{
		"base": true, "../base": true, "./x": true, "a/b.yaml": true, "route.yaml": true, ".": true, "..": true,
		"v1.2/a": true, ".hidden/x": true, "a b": true, "a b/c.yaml": true, "example.com/a b": false, "./a b": true, "base/": true, "../../x_y+z-1": true,
		"": false, "/etc/passwd": false, "a//b": false, "github.com/o/r": false, "GitHub.com/o/r": false,
		"example.com/x": false, "10.0.0.1/x": false, "https://x/y": false, "http:x": false, "git@github.com:o/r": false,
		"ssh://h/x": false, "file:///x": false, "git::x": false, "a?ref=b": false, "a\nb": false, "./a\x00b": false,
		"./a\u0085b": false, "ünï": false, "./ünï": true, "k8s.io/x": false, "a=b": false, "x@y/z": false,
	}
	for ref, want := range tests {
		if got := tree.LocalReference(ref); got != want {
			t.Errorf("localReference(%q) = %v", ref, got)
		}
	}
}

// hostile are kustomizations with a remote reference in each field, as the root
// and as a base. REMOTE stands for the reference.
func hostile() map[string]string {
	return map[string]string{
		"resources":                "resources: [REMOTE]",
		"bases":                    "bases: [REMOTE]",
		"components":               "components: [REMOTE]",
		"crds":                     "crds: [REMOTE]",
		"configurations":           "configurations: [REMOTE]",
		"openapi":                  "openapi: {path: REMOTE}",
		"patches":                  "patches: [{path: REMOTE}]",
		"patchesJson6902":          "patchesJson6902: [{path: REMOTE, target: {kind: HTTPRoute, name: oven}}]",
		"patchesStrategicMerge":    "patchesStrategicMerge: [REMOTE]",
		"replacements":             "replacements: [{path: REMOTE}]",
		"generators":               "generators: [REMOTE]",
		"transformers":             "transformers: [REMOTE]",
		"validators":               "validators: [REMOTE]",
		"configMap files":          "configMapGenerator: [{name: x, files: [REMOTE]}]",
		"configMap files with key": "configMapGenerator: [{name: x, files: ['k=REMOTE']}]",
		"configMap envs":           "configMapGenerator: [{name: x, envs: [REMOTE]}]",
		"configMap env":            "configMapGenerator: [{name: x, env: REMOTE}]",
		"secret files":             "secretGenerator: [{name: x, files: [REMOTE]}]",
		"secret envs":              "secretGenerator: [{name: x, envs: [REMOTE]}]",
		"helmCharts":               "helmCharts: [{name: x, repo: REMOTE}]",
		"helmChartInflation":       "helmChartInflationGenerator: [{chartName: x, chartRepoUrl: REMOTE}]",
		"inline transformer":       "transformers: ['{apiVersion: builtin, kind: PatchTransformer, metadata: {name: x}, path: REMOTE}']",
		"inline strategic paths":   "transformers: ['{apiVersion: builtin, kind: PatchStrategicMergeTransformer, metadata: {name: x}, paths: [REMOTE]}']",
		"inline json":              "transformers: ['{apiVersion: builtin, kind: PatchJson6902Transformer, metadata: {name: x}, target: {name: oven}, path: REMOTE}']",
		"inline value add":         "transformers: ['{apiVersion: builtin, kind: ValueAddTransformer, metadata: {name: x}, targetFilePath: REMOTE}']",
		"inline replacement":       "transformers: ['{apiVersion: builtin, kind: ReplacementTransformer, metadata: {name: x}, replacements: [{path: REMOTE}]}']",
		"inline generator":         "generators: ['{apiVersion: builtin, kind: ConfigMapGenerator, metadata: {name: x}, files: [REMOTE]}']",
		"inline secret envs":       "generators: ['{apiVersion: builtin, kind: SecretGenerator, metadata: {name: x}, envs: [REMOTE]}']",
		"inline chart":             "generators: ['{apiVersion: builtin, kind: HelmChartInflationGenerator, metadata: {name: x}, name: y, repo: REMOTE}']",
		"misspelt field":           "Resources: [REMOTE]",
		"misspelt key":             "patches: [{Path: REMOTE}]",
		"misspelt key with fold":   "configMapGenerator: [{name: x, file\u017f: [REMOTE]}]",
		"misspelt plugin key":      "transformers: ['{apiVersion: builtin, kind: PatchTransformer, metadata: {name: x}, PATH: REMOTE}']",
		"container function":       "transformers: ['{apiVersion: v1, kind: Fn, metadata: {name: x, annotations: {config.kubernetes.io/function: \"container: {image: REMOTE}\"}}}']",
	}
}

// remotes are shapes of references that kustomize would follow.
func remotes(address string) []string {
	return []string{"http://" + address + "/o/r", "http://" + address + "/o/r.git", "github.com/o/r", "git@" + address + ":o/r", "ssh://git@" + address + "/o/r", "file:///o/r"}
}

func TestGateRefusesRemotes(t *testing.T) {
	address, seen := listener(t)
	git := fakeGit(t)
	for name, field := range hostile() {
		for _, remote := range remotes(address) {
			archive := `-- app/kustomization.yaml --
resources: [../base]
` + "-- base/kustomization.yaml --\n" + withRoute(strings.ReplaceAll(field, "REMOTE", remote)) + `
-- base/route.yaml --
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: oven}
-- other/gateway.yaml --
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: gw}
`
			// The data of a generator is left out, and what else there is stands.
			data := strings.HasPrefix(remote, "http") && (strings.Contains(field, "files:") || strings.Contains(field, "envs:"))
			checkRefused(t, name+" with "+remote, archive, data)
			// A tree may hold what the text of a reference means as a path, cleaned: a file or a folder.
			held := "-- " + path.Join("base", remote)
			checkRefused(t, name+" with the file "+remote, archive+held+" --\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: held}\n", data)
			checkRefused(t, name+" with the folder "+remote, archive+held+"/kustomization.yaml --\nnamePrefix: held-\n", data)
		}
	}
	if n := seen(); n > 0 {
		t.Errorf("%d connections were made", n)
	}
	if _, err := os.Stat(git); err == nil {
		t.Error("git was started")
	}
}

// checkRefused wants a problem in the base at its line, and the rest of the tree. data says that
// the reference is to data alone, without which the build is complete.
func checkRefused(t *testing.T, name, archive string, data bool) {
	t.Helper()
	s := render(t, archive, options())
	object(t, s, "Gateway/default/gw")
	if len(s.Problems) == 0 || !data && (len(s.Environments[0].Gaps) == 0 || !s.Environments[0].Incomplete) {
		t.Errorf("%s: no problem\n%s", name, summary(s))
	}
	for _, p := range s.Problems {
		if p.Position.Line == 0 || p.Position.File != "base/kustomization.yaml" {
			t.Errorf("%s: problem %s at %s", name, p.Code, p.Position)
		}
	}
}

// withRoute adds the route to the resources that a field sets.
func withRoute(field string) string {
	if rest, ok := strings.CutPrefix(field, "resources: ["); ok {
		return "resources: [route.yaml, " + rest
	}
	return "resources: [route.yaml]\n" + field
}

func TestRefusedResourceLeavesTheRest(t *testing.T) {
	s := render(t, `-- app/kustomization.yaml --
resources:
- route.yaml
- https://example.com/x.yaml
- missing.yaml
- github.com/o/r
- ./github.com/o/r
helmCharts:
- name: chart
-- app/github.com/o/r/kustomization.yaml --
resources: [gw.yaml]
-- app/github.com/o/r/gw.yaml --
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: gw}
-- app/route.yaml --
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: oven}
-- empty/kustomization.yaml --
resources: [https://example.com/x.yaml]
`, options())
	equalText(t, summary(s), `
. incomplete
  Gateway/default/gw app/github.com/o/r/gw.yaml:1:1 assumed
  HTTPRoute/default/oven app/route.yaml:1:1 assumed
  gap https://example.com/x.yaml app/kustomization.yaml:3:3
  gap missing.yaml app/kustomization.yaml:4:3
  gap github.com/o/r app/kustomization.yaml:5:3
  gap chart chart app/kustomization.yaml:8:3
  gap https://example.com/x.yaml empty/kustomization.yaml:1:13
warning kustomize-remote app/kustomization.yaml:3:3 [.]
warning kustomize-missing app/kustomization.yaml:4:3 [.]
warning kustomize-remote app/kustomization.yaml:5:3 [.]
warning kustomize-helm app/kustomization.yaml:8:3 [.]
warning kustomize-remote empty/kustomization.yaml:1:13 [.]
`)
}

// TestPatchOfARemoteObject holds that patches for what a refused entry would
// give do not cost the rest of the build.
func TestPatchOfARemoteObject(t *testing.T) {
	patch := "apiVersion: v1\nkind: Service\nmetadata: {name: far}\nspec: {type: ClusterIP}\n"
	s := render(t, archive(
		"app/kustomization.yaml", "resources: [https://example.com/x.yaml, gw.yaml]\npatches: [{path: far.yaml}, {path: near.yaml}]\npatchesStrategicMerge: [far.yaml]\n",
		"app/far.yaml", patch, "app/near.yaml", gateway("", "gw")+"spec: {gatewayClassName: near}\n", "app/gw.yaml", gateway("", "gw"),
	), options())
	o := object(t, s, "Gateway/default/gw")
	if got := at(o, "/spec/gatewayClassName"); got != "near app/near.yaml:5:26" {
		t.Error(got)
	}
}

func TestGateKeepsInsideTheTree(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "outside.yaml")
	content := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: leaked}\n"
	if err := os.WriteFile(secret, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{secret, "../../../../../../../../.." + secret, "./../../.." + secret, "/etc/passwd", "../../etc/passwd"} {
		s := render(t, "-- a/b/kustomization.yaml --\nresources: ['"+ref+"']\nconfigMapGenerator: []\n", options())
		if len(s.Environments[0].Objects) > 0 || len(s.Problems) != 1 {
			t.Errorf("%s: %s", ref, summary(s))
		}
		s = render(t, "-- a/b/kustomization.yaml --\nconfigMapGenerator: [{name: x, files: ['"+ref+"']}]\n", options())
		if len(s.Environments[0].Objects) > 0 || len(s.Problems) != 1 {
			t.Errorf("%s: %s", ref, summary(s))
		}
	}
}

func TestBuildIsBounded(t *testing.T) {
	var b strings.Builder
	const levels = 40
	for i := range levels {
		for _, side := range []string{"a", "b"} {
			fmt.Fprintf(&b, "-- %s%d/kustomization.yaml --\nresources: [../a%d, ../b%d]\n", side, i, i+1, i+1)
		}
	}
	for _, side := range []string{"a", "b"} {
		fmt.Fprintf(&b, "-- %s%d/kustomization.yaml --\nnamePrefix: x\n", side, levels)
	}
	b.WriteString("-- loop/kustomization.yaml --\nresources: [../pool]\n-- pool/kustomization.yaml --\nresources: [../loop]\n-- over/kustomization.yaml --\nresources: [../loop]\n")
	s := render(t, b.String(), options())
	codes := map[string]bool{}
	for _, p := range s.Problems {
		codes[p.Code] = true
	}
	if !codes["limit-kustomizations"] || !codes["kustomize-cycle"] {
		t.Errorf("problems %v", codes)
	}
}

func TestSecretsStaySecret(t *testing.T) {
	const marker = "hunter2hunter2"
	s := render(t, `-- app/kustomization.yaml --
resources: [secret.yaml]
secretGenerator:
- name: made
  literals: [password=`+marker+`]
-- app/secret.yaml --
apiVersion: v1
kind: Secret
metadata:
  name: plain
  annotations: {last: `+marker+`}
stringData: {password: `+marker+`}
-- bad/kustomization.yaml --
secretGenerator:
- name: broken
  literals: [`+marker+`]
-- bad-plugin/kustomization.yaml --
generators:
- |
  apiVersion: builtin
  kind: SecretGenerator
  metadata: {name: broken}
  literals: [`+marker+`]
-- bad-file/kustomization.yaml --
resources: [secret.yaml]
-- bad-file/secret.yaml --
apiVersion: v1
kind: Secret
metadata: {annotations: {last: `+marker+`}}
-- plain.yaml --
apiVersion: v1
kind: Secret
metadata: {name: loose, annotations: {last: `+marker+`}}
data: {password: `+marker+`}
`, options())
	out := fmt.Sprintf("%+v", s.Problems) + summary(s)
	for _, e := range s.Environments {
		for _, o := range e.Objects {
			out += every(o)
		}
	}
	if strings.Contains(out, marker) {
		t.Errorf("a secret is in the output:\n%s", out)
	}
	for _, node := range []string{"Secret/default/plain", "Secret/default/loose"} {
		object(t, s, node)
	}
	if !strings.Contains(summary(s), "kustomize-build") {
		t.Errorf("no problem for the broken build:\n%s", summary(s))
	}
}

// TestSecondAndThirdLine leaves the gate out: the transport and the empty PATH
// alone keep kustomize from the network and from git.
func TestSecondAndThirdLine(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // kustomize leaves folders there when it fails to clone
	address, seen := listener(t)
	git := fakeGit(t)
	run := func() {
		for _, remote := range remotes(address) {
			files := map[string][]byte{"kustomization.yaml": []byte("resources: ['" + remote + "']\n")}
			b := kustomize.NewBuilder(tree.NewStore(t.Context(), tree.Options{Manifest: options().Manifest}), nil)
			if _, err := b.Kustomize(&gate.Approved{Root: "."}, files); err == nil {
				t.Errorf("%s was built", remote)
			}
		}
	}
	run()
	if _, err := os.Stat(git); err != nil || seen() == 0 {
		t.Fatalf("without defence kustomize should reach out: git %v, connections %d", err, seen())
	}
	if err := os.Remove(git); err != nil {
		t.Fatal(err)
	}
	before := seen()
	transport, stderr := http.DefaultTransport, os.Stderr
	t.Cleanup(func() { http.DefaultTransport, os.Stderr = transport, stderr })
	kustomize.Sandbox()
	run()
	if n := seen(); n != before {
		t.Errorf("%d connections were made", n-before)
	}
	if _, err := os.Stat(git); err == nil {
		t.Error("git was started")
	}
}

// listener counts the connections that are made to it.
func listener(t *testing.T) (address string, seen func() int) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	count := make(chan int, 1)
	count <- 0
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			count <- <-count + 1
			_ = c.Close()
		}
	}()
	return l.Addr().String(), func() int {
		n := <-count
		count <- n
		return n
	}
}

// fakeGit puts a program named git first on PATH; the file that it writes shows
// that it was started.
func fakeGit(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	marker := filepath.Join(dir, "started")
	script := "#!/bin/sh\necho \"$@\" >> '" + marker + "'\nexit 1\n"
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return marker
}

// FuzzGate holds that kustomize opens nothing that the gate has not approved.
func FuzzGate(f *testing.F) {
	for _, field := range hostile() {
		f.Add(strings.ReplaceAll(field, "REMOTE", "http://127.0.0.1:1/o/r"))
		f.Add(strings.ReplaceAll(field, "REMOTE", "./file.yaml"))
	}
	f.Add("resources: [../base, file.yaml]\npatches: [{patch: 'a: b'}]\ntransformers: [dir]\n")
	f.Fuzz(func(t *testing.T, kustomization string) {
		m := newMemory()
		given := m.tree("-- app/x --\n-- app/file.yaml --\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n" +
			"-- app/dir/kustomization.yaml --\nresources: [t.yaml]\n-- app/dir/t.yaml --\napiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: p}\nprefix: a-\n" +
			"-- base/kustomization.yaml --\nnamePrefix: b-\n-- app/kustomization.yaml --\n")
		for i := range given.Entries {
			if given.Entries[i].Path == "app/kustomization.yaml" {
				given.Entries[i].ID = "fuzzed"
				m.data["fuzzed"] = kustomization
			}
		}
		s := newSession(t.Context(), options())
		views, err := tree.Views(t.Context(), []*source.Tree{given})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.store.Read(views); err != nil {
			t.Fatal(err)
		}
		if len(views[0].Kusts["app"]) == 0 {
			return
		}
		p := s.builds.Pass(views[0], "app", nil)
		if p.Refused {
			return
		}
		approved := map[string]bool{}
		for _, list := range [][]string{tree.Sorted(p.Files), tree.Sorted(p.Copies), tree.Sorted(p.Inline)} {
			for _, name := range list {
				approved[name] = true
			}
		}
		s.builds.Opened = func(name string) {
			if !approved[name] && !loader.IsKustomizationFile(name) {
				t.Errorf("opened %q", name)
			}
		}
		s.builds.Run(p, views[0])
	})
}
