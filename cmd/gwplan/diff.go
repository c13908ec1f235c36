package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/analyze/upgrade"
	"github.com/gwplan/gwplan/loader/account"
	"github.com/gwplan/gwplan/loader/config"
	"github.com/gwplan/gwplan/loader/source"
	"github.com/gwplan/gwplan/report"
	"github.com/gwplan/gwplan/report/outline"
)

// diffCommand compares two revisions.
type diffCommand struct {
	Revisions     []string `arg:"" optional:"" name:"revision" complete:"revision" help:"As git understands them: none (HEAD and the work tree), A, A B, A..B, A...B. Paths follow --, relative to the current folder."`
	Staged        bool     `aliases:"cached" help:"Compare with the index instead of the work tree."`
	MergeBase     *string  `placeholder:"REV" complete:"revision" help:"Compare from the merge base of REV and HEAD."`
	BaseDir       string   `placeholder:"DIR" help:"Compare two folders without Git: the one before ..."`
	HeadDir       string   `placeholder:"DIR" help:"... and the one after."`
	From          string   `placeholder:"PLAN" help:"Render a plan written with -o json instead of making one; - is standard input."`
	Controller    []string `sep:"none" placeholder:"NAME=VERSION" complete:"controller" help:"Ask what a release of a controller changes: ${controllers}. Repeatable."`
	Output        []string `sep:"none" short:"o" placeholder:"FORMAT[=FILE]" document:"plan" help:"Format of the report: ${plan_formats}. Repeatable: one analysis, many reports."`
	FailOn        string   `placeholder:"SEVERITY" complete:"severity" default:"none" help:"Exit with 1 on new findings of this severity or worse: none, note, warning, error. Default none."`
	All           bool     `help:"Also list the problems and notes that both revisions have."`
	Ignored       bool     `help:"Also list the findings that are ignored, and why. In SARIF they are suppressed results; GitHub opens alerts for these."`
	ExitCode      bool     `help:"Exit with 1 if anything changes, or may change as its effect is not known."`
	NoNew         bool     `name:"no-new-access" help:"Exit with 1 if requests are less protected, or newly answered without authentication or authorisation, if network policies allow more connections, or on new findings of ${opening}, and with 3 if that is not known."`
	inputFlags    `group:"What is read:"`
	outputFlags   `group:"What is shown:"`
	markdownFlags `group:"Markdown and links:"`

	paths pathFilter
}

// pathFilter are the paths after --.
type pathFilter []string

func (c *diffCommand) Help() string {
	return `Examples:
  gwplan diff                          HEAD and the work tree
  gwplan diff --staged                 HEAD and the index, as a pre-commit hook does
  gwplan diff main...HEAD -o markdown  what a branch changes, as a comment
  gwplan diff v1.2 v1.3 -- clusters/   what caused changes below clusters/
  gwplan diff --base-dir a --head-dir b
  gwplan diff HEAD HEAD --controller envoy-gateway=1.9  what an upgrade would change`
}

// Run compares and reports.
func (c *diffCommand) Run(ctx context.Context, t terminal, under pathFilter) error {
	c.paths = under
	outs, err := outputs(c.Output, report.Plan)
	if err != nil {
		return err
	}
	if err := checkSeverity(c.FailOn); err != nil {
		return err
	}
	doc, err := c.plan(ctx, t)
	if err != nil {
		return err
	}
	style := c.near(ctx, t, c.markdownFlags.apply(c.largest(c.style(t))))
	style.All, style.Ignored = c.All, c.Ignored
	if err := write(outs, t, doc, style); err != nil {
		return err
	}
	return c.verdict(doc)
}

