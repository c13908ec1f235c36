package account

import (
	"sync"
	"time"
)

// Counter is something that a run does, counted independently of the machine.
type Counter string

// The counters, in the order in which a run does them.
const (
	BlobsRead            Counter = "blobsRead"
	BytesRead            Counter = "bytesRead"
	FilesDecoded         Counter = "filesDecoded"
	DocumentsDecoded     Counter = "documentsDecoded"
	KustomizationsBuilt  Counter = "kustomizationsBuilt"
	ChartsRendered       Counter = "chartsRendered"
	PlansReused          Counter = "plansReused"
	CacheHits            Counter = "cacheHits"
	CacheMisses          Counter = "cacheMisses"
	EnvironmentsAnalysed Counter = "environmentsAnalysed"
	EnvironmentsReused   Counter = "environmentsReused"
	EnvironmentsRecalled Counter = "environmentsRecalled"
	ObjectsAnalysed      Counter = "objectsAnalysed"
	States               Counter = "states"
)

// Counters returns all counters in this order.
func Counters() []Counter {
	return []Counter{
		BlobsRead, BytesRead, FilesDecoded, DocumentsDecoded, KustomizationsBuilt, ChartsRendered, PlansReused, CacheHits, CacheMisses,
		EnvironmentsAnalysed, EnvironmentsReused, EnvironmentsRecalled, ObjectsAnalysed, States,
	}
}

// Phase is what one phase of a run took: the CPU time of the process and the time on the clock.
type Phase struct {
	Name      string
	CPU, Time time.Duration
}

// Costs are what a run took so far.
type Costs struct {
	// Phases are in the order in which they began. The costs of a phase that begins again are added to it.
	Phases   []Phase
	Counters map[Counter]int64
	// CPU is the CPU time of the process, Peak the most memory that it held, in bytes.
	CPU  time.Duration
	Peak uint64
}

// ledger is what was counted and measured. Its zero value is empty.
type ledger struct {
	mu     sync.Mutex
	counts map[Counter]int64
	phases []Phase
}

// Count adds to a counter.
func (a *Account) Count(c Counter, n int) {
	if a == nil {
		return
	}
	a.ledger.mu.Lock()
	defer a.ledger.mu.Unlock()
	if a.ledger.counts == nil {
		a.ledger.counts = map[Counter]int64{}
	}
	a.ledger.counts[c] += int64(n)
}

// Phase begins a phase. The caller calls done when it has ended. Phases do not contain others.
func (a *Account) Phase(name string) (done func()) {
	if a == nil {
		return func() {}
	}
	cpu, start := used(), now()
	return func() { a.ledger.add(Phase{Name: name, CPU: used() - cpu, Time: now().Sub(start)}) }
}

func (l *ledger) add(p Phase) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.phases {
		if known := &l.phases[i]; known.Name == p.Name {
			known.CPU, known.Time = known.CPU+p.CPU, known.Time+p.Time
			return
		}
	}
	l.phases = append(l.phases, p)
}

// Costs returns what the run took so far.
func (a *Account) Costs() Costs {
	out := Costs{Counters: map[Counter]int64{}, CPU: used(), Peak: peak()}
	if a == nil {
		return out
	}
	a.ledger.mu.Lock()
	defer a.ledger.mu.Unlock()
	for c, n := range a.ledger.counts {
		out.Counters[c] = n
	}
	out.Phases = append(out.Phases, a.ledger.phases...)
	return out
}
