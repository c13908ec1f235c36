package gwplan_test

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"
)

// maxMethods is the number of methods that one type may have. A reader who meets a longer list cannot
// tell which of them belong together; most such types did the work of three.
const maxMethods = 20

// crowded complains about types of too many methods, which may stand in several files of a package.
func crowded(files []file) (complaints []string) {
	counts, in := map[string]int{}, map[string][]string{}
	for _, f := range files {
		if f.test() {
			continue
		}
		for _, declaration := range f.syntax.Decls {
			fn, ok := declaration.(*ast.FuncDecl)
			if !ok || fn.Recv == nil {
				continue
			}
			of, _, _ := strings.Cut(f.function(fn), ".")
			of = f.dir + "." + of
			counts[of]++
			if !slices.Contains(in[of], f.name) {
				in[of] = append(in[of], f.name)
			}
		}
	}
	for _, of := range slices.Sorted(maps.Keys(counts)) {
		if counts[of] > maxMethods {
			complaints = append(complaints, fmt.Sprintf("%s has %d methods, and %d are the most, in %s: give those that share fields and a purpose a type and a file of their own, or make functions of those that need no receiver",
				of, counts[of], maxMethods, strings.Join(in[of], ", ")))
		}
	}
	return complaints
}

func TestFewMethods(t *testing.T) {
	guard(t, crowded, map[string]string{"loader/a.go": "package loader\n" + methods(0, maxMethods+1)})
}

// methods declares methods of one type, half of them for its pointer.
func methods(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, "\nfunc (s %sstore[K]) m%d() {}\n", strings.Repeat("*", i%2), i)
	}
	return b.String()
}

// The methods of a type count over the files of its package, and not those of tests or of another
// package's type of the same name.
func TestFewMethodsCountsByPackage(t *testing.T) {
	most := parse(t, "loader/a.go", "package loader\n"+methods(0, maxMethods))
	for name, want := range map[string]int{"loader/b.go": 1, "loader/b_test.go": 0, "report/b.go": 0} {
		more := parse(t, name, "package p\n"+methods(maxMethods, maxMethods+1))
		if complaints := crowded([]file{most, more}); len(complaints) != want {
			t.Errorf("one more in %s: %q, want %d complaints", name, complaints, want)
		}
	}
}
