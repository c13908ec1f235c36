package answer

import (
	"regexp"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
)

// matches reports whether a regular expression matches a whole text. Envoy's expressions are RE2, and
// others differ from it only where RE2 refuses the expression (look-around, back references): then it
// is not known, unless the text lacks what the expression begins with.
func matches(expression, text, why string) (fact.Fact, string) {
	compiled, err := regexp.Compile("^(?:" + expression + ")$")
	switch {
	case err == nil:
		return fact.Of(compiled.MatchString(text)), why
	case !strings.HasPrefix(text, beginning(expression)):
		return fact.False, why
	}
	return fact.Unknown, "RE2 does not have the regular expression " + expression
}

// beginning is the text with which everything begins that a regular expression matches as a whole. It
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
