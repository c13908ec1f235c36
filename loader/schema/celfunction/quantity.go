package celfunction

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// quantities are isQuantity, quantity and what can be done with one (apiserver, pkg/cel/library/quantity.go).
func quantities() []cel.EnvOption {
	quantityType := cel.ObjectType("kubernetes.Quantity")
	quantityOf := func(q *big.Rat) ref.Val {
		return opaque[*big.Rat]{q, quantityType, func(a, b *big.Rat) bool { return a.Cmp(b) == 0 }}
	}
	one, two := []*cel.Type{quantityType}, []*cel.Type{quantityType, quantityType}
	options := []cel.EnvOption{
		cel.Function("isQuantity", cel.Overload("is_quantity_string", []*cel.Type{cel.StringType}, cel.BoolType,
			unary(func(s string) ref.Val { return types.Bool(parseQuantity(s) != nil) }))),
		cel.Function("quantity", cel.Overload("string_to_quantity", []*cel.Type{cel.StringType}, quantityType,
			unary(func(s string) ref.Val {
				if q := parseQuantity(s); q != nil {
					return quantityOf(q)
				}
				return types.NewErr("%q is not a quantity", s)
			}))),
		cel.Function("sign", cel.Overload("quantity_sign", one, cel.IntType,
			unary(func(q *big.Rat) ref.Val { return types.Int(q.Sign()) }))),
		cel.Function("isInteger", cel.MemberOverload("quantity_is_integer", one, cel.BoolType,
			unary(func(q *big.Rat) ref.Val { return types.Bool(isInt64(q)) }))),
		cel.Function("asInteger", cel.MemberOverload("quantity_get_int", one, cel.IntType,
			unary(func(q *big.Rat) ref.Val {
				if !isInt64(q) {
					return types.NewErr("cannot convert value to integer")
				}
				return types.Int(q.Num().Int64())
			}))),
		cel.Function("asApproximateFloat", cel.MemberOverload("quantity_get_float", one, cel.DoubleType,
			unary(func(q *big.Rat) ref.Val { f, _ := q.Float64(); return types.Double(f) }))),
		cel.Function("compareTo", cel.MemberOverload("quantity_compare_to", two, cel.IntType,
			binary(func(q, other *big.Rat) ref.Val { return types.Int(q.Cmp(other)) }))),
		cel.Function("isGreaterThan", cel.MemberOverload("quantity_is_greater_than", two, cel.BoolType,
			binary(func(q, other *big.Rat) ref.Val { return types.Bool(q.Cmp(other) > 0) }))),
		cel.Function("isLessThan", cel.MemberOverload("quantity_is_less_than", two, cel.BoolType,
			binary(func(q, other *big.Rat) ref.Val { return types.Bool(q.Cmp(other) < 0) }))),
	}
	for name, of := range map[string]func(z, x, y *big.Rat) *big.Rat{"add": (*big.Rat).Add, "sub": (*big.Rat).Sub} {
		options = append(options, cel.Function(name,
			cel.MemberOverload("quantity_"+name, two, quantityType,
				binary(func(q, other *big.Rat) ref.Val { return quantityOf(of(new(big.Rat), q, other)) })),
			cel.MemberOverload("quantity_"+name+"_int", []*cel.Type{quantityType, cel.IntType}, quantityType,
				binary(func(q *big.Rat, n int64) ref.Val {
					return quantityOf(of(new(big.Rat), q, new(big.Rat).SetInt64(n)))
				}))))
	}
	return options
}

func isInt64(q *big.Rat) bool { return q.IsInt() && q.Num().IsInt64() }

// quantityForm is a sign, digits with or without a point, and a suffix or an exponent. Without digits it is zero.
var quantityForm = regexp.MustCompile(`^([+-]?)([0-9]*)(\.?[0-9]*)(?:([KMGTPE]i)|([numkMGTPE]?)|[eE]([+-]?[0-9]+))$`)

// What a suffix multiplies by: powers of 2, and of 10.
var (
	binarySuffix  = map[string]uint{"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
	decimalSuffix = map[string]int{"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
)

// The digits and the exponent of a quantity that is read; longer ones are none here.
const (
	maxDigits   = 400
	maxExponent = 400
)

// parseQuantity is resource.ParseQuantity (apimachinery, pkg/api/resource/quantity.go): it rounds away from zero to nine
// decimals, and those with a binary suffix are 2^63-1 at most. It returns nil for what is no quantity.
func parseQuantity(s string) *big.Rat {
	if s == "" || len(s) > maxDigits {
		return nil
	}
	m := quantityForm.FindStringSubmatch(s)
	if m == nil {
		return nil
	}
	q, ok := new(big.Rat).SetString(m[1] + "0" + m[2] + strings.TrimSuffix(m[3], "."))
	if !ok {
		return nil
	}
	binarySuffixed := m[4] != ""
	switch {
	case binarySuffixed:
		q.Mul(q, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), binarySuffix[m[4]])))
	case m[6] != "":
		exponent, err := strconv.Atoi(m[6])
		if err != nil || max(exponent, -exponent) > maxExponent {
			return nil
		}
		scale(q, exponent)
	default:
		scale(q, decimalSuffix[m[5]])
	}
	roundUp(q)
	if most := new(big.Rat).SetInt64(1<<63 - 1); binarySuffixed && new(big.Rat).Abs(q).Cmp(most) > 0 {
		if q.Sign() < 0 {
			most.Neg(most)
		}
		return most
	}
	return q
}

// scale multiplies by a power of ten.
func scale(q *big.Rat, exponent int) {
	power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(exponent, -exponent))), nil))
	if exponent < 0 {
		power.Inv(power)
	}
	q.Mul(q, power)
}

// roundUp rounds away from zero to nine decimals.
func roundUp(q *big.Rat) {
	const nano = 9
	scale(q, nano)
	if !q.IsInt() {
		whole := new(big.Int).Quo(q.Num(), q.Denom())
		whole.Add(whole, big.NewInt(int64(q.Sign())))
		q.SetInt(whole)
	}
	scale(q, -nano)
}
