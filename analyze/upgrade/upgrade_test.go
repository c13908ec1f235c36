package upgrade_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/analyze/upgrade"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// TestChanges holds each change of each project to the examples in testdata: it concerns those that
// name it and no other, and there is one of each.
func TestChanges(t *testing.T) {
	for _, p := range upgrade.Read() {
		t.Run(p.Word, func(t *testing.T) {
			met := map[string]bool{}
			for _, e := range examples(t, filepath.Join("testdata", strings.ReplaceAll(p.Word, "-", "_")+".yaml")) {
				for _, c := range p.Changes {
					name := c.Since.String() + " " + c.Effect
					want := slices.ContainsFunc(e.concerned, func(start string) bool { return strings.HasPrefix(name, start) })
					if got := c.Concerns(e.object) != nil; got != want {
						t.Errorf("%s concerns %s: %t", name, e.text, got)
					}
					met[name] = met[name] || want && c.Concerns(e.object) != nil
				}
			}
			for _, c := range p.Changes {
				if name := c.Since.String() + " " + c.Effect; !met[name] {
					t.Errorf("no example for %s", name)
				}
				if c.Since.Before(p.First) || p.Last.Before(c.Since) {
					t.Errorf("%s is outside of %s to %s", c.Effect, p.First, p.Last)
				}
				if c.Effect == "" || c.Undone == "" || c.Source == "" || c.Severity == "" {
					t.Errorf("%+v is incomplete", c)
				}
			}
		})
	}
}

type example struct {
	concerned []string
	object    *loader.Object
	text      string
}

func examples(t *testing.T, file string) []example {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []example
	for doc := range bytes.SplitSeq(data, []byte("\n---\n")) {
		var e struct {
			Concerned []string       `json:"concerned"`
			Object    map[string]any `json:"object"`
		}
		if err := yaml.UnmarshalStrict(doc, &e); err != nil {
			t.Fatalf("%s: %v\n%s", file, err, doc)
		}
		if e.Object["metadata"] == nil {
			e.Object["metadata"] = map[string]any{"name": "a", "namespace": "shop"}
		}
		text, err := yaml.Marshal(e.Object)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, example{e.Concerned, object(t, string(text)), string(text)})
	}
	return out
}

func TestParseVersion(t *testing.T) {
	for text, want := range map[string]string{
		"v1.9.1": "1.9", "1.31": "1.31", "1.9.x": "1.9", "v1.9.0-rc.1": "1.9", "1.8.*": "1.8", "1.2+build": "1.2",
		">=1.9": "unknown", "~1.9.0": "1.9", "~1": "unknown", "1.x": "unknown", "latest": "unknown", "": "unknown", "1.9.1 || 2.0": "unknown",
		"99999.1": "unknown",
	} {
		if got, ok := upgrade.ParseVersion(text); got.String() != want || ok != (want != "unknown") {
			t.Errorf("%q is %s, %t", text, got, ok)
		}
	}
}

func TestBetween(t *testing.T) {
	p := upgrade.ByWord("envoy-gateway")
	count := func(was, is upgrade.Version) int {
		changes, _ := p.Between(was, is)
		return len(changes)
	}
	v7, v8, v9 := upgrade.Version{Major: 1, Minor: 7}, upgrade.Version{Major: 1, Minor: 8}, upgrade.Version{Major: 1, Minor: 9}
	if up, down := count(v7, v9), count(v9, v7); up != count(v7, v8)+count(v8, v9) || up != down || count(v9, v9) != 0 {
		t.Errorf("%d up, %d down", up, down)
	}
	if count(upgrade.Version{}, v9) != len(p.Changes) {
		t.Error("an unknown release is not older than all")
	}
	if p.Unlisted(v8, v9) || !p.Unlisted(v9, upgrade.Version{Major: 1, Minor: 10}) || !p.Unlisted(upgrade.Version{Major: 1, Minor: 5}, v9) {
		t.Error("what is listed is wrong")
	}
}

