package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader/flux"
	"github.com/gwplan/gwplan/loader/manifest"
)

// TestOddInputs holds that what kustomize cannot take costs one build alone.
func TestOddInputs(t *testing.T) {
	bomb := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bomb}\na: &a [x,x,x,x,x,x,x,x,x,x]\n"
	for i := range 8 {
		bomb += string(rune('b'+i)) + ": &" + string(rune('b'+i)) + " [" + strings.TrimSuffix(strings.Repeat("*"+string(rune('a'+i))+",", 10), ",") + "]\n"
	}
	long := "b: &b '" + strings.Repeat("x", 1<<17) + "'\na: [" + strings.Repeat("*b,", 200) + "]\n"
	configured := func(field string) string {
		return archive("k/kustomization.yaml", "resources: [gw.yaml]\n"+field+"\n", "k/gw.yaml", gateway("", "inner"), "k/bomb.yaml", long)
	}
	tests := []struct{ name, archive, code string }{
		{"an empty crds file, on which kustomize panics", archive("k/kustomization.yaml", "resources: [gw.yaml]\ncrds: [empty.json]\n", "k/gw.yaml", gateway("", "inner")) + "-- k/empty.json --\n", "kustomize-build"},
		{"an alias bomb", archive("k/kustomization.yaml", "resources: [bomb.yaml]\n", "k/bomb.yaml", bomb), "limit-alias"},
		{"an alias bomb as a patch", archive("k/kustomization.yaml", "resources: [gw.yaml]\npatches: [{path: bomb.yaml}]\n", "k/gw.yaml", gateway("", "inner"), "k/bomb.yaml", bomb), "limit-alias"},
		{"an alias bomb as crds", configured("crds: [bomb.yaml]"), "limit-alias"},
		{"an alias bomb as configurations", configured("configurations: [bomb.yaml]"), "limit-alias"},
		{"an alias bomb as openapi", configured("openapi: {path: bomb.yaml}"), "limit-alias"},
		{"an alias bomb as replacements", configured("replacements: [{path: bomb.yaml}]"), "limit-alias"},
		{"an alias bomb of a plugin", configured("transformers: [t.yaml]") + archive("k/t.yaml", "apiVersion: builtin\nkind: ReplacementTransformer\nmetadata: {name: r}\nreplacements: [{path: bomb.yaml}]\n"), "limit-alias"},
		{"a deep kustomization", archive("k/kustomization.yaml", "resources: "+strings.Repeat("[", 300)+strings.Repeat("]", 300)+"\n"), "limit-depth"},
		{"a duplicate key", archive("k/kustomization.yaml", "resources: [a]\nresources: [b]\n"), "duplicate-key"},
		{"two kustomizations", archive("k/kustomization.yaml", "namePrefix: a\n", "k/kustomization.yml", "namePrefix: b\n"), "kustomize-files"},
		{"an empty kustomization", archive("k/kustomization.yaml", "# nothing\n"), "kustomize-files"},
		{"no list", archive("k/kustomization.yaml", "resources: x\n"), "kustomize-field"},
		{"an unknown field", archive("k/kustomization.yaml", "resource: [x]\n"), "kustomize-field"},
		{"the folder itself", archive("k/kustomization.yaml", "resources: [.]\n"), "kustomize-cycle"},
		{"a file outside its folder", archive("k/kustomization.yaml", "resources: [../gw2.yaml]\n", "gw2.yaml", gateway("", "inner")), "kustomize-outside"},
		{"a plugin that is data", archive("k/kustomization.yaml", "transformers: [t.yaml]\nconfigMapGenerator: [{name: x, files: [t.yaml]}]\n", "k/t.yaml", "apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: p}\nprefix: a\n"), "kustomize-plugin"},
		{"a plugin folder that changes plugins", archive("k/kustomization.yaml", "transformers: [./t]\n", "k/t/kustomization.yaml", "resources: [t.yaml]\npatches: [{path: p.yaml}]\n", "k/t/t.yaml", "a: b\n"), "kustomize-plugin"},
		{"a resource that is no object", archive("k/kustomization.yaml", "resources: [x.yaml, gw.yaml]\n", "k/x.yaml", "just: values\n", "k/gw.yaml", gateway("", "inner")), "kustomize-build"},
		{"a template", archive("k/kustomization.yaml", "resources: [x.yaml]\n", "k/x.yaml", "{{ if .x }}\napiVersion: v1\nkind: ConfigMap\n{{ end }}\n"), "template"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := render(t, tt.archive+archive("gw.yaml", gateway("infra", "gw")), options())
			object(t, s, "Gateway/infra/gw")
			found := false
			for _, p := range s.Problems {
				found = found || p.Code == tt.code
				if p.Position.File == "" {
					t.Errorf("the problem %s has no file", p.Code)
				}
			}
			if !found || !s.Environments[0].Incomplete {
				t.Errorf("no problem %s:\n%s", tt.code, summary(s))
			}
		})
	}
}

