package schema

import (
	_ "embed"
	"encoding/binary"
	"sync"

	"github.com/google/cel-go/cel"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
	"google.golang.org/protobuf/proto"
)

// checkedExpressions are the expressions of gateway-api.json, parsed and checked: that takes most of the time of a run
// over a few objects. They are google.api.expr.v1alpha1.CheckedExpr, each after its size as a varint, in the order in
// which the file has them. `go test ./loader/schema -update` writes them with that file.
//
//go:embed gateway-api.checked
var checkedExpressions []byte

// checkedIndex finds an expression in checkedExpressions.
var checkedIndex = sync.OnceValue(func() map[string][]byte {
	index := map[string][]byte{}
	rest := checkedExpressions
	for _, expression := range expressions(compact()) {
		size, n := binary.Uvarint(rest)
		if n <= 0 || size > uint64(len(rest)-n) {
			return nil
		}
		end := n + int(size)
		index[expression], rest = rest[n:end], rest[end:]
	}
	return index
})

// expressions are the different expressions of a file in their order.
func expressions(file compactFile) []string {
	var out []string
	known := map[string]bool{}
	for _, n := range file.Nodes {
		if n.Checks == nil {
			continue
		}
		for _, r := range n.Checks.Rules {
			if !known[r.Expression] {
				known[r.Expression] = true
				out = append(out, r.Expression)
			}
		}
	}
	return out
}

// checked returns an expression parsed and checked, nil if that is not possible.
func checked(env *cel.Env, expression string) *cel.Ast {
	if stored := checkedIndex()[expression]; len(stored) > 0 {
		var expr exprpb.CheckedExpr
		if proto.Unmarshal(stored, &expr) == nil {
			return cel.CheckedExprToAst(&expr)
		}
	}
	ast, issues := env.Compile(expression)
	if issues.Err() != nil {
		return nil
	}
	return ast
}
