package gwplan_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"strings"
	"testing"
)

var boundRow = regexp.MustCompile("(?m)^\\| ([^|]+) \\| ([^|]+) \\| `([^`]+)` `([^`]+)` \\|$")

// TestBoundsInSecurity holds that the numbers in SECURITY.md are those of the code.
func TestBoundsInSecurity(t *testing.T) {
	text, err := os.ReadFile("SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := boundRow.FindAllStringSubmatch(string(text), -1)
	if len(rows) < 10 {
		t.Fatalf("SECURITY.md has %d bounds", len(rows))
	}
	byPath := map[string]file{}
	for _, f := range module(t) {
		byPath[f.path()] = f
	}
	for _, row := range rows {
		n, ok := numberOf(byPath[row[3]].syntax, row[4])
		if plain, size := grouped(n), sized(n); !ok || row[2] != plain && row[2] != size {
			t.Errorf("%s: SECURITY.md says %s, and %s of %s is %s or %s", row[1], row[2], row[4], row[3], plain, size)
		}
	}
}

// numberOf evaluates the constant of a name in a file, or the value of a key.
func numberOf(f *ast.File, name string) (n int64, ok bool) {
	if f == nil {
		return 0, false
	}
	ast.Inspect(f, func(node ast.Node) bool {
		var value ast.Expr
		switch node := node.(type) {
		case *ast.ValueSpec:
			if len(node.Names) == 1 && node.Names[0].Name == name && len(node.Values) == 1 {
				value = node.Values[0]
			}
		case *ast.KeyValueExpr:
			if key, is := node.Key.(*ast.Ident); is && key.Name == name {
				value = node.Value
			}
		}
		if value == nil || ok {
			return !ok
		}
		if result, err := types.Eval(token.NewFileSet(), nil, token.NoPos, types.ExprString(value)); err == nil && result.Value != nil {
			n, ok = constant.Int64Val(result.Value)
		}
		return true
	})
	return n, ok
}

// grouped writes a number with commas.
func grouped(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// sized writes a number of bytes.
func sized(n int64) string {
	for _, unit := range []string{"bytes", "KiB", "MiB", "GiB"} {
		if n < 1024 || n%1024 != 0 {
			return strings.TrimSpace(fmt.Sprint(n, " ", unit))
		}
		n /= 1024
	}
	return fmt.Sprint(n, " TiB")
}
