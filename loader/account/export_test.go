package account

import "time"

// Used is the CPU time of the process.
func Used() time.Duration { return used() }

// Measured makes the account believe that the process took some CPU time by now.
func (a *Account) Measured(cpu time.Duration) { a.looked.Store(&look{now().Add(time.Hour), cpu}) }

// TooMuch is tooMuch.
func (a *Account) TooMuch(took time.Duration) string { return a.tooMuch(took) }
