package expression

import (
	"sync"

	"github.com/google/cel-go/cel"
)

// maxCEL is the length in bytes up to which an expression of CEL is parsed.
const maxCEL = 16 << 10

var parser = sync.OnceValues(func() (*cel.Env, error) { return cel.NewEnv() })

// WrongCEL says why a text is no expression of CEL, by its syntax and the standard macros alone, or returns "". It says
// nothing about a text that is too long to parse.
func WrongCEL(text string) string {
	env, err := parser()
	if err != nil || len(text) > maxCEL {
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
