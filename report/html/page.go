package html

import (
	"fmt"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/report/outline"
)

// maxCards and maxFields are how many changes and fields a page shows; a browser gets slow with more.
const (
	maxCards  = 2000
	maxFields = 50_000
)

// page is what the template shows. All strings are harmless, and addresses are built from checked parts.
type page struct {
	Title    string
	Base     string
	Head     string
	Compare  string
	Version  string
	Counts   []string
	Warnings []string

	Findings    []finding
	Requests    []request
	Connections []connection
	Groups      []group
	Hierarchy   []*node
	// Omitted says how many changes are left out, "" if none.
	Omitted  string
	Problems []string
	Unseen   []string
	Silenced []string
	Notes    []string
}

// link is a place, with an address where the repository's is known.
type link struct {
	Text string
	URL  string
}

type finding struct {
	Severity plan.Severity
	Rule     string
	Title    string
	Message  string
	Targets  string // of the others that the finding stands for
	In       string
	Place    link
	Related  []related
}

type related struct {
	Text  string
	Place link
}

type request struct {
	Effect, Class, Set, Example, In string
	Differences, Unknown            []string
	Causes                          []link
}

type connection struct {
	Opened       bool
	Sentence, In string
	Causes       []link
}

// group is the effect of one edit.
type group struct {
	Number   int
	Causes   []cause
	Policies []policyChange
	Cards    []card
	Kept     []string
}

type cause struct {
	Object string
	Place  link
}

type policyChange struct {
	Action, Policy, Verdicts, In string
}

// card is one change with its targets.
type card struct {
	ID, Title, Kind, In string
	By                  []string
	Targets             []target
	Fields              []field
	// Omitted is how many more fields there are.
	Omitted int
}

type target struct {
	Name, Flags, In string
	Before, After   []string // ways through the hierarchy
}

type field struct {
	Path          string
	Before, After side
}

type side struct {
	Set   bool
	Value string
	From  string
	Place link
}

// writer makes the parts of a page.
type writer struct {
	style      outline.Style
	base, head string // commits
	fields     int    // that the page has so far
}

// place is a line of one side.
func (w *writer) place(file string, line int, side string) link {
	if file == "" {
		return link{}
	}
	commit, text := w.head, outline.Safe(outline.PositionName(file, line, 0))
	if side == plan.InBase {
		commit, text = w.base, text+" (base)"
	}
	return link{text, w.style.Blob(commit, file, line)}
}

func safe(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = outline.Safe(s)
	}
	return out
}

// in names the environments of something.
func in(environments []string) string {
	if !outline.Named(environments) {
		return ""
	}
	return outline.Safe(strings.Join(environments, ", "))
}

// planPage is the page of a plan.
func planPage(doc *plan.Plan, style outline.Style) *page {
	w := &writer{style: style, base: doc.Base.Commit, head: doc.Head.Commit}
	p := &page{
		Title: outline.Safe(outline.PlanVerdict(doc)), Base: revision(doc.Base), Head: revision(doc.Head),
		Compare: style.Compare(doc.Base.Commit, doc.Head.Commit), Version: outline.Safe(doc.Tool.Version), Counts: outline.PlanCounts(doc),
	}
	if outline.IsEmpty(doc) {
		p.Counts = append(p.Counts, outline.LookedAt(doc))
	}
	if doc.Incomplete {
		p.Warnings = append(p.Warnings, "Incomplete: "+outline.Safe(outline.PlanGaps(doc)))
	}
	for i := range doc.Environments {
		if e := &doc.Environments[i]; e.Status != "" && e.Status != plan.InBoth {
			p.Warnings = append(p.Warnings, outline.Safe("environment "+e.Name+": "+e.Status))
		}
	}
	p.Findings = w.findings(outline.FindingsIn(outline.PlanFindings(doc), outline.IsNew))
	for _, r := range outline.Requests(doc) {
		p.Requests = append(p.Requests, w.request(r))
	}
	for _, c := range outline.Connections(doc) {
		p.Connections = append(p.Connections, connection{
			Opened: c.Class == plan.ConnectionsOpened, Sentence: outline.Safe(c.Sentence), In: in(c.Environments), Causes: w.places(c.Causes),
		})
	}
	w.groups(p, outline.Groups(doc))
	for i := range doc.Problems {
		p.Problems = append(p.Problems, outline.Safe(outline.ProblemText(&doc.Problems[i])))
	}
	p.Unseen, p.Silenced = safe(outline.UnseenNotes(doc.Unseen)), silenced(doc.Silenced)
	p.Notes = safe(append(append([]string{}, doc.Notes...), doc.NotesOfBoth...))
	return p
}

