package render

import (
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/source"
	"github.com/gwplan/gwplan/loader/tree"
)

// TestEqualsKustomize compares what comes out of the rewritten copies with what
// kustomize makes of the files as they are.
func TestEqualsKustomize(t *testing.T) {
	for _, tt := range positionTests() {
		t.Run(tt.name, func(t *testing.T) {
			plain := filesys.MakeFsInMemory()
			for _, f := range txtar.Parse([]byte(tt.archive)).Files {
				if err := plain.WriteFile("/"+f.Name, f.Data); err != nil {
					t.Fatal(err)
				}
			}
			s := newSession(t.Context(), Options{})
			views, err := tree.Views(t.Context(), []*source.Tree{newMemory().tree(tt.archive)})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.store.Read(views); err != nil {
				t.Fatal(err)
			}
			for _, dir := range tree.Sorted(views[0].Kusts) {
				if s.store.Kustomizations(views[0]).IsComponent(dir) {
					continue
				}
				m, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(plain, "/"+dir)
				if err != nil {
					t.Fatal(err)
				}
				ours := s.builds.Build(s.builds.Pass(views[0], dir, nil), views[0]).Objects
				if len(ours) != m.Size() {
					t.Fatalf("%s: %d objects, kustomize gives %d", dir, len(ours), m.Size())
				}
				for i, r := range m.Resources() {
					text, err := r.AsYAML()
					if err != nil {
						t.Fatal(err)
					}
					docs, problems := manifest.Parse(text, manifest.Limits{})
					if len(problems) > 0 || !loader.Equal(docs[0], ours[i].Root) {
						t.Errorf("%s: %s differs from\n%s", dir, ours[i].Name, text)
					}
				}
			}
		})
	}
}
