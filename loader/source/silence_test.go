package source

import (
	"io"
	"testing"
	"time"
)

// TestSilenceIsShared: calls of git that are silent, at once or one after the other, have the same patience together as one
// of them, and all end when it does.
func TestSilenceIsShared(t *testing.T) {
	g := (&git{silence: &silence{}}).at("elsewhere")
	silent := func() *listened {
		r, w := io.Pipe()
		return &listened{r: r, stop: func() { _ = w.Close() }, silence: g.silence}
	}
	first, second := silent(), silent()
	if one, two := g.silence.begin(first), g.silence.begin(second); one != maxSilence || two > maxSilence/2 {
		t.Errorf("%s for one, %s for two", one, two)
	}
	g.silence.end(first, 0)
	g.silence.waited = maxSilence - time.Millisecond
	if _, err := io.ReadAll(first); err != nil || !first.ended.Load() || !second.ended.Load() {
		t.Errorf("not ended: %v", err)
	}
	g.silence.end(second, 0)
	third := silent()
	if _, err := io.ReadAll(third); err != nil || !third.ended.Load() {
		t.Errorf("a later call is not ended: %v", err)
	}
	g.silence.end(third, 20*recordsPerSecond)
	if left := g.silence.begin(silent()); left < 10*time.Second {
		t.Errorf("%s left after a long listing", left)
	}
}
