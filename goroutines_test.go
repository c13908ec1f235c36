package gwplan_test

import (
	"fmt"
	"go/ast"
	"testing"
)

// concurrent complains about goroutines outside the packages that `make test` runs with the race detector.
func concurrent(files []file) (complaints []string) {
	for _, f := range files {
		if f.test() || within(f.dir, "loader") || within(f.dir, "cmd") || within(f.dir, "internal") {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			_, starts := n.(*ast.GoStmt)
			if call, ok := n.(*ast.CallExpr); ok {
				selector, _ := call.Fun.(*ast.SelectorExpr)
				starts = selector != nil && selector.Sel.Name == "Go"
			}
			if starts {
				complaints = append(complaints, fmt.Sprintf("%s starts a goroutine: do it in loader or cmd, or let make test run the race detector here, too", f.path()))
			}
			return true
		})
	}
	return complaints
}

func TestGoroutinesAreWhereRacesAreLookedFor(t *testing.T) {
	guard(t, concurrent, map[string]string{
		"analyze/x.go": "package analyze\nfunc f() { go f() }",
		"report/x.go":  "package report\nfunc f() { var w sync.WaitGroup; w.Go(f) }",
	})
}
