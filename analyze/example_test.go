package analyze_test

import (
	"context"
	"log"
	"os"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader/render"
	"github.com/gwplan/gwplan/loader/schema"
	"github.com/gwplan/gwplan/loader/source"
	"github.com/gwplan/gwplan/report/outline"
	"github.com/gwplan/gwplan/report/text"
)

// What gwplan diff does, in four steps: open two revisions, render them to the objects that reach a
// cluster, compare these, and report. Here the revisions are folders; a Request with Revisions takes
// them from Git. A program that renders kustomizations of strangers calls kustomize.Sandbox first.
func ExampleCompare() {
	ctx := context.Background()
	base, head, err := source.OpenPair(ctx, source.Request{BaseDir: "testdata/example/base", HeadDir: "testdata/example/head"})
	if err != nil {
		log.Fatal(err)
	}
	defer base.Blobs.Close() // head has the same

	snapshots, err := render.Snapshots(ctx, []*source.Tree{base, head}, render.Options{
		Schemas: schema.Builtin(), ClusterScoped: hierarchy.ClusterScoped,
	})
	if err != nil {
		log.Fatal(err)
	}

	known, err := catalogue.Builtin()
	if err != nil {
		log.Fatal(err)
	}
	plan := analyze.Compare(snapshots[0], snapshots[1], analyze.Options{
		Catalogue: known, Hunks: source.Hunks(base, head), Changed: source.Changed(base, head),
	})

	// plan is plain data. Package report offers it in other formats, too.
	if err := text.Plan(os.Stdout, plan, outline.Style{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// HTTPRoute shop/checkout changes the request timeout from 10s to 30s
	//
	// 1. BackendTrafficPolicy shop/defaults  policy.yaml:7
	//
	//    BackendTrafficPolicy  by shop/defaults
	//    ~ HTTPRoute shop/checkout#rule[0]
	//      - /timeout/http/requestTimeout: 10s   policy.yaml:7  BackendTrafficPolicy shop/defaults
	//      + /timeout/http/requestTimeout: 30s   policy.yaml:7  BackendTrafficPolicy shop/defaults
	//
	// 1 change for 1 target (1 HTTPRoute) · new findings: none · 0 problems
}
