package source_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader/source"
)

// history makes main: one, two; topic: one, three; the work tree is on topic,
// with a staged and an unstaged version of its own.
func history(t *testing.T) (r *repo, one, two, three string) {
	t.Helper()
	r = newRepo(t)
	r.write("a.yaml", "one\n")
	one = r.commit("one")
	r.write("a.yaml", "two\n")
	two = r.commit("two")
	r.git("checkout", "-q", "-b", "topic", one)
	r.write("a.yaml", "three\n")
	three = r.commit("three")
	r.write("a.yaml", "staged\n")
	r.git("add", "a.yaml")
	r.write("a.yaml", "on disk\n")
	return r, one, two, three
}

func TestPairs(t *testing.T) {
	r, one, two, three := history(t)
	r.git("branch", "--", "odd", two)
	// A name that git itself refuses to create, but reads.
	r.git("update-ref", "refs/heads/-x", two)
	tests := map[string]struct {
		change                 func(*source.Request)
		words                  []string
		base, baseID, baseText string
		head, headID, headText string
	}{
		"none":          {nil, nil, "HEAD", three, "three", "work tree", "", "on disk"},
		"one":           {nil, []string{"main"}, "main", two, "two", "work tree", "", "on disk"},
		"two":           {nil, []string{"main", "topic"}, "main", two, "two", "topic", three, "three"},
		"range":         {nil, []string{"main..topic"}, "main", two, "two", "topic", three, "three"},
		"open base":     {nil, []string{"..main"}, "HEAD", three, "three", "main", two, "two"},
		"open head":     {nil, []string{"main.."}, "main", two, "two", "HEAD", three, "three"},
		"three dots":    {nil, []string{"main...topic"}, "merge base of main and topic", one, "one", "topic", three, "three"},
		"open dots":     {nil, []string{"main..."}, "merge base of main and HEAD", one, "one", "HEAD", three, "three"},
		"merge base":    {func(q *source.Request) { q.MergeBase = "main" }, nil, "merge base of main and HEAD", one, "one", "work tree", "", "on disk"},
		"staged":        {func(q *source.Request) { q.Staged = true }, nil, "HEAD", three, "three", "index", "", "staged"},
		"staged from":   {func(q *source.Request) { q.Staged = true }, []string{"main"}, "main", two, "two", "index", "", "staged"},
		"staged merge":  {func(q *source.Request) { q.Staged, q.MergeBase = true, "main" }, nil, "merge base of main and HEAD", one, "one", "index", "", "staged"},
		"words":         {nil, []string{":index", ":worktree"}, "index", "", "staged", "work tree", "", "on disk"},
		"word in range": {nil, []string{"main..:index"}, "main", two, "two", "index", "", "staged"},
		"dashed branch": {nil, []string{"refs/heads/-x", "HEAD~1"}, "refs/heads/-x", two, "two", "HEAD~1", one, "one"},
		"pre-push": {func(q *source.Request) {
			q.Staged = true
			q.Environ = append(q.Environ[:len(q.Environ):len(q.Environ)], "PRE_COMMIT_FROM_REF="+two, "PRE_COMMIT_TO_REF="+three)
		}, nil, "merge base of " + two + " and " + three, one, "one", three, three, "three"},
		"half of pre-push": {func(q *source.Request) {
			q.Staged = true
			q.Environ = append(q.Environ[:len(q.Environ):len(q.Environ)], "PRE_COMMIT_FROM_REF="+two)
		}, nil, "HEAD", three, "three", "index", "", "staged"},
		"pre-push, not staged": {func(q *source.Request) {
			q.Environ = append(q.Environ[:len(q.Environ):len(q.Environ)], "PRE_COMMIT_FROM_REF="+two, "PRE_COMMIT_TO_REF="+three)
		}, nil, "HEAD", three, "three", "work tree", "", "on disk"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			q := r.request(test.words...)
			if test.change != nil {
				test.change(&q)
			}
			base, head := openPair(t, q)
			got := [6]string{
				base.Revision, base.Commit, strings.TrimSpace(contents(t, base)["a.yaml"]),
				head.Revision, head.Commit, strings.TrimSpace(contents(t, head)["a.yaml"]),
			}
			want := [6]string{test.base, test.baseID, test.baseText, test.head, test.headID, test.headText}
			if got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

func TestContradictions(t *testing.T) {
	r, _, _, _ := history(t)
	folders := func(q *source.Request) { q.BaseDir, q.HeadDir = ".", "." }
	tests := map[string]struct {
		change func(*source.Request)
		words  []string
		text   string
	}{
		"three words":         {nil, []string{"a", "b", "c"}, "more than two revisions are given; name one or two"},
		"range and word":      {nil, []string{"main..topic", "main"}, "is a range and another revision is given"},
		"word and range":      {nil, []string{"main", "main...topic"}, "is a range and another revision is given"},
		"two ranges":          {nil, []string{"main..topic..main"}, "is a range and another revision is given"},
		"empty word":          {nil, []string{""}, "a revision is empty"},
		"empty second word":   {nil, []string{"main", ""}, "a revision is empty"},
		"bare dots":           {nil, []string{".."}, "a range without revisions"},
		"bare three dots":     {nil, []string{"..."}, "a range without revisions"},
		"merge base of index": {nil, []string{"main...:index"}, "a merge base needs two commits, and :index is not a commit"},
		"merge base flag":     {func(q *source.Request) { q.MergeBase = ":worktree" }, nil, "a merge base needs two commits"},
		"merge base and word": {func(q *source.Request) { q.MergeBase = "main" }, []string{"topic"}, "--merge-base and revisions are both given"},
		"merge base range":    {func(q *source.Request) { q.MergeBase = "main..topic" }, nil, "is a range, but one revision is needed here"},
		"staged and two":      {func(q *source.Request) { q.Staged = true }, []string{"main", "topic"}, "--staged and two revisions are given"},
		"staged and range":    {func(q *source.Request) { q.Staged = true }, []string{"main..topic"}, "--staged and two revisions are given"},
		"one folder":          {func(q *source.Request) { q.HeadDir = "." }, nil, "only one of --base-dir and --head-dir is given"},
		"folders and word":    {folders, []string{"main"}, "folders and revisions are both given"},
		"folders and staged":  {func(q *source.Request) { folders(q); q.Staged = true }, nil, "folders and revisions are both given"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			q := r.request(test.words...)
			if test.change != nil {
				test.change(&q)
			}
			_, _, err := source.OpenPair(context.Background(), q)
			wantError(t, err, true, test.text)
		})
	}
}

func TestOneTreeContradictions(t *testing.T) {
	r, _, _, _ := history(t)
	tests := map[string]struct {
		q    source.OneRequest
		text string
	}{
		"range":    {source.OneRequest{Revision: "main..topic"}, "is a range, but this command needs one revision"},
		"both":     {source.OneRequest{Revision: "main", Filenames: []string{"a.yaml"}}, "files and a revision are both given"},
		"option":   {source.OneRequest{Revision: "--all"}, "looks like an option"},
		"no stdin": {source.OneRequest{Filenames: []string{"-"}}, "there is no standard input"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.q.Dir, test.q.Environ = r.dir, r.env
			_, err := source.OpenOne(context.Background(), test.q)
			wantError(t, err, true, test.text)
		})
	}
}
