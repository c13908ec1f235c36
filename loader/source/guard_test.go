package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The commands that may be run: plumbing that starts nothing. Another one needs
// the same proof as these before it is added here.
var allowed = []string{"cat-file", "ls-files", "ls-tree", "merge-base", "rev-parse"}

func TestSubcommands(t *testing.T) {
	got := map[string]bool{}
	for name, file := range parsePackage(t) {
		for _, imported := range file.Imports {
			if imported.Path.Value == `"os/exec"` && name != "git.go" && name != "batch.go" {
				t.Errorf("%s imports os/exec", name)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				if id, ok := n.Type.(*ast.Ident); ok && id.Name == "subcommand" {
					for _, value := range n.Values {
						got[literal(t, value)] = true
					}
				}
			case *ast.CallExpr:
				checkCall(t, name, n)
			}
			return true
		})
	}
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, allowed) {
		t.Errorf("subcommands = %q, allowed are %q", names, allowed)
	}
}

// checkCall holds that processes start in one place and that no string is made
// into a subcommand.
func checkCall(t *testing.T, file string, call *ast.CallExpr) {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		if f.Name == "subcommand" {
			t.Errorf("%s makes a subcommand of a string", file)
		}
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok && x.Name == "exec" && (file != "git.go" || f.Sel.Name != "CommandContext") {
			t.Errorf("%s calls exec.%s", file, f.Sel.Name)
		}
		for _, arg := range call.Args {
			if lit, ok := arg.(*ast.BasicLit); ok && slices.Contains([]string{"output", "stream", "command"}, f.Sel.Name) &&
				lit.Kind == token.STRING && slices.Contains(allowed, strings.Trim(lit.Value, `"`)) {
				t.Errorf("%s passes %s as a string", file, lit.Value)
			}
		}
	}
}

func parsePackage(t *testing.T) map[string]*ast.File {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	files := map[string]*ast.File{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = file
	}
	return files
}

func literal(t *testing.T, e ast.Expr) string {
	t.Helper()
	lit, ok := e.(*ast.BasicLit)
	if !ok {
		t.Fatal("a subcommand is not a literal")
	}
	s, err := strconv.Unquote(lit.Value)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every call carries the flags and the environment that keep git from acting.
func TestEveryCallIsSafe(t *testing.T) {
	g := newGit("/repo", []string{
		"PATH=/usr/bin", "HOME=/home/ana", "GIT_DIR=.git", "GIT_INDEX_FILE=.git/next", "GIT_TRACE=1",
		"GIT_SSH_COMMAND=x", "GIT_ALLOW_PROTOCOL=ext", "GIT_CONFIG_NOSYSTEM=0", "LD_PRELOAD=x", "GITHUB_TOKEN=x",
	})
	cmd, _ := g.command(t.Context(), lsFiles, "-s")
	want := strings.Fields("-c core.fsmonitor=false -c core.hooksPath=" + os.DevNull + " -c protocol.allow=never" +
		" --no-replace-objects --literal-pathspecs --no-pager ls-files -s")
	if !slices.Equal(cmd.Args[1:], want) {
		t.Errorf("flags = %q\nwant %q", cmd.Args[1:], want)
	}
	env := []string{
		"HOME=/home/ana", "GIT_DIR=/repo/.git", "GIT_INDEX_FILE=.git/next",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "LC_ALL=C",
		"GIT_ALLOW_PROTOCOL=", "GIT_EXEC_PATH=" + os.DevNull, "PATH=" + os.DevNull,
	}
	if !slices.Equal(cmd.Env, env) {
		t.Errorf("environment = %q\nwant %q", cmd.Env, env)
	}
}

// A word that begins with a dash is refused before git sees it. Should one get through, it is a
// name and no option all the same: a branch that is called like one is found.
func TestRevisionIsNoOption(t *testing.T) {
	dir := t.TempDir()
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull}
	run := func(args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(env[:len(env):len(env)], "GIT_AUTHOR_NAME=Ana", "GIT_AUTHOR_EMAIL=ana@example.com", "GIT_COMMITTER_NAME=Ana", "GIT_COMMITTER_EMAIL=ana@example.com")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	run("init", "-q", "-b", "main")
	run("commit", "-q", "--allow-empty", "-m", "one")
	id := run("rev-parse", "HEAD")
	g := newGit(dir, env)
	for _, name := range []string{"-x", "--all", "--git-dir", "--output=written"} {
		run("update-ref", "refs/heads/"+name, id)
		if got, err := g.commit(t.Context(), name); err != nil || got != id {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "written")); err == nil {
		t.Error("a file was written")
	}
}

// Git says this only of repositories of another user, so its own words are
// asked for with the variable that its tests use.
func TestDubiousOwnership(t *testing.T) {
	dir := t.TempDir()
	run := func(extra string, args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", extra}
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	run("A=b", "init", "-q")
	said := run("GIT_TEST_ASSUME_DIFFERENT_OWNER=1", "rev-parse", "HEAD")
	g := newGit(dir, nil)
	err := g.explain(&failure{revParse, 128, said})
	if !strings.Contains(err.Error(), "; if you trust it: git config --global --add safe.directory ") || !strings.Contains(err.Error(), filepath.Base(dir)) {
		t.Errorf("%q becomes %q", said, err)
	}
	if fix := ownershipFix("git config --global --add safe.directory '\x1b]0;'\n"); fix != "" {
		t.Errorf("a fix that is not printable: %q", fix)
	}
}
