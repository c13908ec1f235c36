// Package sarif writes findings for code scanning (SARIF 2.1.0).
package sarif

import (
	"fmt"
	"io"
	"regexp"
	"slices"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/report/data"
	"github.com/gwplan/gwplan/report/outline"
)

// GitHub's handling of SARIF determines the shape of the output (docs.github.com, "SARIF support
// for code scanning", and codeql-action's upload):
//   - There is one run. A finding of several environments is one result, which names them.
//   - GitHub uses only the first location of a result, and requires one.
//   - Of a region the line is known, and where it starts in it. A place in base has no region, because the file in
//     head may be shorter or removed.
//   - GitHub accepts 25,000 results and keeps 5,000 of them, so this code selects which.
//   - URIs are relative to %SRCROOT%. GitHub ignores others, so none are written.
const (
	sarifSchema      = "https://json.schemastore.org/sarif-2.1.0.json"
	srcRoot          = "%SRCROOT%"
	maxResults       = 5_000
	maxRelated       = 100
	maxNotifications = 500
	maxMessage       = 1_000
	// home is the address of the project, pages that of the pages of its rules.
	home  = "https://github.com/gwplan/gwplan"
	pages = home + "/blob/main/docs/rules/"
)

// Plan writes the findings of a diff, what it does not know, its problems and notes.
func Plan(w io.Writer, doc *plan.Plan, style outline.Style) error {
	d := sarifDocument{
		name: "diff", tool: doc.Tool, head: doc.Head, incomplete: doc.Incomplete, rules: doc.Rules,
		problems: doc.Problems, notes: slices.Concat(outline.UnseenNotes(doc.Unseen), doc.Notes, style.ConstantNotes(doc)), findings: outline.WithUnknown(doc),
	}
	if style.Ignored {
		d.silenced = doc.Silenced
	}
	return d.write(w, style)
}

// Check writes the findings, problems and notes of a check.
func Check(w io.Writer, check *plan.Check, style outline.Style) error {
	d := sarifDocument{
		name: "check", tool: check.Tool, head: check.Revision, incomplete: check.Incomplete, rules: check.Rules,
		problems: check.Problems, notes: check.Notes, findings: outline.FindingsIn(outline.CheckFindings(check), outline.IsNew),
	}
	if style.Ignored {
		d.silenced = check.Silenced
	}
	return d.write(w, style)
}

// sarifDocument is the part of a plan or a check that SARIF reports.
type sarifDocument struct {
	// name is the category. It allows uploading a plan and a check for one commit.
	name       string
	tool       plan.Tool
	head       plan.Revision
	incomplete bool
	rules      []plan.RuleDoc
	problems   []plan.Problem
	notes      []string
	findings   []outline.FoundIn
	// silenced become suppressed results. GitHub opens alerts for these too (codeql-action issue 1230), so
	// they are written only where somebody asks for them.
	silenced []plan.Silenced
}

