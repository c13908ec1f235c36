package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
)

// What breaks down in gwplan itself is no mistake of its user's: not the code of
// usage, and nothing that acts in a terminal.
func TestBreakdownIsAFailedAnalysis(t *testing.T) {
	var stderr bytes.Buffer
	code := guarded(func() int { panic("no \x1b[31mway") }, &stderr)
	if code != exitFailed {
		t.Errorf("exit code %d, want %d", code, exitFailed)
	}
	text := stderr.String()
	if !strings.HasPrefix(text, "gwplan: internal error: no ") || strings.Contains(text, "\x1b") || !strings.Contains(text, "please report it at https://github.com/gwplan/gwplan/issues") {
		t.Errorf("it says %q", text)
	}
	if code := guarded(func() int { return exitFindings }, &stderr); code != exitFindings {
		t.Errorf("exit code %d of a run that ends well", code)
	}
}

// Ctrl-C ends a run as in other programs: without a message, whatever was going on. What ends otherwise is told.
func TestInterruptedRunSaysNothing(t *testing.T) {
	var stderr bytes.Buffer
	over, cancel := context.WithCancel(t.Context())
	cancel()
	err := fmt.Errorf("reading files: %w", context.Canceled)
	if code := ended(over, err, &stderr); code != interrupted || stderr.Len() > 0 {
		t.Errorf("exit code %d, %q", code, stderr.String())
	}
	if code := ended(t.Context(), err, &stderr); code != exitFailed || stderr.Len() == 0 {
		t.Errorf("exit code %d, %q without an interrupt", code, stderr.String())
	}
}
