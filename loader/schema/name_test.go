package schema

import (
	"fmt"
	"strings"
	"testing"
)

// The texts of annotations are free, but not without end.
func TestAnnotationsAreLimited(t *testing.T) {
	object := "apiVersion: v1\nkind: Service\nmetadata: {name: a, annotations: {b: %s, c: %s}}\n"
	half := strings.Repeat("x", maxAnnotations/2)
	if got := violations(t, Builtin(), fmt.Sprintf(object, half, half[2:]), ""); got != "" {
		t.Errorf("at the limit: %s", got)
	}
	if got := violations(t, Builtin(), fmt.Sprintf(object, half, half), ""); !strings.Contains(got, "must have at most 256 KiB in all") {
		t.Errorf("above the limit: got %q", got)
	}
}
