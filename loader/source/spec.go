package source

import (
	"strings"
	"unicode"
)

// place is where the files of a side are.
type place uint8

const (
	commit place = iota
	mergeBase
	index
	workTree
	directory
)

// side is one side of a comparison, parsed but not yet looked up.
type side struct {
	place place
	// name is a revision or a folder; other is the second revision of a merge base.
	name, other string
	// mayBeUnborn means that a HEAD without a commit counts as the empty tree.
	mayBeUnborn bool
}

// String returns the side's Tree.Revision.
func (s side) String() string {
	switch s.place {
	case index:
		return "index"
	case workTree:
		return "work tree"
	case mergeBase:
		return "merge base of " + s.name + " and " + s.other
	case commit, directory:
	}
	return s.name
}

type pair struct{ base, head side }

const (
	headRevision     = "HEAD"
	worktreeWord     = ":worktree"
	indexWord        = ":index"
	maxRevisionBytes = 1024
)

// parse reads the arguments like git diff, plus :worktree and :index.
func (r Request) parse() (pair, error) {
	p, err := r.parseSides()
	p.base.mayBeUnborn = p.base.place == commit && (p.base.name == headRevision || p.base.name == "@")
	return p, err
}

func (r Request) parseSides() (pair, error) {
	if err := r.contradiction(); err != nil {
		return pair{}, err
	}
	head := side{place: workTree}
	if r.Staged {
		head.place = index
	}
	switch {
	case r.BaseDir != "":
		return pair{side{place: directory, name: r.BaseDir}, side{place: directory, name: r.HeadDir}}, nil
	case r.MergeBase != "":
		base, err := mergeBaseOf(r.MergeBase, headRevision)
		return pair{base, head}, err
	case len(r.Revisions) == 2:
		return parseTwo(r.Revisions[0], r.Revisions[1])
	case len(r.Revisions) == 1:
		return parseWord(r.Revisions[0], head)
	}
	if from, to := lookupEnv(r.Environ, "PRE_COMMIT_FROM_REF"), lookupEnv(r.Environ, "PRE_COMMIT_TO_REF"); r.Staged && from != "" && to != "" {
		// In a pre-push hook nothing is staged. With these two variables pre-commit passes the
		// pushed range (its commands/run.py).
		return parseRange(from, to, mergeBase)
	}
	return pair{side{name: headRevision}, head}, nil
}

// contradiction returns an error for flags that exclude each other.
func (r Request) contradiction() error {
	folders, words := r.BaseDir != "" || r.HeadDir != "", len(r.Revisions)
	switch {
	case folders && (r.BaseDir == "" || r.HeadDir == ""):
		return usage("only one of --base-dir and --head-dir is given", "give both")
	case folders && (words > 0 || r.Staged || r.MergeBase != ""):
		return usage("folders and revisions are both given", "use either --base-dir and --head-dir, or revisions")
	case words > 2:
		return usage("more than two revisions are given", "name one or two; paths follow --")
	case r.MergeBase != "" && words > 0:
		return usage("--merge-base and revisions are both given", "use either --merge-base A, or A...B")
	case r.Staged && (words > 1 || words == 1 && strings.Contains(r.Revisions[0], "..")):
		return usage("--staged and two revisions are given", "--staged compares one revision with the index")
	}
	return nil
}

// parseWord reads one argument: a range, or a revision to compare with head.
func parseWord(word string, head side) (pair, error) {
	if a, b, found := strings.Cut(word, "..."); found {
		return parseRange(a, b, mergeBase)
	}
	if a, b, found := strings.Cut(word, ".."); found {
		return parseRange(a, b, commit)
	}
	base, err := parseSide(word)
	return pair{base, head}, err
}

// parseRange reads the two ends of A..B (from commit) or A...B (from
// mergeBase). An empty end is HEAD, as in git.
func parseRange(a, b string, from place) (pair, error) {
	if a == "" && b == "" {
		return pair{}, usage("a range without revisions", "name at least one side, as in main...HEAD")
	}
	if a == "" {
		a = headRevision
	}
	if b == "" {
		b = headRevision
	}
	if from == commit {
		return parseTwo(a, b)
	}
	base, err := mergeBaseOf(a, b)
	if err != nil {
		return pair{}, err
	}
	return pair{base, side{name: b}}, nil
}

func parseTwo(a, b string) (pair, error) {
	for _, word := range []string{a, b} {
		if strings.Contains(word, "..") {
			return pair{}, usage(quote(word)+" is a range and another revision is given", "name two revisions, or one range")
		}
	}
	base, err := parseSide(a)
	if err != nil {
		return pair{}, err
	}
	head, err := parseSide(b)
	return pair{base, head}, err
}

func mergeBaseOf(a, b string) (side, error) {
	for _, word := range []string{a, b} {
		s, err := parseSide(word)
		if err != nil {
			return side{}, err
		}
		if s.place != commit {
			return side{}, usage("a merge base needs two commits, and "+word+" is not a commit",
				"to compare with the work tree or the index use --merge-base A, with --staged for the index")
		}
	}
	return side{place: mergeBase, name: a, other: b}, nil
}

// parseSide reads one revision. It rejects texts that can only be a mistake or an attack. Whether a
// commit has that name is left to git.
func parseSide(word string) (side, error) {
	switch {
	case word == worktreeWord:
		return side{place: workTree}, nil
	case word == indexWord:
		return side{place: index}, nil
	case word == "":
		return side{}, usage("a revision is empty", "name a commit, or remove the empty argument")
	case word[0] == '-':
		return side{}, usage("revision "+quote(word)+" looks like an option", "for a branch of that name write refs/heads/"+printable(word))
	case len(word) > maxRevisionBytes:
		return side{}, usage("revision "+quote(word)+" is too long", "use a commit id")
	case strings.ContainsFunc(word, unicode.IsControl):
		return side{}, usage("revision "+quote(word)+" holds a control character", "use a commit id")
	case strings.Contains(word, ".."):
		return side{}, usage(quote(word)+" is a range, but one revision is needed here", "name one side of it")
	}
	return side{name: word}, nil
}
