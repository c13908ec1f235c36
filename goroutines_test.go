package gwplan_test

import (
	"fmt"
	"go/ast"
	"os"
	"slices"
	"strings"
	"testing"
)

// concurrent complains about goroutines outside the packages that `make test` runs with the race detector.
func concurrent(files []file, raced []string) (complaints []string) {
	for _, f := range files {
		if f.test() || within(f.dir, "internal") || slices.ContainsFunc(raced, func(pattern string) bool {
			dir, below := strings.CutSuffix(strings.TrimPrefix(pattern, "./"), "/...")
			return f.dir == dir || below && within(f.dir, dir)
		}) {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			_, starts := n.(*ast.GoStmt)
			if call, ok := n.(*ast.CallExpr); ok {
				selector, _ := call.Fun.(*ast.SelectorExpr)
				starts = selector != nil && selector.Sel.Name == "Go"
			}
			if starts {
				complaints = append(complaints, fmt.Sprintf("%s starts a goroutine: do it where others are started, or add the package to CONCURRENT in Makefile", f.path()))
			}
			return true
		})
	}
	return complaints
}

func TestGoroutinesAreWhereRacesAreLookedFor(t *testing.T) {
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(makefile), "\nCONCURRENT := ")
	list, _, _ = strings.Cut(list, "\n")
	raced := strings.Fields(list)
	if !slices.Contains(raced, "./loader/source") {
		t.Fatalf("CONCURRENT in Makefile is %q: the packages that start goroutines", raced)
	}
	guard(t, func(files []file) []string { return concurrent(files, raced) }, map[string]string{
		"loader/ocm/x.go": "package ocm\nfunc f() { go f() }",
		"analyze/x.go":    "package analyze\nfunc f() { go f() }",
		"report/x.go":     "package report\nfunc f() { var w sync.WaitGroup; w.Go(f) }",
	})
}