func TestIn(t *testing.T) {
	labelled := object(t, "apiVersion: v1\nkind: Service\nmetadata: {name: eg, namespace: eg, labels: {helm.sh/chart: gateway-helm-v1.8.1}}\n")
	for _, tt := range []struct {
		name string
		env  loader.Environment
		want string
	}{
		{"a chart", loader.Environment{Gaps: []loader.Gap{{Chart: loader.RemoteChart{Repository: "oci://x", Name: "gateway-helm", Version: "v1.9.0"}}}}, "v1.9.0"},
		{"a chart without a repository", loader.Environment{Gaps: []loader.Gap{{Chart: loader.RemoteChart{Name: "gateway-helm", Version: "v1.9.0"}}}}, "v1.9.0"},
		{"another chart", loader.Environment{Gaps: []loader.Gap{{Chart: loader.RemoteChart{Repository: "x", Name: "my-gateway-helm", Version: "v1.9.0"}}}}, ""},
		{"a range of two ends", loader.Environment{Gaps: []loader.Gap{{Chart: loader.RemoteChart{Repository: "oci://x", Name: "gateway-helm", Version: ">=1.8 <2"}}}}, ">=1.8 <2"},
		{"a repository with a space", loader.Environment{Gaps: []loader.Gap{{Chart: loader.RemoteChart{Repository: "a b", Name: "gateway-helm", Version: "v1.9.0"}}}}, "v1.9.0"},
		{"a chart without a version", loader.Environment{Gaps: []loader.Gap{{Chart: loader.RemoteChart{Repository: "x", Name: "gateway-helm"}}}}, ""},
		{"the newest", loader.Environment{Gaps: []loader.Gap{{Chart: loader.RemoteChart{Repository: "a", Name: "gateway-helm", Version: "v1.9.0"}}, {Chart: loader.RemoteChart{Repository: "b", Name: "gateway-helm", Version: "v1.10.0"}}}}, "v1.10.0"},
		{"manifests", loader.Environment{Gaps: []loader.Gap{{Name: "https://github.com/envoyproxy/gateway/releases/download/v1.8.0/install.yaml"}}}, "v1.8.0"},
		{"a folder", loader.Environment{Gaps: []loader.Gap{{Name: "https://github.com/envoyproxy/gateway/config?ref=v1.7.1"}}}, "v1.7.1"},
		{"another's manifests", loader.Environment{Gaps: []loader.Gap{{Name: "https://github.com/cupcakes/gateway/releases/download/v1.8.0/install.yaml"}}}, ""},
		{"a label", loader.Environment{Objects: []*loader.Object{labelled}}, "v1.8.1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got string
			for _, i := range upgrade.In(&tt.env) {
				if i.Project.Word == "envoy-gateway" {
					got += i.Text
				}
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func object(t *testing.T, text string) *loader.Object {
	t.Helper()
	docs, problems := manifest.Parse([]byte(text), manifest.Limits{})
	if len(problems) > 0 || len(docs) != 1 {
		t.Fatalf("%v\n%s", problems, text)
	}
	group, _, found := strings.Cut(docs[0].Str("apiVersion"), "/")
	if !found {
		group = ""
	}
	return &loader.Object{ID: loader.ID{Group: group, Kind: docs[0].Str("kind"), Namespace: "shop", Name: "a"}, Root: docs[0], Files: []string{"a.yaml"}}
}

func TestByImage(t *testing.T) {
	for name, want := range map[string]string{
		"docker.io/envoyproxy/gateway": "Envoy Gateway", "envoyproxy/gateway": "Envoy Gateway", "registry.k8s.io/other/gateway": "",
		"quay.io/cilium/operator-generic": "Cilium", "envoyproxy/gateway-dev": "", "notenvoyproxy/gateway": "",
	} {
		got := ""
		if p := upgrade.ByImage(name); p != nil {
			got = p.Name
		}
		if got != want {
			t.Errorf("%s runs %q, not %q", name, got, want)
		}
	}
}
