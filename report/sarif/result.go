package sarif

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/report/markdown"
	"github.com/gwplan/gwplan/report/outline"
)

// fingerprintKey names gwplan's fingerprint. GitHub computes primaryLocationLineHash itself on
// upload; baselines and GitLab use this fingerprint.
const fingerprintKey = "gwplanFinding/v1"

// ruleTable lists the rules of the document and any rule that only a finding mentions, so that
// every result has a ruleIndex.
func (d *sarifDocument) ruleTable() (rules []sarifRule, index map[string]int) {
	rules, index = []sarifRule{}, map[string]int{}
	add := func(doc plan.RuleDoc) {
		if _, known := index[doc.ID]; !known {
			index[doc.ID] = len(rules)
			rules = append(rules, newRule(doc))
		}
	}
	for _, doc := range d.rules {
		add(doc)
	}
	for _, f := range d.findings {
		if f.Rule == outline.EffectUnknown {
			add(outline.UnknownEffects())
		}
		add(plan.RuleDoc{ID: f.Rule, Severity: string(f.Severity)})
	}
	for i := range d.silenced {
		add(plan.RuleDoc{ID: d.silenced[i].Rule, Severity: string(d.silenced[i].Severity)})
	}
	return rules, index
}

// ruleID matches ids of rules, which have a page each, but for EffectUnknown.
var ruleID = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

func newRule(doc plan.RuleDoc) sarifRule {
	title := doc.Title
	if title == "" {
		title = doc.ID
	}
	why := doc.Why
	if why == "" {
		why = title
	}
	help := sarifHelp{Text: why, Markdown: markdown.Text(why)}
	if doc.Fix != "" {
		help.Text += "\n\n" + doc.Fix
		help.Markdown += "\n\n**Fix:** " + markdown.Text(doc.Fix)
	}
	uri := ""
	if ruleID.MatchString(doc.ID) && doc.ID != outline.EffectUnknown {
		uri = pages + doc.ID + ".md"
		help.Markdown += "\n\n[All about " + doc.ID + "](" + uri + ")"
	}
	severity := plan.Severity(doc.Severity)
	properties := map[string]any{
		"tags": []string{"gateway-api", "policy"}, "precision": "high", "problem.severity": problemSeverity(severity),
	}
	if doc.Security {
		properties["tags"] = []string{"gateway-api", "policy", "security"}
		properties["security-severity"] = securitySeverity(severity)
	}
	return sarifRule{
		ID:                   outline.Safe(doc.ID),
		ShortDescription:     sarifMessage(title),
		FullDescription:      sarifMessage(why),
		Help:                 help,
		HelpURI:              uri,
		DefaultConfiguration: sarifConfig{Level: sarifLevel(severity)},
		Properties:           properties,
	}
}

func problemSeverity(s plan.Severity) string {
	switch s {
	case plan.Error:
		return "error"
	case plan.Note, plan.Off:
		return "recommendation"
	case plan.Warning:
	}
	return "warning"
}

// securitySeverity returns a number within GitHub's bands: high, medium, low.
func securitySeverity(s plan.Severity) string {
	switch s {
	case plan.Error:
		return "8.0"
	case plan.Note, plan.Off:
		return "2.0"
	case plan.Warning:
	}
	return "5.0"
}

