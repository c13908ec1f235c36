package source

import (
	"cmp"
	"context"
	"errors"
	"strings"
)

// history is how much of its history a clone has.
type history uint8

const (
	whole history = iota
	shallow
)

// resolveSide returns the commit id of a commit or merge-base side.
func (g *git) resolveSide(ctx context.Context, s side) (string, error) {
	a, err := g.commit(ctx, s.name)
	if err != nil || s.place == commit {
		return a, err
	}
	b, err := g.commit(ctx, s.other)
	if errors.Is(err, errUnborn) {
		return "", noCommitYet(s.other)
	}
	if err != nil {
		return "", err
	}
	return g.mergeBase(ctx, s, a, b)
}

// commit looks up a revision. Every string from outside reaches git only here and in the search for
// the cause of a failed look-up. All other calls get hex ids.
func (g *git) commit(ctx context.Context, rev string) (string, error) {
	out, err := g.output(ctx, revParse, "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil && !isRevisionError(err) {
		return "", g.explain(err)
	}
	// Accept only an id: for ^HEAD git prints ^ and an id.
	if id := strings.TrimSuffix(out, "\n"); err == nil && isID(id) {
		return id, nil
	}
	return "", g.whyNoCommit(ctx, rev)
}

// isRevisionError reports whether git failed only at the revision itself.
func isRevisionError(err error) bool {
	f, ok := errors.AsType[*failure](err)
	return ok && repositoryError(f, "") == nil
}

// whyNoCommit finds the cause that --quiet hides.
func (g *git) whyNoCommit(ctx context.Context, rev string) error {
	out, err := g.output(ctx, revParse, "--verify", "--end-of-options", rev)
	f, failed := errors.AsType[*failure](err)
	switch {
	case failed && strings.Contains(f.stderr, "is ambiguous"):
		return ambiguousRevision(rev)
	case failed && (rev == headRevision || rev == "@") && strings.TrimSpace(f.stderr) == "fatal: Needed a single revision":
		return errUnborn
	}
	if id := strings.TrimSuffix(out, "\n"); isID(id) && g.has(ctx, id) {
		return notACommit(rev)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if g.history(ctx) == shallow && (isID(rev) || g.isAncestorOfKnown(ctx, rev)) {
		return shallowRevision(rev)
	}
	return unknownRevision(rev)
}

// has reports whether an object with this id exists; --verify accepts any 40 digits.
func (g *git) has(ctx context.Context, id string) bool {
	_, err := g.output(ctx, revParse, "--verify", "--quiet", "--end-of-options", id+"^{object}")
	return err == nil
}

// isAncestorOfKnown reports whether rev is relative to an existing commit.
func (g *git) isAncestorOfKnown(ctx context.Context, rev string) bool {
	i := strings.IndexAny(rev, "^~")
	if i <= 0 {
		return false
	}
	_, err := g.output(ctx, revParse, "--verify", "--quiet", "--end-of-options", rev[:i]+"^{commit}")
	return err == nil
}

func (g *git) history(ctx context.Context) history {
	if out, err := g.output(ctx, revParse, "--is-shallow-repository"); err == nil && strings.TrimSpace(out) == "true" {
		return shallow
	}
	return whole
}

func (g *git) mergeBase(ctx context.Context, s side, a, b string) (string, error) {
	out, err := g.output(ctx, mergeBaseCmd, a, b)
	if f, ok := errors.AsType[*failure](err); ok && f.code == 1 {
		return "", noMergeBase(s.name, s.other, g.history(ctx))
	}
	if err != nil {
		return "", g.explain(err)
	}
	id, _, _ := strings.Cut(out, "\n")
	if !isID(id) {
		return "", gitFailed(mergeBaseCmd, "it gave no id")
	}
	return id, nil
}

// isID reports whether s is a complete id, of SHA-1 or SHA-256.
func isID(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	for i := range len(s) {
		if (s[i] < '0' || s[i] > '9') && (s[i] < 'a' || s[i] > 'f') {
			return false
		}
	}
	return true
}

// Folder is the folder of the repository that dir is, "" for its root or for a repository without a work tree.
func Folder(ctx context.Context, dir string, environ []string) (string, error) {
	g := newGit(cmp.Or(dir, "."), environ)
	out, err := g.output(ctx, revParse, "--show-prefix")
	if err != nil {
		return "", g.explain(err)
	}
	return strings.TrimSuffix(strings.TrimSuffix(out, "\n"), "/"), nil
}

// Revisions lists the names that a user may give as a revision of the repository around a folder: HEAD, branches,
// tags and branches of remotes.
func Revisions(ctx context.Context, dir string, environ []string) ([]string, error) {
	g := newGit(cmp.Or(dir, "."), environ)
	out := []string{headRevision}
	for _, group := range []string{"--branches", "--tags", "--remotes"} {
		names, err := g.output(ctx, revParse, "--symbolic", group)
		if err != nil {
			return nil, g.explain(err)
		}
		out = append(out, strings.Fields(names)...)
	}
	return out, nil
}
