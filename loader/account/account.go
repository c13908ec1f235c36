// Package account holds what one run may cost: memory and CPU time, for everything that it does
// together. Each part has bounds of its own; what falls without an account is their sum.
//
// The account has two limits. Above the first one no further part (a chart, a kustomization, a
// template, a rule) is started: each is a problem at its place, and the rest of the plan is made without it.
// Above the second one the attempt is stopped, whatever it does. The caller can make another attempt
// without the part that overdrew the account.
package account

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// The first limit is this share of the second, and that for builds is a smaller share of the time and of the first limit
// of the memory: what is built is checked and analysed afterwards, which costs about half as much again.
const (
	partsOf   = 4
	partsFor  = 3
	buildsOf  = 5
	buildsFor = 2
	builtOf   = 3
	builtFor  = 2
)

// An input of this size has the whole account to itself; a larger one has more, because an honest
// tree costs in proportion to its size. A tree of many routes holds 46 bytes in memory for each byte of
// its manifests; with less than twice that, collecting garbage takes as long as the work. What counts is
// also the size in which a repository stores it: a pack of some kilobytes holds gigabytes of equal text.
// Packs of real trees are a fourth to a twelfth of their contents. Whatever the size, more than mostMemory is only the caller's to
// grant: a machine that runs pull requests has little more, and a process that it kills says nothing.
const (
	freeInput       = 2 << 20
	perStored       = 8
	memoryPerByte   = 96
	decodedPerByte  = 46
	mostMemory      = 4 << 30
	inputPerSecond  = 1 << 20
	collectInterval = 100 * time.Millisecond
	watchInterval   = 20 * time.Millisecond
	closeInterval   = 5 * time.Millisecond
	// Up to this heap garbage is collected seldom: most runs end before they have made much of it.
	smallHeap    = 24 << 20
	seldom       = 400
	usualPercent = 100              // that of the runtime
	lookInterval = time.Millisecond // parts that begin within it are not measured one by one: there may be a million
)

// Builds names, as a part that another attempt leaves out, three quarters of what this one could build: it was overdrawn by
// what came after the builds.
const Builds = "most of the builds"

// programSize is about what the program's own code and data take of the memory, which Go's figures leave out.
const programSize = 40 << 20

// Account is that of one run. A nil account is unlimited. It is safe for concurrent use.
type Account struct {
	memory  uint64
	cpu     time.Duration
	opened  time.Duration // the CPU time of the process by then, in which earlier attempts count
	without []string
	input   atomic.Int64
	stored  atomic.Int64
	part    atomic.Pointer[part]
	looked  atomic.Pointer[look]
	limited atomic.Bool
	// building is true once something was built. excess says how often earlier attempts had built too much.
	building atomic.Bool
	excess   int

	mu        sync.Mutex
	collected time.Time

	ledger ledger
}

// part is a part that has begun. outer is the part that contains it, or nil.
type part struct {
	name    string
	outer   *part
	started time.Time
	// cpu is the CPU time of the process when the part began, held the memory of its objects.
	cpu  time.Duration
	held uint64
	// whole means that the part may take all that is left.
	whole bool
}

// New opens an account; 0 is no limit. The parts in without are not begun: an earlier attempt at
// the same run was overdrawn by them.
func New(memory uint64, cpu time.Duration, without ...string) *Account {
	a := &Account{memory: memory, cpu: cpu, opened: used(), without: without}
	for _, part := range without {
		if part == Builds {
			a.excess++
		}
	}
	return a
}

// Read notes that n bytes of input were read, which take stored bytes where they are kept. The account grows with them.
func (a *Account) Read(n, stored int) {
	if a != nil {
		a.input.Add(int64(n))
		a.stored.Add(int64(stored))
	}
}

// Begin begins a part, such as "the chart of shop (apps/shop.yaml:1:1)", or returns why it must
// not begin. The caller calls done when the part has ended. Parts may contain others.
func (a *Account) Begin(name string) (done func(), why string) {
	return a.begin(part{name: name}, a.Spent)
}

// BeginBuild is Begin for a part that makes objects, which cost more time later.
func (a *Account) BeginBuild(name string) (done func(), why string) {
	done, why = a.begin(part{name: name}, func() string { return a.built(0) })
	if a != nil && why == "" {
		a.building.Store(true)
	}
	return done, why
}

// Decode returns why no further file of a size is decoded, or "". Files are decoded several at a time, so they are no parts: an attempt
// that is overdrawn by them is made again with a smaller share for what is decoded and built.
func (a *Account) Decode(size int) string {
	if a == nil {
		return ""
	}
	why := a.built(uint64(size) * decodedPerByte)
	if why == "" {
		a.building.Store(true)
	}
	return why
}