// revision names a revision, with the start of its commit.
func revision(r plan.Revision) string {
	const digits = 12
	if !outline.IsCommit(r.Commit) || r.Commit == r.Revision {
		return outline.Safe(r.Revision)
	}
	return outline.Safe(r.Revision) + " (" + r.Commit[:min(len(r.Commit), digits)] + ")"
}

// checkPage is the page of a check.
func checkPage(doc *plan.Check, style outline.Style) *page {
	w := &writer{style: style, head: doc.Revision.Commit}
	p := &page{
		Title: outline.Safe(outline.CheckVerdict(doc)), Head: revision(doc.Revision), Version: outline.Safe(doc.Tool.Version),
		Counts: []string{
			"looked at " + spelling.Count(doc.Summary.Routes, "route"), spelling.Count(doc.Summary.Policies, "policy"),
			spelling.Count(doc.Summary.Environments, "environment"),
		},
		Notes: safe(doc.Notes), Silenced: silenced(doc.Silenced),
	}
	if n := doc.Summary.Silenced; n > 0 {
		p.Counts = append(p.Counts, spelling.Count(n, "finding")+" ignored")
	}
	if doc.Incomplete {
		p.Warnings = append(p.Warnings, "Incomplete: "+outline.Safe(outline.CheckGaps(doc)))
	}
	p.Findings = w.findings(outline.FindingsIn(outline.CheckFindings(doc), func(*plan.Finding) bool { return true }))
	for i := range doc.Problems {
		p.Problems = append(p.Problems, outline.Safe(outline.ProblemText(&doc.Problems[i])))
	}
	return p
}

// silenced lists the findings that somebody accepted.
func silenced(list []plan.Silenced) []string {
	var out []string
	for i := range list {
		s := &list[i]
		out = append(out, outline.Safe(outline.PositionName(s.File, s.Line, 0)+": "+outline.Title(&s.Finding)+" ["+s.Rule+"], "+outline.SilencedText(s)))
	}
	return out
}

// findings lists findings, errors first.
func (w *writer) findings(list []outline.FoundIn) []finding {
	var out []finding
	for _, severity := range []plan.Severity{plan.Error, plan.Warning, plan.Note} {
		for _, alike := range outline.Alike(list) {
			f := alike[0]
			if f.Severity != severity {
				continue
			}
			shown := finding{
				Severity: severity, Rule: outline.Safe(f.Rule), Title: outline.Safe(outline.Title(f.Finding)), In: in(f.Environments),
				Place: w.place(f.File, f.Line, f.Side),
			}
			shown.Message = outline.Safe(outline.FindingDetail(f.Finding))
			if len(alike) > 1 {
				shown.Targets = outline.Safe(outline.Elsewhere(alike))
			}
			for _, r := range f.Related {
				shown.Related = append(shown.Related, related{outline.Safe(r.Message), w.place(r.File, r.Line, r.Side)})
			}
			out = append(out, shown)
		}
	}
	return out
}

func (w *writer) request(r outline.RequestsIn) request {
	as := func(s string) string { return s }
	example := outline.RequestExample(r.RequestChange, as, as)
	return request{
		Effect: string(r.Effect()), Class: outline.RequestClassText(r.RequestChange), Set: outline.Safe(r.Set(len(r.Requests))),
		Example: outline.Safe(example + outline.Flags(r.Certain, false)), In: in(r.Environments),
		Differences: safe(r.Differences), Unknown: safe(r.Unknown), Causes: w.places(r.Causes),
	}
}

