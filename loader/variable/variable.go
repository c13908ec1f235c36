// Package variable fills in the variables of Flux: ${VAR} with defaults and
// string functions, in every text of an object.
//
// The language is Flux's own (github.com/fluxcd/pkg/envsubst). What Flux does
// with a whole object is fluxcd/pkg kustomize/kustomize_varsub.go,
// SubstituteVariables: it substitutes in the object's YAML and reads the result
// anew, so `port: ${PORT}` becomes a number. A variable that is not known stays
// as it is written, an opaque value: Flux refuses one that is set nowhere, or put
// nothing in its place before kustomize-controller 1.9, but what sets it may live
// in the cluster alone.
package variable

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/fluxcd/pkg/envsubst"

	"github.com/gwplan/gwplan/loader"
)

// Value is what a variable is set to, and where.
type Value struct {
	Text string
	At   loader.Position
	// From are further places that the value was made of: variables of its own.
	From []loader.Position
	// Opaque says that it is set and that the text is not known.
	Opaque bool
}

// Set holds the variables of one Flux Kustomization.
type Set struct {
	Values map[string]Value
	// Open says that something that may set variables could not be read, so a
	// name that is not among the values is unknown and not unset.
	Open bool
	// Always substitutes even without any variable
	// (kustomize-controller api/v1, substituteStrategy).
	Always bool
}

// Active says whether anything is substituted at all.
func (s *Set) Active() bool { return s != nil && (len(s.Values) > 0 || s.Open || s.Always) }

// names are what Flux accepts as names of variables (varsubRegex).
var names = regexp.MustCompile(`^[_[:alpha:]][_[:alpha:][:digit:]]*$`)

// Valid says whether Flux accepts a name. One that it does not fails the whole
// Kustomization.
func Valid(name string) bool { return names.MatchString(name) }

// maxText bounds a text that is expanded, before and after.
const maxText = 1 << 20

// expansion is one text after substitution.
type expansion struct {
	text string
	// opaque says that part of it is unknown.
	opaque bool
	// used are the variables that it was made of; missing those that are not set
	// and have no default, and stay as they are written.
	used, missing []string
	// whole says that the text was one expression of one variable and nothing
	// else.
	whole bool
}

// expand evaluates a text. Each expression is evaluated by itself, so that an
// unknown one leaves the others alone.
func (s *Set) expand(text string) (expansion, error) {
	var out strings.Builder
	var e expansion
	if len(text) > maxText {
		return e, fmt.Errorf("the text is longer than %d bytes", maxText)
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
			return e, fmt.Errorf("the text grows beyond %d bytes", maxText)
		}
	}
	e.text = out.String()
	e.whole = len(pieces) == 1 && len(e.used) == 1
	return e, nil
}

// expression evaluates ${...}. The parser is not ours and the text is anyone's,
// so a panic is an error of this expression.
func (s *Set) expression(text string, e *expansion) (out string, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = "", fmt.Errorf("the expression cannot be evaluated: %v", r)
		}
	}()
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
		// Without its strict mode Flux takes what is not set for set to nothing
		// (varSubstitution).
		return "", true
	}
	if out, err = envsubst.Eval(text, lookup); err != nil {
		return "", fmt.Errorf("%s: %v", clip(text), err)
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

// defaulted says whether an expression has a value although variables of it are
// not set: Flux's strict mode refuses it otherwise.
func defaulted(text string, values map[string]Value) bool {
	_, err := envsubst.Eval(text, func(name string) (string, bool) {
		v, ok := values[name]
		return v.Text, ok
	})
	return err == nil
}

func clip(text string) string {
	const limit = 100
	if r := []rune(text); len(r) > limit {
		return fmt.Sprintf("%q", string(r[:limit])+"…")
	}
	return fmt.Sprintf("%q", text)
}
