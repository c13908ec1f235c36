package source_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/source"
)

// TestLargeCRDs tells files of CRDs alone from others that are over the limit,
// from Git and from disk.
func TestLargeCRDs(t *testing.T) {
	crd := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  names:\n    kind: Retry\n    note: " + strings.Repeat("x", 200) + "\n"
	service := "apiVersion: v1\nkind: Service\nmetadata: {name: pay}\n"
	files := map[string]struct {
		text string
		want loader.Severity
	}{
		"one.yaml":      {crd, loader.Warning},
		"several.yaml":  {"# vendored\n---\n" + crd + "---\n" + crd + "---\n# the end\n", loader.Warning},
		"quoted.yaml":   {"kind:  \"CustomResourceDefinition\"\r\n" + strings.Repeat("a: b\r\n", 50), loader.Warning},
		"mixed.yaml":    {crd + "---\n" + service, loader.Error},
		"nameless.yaml": {crd + "---\na: b\n", loader.Error},
		"twice.yaml":    {crd + "kind: CustomResourceDefinition\n", loader.Error},
		"other.yaml":    {service + strings.Repeat("# x\n", 100), loader.Error},
		"text.yaml":     {strings.Repeat("kind of text\n", 50), loader.Error},
		"comment.yaml":  {strings.Repeat("# kind: CustomResourceDefinition\n", 20), loader.Error},
		"long.yaml":     {"kind: CustomResourceDefinition" + strings.Repeat(" ", 100) + "List\n" + strings.Repeat("a: b\n", 50), loader.Error},
	}
	r := newRepo(t)
	for name, file := range files {
		r.write(name, file.text)
	}
	r.commit("one")
	limits := source.Limits{FileSize: 100}
	for from, open := range map[string]func() (*source.Tree, error){
		"disk": func() (*source.Tree, error) { return source.OpenDirectory(context.Background(), r.dir, limits) },
		"git": func() (*source.Tree, error) {
			return source.OpenOne(context.Background(), source.OneRequest{Dir: r.dir, Revision: "HEAD", Environ: r.env, Limits: limits})
		},
	} {
		t.Run(from, func(t *testing.T) {
			tree, err := open()
			if err != nil {
				t.Fatal(err)
			}
			defer closeTree(t, tree)
			seen := 0
			for _, e := range tree.Entries {
				want, ok := files[e.Path]
				if !ok {
					continue
				}
				err := tree.Blobs.Each([]string{e.ID}, func(_ string, _ []byte, p *loader.Problem) {
					if seen++; p == nil || p.Severity != want.want || !strings.Contains(p.Hint, "--max-file-size=1048576") {
						t.Errorf("%s: %+v, want %s", e.Path, p, want.want)
					}
				})
				if err != nil {
					t.Error(err)
				}
			}
			if seen != len(files) {
				t.Errorf("%d files", seen)
			}
		})
	}
}
