package main

import (
	"fmt"
	"time"
)

// patience is how long a run may take before a terminal shows that it is working.
const patience = time.Second

// progress shows one line on stderr while long work runs. It returns the function that removes the
// line. It prints nothing in pipes and in CI.
func progress(t terminal, doing string) (done func()) {
	if !t.errIsTTY || t.env("CI") != "" {
		return func() {}
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case <-stop:
		case <-time.After(patience):
			fmt.Fprintf(t.stderr, "%s ...", doing)
			<-stop
			fmt.Fprint(t.stderr, "\r\x1b[K")
		}
	}()
	return func() { close(stop); <-stopped }
}
