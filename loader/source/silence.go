package source

import (
	"bytes"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// maxSilence is how long git may keep its readers waiting, in all calls of a run together. Nested folders without any file
// can keep git busy for days, also if a file among them is listed now and then. Listings of very many files may take a second
// more for each recordsPerSecond.
const (
	maxSilence       = 15 * time.Second
	recordsPerSecond = 100_000
)

// silence adds up the time for which calls of git make their readers wait; two at once count twice.
type silence struct {
	mu      sync.Mutex
	waiting map[*listened]bool
	since   time.Time // when waited was brought up to date
	waited  time.Duration
	records int
}

// begin notes that a reader waits, and returns how long it may, with those that wait already.
func (s *silence) begin(l *listened) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.update()
	if s.waiting == nil {
		s.waiting = map[*listened]bool{}
	}
	s.waiting[l] = true
	left := maxSilence + time.Duration(s.records/recordsPerSecond)*time.Second - s.waited
	return left / time.Duration(len(s.waiting))
}

// end notes that a reader waits no longer, and got records.
func (s *silence) end(l *listened, records int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.update()
	delete(s.waiting, l)
	s.records += records
}

func (s *silence) update() {
	now := time.Now() //nolint:forbidigo // when a run ends is no part of what it prints
	s.waited += time.Duration(len(s.waiting)) * now.Sub(s.since)
	s.since = now
}

// stop ends all calls that are silent.
func (s *silence) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range s.waiting {
		l.ended.Store(true)
		l.stop()
	}
}

// listened is the output of one call of git. It calls stop once all calls together have been silent for too long.
type listened struct {
	r       io.Reader
	stop    func()
	ended   atomic.Bool
	silence *silence
}

func (l *listened) Read(p []byte) (int, error) {
	timer := time.AfterFunc(l.silence.begin(l), l.silence.stop)
	defer timer.Stop()
	n, err := l.r.Read(p)
	l.silence.end(l, bytes.Count(p[:n], []byte{0}))
	return n, err
}
