// Package gotemplate sets limits for untrusted Go templates: those of Helm charts, of Argo
// CD ApplicationSets and of Flux operator ResourceSets.
//
// text/template has no limits: a template of one line can loop for ever, fill the memory
// or overflow the stack, and no caller can stop it. Instrument therefore rewrites a
// template so that each loop iteration, call and result calls a callback function. Funcs
// returns these functions: they spend a Budget and stop the rendering with an error once it
// is used up. Functions that are slow, random, or depend on the time or the environment are
// replaced by deterministic ones.
package gotemplate

import (
	"fmt"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/gwplan/gwplan/loader"
)

// Limits are the limits of one rendering.
type Limits struct {
	// Steps is the maximum number of loop iterations and template calls.
	Steps int
	// Bytes is the maximum total size of all results: the bytes of text, and 16 bytes for
	// each item.
	Bytes int
	// Depth is the maximum nesting depth of include and tpl.
	Depth int
	// Time stops a template that spends little but takes long, such as one that hashes a
	// long text in a loop. It is the last resort, because it is the only limit that is not
	// deterministic.
	Time time.Duration
	// Spent says why the run as a whole has no more to spend, "" while it has. Nil is unlimited.
	Spent func() string
}

// DefaultLimits are sufficient for charts five times the size of the largest ones in use.
func DefaultLimits() Limits {
	return Limits{Steps: 500_000, Bytes: 128 << 20, Depth: 200, Time: 30 * time.Second}
}

// Budget is what one rendering may still spend. It is not safe for concurrent use.
type Budget struct {
	left  Limits
	limit Limits
	// grown caches the printed sizes of values.
	grown map[identity]extent
	// instrumented maps each text passed to tpl to its instrumented form.
	instrumented map[string]string
	// guessed are the functions called since Guessed, of which the result is made up.
	guessed []string
	err     error
	// asked counts the steps since Spent was last called.
	asked int
	late  atomic.Bool
	timer *time.Timer
}

// NewBudget returns a full budget and starts its timer.
func NewBudget(limits Limits) *Budget {
	b := &Budget{left: limits, limit: limits, instrumented: map[string]string{}, grown: map[identity]extent{}}
	if limits.Time > 0 {
		b.timer = time.AfterFunc(limits.Time, func() { b.late.Store(true) })
	}
	return b
}

// Close stops the timer and clears the caches. Call it when the rendering is over.
func (b *Budget) Close() {
	if b.timer != nil {
		b.timer.Stop()
	}
	b.changed()
}

// maxText and maxItems limit one text and one list, because a single function call on a
// larger one takes long and cannot be stopped.
const (
	maxText  = 16 << 20
	maxItems = 100_000
)

// Err returns the error that stopped the rendering, or nil. Use it instead of the error of
// the template engine, which wraps function errors in many lines.
func (b *Budget) Err() error { return b.err }

func (b *Budget) fail(text string) error {
	if b.err == nil {
		b.err = loader.Limit(text)
	}
	return b.err
}

// Spend charges work that is done outside of templates.
func (b *Budget) Spend(steps, bytes int) error {
	if err := b.steps(steps); err != nil {
		return err
	}
	return b.bytes(bytes)
}

// askEvery is after how many steps the account of the run is looked at.
const askEvery = 256

// tplSteps is the cost of a call of tpl, which copies every template of the chart.
const tplSteps = 50

func (b *Budget) steps(n int) error {
	if b.late.Load() {
		return b.fail(fmt.Sprintf("the templates take longer than %s", b.limit.Time))
	}
	if b.asked += n; b.asked > askEvery && b.limit.Spent != nil {
		b.asked = 0
		if why := b.limit.Spent(); why != "" {
			return b.fail(why)
		}
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

// step charges one loop iteration or template call, and the size of its literal text.
func (b *Budget) step(text int) (string, error) {
	if err := b.steps(1); err != nil {
		return "", err
	}
	return "", b.bytes(text)
}

// take charges the size of a result and returns it unchanged.
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

// size returns the size of a result without nested values, which were charged when they
// were created.
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

// deeper and leave count the nesting depth of includes.
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

// enter charges a call of tpl and returns the instrumented form of its text.
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