func (d *sarifDocument) write(w io.Writer, style outline.Style) error {
	rules, index := d.ruleTable()
	results, omitted := d.results(index)
	run := sarifRun{
		Tool:              sarifTool{Driver: d.driver(rules)},
		AutomationDetails: sarifAutomation{ID: "gwplan/" + d.name + "/"},
		ColumnKind:        "unicodeCodePoints",
		URIBases:          map[string]sarifArtifactBase{srcRoot: {Description: sarifText{"root of the analysed repository"}}},
		Provenance:        d.provenance(style),
		Invocations:       []sarifInvocation{{ExecutionSuccessful: true, Notifications: d.notifications(omitted)}},
		Results:           results,
		Properties:        map[string]any{"incomplete": d.incomplete},
	}
	if omitted > 0 {
		run.Properties["resultsOmitted"] = omitted
	}
	return data.WriteJSON(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

func (d *sarifDocument) driver(rules []sarifRule) sarifDriver {
	driver := sarifDriver{Name: "gwplan", Version: outline.Safe(d.tool.Version), InformationURI: home, Rules: rules}
	if semantic.MatchString(d.tool.Version) {
		driver.SemanticVersion = d.tool.Version
	}
	return driver
}

// semantic matches what SARIF allows as semanticVersion (semver.org).
var semantic = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)

func (d *sarifDocument) provenance(style outline.Style) []sarifProvenance {
	repository := style.Links.Base()
	if repository == "" || !outline.IsCommit(d.head.Commit) {
		return nil
	}
	return []sarifProvenance{{
		RepositoryURI: repository, RevisionID: d.head.Commit, MappedTo: sarifArtifact{URIBaseID: srcRoot},
	}}
}

// results converts new findings into results, and after them those that are silenced. If there are too many, the most
// severe are kept; omitted counts the others.
func (d *sarifDocument) results(index map[string]int) (results []sarifResult, omitted int) {
	bySeverity := map[plan.Severity]int{}
	total := 0
	for _, f := range d.findings {
		bySeverity[f.Severity]++
		total++
	}
	results = make([]sarifResult, 0, min(total, maxResults))
	quota := quotas(bySeverity)
	for _, f := range d.findings {
		if quota[f.Severity] == 0 {
			continue
		}
		quota[f.Severity]--
		results = append(results, newResult(f, index[f.Rule]))
	}
	omitted = total - len(results)
	for i := range d.silenced[:min(len(d.silenced), maxResults-len(results))] {
		results = append(results, newSuppressed(&d.silenced[i], index[d.silenced[i].Rule]))
	}
	return results, omitted
}

// quotas distributes the available places among the severities, worst first.
func quotas(have map[plan.Severity]int) map[plan.Severity]int {
	left := maxResults
	quota := map[plan.Severity]int{}
	for _, s := range []plan.Severity{plan.Error, plan.Warning, plan.Note} {
		quota[s] = min(have[s], left)
		left -= quota[s]
	}
	return quota
}

// notifications are the problems, the assumptions, and how many findings were omitted.
func (d *sarifDocument) notifications(omitted int) []sarifNotification {
	list := []sarifNotification{}
	if omitted > 0 {
		text := fmt.Sprintf("%s left out of %d; see the other formats for all", spelling.Count(omitted, "finding"), omitted+maxResults)
		list = append(list, sarifNotification{Level: "warning", Message: sarifText{text}})
	}
	for i := range d.problems[:min(len(d.problems), maxNotifications)] {
		list = append(list, newNotification(&d.problems[i]))
	}
	if rest := len(d.problems) - maxNotifications; rest > 0 {
		list = append(list, sarifNotification{Level: "warning", Message: sarifText{"and " + spelling.Count(rest, "problem") + " more"}})
	}
	for _, note := range d.notes[:min(len(d.notes), maxNotifications)] {
		list = append(list, sarifNotification{Level: "note", Message: sarifMessage(note)})
	}
	return list
}

func newNotification(p *plan.Problem) sarifNotification {
	text := p.Message
	if p.Hint != "" {
		text += "; " + p.Hint
	}
	n := sarifNotification{Level: sarifLevel(plan.Severity(p.Severity)), Message: sarifMessage(text)}
	if p.Code != "" {
		n.Descriptor = &sarifDescriptor{ID: outline.Safe(p.Code)}
	}
	if place := physical(p.File, p.Line, p.Column, p.Side); place != nil {
		n.Locations = []sarifLocation{{PhysicalLocation: place}}
	}
	properties := map[string]any{}
	if p.Side != "" {
		properties["side"] = p.Side
	}
	if outline.Named(p.Environments) {
		properties["environments"] = p.Environments
	}
	if len(properties) > 0 {
		n.Properties = properties
	}
	return n
}

func sarifLevel(s plan.Severity) string {
	switch s {
	case plan.Error:
		return "error"
	case plan.Warning:
		return "warning"
	case plan.Note, plan.Off:
		return "note"
	}
	return "warning"
}