func (c *diffCommand) plan(ctx context.Context, t terminal) (*plan.Plan, error) {
	if c.From != "" {
		if len(c.Revisions)+len(c.paths)+len(c.Environment)+len(c.Controller)+len(c.Context) > 0 || c.Namespace != "" || c.Staged || c.MergeBase != nil ||
			c.BaseDir+c.HeadDir+c.HelmCache != "" || c.NoConfig || c.Complete || c.ParseAll {
			return nil, usageError("--from renders a plan as it is", "leave out revisions, paths, -e, -n and what else decides how a plan is made")
		}
		return c.readPlan(ctx, t)
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	defer progress(t, "comparing")()
	pair, err := source.Resolve(ctx, source.Request{
		Dir: c.Directory, Revisions: c.Revisions, Staged: c.Staged, MergeBase: deref(c.MergeBase),
		BaseDir: c.BaseDir, HeadDir: c.HeadDir, Limits: c.limits(), Environ: t.environ,
	})
	if err != nil {
		return nil, err
	}
	if c.paths, err = c.rooted(ctx, t); err != nil {
		return nil, err
	}
	results, err := openCache(t, c.inputFlags)
	if err != nil {
		return nil, err
	}
	defer func() { _ = results.Close() }() // every entry is already written completely
	cached := c.planInCache(t, pair, results)
	if p := cached.read(ctx, t, c.inputFlags); p != nil {
		return p, nil
	}
	return c.compare(ctx, t, pair, cached)
}

// compare makes a plan and keeps it.
func (c *diffCommand) compare(ctx context.Context, t terminal, revisions *source.Pair, cached cachedPlan) (*plan.Plan, error) {
	base, head, err := revisions.Open()
	if err != nil {
		return nil, err
	}
	defer closeAll([]*source.Tree{base})
	configured, after, notes, err := c.pairConfig(base, head)
	if err != nil {
		return nil, err
	}
	s, err := prepare(configured, c.inputFlags, c.outputFlags)
	if err != nil {
		return nil, err
	}
	if err := pathsExist(c.paths, base, head); err != nil {
		return nil, err
	}
	s.options.Notes, s.options.Filter.Paths = notes, c.paths
	s.options.Hunks, s.options.Changed = source.Hunks(base, head), source.Changed(base, head)
	s.options.Results = cached.results(&s)
	silence(&s.options.Rules, configured, after)
	if s.options.Rules.Versions, err = versions(configured, after); err != nil {
		return nil, err
	}
	if s.options.Rules.Upgrades, err = upgrades(c.Controller); err != nil {
		return nil, err
	}
	snapshots, err := s.render(ctx, t, c.inputFlags, base, head)
	if err != nil {
		return nil, err
	}
	if s.options.Filter.Environments, err = c.shown(snapshots...); err != nil {
		return nil, err
	}
	defer s.analysing()()
	p := analyze.Compare(snapshots[0], snapshots[1], s.options)
	cached.write(p, s.account)
	return p, nil
}

// upgrades reads the values of --controller.
func upgrades(values []string) (map[string]upgrade.Version, error) {
	out := map[string]upgrade.Version{}
	for _, value := range values {
		word, text, _ := strings.Cut(value, "=")
		version, ok := upgrade.ParseVersion(text)
		if upgrade.ByWord(word) == nil || !ok {
			return nil, usageError(fmt.Sprintf("--controller %q is not NAME=VERSION", value),
				"write one of "+strings.Join(controllerWords(), ", ")+" and a release, as in envoy-gateway=1.9")
		}
		out[word] = version
	}
	return out, nil
}

// versions are the releases of controllers in base's and head's configuration. after is nil if they
// are the same. An unknown controller in head's is an error from the merge on.
func versions(before, after *config.Config) (out [2][]upgrade.Installed, err error) {
	if after == nil || after.Broken() != nil {
		after = before
	}
	for i, c := range []*config.Config{before, after} {
		if c == nil {
			continue
		}
		for _, word := range slices.Sorted(maps.Keys(c.Versions)) {
			at := c.Position("versions", word)
			p := upgrade.ByWord(word)
			switch {
			case p == nil && i > 0:
				continue
			case p == nil:
				return out, usageError(fmt.Sprintf("%s: there is no controller %q", at, word), "write one of "+strings.Join(controllerWords(), ", "))
			}
			version, _ := upgrade.ParseVersion(c.Versions[word]) // the schema has checked it
			out[i] = append(out[i], upgrade.Installed{Project: p, Text: c.Versions[word], Version: version, At: at})
		}
	}
	return out, nil
}

func controllerWords() []string {
	var out []string
	for _, p := range upgrade.Read() {
		out = append(out, p.Word)
	}
	return out
}

// check rejects an empty --merge-base: an empty shell variable would silently mean something else.
func (c *diffCommand) check() error {
	if c.MergeBase != nil && *c.MergeBase == "" {
		return usageError("--merge-base names no revision", "is a variable of your script empty?")
	}
	return nil
}

// rooted are the paths after -- relative to the root of the repository. As for git, they are relative to the current
// folder, and those that begin with :/ to the root.
func (c *diffCommand) rooted(ctx context.Context, t terminal) ([]string, error) {
	if len(c.paths) == 0 || c.BaseDir != "" {
		return c.paths, nil
	}
	folder, err := source.Folder(ctx, c.Directory, t.environ)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(c.paths))
	for i, p := range c.paths {
		below, fromRoot := strings.CutPrefix(p, ":/")
		switch {
		case fromRoot:
			out[i] = below
		case p == "" || path.IsAbs(p):
			out[i] = p
		default:
			out[i] = path.Join(folder, p)
			if strings.HasSuffix(p, "/") {
				out[i] += "/"
			}
		}
	}
	return out, nil
}

