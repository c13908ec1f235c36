package source_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader/source"
)

func TestHostileRevisions(t *testing.T) {
	r, _, _, _ := history(t)
	outside := filepath.Join(t.TempDir(), "written")
	hostile := map[string]string{
		"output":        "--output=" + outside,
		"short option":  "-o" + outside,
		"all":           "--all",
		"end":           "--",
		"index path":    ":a.yaml",
		"tree path":     "HEAD:a.yaml",
		"colon":         ":",
		"bad regex":     "HEAD^{/[}",
		"message regex": ":/three",
		"negated":       "^HEAD",
		"parents":       "HEAD^@",
		"spaces":        "HEAD --output=" + outside,
		"newline":       "HEAD\n--output=" + outside,
		"nul":           "HEAD\x00",
		"escape":        "\x1b]0;title\a",
		"not utf-8":     "\xff\xfe",
		"bidi":          "a\u202eb",
		"huge":          strings.Repeat("a", 100_000),
		"upload pack":   "ext::sh -c touch% " + outside,
		"backticks":     "`touch " + outside + "`",
	}
	for name, rev := range hostile {
		for form, words := range map[string][]string{
			"alone": {rev}, "base": {rev + "..main"}, "head": {"main.." + rev}, "second": {"main", rev}, "dots": {"main..." + rev},
		} {
			t.Run(name+" "+form, func(t *testing.T) { refuses(t, r.request(words...)) })
		}
		t.Run(name+" as a merge base", func(t *testing.T) {
			refuses(t, source.Request{Dir: r.dir, MergeBase: rev, Environ: r.env})
		})
		t.Run(name+" pushed", func(t *testing.T) {
			env := append(r.env[:len(r.env):len(r.env)], "PRE_COMMIT_FROM_REF="+rev, "PRE_COMMIT_TO_REF=main")
			refuses(t, source.Request{Dir: r.dir, Staged: true, Environ: env})
		})
		t.Run(name+" of one tree", func(t *testing.T) {
			_, err := source.OpenOne(context.Background(), source.OneRequest{Dir: r.dir, Revision: rev, Environ: r.env})
			checkRefusal(t, err)
		})
	}
	for _, dir := range []string{filepath.Dir(outside), r.dir} {
		for _, e := range mustReadDir(t, dir) {
			if e.Name() != "a.yaml" && e.Name() != ".git" {
				t.Errorf("%s was created", e.Name())
			}
		}
	}
}

func refuses(t *testing.T, q source.Request) {
	t.Helper()
	base, _, err := source.OpenPair(context.Background(), q)
	if err == nil {
		closeTree(t, base)
	}
	checkRefusal(t, err)
}

// checkRefusal wants an error that is short and safe to print.
func checkRefusal(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		t.Fatal("accepted")
	}
	wantError(t, err, strings.Contains(err.Error(), "option") || strings.Contains(err.Error(), "control") ||
		strings.Contains(err.Error(), "long"), "revision")
	if len(err.Error()) > 400 || strings.ContainsAny(err.Error(), "\x00\x07\x1b\n\u202e") {
		t.Errorf("not fit for a terminal: %q", err.Error())
	}
}

func mustReadDir(t *testing.T, dir string) []os.DirEntry {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func TestRevisionErrors(t *testing.T) {
	r, one, _, _ := history(t)
	tree := r.git("rev-parse", "HEAD^{tree}")
	blob := r.git("rev-parse", "HEAD:a.yaml")
	gone := strings.Repeat("12", 20)
	tests := map[string]struct{ rev, text string }{
		"unknown":       {"nope", `revision "nope" matches no commit in this repository; check the spelling, or run git fetch origin nope`},
		"remote branch": {"origin/feature/x", "run git fetch origin feature/x"},
		"shell":         {"origin/$(id)", "; check the spelling"},
		"tree":          {tree, "is a file or a folder, not a commit; name a branch"},
		"blob":          {blob, "is a file or a folder, not a commit"},
		"path":          {"HEAD:a.yaml", "is a file or a folder, not a commit"},
		"before root":   {one + "~1", "matches no commit in this repository"},
		"missing id":    {gone, "matches no commit in this repository; check the spelling, or run git fetch origin " + gone},
		"zero":          {strings.Repeat("0", 40), "matches no commit"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, _, err := source.OpenPair(context.Background(), r.request(test.rev, "HEAD"))
			wantError(t, err, false, test.text)
			if name == "shell" && strings.Contains(err.Error(), "git fetch") {
				t.Errorf("a command to paste: %s", err)
			}
		})
	}
}

func TestAmbiguousRevision(t *testing.T) {
	r := newRepo(t)
	var stream strings.Builder
	const commits = 1500 // enough that two ids share four digits, and always the same two
	for i := range commits {
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter A <a@b> %d +0000\ndata 0\n\n", i)
	}
	if out, err := r.try([]byte(stream.String()), "fast-import", "--quiet"); err != nil {
		t.Fatal(err, out)
	}
	seen := map[string]bool{}
	for id := range strings.FieldsSeq(r.git("rev-list", "main")) {
		if seen[id[:4]] {
			_, _, err := source.OpenPair(context.Background(), r.request(id[:4], "main"))
			wantError(t, err, false, "is ambiguous: more than one id begins with it; write more digits of the id")
			return
		}
		seen[id[:4]] = true
	}
	t.Fatal("no two ids share a beginning")
}

