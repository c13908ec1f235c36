package celfunction

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/gwplan/gwplan/internal/expression"
)

// searches are find and findAll (apiserver, pkg/cel/library/regex.go).
func searches() []cel.EnvOption {
	text := cel.StringType
	return []cel.EnvOption{
		cel.Function("find", cel.MemberOverload("string_find_string", []*cel.Type{text, text}, text,
			binary(func(s, pattern string) ref.Val {
				e, err := expression.Compile(pattern)
				if err != nil {
					return types.NewErr("Illegal regex: %v", err)
				}
				return types.String(e.FindString(s))
			}))),
		cel.Function("findAll",
			cel.MemberOverload("string_find_all_string", []*cel.Type{text, text}, cel.ListType(text),
				binary(func(s, pattern string) ref.Val { return findAll(s, pattern, -1) })),
			cel.MemberOverload("string_find_all_string_int", []*cel.Type{text, text, cel.IntType}, cel.ListType(text),
				cel.FunctionBinding(func(args ...ref.Val) ref.Val {
					s, isText := args[0].Value().(string)
					pattern, isPattern := args[1].Value().(string)
					most, isNumber := args[2].Value().(int64)
					if !isText || !isPattern || !isNumber {
						return types.NoSuchOverloadErr()
					}
					return findAll(s, pattern, int(most))
				}))),
	}
}

// findAll returns at most so many matches, all if the number is negative.
func findAll(s, pattern string, most int) ref.Val {
	e, err := expression.Compile(pattern)
	if err != nil {
		return types.NewErr("Illegal regex: %v", err)
	}
	return texts(e.FindAllString(s, most))
}
