// Package account holds what one run may cost: memory and CPU time, for everything that it does
// together. Each part has bounds of its own; what falls without an account is their sum.
//
// The account has two lines. Behind the first one no further chart, kustomization or template is
// rendered: each is a problem at its place, and the rest of the plan stands. Behind the second one
// the run ends, whatever it does.
package account

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// The first line is this share of the whole.
const (
	partsOf  = 4
	partsFor = 3
)

// An input of this size has the whole account to itself; a larger one has more, because an honest
// tree costs in proportion to its size.
const (
	freeInput       = 2 << 20
	memoryPerByte   = 8
	inputPerSecond  = 1 << 20
	collectInterval = 100 * time.Millisecond
	watchInterval   = 10 * time.Millisecond
)

// Account is that of one run. A nil account is unlimited. It is safe for concurrent use.
type Account struct {
	memory uint64
	cpu    time.Duration
	input  atomic.Int64
	doing  atomic.Pointer[string]

	mu        sync.Mutex
	collected time.Time
}

// New opens an account; 0 is no limit.
func New(memory uint64, cpu time.Duration) *Account { return &Account{memory: memory, cpu: cpu} }

// Read notes that some bytes of input were read, for which the account grows.
func (a *Account) Read(n int) {
	if a != nil {
		a.input.Add(int64(n))
	}
}

// Doing notes what is being rendered, for the message of the hard stop.
func (a *Account) Doing(what string) {
	if a != nil {
		a.doing.Store(&what)
	}
}

// limits are the limits for the input so far.
func (a *Account) limits() (memory uint64, cpu time.Duration) {
	more := max(a.input.Load()-freeInput, 0)
	return a.memory + uint64(more)*memoryPerByte, a.cpu + time.Duration(more)*time.Second/inputPerSecond
}

// Spent says what of the account is used up so far that nothing more should be rendered, "" while
// something is left.
func (a *Account) Spent() string {
	if a == nil {
		return ""
	}
	memory, cpu := a.limits()
	if a.cpu > 0 && used() > cpu/partsOf*partsFor {
		return fmt.Sprintf("the run has taken three quarters of its %s of CPU time", cpu.Round(time.Second))
	}
	if a.memory > 0 && a.over(memory/partsOf*partsFor) {
		return fmt.Sprintf("the run has taken three quarters of its %d MiB of memory", memory>>20)
	}
	return ""
}

// over reports whether more memory is in use than a limit after garbage was collected, which is
// done at most every tenth of a second.
func (a *Account) over(limit uint64) bool {
	if heap() <= limit {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if time.Since(a.collected) > collectInterval {
		runtime.GC()
		a.collected = time.Now() //nolint:forbidigo // an account measures; no output depends on the time of day
	}
	return heap() > limit
}

// Watch calls stop with a message once the account is overdrawn, at most once. It ends with ctx.
func (a *Account) Watch(ctx context.Context, stop func(message string)) {
	if a == nil || a.memory == 0 && a.cpu == 0 {
		return
	}
	limited := debug.SetMemoryLimit(-1) != math.MaxInt64 // by the user, in GOMEMLIMIT
	go func() {
		ticks := time.NewTicker(watchInterval)
		defer ticks.Stop()
		collectAt := uint64(0)
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
			}
			// Garbage is collected before it counts; the user's own limit wins.
			if memory, _ := a.limits(); a.memory > 0 && memory/partsOf*partsFor != collectAt && !limited {
				collectAt = memory / partsOf * partsFor
				debug.SetMemoryLimit(int64(min(collectAt, math.MaxInt64)))
			}
			if message := a.overdrawn(); message != "" {
				stop(message)
				return
			}
		}
	}()
}

func (a *Account) overdrawn() string {
	memory, cpu := a.limits()
	what := ""
	if doing := a.doing.Load(); doing != nil {
		what = " while it rendered " + *doing
	}
	if a.cpu > 0 && used() > cpu {
		return fmt.Sprintf("the run was stopped after %s of CPU time%s", cpu.Round(time.Second), what)
	}
	if a.memory > 0 && mapped() > memory/10*9 && a.over(memory/10*8) {
		return fmt.Sprintf("the run was stopped when it needed more than %d MiB of memory%s", memory>>20, what)
	}
	return ""
}

func read(names ...string) uint64 {
	samples := make([]metrics.Sample, len(names))
	for i, name := range names {
		samples[i].Name = name
	}
	metrics.Read(samples)
	value := samples[0].Value.Uint64()
	for _, s := range samples[1:] {
		value -= min(value, s.Value.Uint64())
	}
	return value
}

// heap is the memory of objects, dead ones included that were not collected yet.
func heap() uint64 { return read("/memory/classes/heap/objects:bytes") }

// mapped is the memory that the process holds.
func mapped() uint64 {
	return read("/memory/classes/total:bytes", "/memory/classes/heap/released:bytes")
}
