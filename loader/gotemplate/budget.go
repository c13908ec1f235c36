// Package gotemplate lets the Go templates of strangers run within bounds: those
// of Helm charts and of Argo CD's ApplicationSets.
//
// text/template has no limits: a template of one line can loop for ever, fill the
// memory or overflow the stack, and no caller can stop it. Instrument therefore
// rewrites a template so that each round of a loop, each call and each result
// calls back, and Funcs gives the functions that it calls: they spend a Budget
// and end the rendering with an error once it is used up. Functions that are
// slow, random or depend on time or surroundings are replaced by ones that give
// the same answer each time.
package gotemplate

import (
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"
	"time"
)

// Limits bound one rendering.
type Limits struct {
	// Steps is how many rounds of loops and calls of templates there may be.
	Steps int
	// Bytes is how much text and how many items (16 bytes each) results may hold
	// together.
	Bytes int
	// Depth is how deep include and tpl may nest.
	Depth int
	// Time ends what spends little and takes long, such as a hash of a long text in
	// a loop. It is the last resort: everything else gives the same answer each
	// time.
	Time time.Duration
}

// DefaultLimits leave room for charts ten times the size of the largest that are
// in use.
func DefaultLimits() Limits {
	return Limits{Steps: 500_000, Bytes: 256 << 20, Depth: 200, Time: 30 * time.Second}
}

// Budget is what one rendering may still spend. It serves one goroutine.
type Budget struct {
	left  Limits
	limit Limits
	// grown are the sizes of values as they would be printed.
	grown map[identity]extent
	// instrumented holds the texts given to tpl, as they were rewritten.
	instrumented map[string]string
	// Lookups counts the calls of lookup, which asks a cluster: they were answered
	// with nothing.
	Lookups int
	err     error
	late    atomic.Bool
	timer   *time.Timer
}

// NewBudget is a full one.
func NewBudget(limits Limits) *Budget {
	b := &Budget{left: limits, limit: limits, instrumented: map[string]string{}, grown: map[identity]extent{}}
	if limits.Time > 0 {
		b.timer = time.AfterFunc(limits.Time, func() { b.late.Store(true) })
	}
	return b
}

// Close lets go of what the budget holds, once the rendering is over.
func (b *Budget) Close() {
	if b.timer != nil {
		b.timer.Stop()
	}
	b.changed()
}

// maxText and maxItems bound one text and one list: a function that is given them
// takes long at once, and nothing can stop it.
const (
	maxText  = 16 << 20
	maxItems = 100_000
)

// Err says why the rendering was ended, or nil: engines wrap errors of functions
// in many lines of their own.
func (b *Budget) Err() error { return b.err }

func (b *Budget) fail(text string) error {
	if b.err == nil {
		b.err = errors.New(text)
	}
	return b.err
}

// Spend charges work that is done beside templates.
func (b *Budget) Spend(steps, bytes int) error {
	if err := b.steps(steps); err != nil {
		return err
	}
	return b.bytes(bytes)
}

// tplSteps is what a call of tpl costs: it copies every template of the chart.
const tplSteps = 50

func (b *Budget) steps(n int) error {
	if b.late.Load() {
		return b.fail(fmt.Sprintf("the templates take longer than %s", b.limit.Time))
	}
	if b.left.Steps -= n; b.left.Steps < 0 {
		return b.fail(fmt.Sprintf("the templates take more than %d steps", b.limit.Steps))
	}
	return nil
}

func (b *Budget) bytes(n int) error {
	if n < 0 || n > b.left.Bytes {
		return b.fail(fmt.Sprintf("the templates produce more than %d bytes", b.limit.Bytes))
	}
	b.left.Bytes -= n
	return nil
}

// step begins a round of a loop or a template, with the size of its text.
func (b *Budget) step(text int) (string, error) {
	if err := b.steps(1); err != nil {
		return "", err
	}
	return "", b.bytes(text)
}

// take lets a result pass and charges its size.
func (b *Budget) take(v any) (any, error) {
	n := size(v)
	if err := b.bytes(n); err != nil {
		return nil, err
	}
	switch _, isText := v.(string); {
	case isText && n > maxText:
		return nil, b.fail(fmt.Sprintf("a text has more than %d bytes", maxText))
	case !isText && n > 16*maxItems:
		return nil, b.fail(fmt.Sprintf("a list has more than %d items", maxItems))
	}
	return v, b.fits(v)
}

// size is that of a result without what lies deeper: that was charged when it
// was made.
func size(v any) int {
	switch v := v.(type) {
	case nil:
		return 0
	case string:
		return len(v)
	case []byte:
		return len(v)
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Map, reflect.Slice, reflect.Array:
		return 16 * r.Len()
	default:
		return 8
	}
}

// deeper and leave count how deep includes are.
func (b *Budget) deeper(name string) (string, error) {
	if b.left.Depth--; b.left.Depth < 0 {
		return "", b.fail(fmt.Sprintf("the templates include each other deeper than %d levels", b.limit.Depth))
	}
	return name, nil
}

func (b *Budget) leave(v any) any {
	b.left.Depth++
	return v
}

// enter makes a text safe that is to be run as a template.
func (b *Budget) enter(text string) (string, error) {
	if err := b.steps(tplSteps); err != nil {
		return "", err
	}
	if _, err := b.deeper(""); err != nil {
		return "", err
	}
	if safe, ok := b.instrumented[text]; ok {
		return safe, nil
	}
	safe, err := Instrument(text)
	if err == nil {
		b.instrumented[text] = safe
	}
	return safe, err
}
