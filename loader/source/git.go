package source

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// subcommand is a git command that this package may run. Only plumbing is allowed: other commands
// start filters, textconv, fsmonitor, hooks or network access. A test checks this list.
type subcommand string

const (
	revParse     subcommand = "rev-parse"
	mergeBaseCmd subcommand = "merge-base"
	lsTree       subcommand = "ls-tree"
	catFile      subcommand = "cat-file"
	lsFiles      subcommand = "ls-files"
)

// git runs git commands in one repository. It is immutable, except for what it has waited.
type git struct {
	path    string // absolute, empty if git is not found
	dir     string
	env     []string
	silence *silence
}

// newGit finds git on the PATH of the given environment, not of the process, because the process
// empties its PATH before kustomize builds run.
func newGit(dir string, environ []string) *git {
	return &git{path: findGit(lookupEnv(environ, "PATH")), dir: dir, env: gitEnv(dir, environ), silence: &silence{}}
}

// at returns the same git for another start folder.
func (g *git) at(dir string) *git {
	return &git{path: g.path, dir: dir, env: g.env, silence: g.silence}
}

// findGit searches only absolute folders, because a relative one may be in the tree.
func findGit(path string) string {
	name := "git"
	if runtime.GOOS == "windows" {
		name = "git.exe"
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		file := filepath.Join(dir, name)
		info, err := os.Stat(file)
		if err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0) {
			return file
		}
	}
	return ""
}

// gitEnv returns the whole environment of each child process: the variables that locate the
// repository and the user's config, and those that keep git from running programs or using the
// network.
func gitEnv(dir string, environ []string) []string {
	var env []string
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if !keepsEnv(name) {
			continue
		}
		if namesFolder(name) && value != "" && !filepath.IsAbs(value) {
			// Later child processes start at the root of the work tree.
			if abs, err := filepath.Abs(filepath.Join(dir, value)); err == nil {
				value = abs
			}
		}
		env = append(env, name+"="+value)
	}
	return append(env,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "LC_ALL=C",
		// A protocol.ext.allow in the repository's config overrides protocol.allow. A git without
		// GIT_NO_LAZY_FETCH would then run the program that a promisor remote names. Nothing
		// overrides GIT_ALLOW_PROTOCOL (transport.c), and with these paths git finds no program to
		// run.
		"GIT_ALLOW_PROTOCOL=", "GIT_EXEC_PATH="+os.DevNull, "PATH="+os.DevNull,
	)
}

func keepsEnv(name string) bool {
	switch name {
	case "HOME", "XDG_CONFIG_HOME", "SUDO_UID", "SUDO_GID", "USERPROFILE", "SYSTEMROOT",
		"GIT_INDEX_FILE", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH",
		"GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM",
		"GIT_CONFIG_GLOBAL", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS":
		return true
	}
	return namesFolder(name) || strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
}

func namesFolder(name string) bool {
	switch name {
	case "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY":
		return true
	}
	return false
}

// lookupEnv returns the last value of a name, which is the one that a process uses.
func lookupEnv(environ []string, name string) string {
	value := ""
	for _, entry := range environ {
		if v, found := strings.CutPrefix(entry, name+"="); found {
			value = v
		}
	}
	return value
}

// command prepares one call, with the flags common to all calls.
func (g *git) command(ctx context.Context, sub subcommand, args ...string) (*exec.Cmd, *tail) {
	line := append([]string{
		"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "protocol.allow=never",
		"--no-replace-objects", "--literal-pathspecs", "--no-pager", string(sub),
	}, args...)
	cmd := exec.CommandContext(ctx, g.path, line...)
	cmd.Dir, cmd.Env = g.dir, g.env
	cmd.WaitDelay = 5 * time.Second
	stderr := &tail{}
	cmd.Stderr = stderr
	return cmd, stderr
}

// failure is an exit of git with a status other than 0.
type failure struct {
	sub    subcommand
	code   int
	stderr string
}

func (f *failure) Error() string { return gitFailed(f.sub, f.stderr).Error() }

// output runs a command and returns its whole output.
func (g *git) output(ctx context.Context, sub subcommand, args ...string) (string, error) {
	var out string
	err := g.stream(ctx, func(r io.Reader) error {
		b, err := io.ReadAll(r)
		out = string(b)
		return err
	}, sub, args...)
	return out, err
}

// stream runs a command and passes its output to read. An error of read stops the command and is
// returned unchanged.
func (g *git) stream(ctx context.Context, read func(io.Reader) error, sub subcommand, args ...string) error {
	if g.path == "" {
		return gitNotFound()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd, stderr := g.command(ctx, sub, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return gitFailed(sub, err.Error())
	}
	if err := cmd.Start(); err != nil {
		return g.cannotStart(ctx, sub, err)
	}
	quiet := &listened{r: out, stop: cancel, silence: g.silence}
	err = read(quiet)
	if quiet.ended.Load() {
		err = failed("git "+string(sub)+" takes too long", "the repository may contain endlessly nested folders; run git fsck")
	}
	if err != nil {
		cancel()
		_ = cmd.Wait() // it was killed
		return err
	}
	return exitError(ctx, sub, cmd.Wait(), stderr)
}

// cannotStart explains why a child process did not start. The usual cause is that its start folder
// does not exist.
func (g *git) cannotStart(ctx context.Context, sub subcommand, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if _, statErr := os.Stat(g.dir); statErr != nil {
		return cannotOpen(g.dir, statErr)
	}
	return gitFailed(sub, err.Error())
}

func exitError(ctx context.Context, sub subcommand, err error, stderr *tail) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return &failure{sub, exit.ExitCode(), stderr.String()}
	}
	return gitFailed(sub, err.Error())
}

// explain converts a failure of git to an error for the user.
func (g *git) explain(err error) error {
	f, ok := errors.AsType[*failure](err)
	if !ok {
		return err
	}
	if known := repositoryError(f, g.dir); known != nil {
		return known
	}
	return gitFailed(f.sub, f.stderr)
}

// repositoryError recognises git's messages (under LC_ALL=C) about a missing or untrusted
// repository or work tree. It returns nil for any other failure.
func repositoryError(f *failure, dir string) error {
	switch {
	case strings.Contains(f.stderr, "not a git repository"):
		return notARepository(dir)
	case strings.Contains(f.stderr, "dubious ownership"):
		return dubiousOwnership(dir, ownershipFix(f.stderr))
	case strings.Contains(f.stderr, "must be run in a work tree"):
		return noWorkTree()
	}
	return nil
}

// ownershipFix returns the command that git itself proposes.
func ownershipFix(stderr string) string {
	for line := range strings.Lines(stderr) {
		fix := strings.TrimSpace(line)
		if strings.HasPrefix(fix, "git config --global --add safe.directory") && !strings.ContainsFunc(fix, notPrintable) {
			return fix
		}
	}
	return ""
}

func notPrintable(r rune) bool { return !strconv.IsPrint(r) }

// tail keeps the beginning of git's stderr.
type tail struct{ bytes.Buffer }

const maxStderr = 16 << 10

// Write drops everything beyond the limit.
func (t *tail) Write(p []byte) (int, error) {
	if room := maxStderr - t.Len(); room > 0 {
		t.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
