package source_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader/source"
)

// armed is a repository whose config and attributes start a program wherever
// git lets them. The program leaves a marker.
func armed(t *testing.T) (r *repo, marker string) {
	t.Helper()
	r, _, _, _ = history(t)
	r.git("checkout", "-q", "-f", "topic")
	marker = filepath.Join(t.TempDir(), "marker")
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho \"$0 $*\" >> '"+marker+"'\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.write(".gitattributes", "* filter=evil diff=evil merge=evil text\n")
	r.write("b.yaml", "b\n")
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "armed")
	r.write("b.yaml", "edited\n")
	r.write("c.yaml", "untracked\n")
	for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "post-checkout", "pre-auto-gc", "reference-transaction"} {
		if err := os.MkdirAll(filepath.Join(r.dir, "hooks"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(program, filepath.Join(r.dir, "hooks", hook)); err != nil {
			t.Fatal(err)
		}
	}
	for key, value := range map[string]string{
		"core.fsmonitor": program, "core.hooksPath": filepath.Join(r.dir, "hooks"), "core.pager": program, "core.editor": program,
		"core.sshCommand": program, "core.askPass": program, "core.gitProxy": program, "core.alternateRefsCommand": program,
		"core.untrackedCache": "true", "sequence.editor": program, "credential.helper": "!" + program, "diff.external": program,
		"diff.evil.textconv": program, "diff.evil.command": program, "merge.evil.driver": program,
		"filter.evil.clean": program, "filter.evil.smudge": program, "filter.evil.process": program, "filter.evil.required": "true",
		"gpg.program": program, "log.showSignature": "true", "pager.ls-files": program, "pager.cat-file": program, "pager.rev-parse": program,
		"alias.rev-parse": "!" + program, "alias.ls-files": "!" + program, "alias.ls-tree": "!" + program, "alias.cat-file": "!" + program,
		"alias.merge-base": "!" + program, "uploadpack.packObjectsHook": program,
		// A promisor remote of a partial clone, by a transport that is a program.
		"protocol.allow": "always", "protocol.ext.allow": "always", "protocol.file.allow": "always",
		"core.repositoryFormatVersion": "1", "extensions.partialClone": "origin", "remote.origin.promisor": "true",
		"remote.origin.url": "ext::" + program, "remote.origin.uploadpack": program, "remote.origin.vcs": "ext",
	} {
		r.git("config", key, value)
	}
	_ = os.Remove(marker) // git config may have refreshed something
	return r, marker
}

// fires shows that a repository is armed at all: git's own commands do start
// the program.
func fires(t *testing.T, r *repo, marker string) {
	t.Helper()
	_, _ = r.try(nil, "status")
	_, _ = r.try(nil, "diff")
	said, err := os.ReadFile(marker)
	if err != nil || !strings.Contains(string(said), "program") {
		t.Fatal("git status starts nothing here, so this test would prove nothing")
	}
	if err := os.Remove(marker); err != nil {
		t.Fatal(err)
	}
}

func TestNoProgramIsStarted(t *testing.T) {
	r, marker := armed(t)
	fires(t, r, marker)
	missing := r.git("rev-parse", "main:a.yaml")
	if err := os.Remove(filepath.Join(r.dir, ".git/objects", missing[:2], missing[2:])); err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(marker)
	requests := map[string]source.Request{
		"none": r.request(), "two": r.request("HEAD~1", "HEAD"), "dots": r.request("main...HEAD"), "missing blob": r.request("main", "HEAD"),
		"index": r.request(":index", ":worktree"), "staged": {Dir: r.dir, Staged: true, Environ: r.env},
		"unknown": r.request("nope", "HEAD"), "missing commit": r.request(strings.Repeat("12", 20), "HEAD"),
		"folders": {Dir: r.dir, BaseDir: ".", HeadDir: "."}, "merge base": {Dir: r.dir, MergeBase: "main", Environ: r.env},
	}
	for name, q := range requests {
		t.Run(name, func(t *testing.T) {
			// An environment that would start things, too.
			q.Environ = append(q.Environ[:len(q.Environ):len(q.Environ)], "GIT_EXTERNAL_DIFF=touch", "GIT_PAGER=touch", "GIT_SSH_COMMAND=touch",
				"GIT_ASKPASS=touch", "GIT_PROXY_COMMAND=touch", "GIT_TRACE="+marker, "GIT_ALLOW_PROTOCOL=ext:file")
			base, head, err := source.OpenPair(context.Background(), q)
			if err == nil {
				contents(t, base)
				contents(t, head)
				closeTree(t, base)
			}
			if said, err := os.ReadFile(marker); err == nil {
				_ = os.Remove(marker)
				t.Errorf("started: %s", said)
			}
			if name == "two" && err != nil {
				t.Error(err)
			}
		})
	}
}
