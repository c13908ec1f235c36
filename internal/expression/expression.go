// Package expression limits untrusted regular expressions.
package expression

import (
	"errors"
	"regexp"
	"regexp/syntax"
)

// MaxStates is how many states an expression may have once its repetitions are written out, maxLength its length in
// bytes: x{1000} is short and takes a megabyte when it is compiled.
const (
	MaxStates = 10_000
	maxLength = 8 << 10
)

// ErrTooLarge is returned for an expression of more than MaxStates.
var ErrTooLarge = errors.New("the regular expression has too many states")

// Compile compiles an expression, unless it is too large.
func Compile(pattern string) (*regexp.Regexp, error) {
	if States(pattern) > MaxStates {
		return nil, ErrTooLarge
	}
	return regexp.Compile(pattern) //nolint:forbidigo // bounded
}

// Wrong returns why an expression is not one of Go, which has the syntax of RE2, or nothing. everywhere reports whether no other
// dialect reads it either: an expression with look-around or back references is one of Perl.
func Wrong(pattern string) (why string, everywhere bool) {
	if len(pattern) > maxLength {
		return "", false
	}
	_, err := syntax.Parse(pattern, syntax.Perl)
	var wrong *syntax.Error
	if !errors.As(err, &wrong) {
		return "", false
	}
	switch wrong.Code {
	case syntax.ErrMissingParen, syntax.ErrUnexpectedParen, syntax.ErrMissingBracket, syntax.ErrTrailingBackslash,
		syntax.ErrMissingRepeatArgument, syntax.ErrInvalidCharRange:
		everywhere = true
	default:
	}
	return wrong.Code.String(), everywhere
}

// States returns about how many states an expression has, at most one more than MaxStates, and 0 for one that is not
// valid.
func States(pattern string) int {
	if len(pattern) > maxLength {
		return MaxStates + 1
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0
	}
	return states(parsed)
}

func states(re *syntax.Regexp) int {
	if re.Op == syntax.OpRepeat {
		return min(states(re.Sub[0])*max(re.Min, re.Max, 1), MaxStates+1)
	}
	n := max(1, len(re.Rune))
	if re.Op == syntax.OpCharClass {
		n = 1
	}
	for _, sub := range re.Sub {
		n = min(n+states(sub), MaxStates+1)
	}
	return n
}
