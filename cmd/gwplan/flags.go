package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/account"
	"github.com/gwplan/gwplan/loader/source"
	"github.com/gwplan/gwplan/report"
	"github.com/gwplan/gwplan/report/outline"
)

// inputFlags control what is read and how.
type inputFlags struct {
	Directory    string   `short:"C" placeholder:"DIR" help:"Run as if started in DIR. Paths of reports, baselines, saved plans and profiles stay relative to the current folder."`
	Config       string   `placeholder:"FILE" env:"GWPLAN_CONFIG" help:"Configuration to use instead of the repository's .gwplan.yaml."`
	NoConfig     bool     `help:"Use no configuration."`
	Complete     bool     `help:"Treat objects that are not in the input as not existing."`
	Strict       bool     `help:"Exit with 3 on any problem but a note: what could not be read, rendered or decided."`
	Context      []string `sep:"none" placeholder:"DIR" help:"Also read the objects in DIR, which live elsewhere; they are not reported. Repeatable."`
	HelmCache    string   `placeholder:"DIR" help:"Folder of charts as helm pull leaves them, NAME-VERSION.tgz or NAME/: used for charts that are not in the repository."`
	Cache        string   `placeholder:"DIR" env:"GWPLAN_CACHE" help:"Folder for results of builds and diffs, by content, outside the repository. Default: gwplan in the user's cache folder; none where CI is set."`
	NoCache      bool     `help:"Keep no results of builds and diffs between runs."`
	ParseAll     bool     `help:"Also parse documents that cannot matter, to find mistakes in them."`
	limitFlags   `group:"Limits and measurements:"`
	statsFlags   `group:"Limits and measurements:"`
	profileFlags `group:"Limits and measurements:"`

	// workloads has them read also where no network policy selects any.
	workloads bool
}

// limitFlags bound a run.
type limitFlags struct {
	MaxFileSize int64   `placeholder:"BYTES" help:"Largest file that is read, in bytes; a larger one is reported as a problem. Default 4194304 (4 MiB)."`
	MaxMemory   memory  `placeholder:"SIZE" default:"512MiB" help:"Memory that a run may use, such as 512MiB or 8GiB; a number alone is in MiB, 0 is no limit. The limit grows with inputs above 2 MB, up to 4 GiB. Default 512MiB."`
	MaxTime     cpuTime `placeholder:"TIME" default:"20s" help:"CPU time that a run may use, such as 90s or 2m; a number alone is in seconds, 0 is no limit. The limit grows with inputs above 2 MB. Default 20s."`
}

// AfterApply begins to measure the run. Kong calls it once the command line is read.
func (f *inputFlags) AfterApply() error {
	if err := f.statsFlags.begin(); err != nil {
		return err
	}
	return f.profileFlags.begin()
}

// AfterRun writes what was measured. Kong calls it after the command, also if that failed.
func (f *inputFlags) AfterRun() error {
	return errors.Join(f.statsFlags.end(), f.profileFlags.end())
}

// account opens the account of a run. When it is overdrawn, the run begins again without the part
// that was being rendered, or else the process ends.
func (f *inputFlags) account(ctx context.Context, t terminal) *account.Account {
	a := account.New(uint64(f.MaxMemory), time.Duration(f.MaxTime), without(t.environ)...)
	f.measure(a, t.stderr)
	a.Watch(ctx, func(over account.Overdraft) {
		// The timer of a profile outlives the process that set it, and its signal would kill the next one.
		attemptAgain(over, t, func() { _ = f.profileFlags.end() })
		if over.Message == "" {
			return
		}
		_ = f.AfterRun() // what took so much is what a profile is for
		say(t.stderr, over.Message, "raise --max-memory and --max-time if the input is meant to be so large")
		os.Exit(exitFailed)
	})
	return a
}

// largestOf is the part of the memory of a run that a document which it writes may have.
const largestOf = 32

// largest is the size of a document that is written as data.
func (f *inputFlags) largest(s outline.Style) outline.Style {
	s.Largest = int(min(f.MaxMemory/largestOf, math.MaxInt))
	return s
}