// A file on which reading breaks down costs no other file.
func TestBreakdownCostsOneFile(t *testing.T) {
	opts := options()
	opts.Manifest.Relevance = func(group, kind string) manifest.Relevance {
		if kind == "Breaker" {
			panic("no way to read it")
		}
		return relevance(group, kind)
	}
	s := render(t, archive("gw.yaml", gateway("infra", "gw"), "b/bad.yaml", "apiVersion: acme.io/v1\nkind: Breaker\nmetadata: {name: b}\n"), opts)
	object(t, s, "Gateway/infra/gw")
	if len(s.Problems) != 1 || s.Problems[0].Code != "broke-down" || s.Problems[0].Position.File != "b/bad.yaml" {
		t.Errorf("the problems are %+v", s.Problems)
	}
	if !s.Environments[0].Incomplete {
		t.Error("the environment does not say that it is incomplete")
	}
}

// TestPlugins holds that the plugins of kustomize itself still work behind the
// gate, inline, as a file and as a folder.
func TestPlugins(t *testing.T) {
	prefix := "apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: p}\nprefix: a-\nfieldSpecs: [{path: metadata/name}]\n"
	suffix := "apiVersion: builtin\nkind: SuffixTransformer\nmetadata: {name: s}\nsuffix: -z\nfieldSpecs: [{path: metadata/name}]\n"
	merge := "    apiVersion: builtin\n    kind: PatchStrategicMergeTransformer\n    metadata: {name: m}\n    paths:\n    - p.yaml\n    - |\n      apiVersion: gateway.networking.k8s.io/v1\n      kind: Gateway\n      metadata: {name: gw, namespace: infra}\n      spec: {b: c}\n"
	s := render(t, archive(
		"k/kustomization.yaml", "resources: [gw.yaml]\ntransformers:\n- |\n"+merge+"- prefix.yaml\n- ./more\n",
		"k/gw.yaml", gateway("infra", "gw"), "k/p.yaml", gateway("infra", "gw")+"spec: {a: b}\n",
		"k/prefix.yaml", prefix, "k/more/kustomization.yaml", "resources: [s.yaml]\n", "k/more/s.yaml", suffix,
	), options())
	for _, p := range s.Problems {
		t.Errorf("%s %s %s", p.Code, p.Position, p.Message)
	}
	if t.Failed() {
		return
	}
	o := object(t, s, "Gateway/infra/a-gw-z")
	if o.Root.Str("spec", "a") != "b" || o.First().String() != "k/gw.yaml:1:1" {
		t.Error(every(o))
	}
}

func TestLists(t *testing.T) {
	s := render(t, archive("k/kustomization.yaml", "resources: [all.yaml]\nnamespace: infra\n",
		"k/all.yaml", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: gateway.networking.k8s.io/v1\n  kind: Gateway\n  metadata:\n    name: gw\n  spec: {gatewayClassName: c}\n"), options())
	if got := at(object(t, s, "Gateway/infra/gw"), "/spec/gatewayClassName"); got != "c k/all.yaml:8:28" {
		t.Error(got)
	}
}

// TestManyFluxKustomizations holds that more of them than are followed end in
// time, with a problem that says so at the first of the others, also where the
// source leaves some out.
func TestManyFluxKustomizations(t *testing.T) {
	if testing.Short() {
		return // a tree of ten thousand files takes seconds
	}
	for _, ignored := range []string{"", "/c/0000/\n"} {
		var b strings.Builder
		b.WriteString(archive(".sourceignore", ignored))
		for i := range flux.MaxFlux + 1 {
			b.WriteString(archive(fmt.Sprintf("c/%04d/ks.yaml", i), fluxEntry(fmt.Sprintf("n%d", i), fmt.Sprintf("./a/%d", i), "")))
			b.WriteString(archive(fmt.Sprintf("a/%d/settings.yaml", i), "a: b\n"))
		}
		s := render(t, b.String(), options())
		if len(s.Environments) != 1 || len(s.Problems) != 1 || s.Problems[0].Code != "limit-flux" || s.Problems[0].Position.File != "c/5000/ks.yaml" {
			t.Errorf("without %q: %d environments, problems %v", ignored, len(s.Environments), s.Problems)
		}
	}
}
