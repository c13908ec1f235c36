package source

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error is a failure to open or read a tree, written for the user: what is wrong, and what to do.
type Error struct {
	// Message and Hint are in lower case, without full stop. Revisions and paths in them are
	// already escaped.
	Message, Hint string
	// Usage is true if the command line itself is wrong, not the revision or file that it names.
	Usage bool
}

// Error joins message and hint.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + "; " + e.Hint
}

// stateError is a state of the repository that code in this package handles separately.
type stateError string

func (e stateError) Error() string { return string(e) }

// errUnborn means that HEAD names a branch without a commit.
const errUnborn stateError = "HEAD has no commit yet"

func usage(message, hint string) error {
	return &Error{Message: message, Hint: hint, Usage: true}
}

func failed(message, hint string) error {
	return &Error{Message: message, Hint: hint}
}

func noCommitYet(name string) error {
	return failed(quote(name)+" has no commit yet", "commit first, or name "+indexWord+" or "+worktreeWord)
}

func unknownRevision(rev string) error {
	return failed("revision "+quote(rev)+" matches no commit in this repository", fetchHint(rev))
}

func notACommit(rev string) error {
	return failed("revision "+quote(rev)+" is a file or a folder, not a commit", "name a branch, a tag or a commit id")
}

func ambiguousRevision(rev string) error {
	return failed("revision "+quote(rev)+" is ambiguous: more than one id begins with it", "write more digits of the id")
}

func shallowRevision(rev string) error {
	return failed("revision "+quote(rev)+" is not in this shallow clone", "set fetch-depth: 2 for HEAD^1 on a PR merge checkout, else fetch-depth: 0")
}

// noMergeBase names fetch-depth in its hint: the setting of actions/checkout, which creates most
// shallow clones.
func noMergeBase(a, b string, history history) error {
	if history == shallow {
		return failed(fmt.Sprintf("merge base of %s and %s is not in this shallow clone", printable(a), printable(b)),
			"set fetch-depth: 0, or use HEAD^1 on a PR merge checkout")
	}
	return failed(fmt.Sprintf("%s and %s have no common ancestor", printable(a), printable(b)), "compare their tips with A..B")
}

func gitNotFound() error {
	return failed("git is not on the PATH", "install git, or compare folders with --base-dir and --head-dir")
}

func notARepository(dir string) error {
	return failed(quote(dir)+" is not in a git repository", "use -C DIR, or compare folders with --base-dir and --head-dir")
}

func noWorkTree() error {
	return failed("this repository has no work tree", "name two revisions, as in gwplan diff main topic")
}

func foreignWorkTree(top string) error {
	return failed("core.worktree in the repository's config points to "+quote(top), "set GIT_WORK_TREE to that folder if this is intended")
}

func dubiousOwnership(dir, fix string) error {
	if fix == "" {
		fix = "git config --global --add safe.directory DIR"
	}
	return failed("git found that the repository at "+quote(dir)+" belongs to another user", "if you trust it: "+fix)
}

func gitFailed(sub subcommand, stderr string) error {
	message := "git " + string(sub) + " failed without an error message"
	if line, _, _ := strings.Cut(strings.TrimSpace(stderr), "\n"); line != "" {
		message = "git " + string(sub) + " failed: " + printable(line)
	}
	return failed(message, "in a partial clone run git fetch --refetch --no-filter, else git fsck")
}

func tooManyLost(n int) error {
	return failed(fmt.Sprintf("git could not read %d of the files", n), "in a partial clone run git fetch --refetch --no-filter, else git fsck")
}

// readLess is the hint where a tree exceeds what is read of one. The bounds are fixed.
const readLess = "read fewer folders: -f DIR, or --base-dir and --head-dir"

func tooManyFiles(limit int) error {
	return failed(fmt.Sprintf("more than %d YAML and JSON files in one tree", limit), readLess)
}

func tooLongNames(limit int64) error {
	return failed(fmt.Sprintf("the files of any name in one tree have paths of more than %d MiB", limit>>20), readLess+"; or raise --max-memory")
}

func tooManyListed(limit int) error {
	return failed(fmt.Sprintf("more than %d files of any name in one tree", limit), readLess)
}

func cannotOpen(name string, err error) error {
	return failed("cannot open "+quote(name)+": "+reason(err), "check the path")
}

// reason returns only the cause of an error, because the path in an fs.PathError is not escaped.
func reason(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err.Error()
	}
	return printable(err.Error())
}

// fetchHint names the command that fetches a revision. It does so only for names that are safe to
// paste into a shell.
func fetchHint(rev string) string {
	switch path.Ext(rev) {
	case ".yaml", ".yml", ".json":
		return "put paths after --, for example gwplan diff -- PATH"
	}
	name := rev
	if i := strings.IndexAny(name, "^~@:"); i >= 0 {
		name = name[:i]
	}
	remote, branch, found := strings.Cut(name, "/")
	if !found || remote != "origin" && remote != "upstream" {
		remote, branch = "origin", strings.TrimPrefix(name, "refs/heads/")
	}
	if branch == "" || branch == headRevision || strings.HasPrefix(branch, "-") || strings.ContainsFunc(branch, notPlain) {
		return "check the spelling"
	}
	return "check the spelling, or run git fetch " + remote + " " + branch
}

func notPlain(r rune) bool {
	return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && !strings.ContainsRune("._-/", r)
}

const maxQuoted = 80

// quote returns untrusted text in quotes, escaped and limited in length.
func quote(s string) string { return `"` + printable(s) + `"` }

// printable escapes unprintable characters and limits the length.
func printable(s string) string {
	clamped := s
	if len(s) > maxQuoted {
		clamped = s[:maxQuoted]
		for len(clamped) > 0 && !utf8.RuneStart(s[len(clamped)]) {
			clamped = clamped[:len(clamped)-1]
		}
	}
	q := strconv.Quote(clamped)
	q = q[1 : len(q)-1]
	if len(clamped) < len(s) {
		q += "…"
	}
	return q
}