// repeatedOf is the part of the memory of a run that contents may have which Git stores in next to nothing, namesOf that which the names
// of the files of one of two trees may have: they are there several times.
const (
	repeatedOf = 8
	namesOf    = 16
	namesFor   = 3
)

func (f *inputFlags) limits() source.Limits {
	limits := source.Limits{FileSize: f.MaxFileSize, Repeated: int64(f.MaxMemory / repeatedOf), Names: int64(f.MaxMemory / namesOf * namesFor)}
	if f.MaxMemory == 0 {
		limits.Repeated, limits.Names = math.MaxInt64, math.MaxInt64
	}
	return limits
}

// outputFlags control what is shown and how.
type outputFlags struct {
	Environment []string `sep:"none" short:"e" placeholder:"NAME" complete:"environment" help:"Show this environment only. Repeatable."`
	Namespace   string   `short:"n" placeholder:"NAME" complete:"namespace" help:"Show targets in this namespace only."`
	Color       string   `enum:"auto,always,never" default:"auto" help:"Colours: auto, always or never."`
	Quiet       bool     `short:"q" help:"Show the verdict, the findings, the problems and the counts only."`
	Verbose     bool     `short:"v" help:"Show every target of every list."`
}

func (f *outputFlags) filter() analyze.Filter {
	return analyze.Filter{Environments: f.Environment, Namespace: f.Namespace}
}

// namespaceExists rejects -n with a namespace that contains nothing: a typo must not look like "no
// change".
func (f *outputFlags) namespaceExists(snapshots []*loader.Snapshot) error {
	if f.Namespace == "" {
		return nil
	}
	names := namespacesOf(snapshots)
	if slices.Contains(names, f.Namespace) {
		return nil
	}
	return usageError(fmt.Sprintf("nothing in the input is in namespace %q", f.Namespace), didYouMean(f.Namespace, names, "check the spelling"))
}

