package gotemplate

import (
	"reflect"
	"slices"
)

// Guessed returns the functions that templates called since the last call of Guessed and whose results only a cluster, a clock
// or chance knows, sorted. What they return here is made up.
func (b *Budget) Guessed() []string {
	out := b.guessed
	b.guessed = nil
	slices.Sort(out)
	return out
}

// guesses are the names of these functions.
func guesses() []string {
	return []string{
		"ago", "getHostByName", "lookup", "now", "randAlpha", "randAlphaNum", "randAscii", "randBytes", "randInt", "randNumeric",
		"shuffle", "uuidv4",
	}
}

// guessing returns a function that notes that it is called.
func (b *Budget) guessing(name string, function any) any {
	fn := reflect.ValueOf(function)
	return reflect.MakeFunc(fn.Type(), func(args []reflect.Value) []reflect.Value {
		if !slices.Contains(b.guessed, name) {
			b.guessed = append(b.guessed, name)
		}
		return fn.Call(args)
	}).Interface()
}

// lookup finds no object, as Helm's does without a cluster.
func lookup(_, _, _, _ string) map[string]any { return map[string]any{} }
