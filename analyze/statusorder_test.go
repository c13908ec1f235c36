package analyze_test

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/selection"
)

const (
	orderedCases = 40
	shuffles     = 4
)

// TestOrderOfDocumentsIsNothingToStatus shuffles the documents of one file, so
// that every line moves.
func TestOrderOfDocumentsIsNothingToStatus(t *testing.T) {
	pairs(t, func(t *testing.T, o analyze.Options, base, head []doc) {
		for _, docs := range [][]doc{base, head} {
			var texts []string
			for _, d := range append(slices.Clone(docs), directCRD()) {
				texts = append(texts, document(d))
			}
			shuffleStatus(t, o, texts)
		}
	})
}

// TestOrderOfCasesIsNothingToStatus does the same to other projects' tests, where
// their cases are at hand.
func TestOrderOfCasesIsNothingToStatus(t *testing.T) {
	t.Parallel()
	var dirs []string
	for _, goal := range statusGoals() {
		for _, suite := range goal.suites {
			dirs = append(dirs, statusCases(t, suite)...)
		}
	}
	if len(dirs) == 0 {
		absent(t, cases)
		return
	}
	slices.Sort(dirs)
	o := options(t, "[]")
	o.Complete = true
	// Every n-th, so that each suite has its share.
	for i := range orderedCases {
		dir := dirs[i*len(dirs)/orderedCases]
		t.Run(filepath.Base(filepath.Dir(dir))+"/"+filepath.Base(dir), func(t *testing.T) {
			shuffleStatus(t, o, strings.Split(read(t, dir, "input.yaml"), "\n---\n"))
		})
	}
}

// shuffleStatus wants the same status of every order of documents.
func shuffleStatus(t *testing.T, o analyze.Options, documents []string) {
	t.Helper()
	want, duplicates := statusText(t, o, documents)
	if duplicates {
		t.Log("not run: of two documents of one object the last counts")
		return
	}
	if !strings.Contains(want, `"conditions":[`) {
		t.Errorf("there is no status to compare: %s", want)
	}
	for seed := range uint64(shuffles) {
		shuffled := slices.Clone(documents)
		rand.New(rand.NewPCG(seed, 30)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if got, _ := statusText(t, o, shuffled); got != want {
			t.Fatalf("the status differs:%s\nof\n%s", lineDifference(got, want), strings.Join(shuffled, "\n---\n"))
		}
	}
}

// statusText is the status of documents, a line for each object and problem, and
// whether two documents declare one object. Problems go without their lines.
func statusText(t *testing.T, o analyze.Options, documents []string) (text string, duplicates bool) {
	t.Helper()
	s := rendered(t, o, strings.Join(documents, "\n---\n"))
	list := analyze.ListStatus(s, selection.Selection{}, o)
	var lines, problems []string
	for _, item := range list.Items {
		lines = append(lines, jsonText(item))
	}
	for _, p := range list.Problems {
		p.Line, p.Column = 0, 0
		problems = append(problems, jsonText(p))
	}
	slices.Sort(problems)
	return strings.Join(slices.Concat(lines, problems, list.Notes), "\n"), len(s.Environments[0].Duplicates) > 0
}