func newResult(f outline.FoundIn, index int) sarifResult {
	r := sarifResult{
		RuleID: outline.Safe(f.Rule), RuleIndex: index, Level: sarifLevel(f.Severity),
		Locations:  []sarifLocation{primary(f.Finding)},
		Properties: map[string]any{"environments": f.Environments},
	}
	text := f.Message
	var base []string
	if f.Side == plan.InBase && f.File != "" {
		place := outline.PositionName(f.File, f.Line, 0)
		base = append(base, place)
		text = outline.Clamp(text, maxMessage/2) + " (base: " + outline.Clamp(place, maxMessage/4) + ")"
	}
	if was := removed(f.Related); was != "" {
		text = outline.Clamp(text, maxMessage/2) + " (" + outline.Clamp(was, maxMessage/4) + ")"
	}
	r.Message = sarifMessage(text)
	if outline.Named(f.Environments) {
		in := sarifMessage("(in " + outline.Clamp(outline.Few(f.Environments), maxMessage/8) + ")").Text
		r.Message.Text = outline.Clamp(r.Message.Text, maxMessage-1-utf8.RuneCountInString(in)) + " " + in
	}
	for _, related := range f.Related[:min(len(f.Related), maxRelated)] {
		if related.Side == plan.InBase { // head may not have the file any more, and GitHub wants a place in each location
			base = append(base, outline.PositionName(related.File, related.Line, 0))
		} else if at := physical(related.File, related.Line, related.Column, related.Side); at != nil {
			message := sarifMessage(related.Message)
			r.RelatedLocations = append(r.RelatedLocations, sarifLocation{ID: len(r.RelatedLocations) + 1, Message: &message, PhysicalLocation: at})
		}
	}
	if len(base) > 0 {
		r.Properties["basePlaces"] = base
	}
	if f.Fingerprint != "" {
		r.Fingerprints = map[string]string{fingerprintKey: f.Fingerprint}
	}
	return r
}

// newSuppressed is the result of a finding that somebody accepted.
func newSuppressed(s *plan.Silenced, index int) sarifResult {
	r := newResult(outline.FoundIn{Finding: &s.Finding, Environments: s.Environments}, index)
	suppression := sarifSuppression{Kind: "external", Justification: sarifMessage(s.Reason).Text}
	switch s.By {
	case plan.SilencedByAnnotation:
		suppression.Kind = "inSource"
	case plan.SilencedByBaseline:
		suppression.Justification = "known in the baseline"
	case plan.SilencedByConfig:
	}
	if place := physical(s.At.File, s.At.Line, s.At.Column, ""); place != nil {
		suppression.Location = &sarifLocation{PhysicalLocation: place}
	}
	r.Suppressions = []sarifSuppression{suppression}
	return r
}

// primary returns the one location that GitHub shows. GitHub rejects the whole file if a result has
// none, so the last resort is the root.
func primary(f *plan.Finding) sarifLocation {
	place := physical(f.File, f.Line, f.Column, f.Side)
	for _, r := range f.Related {
		if place != nil && f.Side != plan.InBase {
			break
		}
		if r.Side == plan.InBase {
			continue
		}
		if head := physical(r.File, r.Line, r.Column, r.Side); head != nil {
			place = head
			break
		}
	}
	if place == nil {
		place = &sarifPhysical{ArtifactLocation: sarifArtifact{URI: ".", URIBaseID: srcRoot}}
	}
	location := sarifLocation{PhysicalLocation: place}
	if f.Target != "" {
		location.LogicalLocations = []sarifLogical{{FullyQualifiedName: outline.Safe(f.Target), Kind: "resource"}}
	}
	return location
}

// maxRemoved is how many old places of something removed a message names.
const maxRemoved = 3

// removed names the old places of what is gone or was another: "SecurityPolicy shop/pay before the change: pay.yaml:1".
func removed(related []plan.Related) string {
	var out []string
	for _, r := range related {
		if r.Side == plan.InBase {
			out = append(out, r.Message+": "+outline.PositionName(r.File, r.Line, 0))
		}
	}
	return strings.Join(out[:min(len(out), maxRemoved)], ", ") + spelling.More(len(out)-maxRemoved)
}

// physical returns a place in SARIF form, or nil if no file inside the root is given.
func physical(file string, line, column int, side string) *sarifPhysical {
	uri, ok := outline.RelativeURI(file)
	if !ok {
		return nil
	}
	place := &sarifPhysical{ArtifactLocation: sarifArtifact{URI: uri, URIBaseID: srcRoot}}
	if line > 0 && side != plan.InBase {
		place.Region = &sarifRegion{StartLine: line, EndLine: line, StartColumn: max(column, 0)}
	}
	return place
}

// sarifMessage writes plain text on one line. It breaks `[text](target)`, because SARIF reads it as
// a link even in plain text (2.1.0 section 3.11.6).
func sarifMessage(s string) sarifText {
	s = strings.Join(strings.Fields(s), " ")
	return sarifText{Text: outline.Clamp(strings.ReplaceAll(outline.Safe(s), "](", "] ("), maxMessage)}
}
