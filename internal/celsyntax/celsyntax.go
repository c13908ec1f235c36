// Package celsyntax checks expressions of CEL without evaluating them.
package celsyntax

import (
	"sync"

	"github.com/google/cel-go/cel"
)

// maxLength is the length in bytes up to which an expression of CEL is parsed.
const maxLength = 16 << 10

var parser = sync.OnceValues(func() (*cel.Env, error) { return cel.NewEnv() })

// Wrong says why a text is no expression of CEL, by its syntax and the standard macros alone, or returns "". It says
// nothing about a text that is too long to parse.
func Wrong(text string) string {
	env, err := parser()
	if err != nil || len(text) > maxLength {
		return ""
	}
	if _, issues := env.Parse(text); issues.Err() != nil {
		if all := issues.Errors(); len(all) > 0 {
			return all[0].Message
		}
		return issues.Err().Error()
	}
	return ""
}
