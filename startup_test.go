package gwplan_test

import (
	"fmt"
	"go/ast"
	"regexp"
	"strconv"
	"testing"
)

// maxRepetition bounds {n} in an expression that every start compiles: each repetition is written out.
const maxRepetition = 64

var repetition = regexp.MustCompile(`\{(?:[0-9]*,)?([0-9]+)\}`)

// slowStarts complains about regular expressions that are compiled whenever the program starts and take long, whatever
// the command is.
func slowStarts(files []file) (complaints []string) {
	for _, f := range files {
		if f.test() {
			continue
		}
		for _, declaration := range f.syntax.Decls {
			variables, _ := declaration.(*ast.GenDecl)
			if variables == nil {
				continue
			}
			ast.Inspect(variables, func(n ast.Node) bool {
				if _, later := n.(*ast.FuncLit); later {
					return false
				}
				text, _ := n.(*ast.BasicLit)
				if text == nil {
					return true
				}
				for _, m := range repetition.FindAllStringSubmatch(text.Value, -1) {
					if n, err := strconv.Atoi(m[1]); err == nil && n > maxRepetition {
						complaints = append(complaints, fmt.Sprintf("%s compiles %s when the program starts: compare the length instead", f.path(), text.Value))
					}
				}
				return true
			})
		}
	}
	return complaints
}

func TestNoExpressionSlowsTheStart(t *testing.T) {
	guard(t, slowStarts, map[string]string{
		"analyze/x.go": "package analyze\nvar name = regexp.MustCompile(`^[a-z]{1,253}$`)",
		"report/x.go":  "package report\nvar (\n\ta = 1\n\tname = regexp.MustCompile(`^[a-z]{100}$`)\n)",
	})
}
