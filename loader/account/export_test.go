package account

import "time"

// Used is the CPU time of the process.
func Used() time.Duration { return used() }

// Measured makes the account believe that the process took some CPU time by now.
func (a *Account) Measured(cpu time.Duration) {
	a.looked.Store(&look{at: now().Add(time.Hour), cpu: cpu, held: heap()})
}

// TooMuch is tooMuch.
func (a *Account) TooMuch(took time.Duration) string { return a.tooMuch(took) }

// Limits are limits.
func (a *Account) Limits() (memory uint64, cpu time.Duration) { return a.limits() }