// BeginWhole is Begin for a part without which there is hardly a result, such as an environment. It may
// take all that is left, except what another attempt without it needs.
func (a *Account) BeginWhole(name string) (done func(), why string) {
	return a.begin(part{name: name, whole: true}, a.Spent)
}

func (a *Account) begin(p part, spent func() string) (done func(), why string) {
	if a == nil {
		return func() {}, ""
	}
	if slices.Contains(a.without, p.name) {
		a.limited.Store(true)
		return nil, fmt.Sprintf("it alone takes too much of the run's %s", a.text())
	}
	start := now()
	recent := a.looked.Load()
	if recent == nil || start.Sub(recent.at) > lookInterval {
		if why := spent(); why != "" {
			return nil, why
		}
		recent = &look{start, used(), heap()}
		a.looked.Store(recent)
	}
	outer := a.part.Load()
	p.outer, p.started, p.cpu, p.held = outer, start, recent.cpu, recent.held
	a.part.Store(&p)
	return func() { a.part.Store(outer) }, ""
}

// look is a reading of what the process takes.
type look struct {
	at   time.Time
	cpu  time.Duration
	held uint64
}

// text is the account in words.
func (a *Account) text() string {
	memory, cpu := a.limits()
	switch {
	case a.cpu == 0:
		return fmt.Sprintf("%d MiB of memory", memory>>20)
	case a.memory == 0:
		return fmt.Sprintf("%s of CPU time", cpu.Round(time.Second))
	}
	return fmt.Sprintf("%d MiB of memory and %s of CPU time", memory>>20, cpu.Round(time.Second))
}

// now is for measuring only; no output depends on it.
func now() time.Time { return time.Now() } //nolint:forbidigo // an account measures

// limits are the limits for the input so far.
func (a *Account) limits() (memory uint64, cpu time.Duration) {
	more := max(min(a.input.Load()-freeInput, perStored*(a.stored.Load()-freeInput)), 0)
	return max(a.memory, min(a.memory+uint64(more)*memoryPerByte, mostMemory)), a.cpu + time.Duration(more)*time.Second/inputPerSecond
}

// collectAt is the first limit of the memory for objects.
func collectAt(memory uint64) uint64 { return (memory - min(memory, programSize)) / partsOf * partsFor }

// Spent returns why no further part may be rendered, or "" below the first limit.
func (a *Account) Spent() string {
	if a == nil {
		return ""
	}
	memory, cpu := a.limits()
	if a.cpu > 0 && used() > cpu/partsOf*partsFor {
		a.limited.Store(true)
		return fmt.Sprintf("the run has taken three quarters of its %s of CPU time", cpu.Round(time.Second))
	}
	if a.memory > 0 && a.over(collectAt(memory)) {
		a.limited.Store(true)
		return fmt.Sprintf("the run has taken three quarters of its %d MiB of memory", memory>>20)
	}
	return ""
}

// built returns why nothing more that takes so much memory may be built, or "".
func (a *Account) built(more uint64) string {
	memory, cpu := a.limits()
	if left := cpu - a.opened; a.cpu > 0 && used()-a.opened > left/buildsOf*buildsFor {
		a.limited.Store(true)
		return fmt.Sprintf("the run has taken two fifths of its %s of CPU time, and needs the rest for what is read and built", left.Round(time.Second))
	}
	if share := collectAt(memory) / builtOf * builtFor >> (2 * a.excess); a.memory > 0 && a.over(share-min(share, more)) {
		a.limited.Store(true)
		return fmt.Sprintf("what is read and built has taken its share of the run's %d MiB of memory, and the rest is needed to analyse it", memory>>20)
	}
	return a.Spent()
}

// Limited reports whether something was left out because of the account: a run with more would say more.
func (a *Account) Limited() bool { return a != nil && a.limited.Load() }

// overfull reports whether the memory that the process holds exceeds what it may. Garbage is not collected for this
// question: meanwhile the run would allocate more, and above the first limit it is collected all the time.
func overfull(memory uint64) bool {
	held := mapped()
	return held > memory/10*9 || held > memory/10*8 && live() > memory/10*7
}