// pathsExist rejects paths that neither tree has: a typo must not look like "no change".
func pathsExist(paths []string, trees ...*source.Tree) error {
	for _, p := range paths {
		if !filepath.IsLocal(p) {
			return usageError(fmt.Sprintf("path %q is not in the repository", p), "write it relative to the current folder, or as :/PATH from the root")
		}
		found := slices.ContainsFunc(trees, func(t *source.Tree) bool {
			return slices.ContainsFunc(t.Entries, func(e source.Entry) bool { return analyze.MatchPath(p, e.Path) })
		})
		if !found {
			return usageError(fmt.Sprintf("no file of either revision is %q or is below it", p),
				"paths are relative to the current folder; :/PATH is from the root")
		}
	}
	return nil
}

func (c *diffCommand) readPlan(ctx context.Context, t terminal) (*plan.Plan, error) {
	var in io.Reader = t.stdin
	if c.From != "-" {
		file, err := os.Open(c.From)
		if err != nil {
			return nil, usageError("--from: "+err.Error(), "name a file written with -o json")
		}
		defer file.Close()
		in = file
	}
	doc, err := report.ReadPlan(charged{in, c.account(ctx, t)})
	if err != nil {
		return nil, usageError("--from: "+err.Error(), "")
	}
	return doc, nil
}

// charged tells the account of a run how much input was read.
type charged struct {
	io.Reader
	account *account.Account
}

func (c charged) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.account.Read(n, n)
	return n, err
}

// verdict turns a plan into an exit code, the same for every format, and says for each flag that fails why it does.
func (c *diffCommand) verdict(p *plan.Plan) error {
	var r reasons
	failOn := "--fail-on " + c.FailOn
	unknown := unknownEffects(p)
	if c.Strict && (p.Incomplete || unknown != "") {
		why := unknown
		if p.Incomplete {
			why = strings.TrimSuffix(outline.PlanGaps(p)+"; "+unknown, "; ")
		}
		r.add(exitFailed, "--strict", why)
	}
	if c.FailOn != "none" {
		if why := incompleteBy(p.Problems); why != "" {
			r.add(exitFailed, failOn, why)
		}
		if why := failing(p.Summary.Findings, c.FailOn, outline.FindingsIn(outline.PlanFindings(p), outline.IsNew)); why != "" {
			r.add(exitFindings, failOn, why)
		} else if broken := slices.IndexFunc(p.Problems, brokenByEdit); broken >= 0 {
			r.add(exitFindings, failOn, p.Problems[broken].File+" is edited and cannot be read")
		}
	}
	if c.NoNew {
		switch access := newAccess(p); {
		case access != "":
			r.add(exitFindings, "--no-new-access", access)
		case unknown != "":
			r.add(exitFailed, "--no-new-access", unknown)
		case refused(p) != "":
			r.add(exitFailed, "--no-new-access", refused(p)+"; a cluster with another release of its API accepts it, and applies what waits for it")
		case p.Incomplete:
			r.add(exitFailed, "--no-new-access", outline.PlanGaps(p))
		}
	}
	if c.ExitCode && (changes(p) || unknown != "" || p.Summary.Conclusion == plan.ConcludesUnknown) {
		r.add(exitFindings, "--exit-code", p.Summary.Headline)
	}
	return r.err()
}

