// Package celfunction has what the expressions of CRDs may call beside the standard library of CEL. It follows
// the API server (Kubernetes 1.36, apiserver pkg/cel/environment/base.go and pkg/cel/library), whose own package brings
// metrics, tracing and an authorizer. Of authorizers, semantic versions and lists there is nothing here: an expression
// that calls them does not compile.
package celfunction

import (
	"fmt"
	"reflect"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"
)

// Options are the functions for an environment.
func Options() []cel.EnvOption {
	options := []cel.EnvOption{
		ext.Strings(ext.StringsVersion(2)), ext.Sets(), ext.TwoVarComprehensions(),
		ext.Network(), // IP addresses and CIDRs, equal to those of the API server
	}
	options = append(options, urls()...)
	options = append(options, formats()...)
	options = append(options, quantities()...)
	return append(options, searches()...)
}

// opaque is a value of a type of which expressions know functions alone.
type opaque[T any] struct {
	of    T
	kind  *cel.Type
	equal func(a, b T) bool
}

// Value implements ref.Val.
func (o opaque[T]) Value() any { return o.of }

// Type implements ref.Val.
func (o opaque[T]) Type() ref.Type { return o.kind }

// Equal implements ref.Val.
func (o opaque[T]) Equal(other ref.Val) ref.Val {
	that, same := other.(opaque[T])
	if !same {
		return types.MaybeNoSuchOverloadErr(other)
	}
	return types.Bool(o.equal(o.of, that.of))
}

// ConvertToType implements ref.Val.
func (o opaque[T]) ConvertToType(to ref.Type) ref.Val {
	switch to.TypeName() {
	case o.kind.TypeName():
		return o
	case types.TypeType.TypeName():
		return o.kind
	}
	return types.NewErr("type conversion error from '%s' to '%s'", o.kind, to)
}

// ConvertToNative implements ref.Val.
func (o opaque[T]) ConvertToNative(to reflect.Type) (any, error) {
	return nil, fmt.Errorf("type conversion error from '%s' to '%v'", o.kind, to)
}

// unary binds a function of a value of type T.
func unary[T any](f func(T) ref.Val) cel.OverloadOpt {
	return cel.UnaryBinding(func(arg ref.Val) ref.Val {
		v, ok := arg.Value().(T)
		if !ok {
			return types.MaybeNoSuchOverloadErr(arg)
		}
		return f(v)
	})
}

// binary binds a function of a value of type T and one of type U.
func binary[T, U any](f func(T, U) ref.Val) cel.OverloadOpt {
	return cel.BinaryBinding(func(arg, other ref.Val) ref.Val {
		v, ok := arg.Value().(T)
		if !ok {
			return types.MaybeNoSuchOverloadErr(arg)
		}
		w, ok := other.Value().(U)
		if !ok {
			return types.MaybeNoSuchOverloadErr(other)
		}
		return f(v, w)
	})
}

// texts returns a list of texts as a value.
func texts(list []string) ref.Val { return types.NewStringList(types.DefaultTypeAdapter, list) }
