package main

import (
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/gwplan/gwplan/loader/account"
)

// maxAttempts is how often a run is made, each time without one more part that overdrew the
// account. The CPU time of all attempts counts together.
const maxAttempts = 4

// withoutVariable carries from one attempt to the next which parts must not begin.
const withoutVariable = "GWPLAN_INTERNAL_WITHOUT"

// without returns the parts that earlier attempts of this run could not afford. A value that no attempt wrote names
// none.
func without(environ []string) []string {
	var parts []string
	for _, entry := range environ {
		if text, ok := strings.CutPrefix(entry, withoutVariable+"="); ok {
			_ = json.Unmarshal([]byte(text), &parts)
		}
	}
	return parts
}

// attemptAgain replaces the process by a new attempt that leaves one more part out. That frees
// all memory, and ends what cannot be asked to stop. It returns only if there is no other
// attempt: after too many of them, or where standard input has been read already. The account calls it from a
// goroutine of its own, while the run goes on. last is called when nothing but the replacement is left to do.
func attemptAgain(over account.Overdraft, t terminal, last func()) {
	parts := append(without(t.environ), over.Part)
	if over.Part == "" || len(parts) >= maxAttempts || t.stdin.read.Load() {
		return
	}
	program, err := os.Executable()
	if err != nil {
		return
	}
	text, err := json.Marshal(parts)
	if err != nil {
		return
	}
	environ := slices.DeleteFunc(slices.Clone(t.environ), func(entry string) bool { return strings.HasPrefix(entry, withoutVariable+"=") })
	last()
	replaceProcess(program, append(environ, withoutVariable+"="+string(text)))
}

// input is standard input, and whether something was read from it.
type input struct {
	io.Reader
	read atomic.Bool
}

func (i *input) Read(p []byte) (int, error) {
	i.read.Store(true)
	return i.Reader.Read(p)
}
