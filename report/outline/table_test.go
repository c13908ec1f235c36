package outline

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTable(t *testing.T) {
	rows := [][]string{{"POLICY", "AT"}, {"SecurityPolicy/shop/a-very-long-name-of-a-policy", "apps/shop/policy.yaml:12"}, {"x", "y"}}
	if got, want := strings.Join(Table(rows, 0), "\n"), "POLICY                                            AT\n"+
		"SecurityPolicy/shop/a-very-long-name-of-a-policy  apps/shop/policy.yaml:12\n"+
		"x                                                 y"; got != want {
		t.Errorf("without a limit:\n%s", got)
	}
	for width := 26; width < 80; width++ {
		for _, line := range Table(rows, width) {
			if n := utf8.RuneCountInString(line); n > width {
				t.Errorf("%d columns, %d wide: %s", width, n, line)
			}
		}
	}
	if got := Table(rows, 52)[1]; !strings.HasPrefix(got, "SecurityPoli") || !strings.Contains(got, "…") || !strings.HasSuffix(got, "policy.yaml:12") {
		t.Errorf("a cell is shortened to %q", got)
	}
	if got := Table([][]string{{strings.Repeat("a", 20), strings.Repeat("b", 20)}}, 5)[0]; utf8.RuneCountInString(got) != 2*minColumn+2 {
		t.Errorf("columns are narrower than they may be: %q", got)
	}
	if Table(nil, 80) == nil {
		t.Error("a table without rows has lines")
	}
}