func TestNoCommonAncestor(t *testing.T) {
	r, _, _, _ := history(t)
	r.git("checkout", "-q", "-f", "--orphan", "island")
	r.commit("island")
	_, _, err := source.OpenPair(context.Background(), r.request("main...island"))
	wantError(t, err, false, "main and island have no common ancestor; compare their tips with A..B")
}

func TestShallowClone(t *testing.T) {
	r, _, _, three := history(t)
	r.git("checkout", "-q", "-f", "topic")
	clone := r.at(filepath.Join(t.TempDir(), "clone"))
	r.git("clone", "-q", "--depth=1", "--no-single-branch", "file://"+r.dir, clone.dir)
	tests := map[string]struct {
		words []string
		text  string
	}{
		"parent":     {[]string{"HEAD^1", "HEAD"}, `revision "HEAD^1" is not in this shallow clone; set fetch-depth: 2`},
		"id":         {[]string{r.git("rev-parse", "HEAD~1"), "HEAD"}, "is not in this shallow clone"},
		"merge base": {[]string{"origin/main...HEAD"}, "merge base of origin/main and HEAD is not in this shallow clone; set fetch-depth: 0, or use HEAD^1 on a PR merge checkout"},
		"misspelt":   {[]string{"origin/nope", "HEAD"}, "run git fetch origin nope"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, _, err := source.OpenPair(context.Background(), clone.request(test.words...))
			wantError(t, err, false, test.text)
		})
	}
	base, head := openPair(t, clone.request("HEAD"))
	if base.Commit != three || head.Revision != "work tree" {
		t.Errorf("a shallow clone's own commit: %q %q", base.Commit, head.Revision)
	}
}

func TestNoRepository(t *testing.T) {
	env := append(cleanEnv(t), "GIT_CEILING_DIRECTORIES=/")
	dir := t.TempDir()
	tests := map[string]struct {
		q    source.Request
		text string
	}{
		"not a repository":        {source.Request{Dir: dir, Environ: env}, "is not in a git repository; use -C DIR, or compare folders with --base-dir and --head-dir"},
		"revisions of none":       {source.Request{Dir: dir, Environ: env, Revisions: []string{"a", "b"}}, "is not in a git repository"},
		"no such folder":          {source.Request{Dir: filepath.Join(dir, "no"), Environ: env}, "no such file or directory; check the path"},
		"no git":                  {source.Request{Dir: dir, Environ: []string{"PATH=" + dir}}, "git is not on the PATH; install git, or compare folders"},
		"git only beside us":      {source.Request{Dir: dir, Environ: []string{"PATH=.::bin"}}, "git is not on the PATH"},
		"folders without a git":   {source.Request{Dir: dir, BaseDir: "x", HeadDir: "y"}, "cannot open"},
		"a file instead of a dir": {source.Request{Dir: dir, BaseDir: "f", HeadDir: "f"}, "not a directory"},
	}
	if err := os.WriteFile(filepath.Join(dir, "f"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	// Programs of this name where a PATH with relative folders would find them.
	t.Chdir(t.TempDir())
	for _, name := range []string{"git", "bin/git"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, _, err := source.OpenPair(context.Background(), test.q)
			wantError(t, err, false, test.text)
		})
	}
}

func TestUnbornHead(t *testing.T) {
	r := newRepo(t)
	r.write("a.yaml", "first\n")
	r.git("add", "a.yaml")
	for name, q := range map[string]source.Request{
		"staged": {Dir: r.dir, Staged: true, Environ: r.env}, "work tree": r.request(), "typed": r.request("HEAD", ":index"),
	} {
		t.Run(name, func(t *testing.T) {
			base, head := openPair(t, q)
			if len(base.Entries) != 0 || base.Commit != "" || fmt.Sprint(problems(base)) != "[no-commit-yet ]" {
				t.Errorf("base = %v %v", base, problems(base))
			}
			if got := contents(t, head)["a.yaml"]; got != "first\n" {
				t.Errorf("head = %q", got)
			}
		})
	}
	_, _, err := source.OpenPair(context.Background(), r.request("HEAD", "HEAD"))
	wantError(t, err, false, `"HEAD" has no commit yet; commit first`)
	_, _, err = source.OpenPair(context.Background(), r.request("main"))
	wantError(t, err, false, `revision "main" matches no commit`)
}

func TestBrokenHeadIsNotUnborn(t *testing.T) {
	r, _, _, _ := history(t)
	r.write(".git/refs/heads/topic", strings.Repeat("9", 40)+"\n")
	_, _, err := source.OpenPair(context.Background(), r.request())
	wantError(t, err, false, `revision "HEAD" matches no commit`)
}
