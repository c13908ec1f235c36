package render

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader/schema"
	"github.com/gwplan/gwplan/loader/source"
)

// BenchmarkOverlays renders two trees of many overlays that differ in one.
func BenchmarkOverlays(b *testing.B) {
	const overlays = 200
	var text strings.Builder
	for i := range overlays {
		dir := fmt.Sprintf("apps/app%d", i)
		text.WriteString(archive(
			dir+"/base/kustomization.yaml", "resources: [gw.yaml, retry.yaml]\n",
			dir+"/base/gw.yaml", gateway("", fmt.Sprintf("gw%d", i)), dir+"/base/retry.yaml", policy("", "retry"),
			dir+"/prod/kustomization.yaml", fmt.Sprintf("resources: [../base]\nnamespace: app%d\npatches: [{path: p.yaml}]\n", i),
			dir+"/prod/p.yaml", policy("", "retry")+"  retries: 3\n",
		))
	}
	m := newMemory()
	base := m.tree(text.String())
	head := m.tree(strings.Replace(text.String(), "retries: 3", "retries: 4", 1))
	opts := options()
	opts.Schemas = schema.Builtin()
	for b.Loop() {
		if _, err := Snapshots(context.Background(), []*source.Tree{base, head}, opts); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPlain renders many files without kustomizations, in many clusters.
func BenchmarkPlain(b *testing.B) {
	var text strings.Builder
	for i := range 100 {
		for j := range 100 {
			text.WriteString(archive(fmt.Sprintf("clusters/c%d/f%d.yaml", i, j), gateway("infra", fmt.Sprintf("gw%d", j))))
		}
	}
	m := newMemory()
	tree := m.tree(text.String())
	opts := options()
	opts.Schemas = schema.Builtin()
	for b.Loop() {
		if _, err := Snapshots(context.Background(), []*source.Tree{tree, tree}, opts); err != nil {
			b.Fatal(err)
		}
	}
}