// over reports whether more memory is in use than a limit after garbage was collected, which is
// done at most every tenth of a second.
func (a *Account) over(limit uint64) bool {
	if heap() <= limit {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if now().Sub(a.collected) > collectInterval {
		runtime.GC()
		a.collected = now()
	}
	return heap() > limit
}

// Overdraft is why an attempt should end.
type Overdraft struct {
	// Message says why the run must end. It is empty if this attempt may go on where there is no other one.
	Message string
	// Part is what another attempt should leave out, or "".
	Part string
}

// share is how many parts of the whole CPU time one part may take at most. A part is only blamed for a lack of
// time if it took one of least parts.
const (
	share = 3
	least = 8
)

// Watch calls stop once a part takes too much, and once the account is overdrawn, each at most once. It ends with ctx.
func (a *Account) Watch(ctx context.Context, stop func(Overdraft)) {
	if a == nil || a.memory == 0 && a.cpu == 0 {
		return
	}
	limited := debug.SetMemoryLimit(-1) != math.MaxInt64 // by the user, in GOMEMLIMIT
	usual := debug.SetGCPercent(seldom)
	if usual != usualPercent { // the user's own, in GOGC
		debug.SetGCPercent(usual)
	}
	go func() {
		defer debug.SetGCPercent(usual)
		small := true
		timer := time.NewTimer(0)
		defer timer.Stop()
		limit := uint64(0)
		warned := false
		for {
			select {
			case <-ctx.Done():
				return
			case <-timer.C:
			}
			timer.Reset(a.interval())
			if small && heap() > smallHeap {
				debug.SetGCPercent(usual)
				small = false
			}
			// Garbage is collected before it counts; the user's own limit wins.
			if memory, _ := a.limits(); a.memory > 0 && collectAt(memory) != limit && !limited {
				limit = collectAt(memory)
				debug.SetMemoryLimit(int64(min(limit, math.MaxInt64)))
			}
			if over := a.overdrawn(); over.Message != "" {
				stop(over)
				return
			}
			if part := a.tooMuch(used()); part != "" && !warned {
				stop(Overdraft{Part: part})
				warned = true
			}
		}
	}()
}

// interval is how long to wait before the next look: each look wakes an idle thread, so there are
// few as long as much is left.
func (a *Account) interval() time.Duration {
	if memory, _ := a.limits(); a.memory > 0 && mapped() > memory/2 {
		return closeInterval
	}
	return watchInterval
}

// overdrawn reports whether nothing is left.
func (a *Account) overdrawn() Overdraft {
	memory, cpu := a.limits()
	var over Overdraft
	during := ""
	switch p := a.part.Load(); {
	case p != nil:
		over.Part, during = p.name, " during "+p.name
	case a.building.Load():
		over.Part = Builds
	}
	switch {
	case a.cpu > 0 && used() > cpu:
		over.Message = fmt.Sprintf("the run was stopped after %s of CPU time%s", cpu.Round(time.Second), during)
	case a.memory > 0 && overfull(memory-min(memory, programSize)):
		if p := a.part.Load(); p != nil && p.whole && a.building.Load() && p.held > collectAt(memory)/2 {
			over.Part = Builds // most of it was there before the part began: the next attempt would be full without it, too
		}
		over.Message = fmt.Sprintf("the run was stopped when it needed more than %d MiB of memory%s", memory>>20, during)
	}
	return over
}

// tooMuch returns the part that takes so much CPU time that another attempt should leave it out, or "". took is the CPU
// time of the process.
func (a *Account) tooMuch(took time.Duration) string {
	_, cpu := a.limits()
	if a.cpu == 0 {
		return ""
	}
	innermost := a.part.Load()
	for p := innermost; p != nil; p = p.outer {
		own := took - p.cpu
		alone := p == innermost && !p.whole && own > cpu/share && now().Sub(p.started) > cpu/share
		if alone || own > cpu/least && a.mustEnd(p, took, cpu) {
			return p.name
		}
	}
	return ""
}

// mustEnd reports whether a part must end now, so that another attempt without it can still be made: this one
// takes about as long as the present attempt took until the part began. It is false if it was too late from the start.
func (a *Account) mustEnd(p *part, took, cpu time.Duration) bool {
	again := p.cpu - a.opened
	last := cpu/partsOf*partsFor - again
	return took > last && p.cpu < last
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

// live is the memory of the objects that the last collection of garbage found in use.
func live() uint64 { return read("/gc/heap/live:bytes") }

// heap is the memory of objects, dead ones included that were not collected yet.
func heap() uint64 { return read("/memory/classes/heap/objects:bytes") }

// mapped is the memory that the process holds.
func mapped() uint64 {
	return read("/memory/classes/total:bytes", "/memory/classes/heap/released:bytes")
}
