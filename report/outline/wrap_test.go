package outline_test

import (
	"strings"
	"testing"

	"github.com/gwplan/gwplan/report/outline"
)

func TestWrap(t *testing.T) {
	tests := []struct{ text, want string }{
		{"short\n", "short\n"},
		{"", ""},
		{"one two three four five six\n", "one two three four\n    five six\n"},
		{"  one two three four five\n", "  one two three four\n      five\n"},
		{"a  b        cccccccccccccc dd\n", "a  b        cccccccccccccc\n    dd\n"},
		{"a-path/that/is/wider/than/that:12 x\n", "a-path/that/is/wider/than/that:12\n    x\n"},
		{"one two three   # a:1\n", "one two three\n    # a:1\n"},
		{"no end of a line here", "no end of a line\n    here"},
		{"\x1b[1mone two three\x1b[0m four five\n", "\x1b[1mone two three\x1b[0m four\n    five\n"},
	}
	for _, test := range tests {
		if got := outline.Wrap(test.text, 20); got != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}

func TestWrapValues(t *testing.T) {
	const text = "  name   one two three four\n         five six seven eight\nplain words go on here\n"
	const want = "  name   one two\n         three four\n         five six\n         seven eight\nplain words go on\nhere\n"
	if got := outline.WrapValues(text, 20); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := outline.WrapValues(text, 0); got != text {
		t.Errorf("without a width: %q", got)
	}
}

// Nothing is lost or added by wrapping but line ends and indentation.
func FuzzWrap(f *testing.F) {
	f.Add("  one \x1b[31mtwo\x1b[0m   three", uint8(7))
	f.Fuzz(func(t *testing.T, line string, width uint8) {
		if got := outline.Wrap(line+"\n", int(width)+1); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(line), " ") {
			t.Errorf("%q becomes %q", line, got)
		}
	})
}
