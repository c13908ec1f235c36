// Package variable substitutes the variables of Flux: ${VAR} with defaults and string
// functions, in every string and key of an object.
//
// The syntax is that of Flux (github.com/fluxcd/pkg/envsubst). For a whole object Flux
// (fluxcd/pkg kustomize/kustomize_varsub.go, SubstituteVariables) substitutes in its YAML
// and parses the result, so `port: ${PORT}` becomes a number.
//
// An unknown variable is kept as written, as an opaque value. Flux rejects a variable that
// is not set; before kustomize-controller 1.9 it replaced it by nothing. But it may be set
// by an object that exists only in the cluster.
package variable

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/fluxcd/pkg/envsubst"

	"github.com/gwplan/gwplan/loader"
)

// Value is the value of a variable, and where it is set.
type Value struct {
	Text string
	At   loader.Position
	// From are the positions of the variables that the value itself was made from.
	From []loader.Position
	// Opaque means that the variable is set, but its text is not known.
	Opaque bool
}

// Set holds the variables of one Flux Kustomization.
type Set struct {
	Values map[string]Value
	// Open means that a source of variables could not be read, so a name that is not in
	// Values is unknown, not unset.
	Open bool
	// Always enables substitution even without any variable
	// (kustomize-controller api/v1, substituteStrategy).
	Always bool
}

// active reports whether substitution is enabled.
func (s *Set) active() bool { return s != nil && (len(s.Values) > 0 || s.Open || s.Always) }

// names matches the variable names that Flux accepts (varsubRegex).
var names = regexp.MustCompile(`^[_[:alpha:]][_[:alpha:][:digit:]]*$`)

// Valid reports whether Flux accepts a variable name. An invalid name fails the whole
// Kustomization.
func Valid(name string) bool { return names.MatchString(name) }

// maxText limits the bytes of a text before and after expansion.
const maxText = 1 << 20

// expansion is one text after substitution.
type expansion struct {
	text string
	// opaque means that part of it is unknown.
	opaque bool
	// used are the variables that were substituted. missing are those that are not set and
	// have no default; their expressions are kept as written.
	used, missing []string
	// whole means that the text was one expression with one variable and nothing else.
	whole bool
}

// expand evaluates a text. It evaluates each expression separately, so that an unknown one
// does not affect the others.
func (s *Set) expand(text string) (expansion, error) {
	var out strings.Builder
	var e expansion
	if len(text) > maxText {
		return e, loader.Limit(fmt.Sprintf("the text is longer than %d bytes", maxText))
	}
	pieces := split(text)
	for _, p := range pieces {
		if !p.expression {
			out.WriteString(p.text)
			continue
		}
		got, err := s.expression(p.text, &e)
		if err != nil {
			return e, err
		}
		out.WriteString(got)
		if out.Len() > maxText {
			return e, loader.Limit(fmt.Sprintf("the text grows beyond %d bytes", maxText))
		}
	}
	e.text = out.String()
	e.whole = len(pieces) == 1 && len(e.used) == 1
	return e, nil
}

// expression evaluates ${...}. A third-party parser evaluates untrusted text here, so a
// panic becomes an error of this expression.
func (s *Set) expression(text string, e *expansion) (out string, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = "", fmt.Errorf("the expression cannot be evaluated")
		}
	}()
	if s.replaces(text) > maxReplaced {
		return "", loader.Limit(fmt.Sprintf("replacing in texts of this size may make more than %d bytes", maxReplaced))
	}
	unknown := false
	var used, missing []string
	lookup := func(name string) (string, bool) {
		v, ok := s.Values[name]
		switch {
		case ok && !v.Opaque:
			used = append(used, name)
			return v.Text, true
		case ok || s.Open:
			unknown = true
		default:
			missing = append(missing, name)
		}
		// Outside of its strict mode Flux treats an unset variable as set to ""
		// (varSubstitution).
		return "", true
	}
	if out, err = envsubst.Eval(text, lookup); err != nil {
		return "", fmt.Errorf("in ${}: %w", err)
	}
	if !unknown && len(missing) > 0 && !defaulted(text, s.Values) {
		e.missing = append(e.missing, missing...)
		unknown = true
	}
	if unknown {
		e.opaque = true
		return text, nil
	}
	e.used = append(e.used, used...)
	return out, nil
}

// maxReplaced bounds what ${A//B/C} may make: the library makes it before anybody can look at it.
const maxReplaced = 64 << 20

// replaces is an upper bound of the bytes that an expression makes which replaces every occurrence: with n bytes of
// text, at most n/2 occurrences by n/2 bytes.
func (s *Set) replaces(text string) int {
	if !strings.Contains(text, "//") {
		return 0
	}
	total := len(text)
	for _, name := range word.FindAllString(text, -1) {
		total += len(s.Values[name].Text)
	}
	return total / 2 * (total / 2)
}

var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// defaulted reports whether an expression has a value although some of its variables are not
// set. If not, the strict mode of Flux rejects it.
func defaulted(text string, values map[string]Value) bool {
	_, err := envsubst.Eval(text, func(name string) (string, bool) {
		v, ok := values[name]
		return v.Text, ok
	})
	return err == nil
}
