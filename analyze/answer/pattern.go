package answer

import (
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/internal/expression"
)

// pattern is a regular expression that matches whole texts. Envoy's expressions are RE2, and others
// differ from it only where RE2 refuses the expression (look-around, back references): then it is not
// known what it matches.
type pattern struct {
	// compiled is nil if RE2 does not have the expression, or it is too large.
	compiled *regexp.Regexp
	// program is nil if no automaton can run it: word boundaries depend on what follows.
	program *syntax.Prog
	// begins is a text with which everything begins that the expression matches.
	begins string
}

func newPattern(text string) *pattern {
	p := &pattern{begins: beginning(text)}
	compiled, err := expression.Compile("^(?:" + text + ")$")
	if err != nil {
		return p
	}
	p.compiled = compiled
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return p
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return p
	}
	for i := range program.Inst {
		if in := &program.Inst[i]; in.Op == syntax.InstEmptyWidth && syntax.EmptyOp(in.Arg)&(syntax.EmptyWordBoundary|syntax.EmptyNoWordBoundary) != 0 {
			return p
		}
	}
	p.program = program
	return p
}

// matches reports whether the expression matches a text. If RE2 does not have it, it is not known, unless
// the text lacks what the expression begins with.
func (p *pattern) matches(text string) fact.Fact {
	switch {
	case !strings.HasPrefix(text, p.begins):
		return fact.False
	case p.compiled == nil:
		return fact.Unknown
	}
	return fact.Of(p.compiled.MatchString(text))
}

// patterns keeps expressions that are compiled.
type patterns map[string]*pattern

func (all patterns) of(expression string) *pattern {
	p := all[expression]
	if p == nil {
		p = newPattern(expression)
		all[expression] = p
	}
	return p
}

// matches reports whether an expression matches a text, and if not, why.
func matches(expression, text, why string) (fact.Fact, string) {
	ok := newPattern(expression).matches(text)
	if ok == fact.Unknown {
		return ok, "it is not known what the regular expression " + expression + " matches: RE2 has no such syntax"
	}
	return ok, why
}

// beginning is a text with which everything begins that a regular expression matches as a whole. It
// may be shorter than it could be.
func beginning(expression string) string {
	expression = strings.TrimPrefix(expression, "^")
	if strings.Contains(expression, "|") {
		return ""
	}
	i := strings.IndexAny(expression, `\.+*?()[]{}^$`)
	if i < 0 {
		return expression
	}
	if i > 0 && strings.IndexByte("*?{", expression[i]) >= 0 {
		i-- // the last character may be absent
	}
	return expression[:i]
}
