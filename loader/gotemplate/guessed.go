package gotemplate

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Guessed returns the functions that templates called since the last call of Guessed and whose results only a cluster, a clock
// or chance knows, sorted. What they return here is made up.
func (b *Budget) Guessed() []string {
	out := b.guessed
	b.guessed = nil
	slices.Sort(out)
	return out
}

// Unguessed returns an error if templates called such a function since the last call of Guessed.
func Unguessed(b *Budget) error {
	if called := b.Guessed(); len(called) > 0 {
		return fmt.Errorf("it calls %s: only a cluster, a clock or chance knows the result", strings.Join(called, ", "))
	}
	return nil
}

// guesses are the names of these functions.
func guesses() []string {
	return slices.Concat([]string{
		"ago", "getHostByName", "lookup", "now", "randAlpha", "randAlphaNum", "randAscii", "randBytes", "randInt", "randNumeric",
		"shuffle", "uuidv4",
	}, keyMakers(), certificateMakers())
}

// guessing returns a function that notes that it is called.
func (b *Budget) guessing(name string, function any) any {
	fn := reflect.ValueOf(function)
	return reflect.MakeFunc(fn.Type(), func(args []reflect.Value) []reflect.Value {
		guess(b, name)
		if fn.Type().IsVariadic() {
			return fn.CallSlice(args)
		}
		return fn.Call(args)
	}).Interface()
}

func guess(b *Budget, name string) {
	if !slices.Contains(b.guessed, name) {
		b.guessed = append(b.guessed, name)
	}
}

// lookup finds no object, as Helm's does without a cluster.
func lookup(_, _, _, _ string) map[string]any { return map[string]any{} }
