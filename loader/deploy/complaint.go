package deploy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Complaint describes a problem and what to do about it.
type Complaint struct{ Code, message, Hint, subject, part string }

// Complain returns a Complaint: a stable code, what is wrong, and a hint what to do, which may be
// empty.
func Complain(code, message, hint string) Complaint {
	return Complaint{Code: code, message: message, Hint: hint}
}

// About returns the complaint with a subject, which is put before its message.
func (c Complaint) About(subject string) Complaint {
	c.subject, c.message = subject, subject+" "+c.message
	return c
}

// Problem returns the complaint as a warning at a position.
func (c Complaint) Problem(at loader.Position) loader.Problem {
	return loader.Problem{Severity: loader.Warning, Code: c.Code, Position: at, Message: c.message, Hint: c.Hint, Subject: c.subject, Part: c.part}
}

// PositionOf returns the position of a value in a file. For nil it is the file alone.
func PositionOf(file string, v *loader.Value) loader.Position {
	if v == nil {
		return loader.Position{File: file}
	}
	return loader.Position{File: file, Line: int(v.Mark.Line), Column: int(v.Mark.Column)}
}

// Clip shortens text from a tree for a message.
func Clip(s string) string {
	const limit = 200
	if r := []rune(s); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return s
}

// Quote quotes text from a tree for a message.
func Quote(s string) string { return fmt.Sprintf("%q", Clip(s)) }

// Reference returns a path or address from a tree, as a name. A text that can be neither is the
// content itself, which may be secret.
func Reference(s string) string {
	if strings.ContainsAny(s, "\n{") || strings.Contains(s, ": ") {
		return "an inline text"
	}
	return Clip(s)
}

// QuoteReference quotes a reference for a message.
func QuoteReference(s string) string { return fmt.Sprintf("%q", Reference(s)) }

// maxEach is the largest number of problems of one code that are reported one by one.
const maxEach = 10

// Summarised replaces more than maxEach problems of one code by one that has their number.
func Summarised(list []loader.Problem, message string) []loader.Problem {
	if len(list) <= maxEach {
		return list
	}
	first := slices.MinFunc(list, func(a, b loader.Problem) int { return a.Position.Compare(b.Position) })
	first.Message = fmt.Sprintf(message, len(list)) + "; the first: " + first.Message
	return []loader.Problem{first}
}

// Overdrawn returns the complaint that a part is not rendered because the run reached its limit of
// memory or time.
func Overdrawn(what, why string) Complaint {
	return Beyond(what, why, "raise --max-memory and --max-time if the input is meant to be so large")
}

// Beyond returns the complaint that a part is left out because it exceeds a bound.
func Beyond(what, why, hint string) Complaint {
	c := Complain(loader.LimitRun, what+": "+why, hint)
	c.part = what
	return c
}
