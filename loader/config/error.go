package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Error is one mistake: Message says what is wrong, Hint how to correct it.
type Error struct {
	Position      loader.Position
	Message, Hint string
}

// Error returns "file:line:column: Message; Hint".
func (e *Error) Error() string {
	s := e.Position.String() + ": " + e.Message
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// Errors are the mistakes of one file, sorted by position.
type Errors []*Error

// Error returns one line for each mistake.
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

// maxMistakes limits the mistakes kept of one file, which may not be a config at all.
const maxMistakes = 100

// mistakes collects the mistakes of one file.
type mistakes struct {
	found []*Error
	// more means that there are more mistakes than maxMistakes.
	more bool
}

// full reports whether the limit is reached. Callers have one more mistake, so it sets more.
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