func (w *writer) places(causes []plan.Cause) []link {
	var out []link
	for _, c := range outline.EditedLines(causes) {
		out = append(out, w.place(c.File, c.Line, c.Side))
	}
	return out
}

// groups adds the changes to a page, with the hierarchy of their targets.
func (w *writer) groups(p *page, groups []*outline.Group) {
	var ways hierarchy
	cards, all := 0, 0
	for i, g := range groups {
		shown := group{Number: i + 1}
		for _, c := range g.Causes {
			shown.Causes = append(shown.Causes, cause{outline.Safe(outline.NodeName(c.Object)), w.place(c.File, c.Line, c.Side)})
		}
		for _, c := range g.Policies {
			shown.Policies = append(shown.Policies, policyChange{
				outline.PolicyAction(c.Change), outline.Safe(outline.NodeName(c.Change.Policy)), outline.Safe(outline.VerdictsText(c.Change)), in(c.Environments),
			})
		}
		for _, o := range g.Outcomes {
			all++
			if cards == maxCards {
				continue
			}
			cards++
			c := w.card(o, fmt.Sprintf("change-%d", cards))
			ways.add(o, c.ID)
			shown.Cards = append(shown.Cards, c)
		}
		for _, t := range g.Kept {
			shown.Kept = append(shown.Kept, outline.Safe(t.Name()))
		}
		if len(shown.Cards)+len(shown.Policies) > 0 || len(g.Outcomes) == 0 {
			p.Groups = append(p.Groups, shown)
		}
	}
	p.Hierarchy = ways.roots()
	if all > cards {
		p.Omitted = fmt.Sprintf("%s of %d are shown here; -o json has all.", spelling.Count(cards, "change"), all)
	}
}

func (w *writer) card(o *outline.Outcome, id string) card {
	c := card{ID: id, Title: outline.Safe(outline.OutcomeTitle(o.Change)), Kind: string(o.Change.Kind), In: in(o.Environments)}
	for _, policy := range o.Policies {
		c.By = append(c.By, outline.Safe(outline.NodeName(policy)))
	}
	for _, line := range o.Targets {
		t := target{Name: outline.Safe(line.Name()), Flags: outline.Safe(line.Flags())}
		if extent := line.Extent(); extent != "" {
			t.Name += " (" + extent + ")"
		}
		if len(line.Environments) < len(o.Environments) {
			t.In = in(line.Environments)
		}
		if o.Change.Kind == plan.Moved {
			t.Before, t.After = ways(line.Example.ContextsBefore), ways(line.Example.Contexts)
		}
		c.Targets = append(c.Targets, t)
	}
	paths := outline.FieldPaths(o.Change.Fields)
	for i := range o.Change.Fields {
		if w.fields == maxFields {
			c.Omitted = len(o.Change.Fields) - i
			break
		}
		w.fields++
		f := &o.Change.Fields[i]
		b, a := outline.Before(f), outline.After(f)
		c.Fields = append(c.Fields, field{outline.Safe(paths[i]), w.side(b, plan.InBase), w.side(a, plan.InHead)})
	}
	return c
}

// ways writes contexts as paths from the root.
func ways(contexts [][]string) []string {
	var out []string
	for _, c := range contexts {
		out = append(out, outline.Safe(strings.Join(c, " > ")))
	}
	return out
}

func (w *writer) side(s outline.Side, revision string) side {
	if !s.Set {
		return side{Value: outline.Unset}
	}
	out := side{Set: true, Value: outline.Safe(outline.ValueText(s.Value))}
	if s.Source != nil {
		out.From = strings.TrimSpace(outline.Safe(outline.NodeName(s.Source.Object) + " " + outline.Role(s.Source.Role)))
		out.Place = w.place(s.Source.File, s.Source.Line, revision)
	}
	return out
}
