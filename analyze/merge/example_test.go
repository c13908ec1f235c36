package merge_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// The policy of a route is laid over the defaults of its Gateway. Each leaf of the result says which
// policy set it, and at which line.
func ExampleStrategy_Merge() {
	form := merge.Form{Typed: true}
	gateway := policy("defaults", "timeout: 10s\nretries: 3\nretryOn: [502, 503]\n", merge.Default, form)
	route := policy("checkout", "timeout: 30s\nretryOn: [504]\n", merge.Direct, form)

	merged := merge.Strategy{Algorithm: merge.LeafWise}.Merge(route, gateway).Strip()
	merged.Walk(func(path []string, leaf *merge.Tree) {
		fmt.Printf("%s: %v, line %d of %s\n", strings.Join(path, "."), leaf.JSON(), leaf.Value.Mark.Line, leaf.Source.Object.ID.Name)
	})
	// Output:
	// retries: 3, line 2 of defaults
	// retryOn: [504], line 2 of checkout
	// timeout: 30s, line 1 of checkout
}

// policy is the spec of a policy, ready to be merged.
func policy(name, spec string, role merge.Role, form merge.Form) *merge.Tree {
	values, problems := manifest.Parse([]byte(spec), manifest.DefaultLimits())
	if len(problems) > 0 {
		log.Fatal(problems[0].Message)
	}
	object := &loader.Object{ID: loader.ID{Kind: "TimeoutPolicy", Name: name}}
	return merge.New(values[0], &merge.Source{Object: object, Role: role}, form)
}
