package loader_test

import (
	"testing"

	"github.com/gwplan/gwplan/loader"
)

func TestPutAway(t *testing.T) {
	for name, want := range map[string]bool{
		"archives": true, "_disabled": true, "Old": true, ".trash": true, "old-": true, "samples": true, "drafts": true, "templates": true,
		"prod": false, "test": false, "docs": false, "older": false, ".": false, "": false,
	} {
		if got := loader.IsPutAway(name); got != want {
			t.Errorf("IsPutAway(%q) = %v", name, got)
		}
	}
}