// namespacesOf are the namespaces of snapshots, sorted.
func namespacesOf(snapshots []*loader.Snapshot) []string {
	names := map[string]bool{}
	for _, s := range snapshots {
		for _, env := range s.Environments {
			for _, o := range env.Objects {
				if o.ID.Kind == "Namespace" {
					names[o.ID.Name] = true
				} else if o.ID.Namespace != "" {
					names[o.ID.Namespace] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// didYouMean is a hint with the word that is nearest to a wrong one, or another hint if none is near.
func didYouMean(wrong string, known []string, otherwise string) string {
	if near := spelling.Nearest(wrong, known); near != "" {
		return "did you mean " + near + "?"
	}
	return otherwise
}

// shown are the environments of -e by their full names, all if there are none. It rejects a name that no snapshot has,
// and checks -n.
func (f *outputFlags) shown(snapshots ...*loader.Snapshot) ([]string, error) {
	if err := f.namespaceExists(snapshots); err != nil {
		return nil, err
	}
	names := environmentNames(snapshots...)
	full := map[string]string{}
	for name, short := range plan.ShortNames(names) {
		full[short] = name
	}
	var out []string
	for _, wanted := range f.Environment {
		switch name, known := full[wanted]; {
		case slices.Contains(names, wanted):
			out = append(out, wanted)
		case known:
			out = append(out, name)
		default:
			return nil, usageError(fmt.Sprintf("there is no environment %q", wanted), "found are "+strings.Join(names, ", "))
		}
	}
	return out, nil
}

// environmentNames are the names of the environments of snapshots, sorted.
func environmentNames(snapshots ...*loader.Snapshot) []string {
	var names []string
	for _, s := range snapshots {
		for _, env := range s.Environments {
			names = append(names, env.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (f *outputFlags) style(t terminal) outline.Style {
	s := outline.Style{Color: t.color(f.Color), Width: t.width}
	switch {
	case f.Quiet:
		s.Detail = outline.Quiet
	case f.Verbose:
		s.Detail = outline.Verbose
	}
	if t.env("GITHUB_ACTIONS") == "true" {
		s.StopCommands = rand.Text()
	}
	return s
}

// markdownFlags shape Markdown.
type markdownFlags struct {
	Flavor        string `enum:"github,gitlab,plain" default:"github" help:"Dialect of Markdown: github, gitlab or plain."`
	CommentID     string `placeholder:"ID" help:"Marker that distinguishes several comments on one pull request."`
	MaxBytes      int    `placeholder:"N" help:"Largest size of a Markdown report, in bytes. Default 60000."`
	Part          part   `placeholder:"N/OF" help:"Divide a Markdown report that is larger than --max-bytes into at most OF parts instead of cutting it, and write the Nth; nothing if there are fewer. Each belongs into a comment of its own."`
	RepositoryURL string `placeholder:"URL" help:"Link places in Markdown and SARIF to this repository, such as https://github.com/OWNER/NAME."`
}

func (f *markdownFlags) apply(s outline.Style) outline.Style {
	s.Flavor, s.CommentID, s.MaxBytes = outline.Flavor(f.Flavor), f.CommentID, f.MaxBytes
	s.Part = outline.Part(f.Part)
	s.Links = outline.Links{Repository: f.RepositoryURL}
	return s
}

// output is one -o FORMAT[=FILE] of a document.
type output[D any] struct {
	report.Writer[D]
	file string
}

// outputs parses -o. The default is text on stdout. At most one report may go to stdout.
func outputs[D any](words []string, d report.Document[D]) ([]output[D], error) {
	if len(words) == 0 {
		words = []string{"text"}
	}
	var out []output[D]
	toStdout := 0
	for _, word := range words {
		name, file, _ := strings.Cut(word, "=")
		writer, known := d.As(name)
		if !known {
			return nil, usageError(fmt.Sprintf("unknown format %q", name), "use one of "+strings.Join(d.Formats(), ", "))
		}
		if file == "" || file == "-" {
			file = ""
			toStdout++
		}
		out = append(out, output[D]{writer, file})
	}
	for i, o := range out {
		if o.file != "" && slices.ContainsFunc(out[:i], func(other output[D]) bool { return other.file == o.file }) {
			return nil, usageError(fmt.Sprintf("two reports would go to %q", o.file), "give each a file of its own")
		}
	}
	if toStdout > 1 {
		return nil, usageError("two reports would go to standard output", "give all but one a file: -o FORMAT=FILE")
	}
	return out, nil
}

// write renders a document once for each output.
func write[D any](outs []output[D], t terminal, doc *D, style outline.Style) error {
	for _, o := range outs {
		if o.file == "" {
			if err := o.Write(t.stdout, doc, style); err != nil {
				return err
			}
			continue
		}
		if err := o.toFile(doc, style); err != nil {
			return err
		}
	}
	return nil
}

// toFile writes a report without terminal colours and log commands.
func (o output[D]) toFile(doc *D, style outline.Style) error {
	if link := linkOnTheWay(o.file); link != "" {
		return usageError(fmt.Sprintf("%s is a symbolic link: a report is not written through it", link), "name the file that it leads to")
	}
	file, err := os.Create(o.file)
	if err != nil {
		return usageError(err.Error(), "name a file that can be written")
	}
	style.Color, style.StopCommands = false, ""
	if err := o.Write(file, doc, style); err != nil {
		_ = file.Close() // the first error is the one to report
		return err
	}
	return file.Close()
}

var severities = []string{"none", "note", "warning", "error"}

func checkSeverity(word string) error {
	if !slices.Contains(severities, word) {
		return usageError(fmt.Sprintf("--fail-on: unknown severity %q", word), "use one of "+strings.Join(severities, ", "))
	}
	return nil
}

// linkOnTheWay is the first symbolic link in a relative path, which a tree of strangers may hold,
// or the file of an absolute one, or "".
func linkOnTheWay(file string) string {
	ways := []string{file}
	if !filepath.IsAbs(file) {
		for up := filepath.Dir(filepath.Clean(file)); up != "." && up != ".." && !strings.HasSuffix(up, "/.."); up = filepath.Dir(up) {
			ways = append(ways, up)
		}
	}
	for _, way := range ways {
		if info, err := os.Lstat(way); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return way
		}
	}
	return ""
}
