package action_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// helper runs one line of shell after runner.sh.
func helper(t *testing.T, line, value string) outcome {
	t.Helper()
	library, err := filepath.Abs("runner.sh")
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "helper.sh")
	write(t, script, "set -eu\n. \"$LIBRARY\"\n"+line+"\n")
	return step{script: script, env: map[string]string{"LIBRARY": library, "VALUE": value}}.run(t)
}

// No value of an output can end itself and set another.
func TestOutput(t *testing.T) {
	for _, value := range []string{"plain", "", "a\nb", "x\nEOF\nchanged=true", "changed<<x\ntrue\nx", "%0A::set-output"} {
		first, second := helper(t, `output one "$VALUE"`, value), helper(t, `output one "$VALUE"; cat "$GITHUB_OUTPUT"`, value)
		if len(first.outputs) != 1 || first.outputs["one"] != value {
			t.Errorf("%q: outputs %q", value, first.outputs)
		}
		delimiter, _, _ := strings.Cut(strings.TrimPrefix(second.log, "one<<"), "\n")
		again := helper(t, `output one "$VALUE"`, value+"\n"+delimiter+"\nchanged=true")
		if len(again.outputs) != 1 {
			t.Errorf("%q: the delimiter %s is not new each time: %q", value, delimiter, again.outputs)
		}
	}
}

// A message is one command, whatever it holds.
func TestTell(t *testing.T) {
	out := helper(t, `tell warning "$VALUE"`, "50%\r\n::error::x")
	if want := "::warning title=gwplan::50%25%0D%0A::error::x\n"; out.log != want {
		t.Errorf("told %q, want %q", out.log, want)
	}
}
