package outline

import "testing"

// TestSafe: what has no glyph of its own is written as an escape.
func TestSafe(t *testing.T) {
	for text, want := range map[string]string{
		"plain ü 日本":  "plain ü 日本",
		"a\u3164":     `a\u3164`, // Hangul filler
		"a\u115fb":    `a\u115fb`,
		"a\ufe0f":     `a\ufe0f`, // selectors of variants hide texts
		"a\U000e0101": `a\U000e0101`,
		"a\u034fb":    `a\u034fb`, // combining grapheme joiner
		"\u2800":      `\u2800`,
		"a\u202eb":    `a\u202eb`,
		"a\u2028b":    `a\u2028b`,
		"a\x1b[1mb":   `a\x1b[1mb`,
	} {
		if got := Safe(text); got != want {
			t.Errorf("%+q: got %q, want %q", text, got, want)
		}
	}
}
