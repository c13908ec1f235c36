package data_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/report/data"
)

// What is escaped in JSON means the same, and cannot act in a terminal or in a workflow log.
func TestWriteJSON(t *testing.T) {
	for _, text := range []string{"plain", "a\u202eb", "tag \U000E0041", "r##[add-mask]e", "\u009b31m", "line\u2028end"} {
		var b strings.Builder
		if err := data.WriteJSON(&b, map[string]string{"name": text}); err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		if err := json.Unmarshal([]byte(b.String()), &got); err != nil || got["name"] != text {
			t.Errorf("%q became %q (%v)", text, got["name"], err)
		}
		if text != "plain" && strings.Contains(b.String(), text) {
			t.Errorf("%q is written as it is: %s", text, b.String())
		}
	}
}
