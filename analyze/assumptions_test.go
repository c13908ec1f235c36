package analyze_test

import (
	"slices"
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/loader"
)

// An assumption of head replaces that of base which differs in a count alone. A number in a name is no count.
func TestAssumptionsOfTwoRevisions(t *testing.T) {
	base, head := snapshot("."), snapshot(".")
	base.Notes = append(loader.Assumptions("the environment prod-1 is that of a folder"), loader.Assumption{Text: "2 files are ignored", About: "ignored files"})
	head.Notes = append(loader.Assumptions("the environment prod-2 is that of a folder"), loader.Assumption{Text: "3 files are ignored", About: "ignored files"})
	p := analyze.Compare(base, head, options(t, ""))
	want := []string{"base: the environment prod-1 is that of a folder", "head: 3 files are ignored", "head: the environment prod-2 is that of a folder"}
	if !slices.Equal(p.Notes, want) {
		t.Errorf("the notes are %q", p.Notes)
	}
}
