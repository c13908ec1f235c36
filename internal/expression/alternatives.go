package expression

import "regexp"

// flags matches those that hold for a whole expression.
var flags = regexp.MustCompile(`^\(\?[A-Za-z]+\)`)

// Alternatives returns what an expression lists at its top, as in A|B, with the flags that it begins with before each: its
// beginning is then that of every one of them.
func Alternatives(pattern string) []string {
	before := flags.FindString(pattern)
	var out []string
	depth, class, from := 0, false, len(before)
	for i := from; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			if i+1 < len(pattern) && pattern[i+1] == 'Q' {
				return []string{pattern} // quoted text is not looked at
			}
			i++
		case class:
			class = c != ']' || isFirst(pattern, i)
		case c == '[':
			class = true
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '|' && depth == 0:
			out, from = append(out, before+pattern[from:i]), i+1
		}
	}
	return append(out, before+pattern[from:])
}

// isFirst reports whether a bracket is the first character of a class, which it does not close there.
func isFirst(pattern string, at int) bool {
	return pattern[at-1] == '[' || pattern[at-1] == '^' && pattern[at-2] == '['
}
