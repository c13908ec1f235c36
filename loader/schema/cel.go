package schema

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/schema/celfunction"
)

// maxCallCost is what one expression may cost. The API server allows 1,000,000 (apiserver,
// pkg/apis/cel, PerCallLimit), which takes a second.
const maxCallCost = 200_000

// maxExpression is the length of an expression that is compiled. The schemas of strangers may hold
// longer ones, which are not evaluated.
const maxExpression = 8 << 10

// environment is what expressions may use: as in the API server (apiserver, pkg/cel/environment/base.go), but for what
// celfunction says. Expressions that need more are not evaluated.
var environment = sync.OnceValues(func() (*cel.Env, error) {
	return cel.NewEnv(append(celfunction.Options(),
		cel.Variable("self", cel.DynType), cel.Variable("oldSelf", cel.DynType),
		cel.OptionalTypes(), cel.HomogeneousAggregateLiterals(), cel.DefaultUTCTimeZone(true), cel.CrossTypeNumericComparisons(true),
	)...)
})

// program is a compiled expression, or why there is none.
type program struct {
	cel.Program
	missing Skipped
}

func (r *Validator) program(expression string) program {
	known, found := r.programs[expression]
	if !found {
		if !compilable(expression) {
			known.missing = TooCostly
		} else if known.Program = compileExpression(expression); known.Program == nil {
			known.missing = NotKnown
		}
		r.programs[expression] = known
	}
	return known
}

func compileExpression(expression string) cel.Program {
	env, err := environment()
	if err != nil {
		return nil
	}
	ast := checked(env, expression)
	if ast == nil {
		return nil
	}
	compiled, err := env.Program(ast, cel.CostLimit(maxCallCost), cel.CostTracking(nil))
	if err != nil {
		return nil
	}
	return compiled
}

// compilable reports whether an expression is short, and has neither many macros that write out twice what they are
// called on, which may be one of them, nor a regular expression with many repetitions.
func compilable(expression string) bool {
	const maxMacros, maxRepetitions = 4, 3_000
	if len(expression) > maxExpression || strings.Count(expression, ".optMap(")+strings.Count(expression, ".optFlatMap(") > maxMacros {
		return false
	}
	total := 0
	for _, count := range repetitions.FindAllStringSubmatch(expression, -1) {
		n, err := strconv.Atoi(count[1])
		if total += n; err != nil || total > maxRepetitions {
			return false
		}
	}
	return true
}

var repetitions = regexp.MustCompile(`\{(?:[0-9]*,)?([0-9]+)\}`)

// The bytes of text in a value of which expressions are evaluated. A call of replace or join can make the square of it,
// and is only charged once it is done.
const (
	maxText     = 64 << 10
	maxReplaced = 4 << 10
)

// affordable reports whether the texts of the values are short enough for an expression.
func affordable(expression string, text int) bool {
	grows := strings.Contains(expression, "replace(") || strings.Contains(expression, "join(")
	return text <= maxReplaced || !grows && text <= maxText
}

// texts returns the bytes of text in a value.
func texts(v *loader.Value) int {
	if v == nil {
		return 0
	}
	n := len(v.Text)
	for _, f := range v.Fields {
		n += len(f.Key) + texts(f.Value)
	}
	for _, item := range v.Items {
		n += texts(item)
	}
	return n
}

// rules evaluates the expressions of a node on a value. An expression that cannot be compiled or
// evaluated finds nothing.
func (v *validation) rules(n *node, value, old *loader.Value, path string) bool {
	if len(n.checks.Rules) == 0 || holdsOpenMap(n, value) {
		return true
	}
	if old == nil || holdsVariable(value) {
		v.oncePerValue(n, value, func() { v.evaluateRules(n, value, nil, path) })
	} else {
		v.evaluateRules(n, value, old, path)
	}
	return true
}

// oncePerValue evaluates the expressions of a node unless they hold for an equal value: most routes of a tree differ in few
// of their parts.
func (v *validation) oncePerValue(n *node, value *loader.Value, evaluate func()) {
	key := judged{n.checks, loader.Digest(loader.ID{}, value)}
	if v.valid[key] {
		return
	}
	found, skipped := len(v.found), v.skipped
	v.skipped = None
	evaluate()
	if len(v.found) == found && v.skipped == None {
		v.valid[key] = true
	}
	v.skip(skipped)
}

// judged is a value at a node.
type judged struct {
	checks *checks
	value  [16]byte
}

