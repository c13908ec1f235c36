package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Error is one mistake: Message says what is wrong, Hint what to do.
type Error struct {
	Position      loader.Position
	Message, Hint string
}

// Error writes file:line:column: what is wrong; what to do.
func (e *Error) Error() string {
	s := e.Position.String() + ": " + e.Message
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// Errors are the mistakes of one file in the order of their places.
type Errors []*Error

// Error writes one line for each mistake.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, mistake := range e {
		lines[i] = mistake.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap lets errors.As find an *Error.
func (e Errors) Unwrap() []error {
	out := make([]error, len(e))
	for i, mistake := range e {
		out[i] = mistake
	}
	return out
}

// maxMistakes bounds what is kept of a file that is something else altogether.
const maxMistakes = 100

// mistakes collects.
type mistakes struct {
	found []*Error
	// more says that there are some over the bound.
	more bool
}

// full says that no more are kept; whoever asks has another one.
func (m *mistakes) full() bool {
	m.more = m.more || len(m.found) == maxMistakes
	return m.more
}

func (m *mistakes) mistake(at loader.Position, message, hint string) {
	if m.full() {
		return
	}
	m.found = append(m.found, &Error{Position: at, Message: message, Hint: hint})
}

func (m *mistakes) err() error {
	if len(m.found) == 0 {
		return nil
	}
	slices.SortStableFunc(m.found, func(a, b *Error) int {
		return cmp.Or(a.Position.Compare(b.Position), cmp.Compare(a.Message, b.Message))
	})
	out := Errors(m.found)
	if m.more {
		out = append(out, &Error{
			Position: loader.Position{File: out[0].Position.File},
			Message:  fmt.Sprintf("the file holds more than %d mistakes", maxMistakes), Hint: "correct those above first",
		})
	}
	return out
}
