package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/gwplan/gwplan/loader/kustomize"
)

// completeName is the hidden command that completion scripts call.
const completeName = "__complete"

const description = `Shows what a change in Git does to the EFFECTIVE configuration of your gateways, before you merge it and
without a cluster: which policies reach which routes, what they set there, and which line set it.

  gwplan demo                      see it work, with nothing to set up
  gwplan diff main                 what your work tree changes against main
  gwplan diff main...feature       what a branch changes
  gwplan effective httproute/shop/checkout

Exit codes: 0 done; 1 findings at or above --fail-on, changes with --exit-code, or new access with --no-new-access; 2 usage or
configuration; 3 could not analyse, a problem with --strict, or nothing to check; 130 ended by Ctrl-C.`

// run is the whole program, except for the process around it.
func run(args []string, t terminal) int {
	// Arguments after -- are paths, for `diff`; kong would read them as revisions.
	var paths []string
	if len(args) == 0 || args[0] != completeName {
		args, paths = splitPaths(args)
	}
	args = asFlags(args)
	exit := -1
	parser, err := kong.New(&struct{}{}, append(options(args),
		kong.UsageOnError(), kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 110}),
		kong.Writers(t.stdout, t.stderr), kong.Exit(func(code int) { exit = code }),
	)...)
	if err != nil {
		return finish(err, t.stderr)
	}
	parsed, err := parser.Parse(args)
	if exit >= 0 {
		return exit // kong has printed the help
	}
	var wrong *kong.ParseError
	if errors.As(err, &wrong) {
		return finish(usageError(wrong.Error(), usageHint(wrong, args)), t.stderr)
	}
	if err != nil {
		return finish(err, t.stderr)
	}
	if len(paths) > 0 && parsed.Selected().Name != "diff" {
		return finish(usageError("paths after -- are for diff", "use -f to say what to read"), t.stderr)
	}
	ctx, stop := interruptible()
	defer stop()
	kustomize.Sandbox()
	parsed.BindTo(ctx, (*context.Context)(nil))
	return ended(ctx, parsed.Run(t, parser, pathFilter(paths)), t.stderr)
}

// ended is finish for a run that Ctrl-C may have ended, of which it says nothing.
func ended(ctx context.Context, err error, stderr io.Writer) int {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return interrupted
	}
	return finish(err, stderr)
}

// usageHint says what to do about arguments that a command does not take.
func usageHint(wrong *kong.ParseError, args []string) string {
	if unexpected, ok := strings.CutPrefix(wrong.Error(), "unexpected argument "); ok {
		if at := slices.Index(args, unexpected); at > 1 && slices.Contains([]string{"effective", "status", "tree"}, args[0]) && !strings.HasPrefix(args[at-1], "-") {
			return fmt.Sprintf("write an object as one argument: gwplan %s %s/%s", args[0], args[at-1], unexpected)
		}
	}
	return "run gwplan --help, or gwplan COMMAND --help"
}

// grace is how long an interrupted run may take to end by itself.
const grace = 300 * time.Millisecond

// interrupted is the exit code of a process that Ctrl-C ended, as shells have it.
const interrupted = 130

// interruptible is a context that Ctrl-C ends. What cannot be asked to stop, such as a regular
// expression, ends with the process soon after.
func interruptible() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
			cancel()
			time.Sleep(grace)
			os.Exit(interrupted)
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel()
	}
}

// asFlags accepts what people try first: no arguments, `help`, --version, and -C before the command, as
// git has it.
func asFlags(args []string) []string {
	if len(args) > 2 && args[0] == "-C" {
		args = append(slices.Clone(args[2:]), args[:2]...)
	}
	switch {
	case len(args) == 0:
		return []string{"--help"}
	case args[0] == "help":
		return append(slices.Clone(args[1:]), "--help")
	case args[0] == "--version":
		return []string{"version"}
	}
	return args
}

func splitPaths(args []string) (flags, paths []string) {
	i := slices.Index(args, "--")
	if i < 0 {
		return args, nil
	}
	return args[:i], args[i+1:]
}
