package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/gwplan/gwplan/loader/config"
	"github.com/gwplan/gwplan/loader/source"
	"github.com/gwplan/gwplan/report/outline"
)

// The exit codes, the same for every format. Ctrl-C ends a run with interrupted.
const (
	exitDone     = 0 // done
	exitFindings = 1 // findings at or above --fail-on, changes with --exit-code, or new access with --no-new-access
	exitUsage    = 2 // usage or configuration
	exitFailed   = 3 // could not analyse, a problem with --strict, or nothing to check
)

// exitError is an error that carries its exit code, and perhaps a hint.
type exitError struct {
	code          int
	message, hint string
	// others are further reasons, one a line.
	others []string
}

func (e *exitError) Error() string { return e.message }

func usageError(message, hint string) error {
	return &exitError{code: exitUsage, message: message, hint: hint}
}

// finish prints an error for the user and returns its exit code.
func finish(err error, stderr io.Writer) int {
	var exit *exitError
	var opened *source.Error
	var configured config.Errors
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &exit):
		say(stderr, exit.message, exit.hint)
		for _, other := range exit.others {
			say(stderr, other, "")
		}
		return exit.code
	case errors.As(err, &opened):
		say(stderr, opened.Message, opened.Hint)
		if opened.Usage {
			return exitUsage
		}
		return exitFailed
	case errors.As(err, &configured):
		say(stderr, configured.Error(), "")
		return exitUsage
	}
	say(stderr, err.Error(), "")
	return exitFailed
}

func say(stderr io.Writer, message, hint string) {
	if message == "" {
		return
	}
	fmt.Fprintln(stderr, "gwplan: "+outline.Printable(message))
	if hint != "" {
		fmt.Fprintln(stderr, "hint: "+outline.Printable(hint))
	}
}

// guarded returns the exit code of run. If gwplan panics, it returns the code of a failed analysis,
// because the runtime's own code, 2, would mean wrong usage.
func guarded(run func() int, stderr io.Writer) (code int) {
	defer func() {
		if broken := recover(); broken != nil {
			say(stderr, fmt.Sprintf("internal error: %v", broken), "please report it at https://github.com/gwplan/gwplan/issues with what follows and, if you can, the manifests")
			fmt.Fprintf(stderr, "%s", debug.Stack())
			code = exitFailed
		}
	}()
	return run()
}