func (v *validation) evaluateRules(n *node, value, old *loader.Value, path string) {
	input := map[string]any{"self": native(n, value)}
	if old != nil && !holdsVariable(old) {
		input["oldSelf"] = native(n, old)
	}
	text := texts(value) + texts(old)
	for _, r := range n.checks.Rules {
		if !affordable(r.Expression, text) {
			v.skip(TooCostly)
			continue
		}
		_, update := input["oldSelf"]
		transition := strings.Contains(r.Expression, "oldSelf")
		if transition && !update {
			continue // it holds for updates only
		}
		if v.fails(r.Expression, input) {
			v.report(Violation{At: value, Path: path, Message: r.message(), Transition: transition})
		}
	}
}

// fails evaluates an expression, and reports whether it is false or ends in an error: of a field or item that is not there, say
// (apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go, validateExpressions). An error of a function that differs
// here is no reason.
func (v *validation) fails(expression string, input map[string]any) bool {
	compiled := v.program(expression)
	if compiled.Program == nil {
		v.skip(compiled.missing)
		return false
	}
	if v.left == 0 {
		v.skip(TooCostly)
		return false
	}
	result, details, err := compiled.Eval(input)
	if details != nil {
		if cost := details.ActualCost(); cost != nil {
			v.left -= min(v.left, *cost)
			if *cost > maxCallCost {
				v.skip(TooCostly)
				return false
			}
		}
	}
	if err != nil {
		return absent.MatchString(err.Error())
	}
	return !types.IsUnknownOrError(result) && result.Value() == false
}

// absent matches the errors of expressions that need what is not there.
var absent = regexp.MustCompile(`^(no such key|index out of bounds|index '-?[0-9]+' out of range)`)

// message is what a schema says about a violation. An expression for the message is not evaluated,
// because it may repeat a secret.
func (r rule) message() string {
	if r.Message != "" {
		return r.Message
	}
	return "must satisfy " + r.Expression
}

// holdsOpenMap reports whether a variable stands for a map or a list: which fields these have is not known.
func holdsOpenMap(n *node, v *loader.Value) bool {
	if v.Opaque {
		return n == nil || n.checks == nil || !n.checks.IntOrString && !slices.Contains([]string{"string", "integer", "number", "boolean"}, n.checks.Type)
	}
	return slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return holdsOpenMap(n.child(f.Key), f.Value) }) ||
		slices.ContainsFunc(v.Items, func(item *loader.Value) bool { return holdsOpenMap(n.item(), item) })
}

func holdsVariable(v *loader.Value) bool {
	if v.Opaque {
		return true
	}
	for _, f := range v.Fields {
		if holdsVariable(f.Value) {
			return true
		}
	}
	for _, item := range v.Items {
		if holdsVariable(item) {
			return true
		}
	}
	return false
}

// native converts a value for expressions. Keys that the schema declares are escaped, those of free
// maps are not (apiserver, pkg/cel/escaping.go).
func native(n *node, v *loader.Value) any {
	if v.Opaque {
		return types.NewUnknown(0, nil) // what depends on it is unknown, and no reason to reject an object
	}
	switch v.Shape {
	case loader.Bool:
		return v.Text == "true"
	case loader.Int, loader.Float:
		if n == nil || n.checks == nil || n.checks.Type != "number" {
			if whole, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
				return whole
			}
		}
		number, err := strconv.ParseFloat(v.Text, 64)
		if err != nil {
			return types.NullValue
		}
		return number
	case loader.String:
		return v.Text
	case loader.Map:
		out := make(map[string]any, len(v.Fields))
		for _, f := range v.Fields {
			if f.Value.Shape == loader.Null {
				continue
			}
			name := f.Key
			if n.declares(name) {
				name = escaped(name)
			}
			out[name] = native(n.child(f.Key), f.Value)
		}
		return out
	case loader.List:
		out := make([]any, 0, len(v.Items))
		for _, item := range v.Items {
			out = append(out, native(n.item(), item))
		}
		return out
	case loader.Null:
	}
	return types.NullValue
}

func (n *node) declares(name string) bool {
	return n != nil && len(n.fields) > 0 && n.key(name) != n.extra
}

func (n *node) child(name string) *node {
	if n == nil {
		return nil
	}
	return n.key(name)
}

func (n *node) item() *node {
	if n == nil {
		return nil
	}
	return n.items
}

// reserved are the words of CEL that cannot be field names.
var reserved = map[string]bool{
	"true": true, "false": true, "null": true, "in": true, "as": true, "break": true, "const": true, "continue": true, "else": true,
	"for": true, "function": true, "if": true, "import": true, "let": true, "loop": true, "package": true, "namespace": true,
	"return": true, "var": true, "void": true, "while": true,
}

var escapes = strings.NewReplacer("__", "__underscores__", ".", "__dot__", "-", "__dash__", "/", "__slash__")

// escaped is the name of a field in expressions.
func escaped(name string) string {
	if reserved[name] {
		return "__" + name + "__"
	}
	return escapes.Replace(name)
}
