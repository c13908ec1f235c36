package main

import (
	"io"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader/account"
)

// What --from reads counts as input of the run, for which its limits grow.
func TestPlanIsCharged(t *testing.T) {
	a := account.New(1<<20, 0)
	if a.Spent() == "" {
		t.Fatal("one MiB is enough for a test")
	}
	if _, err := io.Copy(io.Discard, charged{strings.NewReader(strings.Repeat("x", 16<<20)), a}); err != nil {
		t.Fatal(err)
	}
	if why := a.Spent(); why != "" {
		t.Error(why)
	}
}
