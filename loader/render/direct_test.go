package render

import (
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/kustomize"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/source"
	"github.com/gwplan/gwplan/loader/tree"
)

// TestDirect: what is built without kustomize is what kustomize builds, objects, order and
// namespaces; and what kustomize refuses is left to it.
func TestDirect(t *testing.T) {
	handed := 0
	const trees = 400
	for seed := range uint64(trees) {
		text := plainTree(rand.New(rand.NewPCG(seed, 0)))
		s := newSession(t.Context(), Options{})
		views, err := tree.Views(t.Context(), []*source.Tree{newMemory().tree(text)})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.store.Read(views); err != nil {
			t.Fatal(err)
		}
		p := s.builds.Pass(views[0], "top", nil)
		if p.Refused || len(p.Gaps) > 0 {
			continue
		}
		trace := kustomize.NewTrace()
		ours, ok := s.builds.Direct(p, views[0], trace)
		if !ok {
			continue
		}
		handed++
		fsys := filesys.MakeFsInMemory()
		for _, f := range txtar.Parse([]byte(text)).Files {
			if err := fsys.WriteFile("/"+f.Name, f.Data); err != nil {
				t.Fatal(err)
			}
		}
		m, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(fsys, "/top")
		if err != nil {
			t.Fatalf("kustomize refuses what is built without it: %v\n%s", err, text)
		}
		if len(ours) != m.Size() {
			t.Fatalf("%d objects, kustomize gives %d\n%s", len(ours), m.Size(), text)
		}
		for i, r := range m.Resources() {
			want, err := r.AsYAML()
			if err != nil {
				t.Fatal(err)
			}
			docs, problems := manifest.Parse(want, manifest.Limits{})
			if len(problems) > 0 || !loader.Equal(docs[0], ours[i].Root) {
				t.Fatalf("object %d differs from\n%s\n%s", i, want, text)
			}
		}
	}
	if handed < trees/5 {
		t.Errorf("%d of %d trees were built without kustomize", handed, trees)
	}
}

// plainTree is a tree of kustomizations, some of which kustomize refuses.
func plainTree(r *rand.Rand) string {
	var out strings.Builder
	number := 0
	objects := func() string {
		var docs []string
		for range 1 + r.IntN(3) {
			number++
			kinds := [][2]string{
				{"v1", "Namespace"},
				{"v1", "ConfigMap"},
				{"v1", "ConfigMap"},
				{"v1", "Service"},
				{"gateway.networking.k8s.io/v1", "HTTPRoute"},
				{"gateway.networking.k8s.io/v1", "Gateway"},
				{"gateway.networking.k8s.io/v1", "GatewayClass"},
				{"rbac.authorization.k8s.io/v1", "ClusterRole"},
				{"apiextensions.k8s.io/v1", "CustomResourceDefinition"},
				{"example.com/v1", "Namespace"},
			}
			kind := kinds[r.IntN(len(kinds))]
			name := fmt.Sprint("n", number)
			if r.IntN(200) == 0 {
				name = "n1"
			}
			doc := fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata:\n  name: %s\n", kind[0], kind[1], name)
			for _, lines := range [][]string{
				{"  namespace: written\n"},
				{"  labels: {a: b}\n", "  labels: {a: 1}\n"},
				{"  generateName: x\n"},
				{"  annotations: {a: 'true', b: \"1\"}\n", "  annotations: {}\n", "  annotations: {config.kubernetes.io/local-config: 'true'}\n"},
			} {
				if r.IntN(7) == 0 {
					doc += lines[r.IntN(len(lines))]
				}
			}
			if r.IntN(3) == 0 {
				doc += "spec: {a: [1, '2', {b: null}], c: \"a: b\", d: ~, e: 1.50, f: '', g: \"${X}\"}\n"
			}
			if r.IntN(100) == 0 {
				doc += "data: [a, null]\n"
			}
			if r.IntN(150) == 0 {
				doc = fmt.Sprintf("apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: Service, metadata: {name: %s}}]\n", name)
			}
			docs = append(docs, doc)
		}
		return strings.Join(docs, "---\n")
	}
	var folder func(dir, kind string, depth int)
	folder = func(dir, kind string, depth int) {
		var text strings.Builder
		switch {
		case kind == "Component":
			text.WriteString("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n")
		case r.IntN(2) == 0:
			text.WriteString("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n")
		}
		text.WriteString("resources:\n")
		for i := range 1 + r.IntN(3) {
			if depth > 0 && r.IntN(3) == 0 {
				name := fmt.Sprint("f", i)
				fmt.Fprintf(&text, "- ./%s\n", name)
				folder(path.Join(dir, name), "Kustomization", depth-1)
				continue
			}
			fmt.Fprintf(&text, "- o%d.yaml\n", i)
			fmt.Fprintf(&out, "-- %s/o%d.yaml --\n%s", dir, i, objects())
		}
		if depth > 0 && r.IntN(3) == 0 {
			text.WriteString("components: [part]\n")
			folder(path.Join(dir, "part"), []string{"Component", "Component", "Component", "Kustomization"}[r.IntN(4)], depth-1)
		}
		if r.IntN(2) == 0 {
			fmt.Fprintf(&text, "namespace: ns%d\n", r.IntN(3))
		}
		fmt.Fprintf(&out, "-- %s/kustomization.yaml --\n%s", dir, text.String())
	}
	folder("top", "Kustomization", 2)
	return out.String()
}