// unknownEffects names what changes with an effect that is not known, or is empty.
func unknownEffects(p *plan.Plan) string {
	var what []string
	for i := range p.Unseen {
		if u := &p.Unseen[i]; u.Unknown() {
			what = outline.AppendNew(what, u.What)
		}
	}
	if len(what) == 0 {
		return ""
	}
	return fmt.Sprintf("what %s is not known", inTurn(what))
}

// refused is the first new error about an object that the API server rejects, or empty. What it says and what waits for it counts as
// not applied, which is so only if the cluster has the schema that refuses it.
func refused(p *plan.Plan) string {
	for e := range p.Environments {
		for _, f := range p.Environments[e].Findings {
			if f.Rule == rule.Admission && f.State == plan.New && f.Severity == plan.Error {
				return f.Title
			}
		}
	}
	return ""
}

// inTurn says that the first of several things, and the others, change.
func inTurn(what []string) string {
	if len(what) == 1 {
		return what[0] + " changes"
	}
	return fmt.Sprintf("%s and %d more change", what[0], len(what)-1)
}

// changes reports whether a plan tells of any change. Some changes have findings alone, such as a Namespace that leaves a mesh.
func changes(p *plan.Plan) bool {
	s := &p.Summary
	return s.Changes+s.PolicyChanges+s.Connections+s.Requests+s.Findings.Error+s.Findings.Warning+s.Findings.Note+s.Fixed > 0
}

// brokenByEdit reports whether the change edits a file that head then cannot read or render: what it changes
// is not known, which is no pass.
func brokenByEdit(p plan.Problem) bool {
	return p.Edited && p.Side != plan.InBase && p.Severity == string(plan.Error)
}

// newAccess says which requests and connections of a plan are newly let in, or perhaps are: those that are less
// protected, those that are newly answered without protection, connections that network policies newly allow, or with other
// rules for requests, and what findings say that opens otherwise. It is empty if there are none.
func newAccess(p *plan.Plan) string {
	var found []string
	for _, r := range outline.Requests(p) {
		if r.GrantsAccess() {
			text := fmt.Sprintf("%s: %s", outline.RequestClassText(r.RequestChange), r.Set(1))
			if r.Class == plan.RequestsMoved { // the class alone does not say what is new
				text += ", " + outline.RequestRules(r.RequestChange)
			}
			found = append(found, text)
		}
	}
	for e := range p.Environments {
		for i := range p.Environments[e].Connections {
			if c := &p.Environments[e].Connections[i]; c.GrantsAccess() {
				found = append(found, c.Sentence)
			}
		}
	}
	for e := range p.Environments {
		for _, f := range p.Environments[e].Findings {
			if f.Opens && f.State == plan.New {
				text := f.Title
				if f.Severity != plan.Error {
					text = "perhaps: " + text
				}
				found = outline.AppendNew(found, text)
			}
		}
	}
	switch len(found) {
	case 0:
		return ""
	case 1:
		return found[0]
	}
	return fmt.Sprintf("%s; and %d more", found[0], len(found)-1)
}

// fails reports whether some finding is at least as severe as failOn.
func fails(counts plan.Counts, failOn string) bool {
	limit := plan.Severity(failOn)
	return failOn != "none" && (counts.Error > 0 ||
		counts.Warning > 0 && plan.Warning.AtLeast(limit) || counts.Note > 0 && plan.Note.AtLeast(limit))
}
