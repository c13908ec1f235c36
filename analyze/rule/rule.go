// Package rule reports findings about a snapshot or a plan. Each rule has a file of its name with its
// documentation, from which the README table, the SARIF help and `gwplan rules` are generated. What
// several rules use is in the other files, or beside the rule that it was written for.
package rule

import (
	"cmp"
	"slices"
	"sync"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// Rule reports one sort of finding and documents it. Exactly one of Check and Compare is set:
// Check looks at one revision, Compare at two.
type Rule struct {
	// ID is a kebab-case name that describes the finding.
	ID, Title string
	// Why explains the problem and its consequences, Fix the remedy.
	Why, Fix string
	Severity plan.Severity
	// Security marks rules about protection.
	Security bool
	// Weighs marks rules whose warnings stand in a headline before effects that take nothing away.
	Weighs bool
	// HoldsBack marks rules about changes that the cluster does not get.
	HoldsBack bool
	// Leads marks rules whose findings stand first in a headline, whatever else changes.
	Leads bool
	// Opens marks rules whose new findings say that something opens, so that plan.Finding.Opens holds for them.
	Opens   bool
	Check   func(*Environment, Report)
	Compare func(*Pair, Report)
	// Stops reports whether the node of a new finding of Check stops working because of it. If so,
	// the finding is an error. Stops is nil if Severity always applies.
	Stops func(p *Pair, node string) bool
}

// Report receives each finding of a rule.
type Report func(Hit)

// Hit is one finding as a rule reports it.
type Hit struct {
	// Target is the node that the finding is about. Key distinguishes the finding from others of
	// the same rule and target.
	Target string
	Key    []string
	// At is the line to change in the checked revision; with InBase it is in base, as head no
	// longer has it.
	At     loader.Position
	InBase bool
	// Title is the finding in one sentence, which names the object. Every report has it.
	Title string
	// Detail says more, where Title leaves something out: fields by their paths, what happens elsewhere.
	Detail string
	// Subject, Statement and Requests are those of plan.Finding.
	Subject, Statement, Requests string
	// several is true if Subject counts objects instead of naming one.
	several bool
	// Severity is empty if the severity of the rule applies.
	Severity plan.Severity
	// Opens is that of plan.Finding for one finding of a rule that does not always open, OpensNothing the exception of one
	// that does.
	Opens, OpensNothing bool
	Related             []plan.Related
	// Object is the object whose annotation may ignore the finding.
	Object *loader.Object
	// Involves are other objects that the finding depends on: an edit of one of them may be what makes it new.
	Involves []loader.ID
	// Missing are the objects that the finding says do not exist, unless Involves has them.
	Missing []loader.ID
	// changes are those of effective policies that the finding is about.
	changes []*change.Compared
}

// message is the whole text of a finding. It begins with the sentence that other reports have alone.
func (h *Hit) message() string {
	if h.Detail == "" {
		return h.Title
	}
	return h.Title + "; " + h.Detail
}

// All returns all rules.
func All() []*Rule {
	return []*Rule{
		addressUnsupported,
		allowedRoutesAdmitNothing,
		ambiguousOrder,
		backendExposed,
		backendExternalName,
		backendKindInvalid,
		backendLeftBehind,
		backendNotFound,
		backendNotPermitted,
		backendPortNotFound,
		backendUnreachableByPolicy,
		backendUnsupported,
		backendWithoutPods,
		buildBroken,
		changeNotRolledOut,
		classNotFound,
		clientAuthorityInvalid,
		clientCertificateInvalid,
		clientValidationInsecure,
		conflictLost,
		connectionCut,
		connectionFilterChanged,
		connectionOpened,
		controllerChanged,
		controllerUpgraded,
		crdDepartsFromGEP,
		createdAtChanged,
		crossNamespaceTarget,
		declaredTwice,
		definitionRemoved,
		deployerDisplaced,
		deployerResumed,
		effectiveSettingLost,
		exposureWidened,
		filterReferenceInvalid,
		readingsDiffer,
		hostNotOwned,
		hostnameNotMatched,
		ignoreAdded,
		ignoreStale,
		invalidPolicy,
		isolationLost,
		kindAssumed,
		kindChanged,
		kindMisspelt,
		listenerCertificateInvalid,
		listenerConflict,
		listenerHostnamesOverlap,
		listenerIncomplete,
		listenerProtocolUnsupported,
		listenerReferenceNotPermitted,
		listenerRefusedByProxy,
		listenerRouteKindInvalid,
		listenerSetNotAllowed,
		matchInvalid,
		meshLeft,
		missingSection,
		movedAside,
		nameTwice,
		namedEntryMissing,
		namespaceRemoved,
		networkPolicyInvalid,
		notEnforcedByZtunnel,
		overrideWithoutEffect,
		parametersNotFound,
		parentNotFound,
		parentSectionNotFound,
		placementChanged,
		patchFindsNothing,
		policyChangesDeployer,
		policyReferenceInvalid,
		programChanged,
		protectionLost,
		protectionTightened,
		rejectedByAPIServer,
		removedButKept,
		requestsCaptured,
		requestsExposed,
		requestsFail,
		requestsGained,
		requestsLost,
		routeCrowdedOut,
		routeEscapesPolicy,
		routeKindsOverlap,
		routeNotAdmitted,
		ruleShadowed,
		tooManyAncestors,
		unattachedPolicy,
		unknownField,
	}
}

// ByID returns a rule, or nil.
func ByID(id string) *Rule { return byID()[id] }

var byID = sync.OnceValue(func() map[string]*Rule {
	out := map[string]*Rule{}
	for _, r := range All() {
		out[r.ID] = r
	}
	return out
})

// CheckAll runs the rules that check one revision.
func CheckAll(s *Environment) []plan.Finding {
	var out []plan.Finding
	s.isRule = func(id string) bool { return ByID(id) != nil }
	for _, r := range All() {
		if r.Check == nil {
			continue
		}
		leave, ok := s.enter("the rule " + r.ID)
		if !ok {
			s.unchecked = append(s.unchecked, r.ID)
			continue
		}
		before, tally := len(out), tally{rule: r, parts: s.Parts, environment: s.Environment}
		r.Check(s, func(h Hit) {
			if tally.tells() {
				out = s.keep(out, r, h)
			}
		})
		leave()
		if !tally.exceeded() {
			continue
		}
		s.beyond = append(s.beyond, r.ID)
		if s.before { // nothing says which of those of head it has, too
			out, s.unchecked = out[:before], append(s.unchecked, r.ID)
		}
	}
	return sorted(out)
}

// CompareAll runs the rules that check one revision on both sides and classifies their findings as
// new, fixed or unchanged. It then runs the rules that compare two; their findings are new.
func CompareAll(p *Pair) []plan.Finding {
	var before, after []plan.Finding
	acceptFormer(p)
	if p.Head != nil {
		after = CheckAll(p.Head)
	}
	switch {
	case p.Base != nil && p.Head != nil && p.Base.Run == p.Head.Run:
		before = after // nothing differs
	case p.Base != nil:
		p.Base.inHead, p.Base.before = p.inHead, true
		before = CheckAll(p.Base)
		p.Base.before = false
	}
	before, after = judgedBy(p.Head, before), judgedBy(p.Base, after)
	if p.Head != nil && len(p.Head.beyond) > 0 { // what head does not tell is not fixed
		told := map[string]bool{}
		for _, f := range after {
			told[f.Fingerprint] = true
		}
		before = slices.DeleteFunc(before, func(f plan.Finding) bool { return slices.Contains(p.Head.beyond, f.Rule) && !told[f.Fingerprint] })
	}
	out := classify(before, after, p.Unreadable)
	for _, r := range All() {
		if r.Compare == nil {
			continue
		}
		leave, ok := p.settings().enter("the rule " + r.ID)
		if !ok {
			continue
		}
		tally := tally{rule: r, parts: p.settings().Parts, environment: p.settings().Environment}
		r.Compare(p, func(h Hit) {
			at := len(out)
			if !tally.tells() {
				return
			}
			if out = p.settings().keep(out, r, h); len(out) > at {
				out[at].State = plan.New
			}
		})
		leave()
		tally.exceeded()
	}
	for i := range out {
		raise(p, &out[i])
		p.toChange(&out[i])
	}
	return sorted(out)
}

// judgedBy returns the findings of the other revision without those of rules that were not checked in this one:
// nothing says whether it has them, too.
func judgedBy(s *Environment, found []plan.Finding) []plan.Finding {
	if s == nil || len(s.unchecked) == 0 {
		return found
	}
	return slices.DeleteFunc(found, func(f plan.Finding) bool { return slices.Contains(s.unchecked, f.Rule) })
}

// Unaltered returns the findings of a revision that is the same before and after a change, without those that
// the settings ignore. They have been found with settings that ignore nothing, and no object is annotated.
func Unaltered(found []plan.Finding, s Settings, environment string) []plan.Finding {
	var out []plan.Finding
	for _, f := range found {
		f.State = plan.Unchanged
		if by := cmp.Or(s.ignoredByEntry(ByID(f.Rule), f.Target, f.Subject), s.ignoredByBaseline(f.Fingerprint)); by != nil {
			f.State = ""
			s.Silenced.add(by, f, environment)
			continue
		}
		out = append(out, f)
	}
	return out
}

// classify sets the state of findings: new, fixed or unchanged. A finding in a file that the other
// side could not read is unchanged.
func classify(before, after []plan.Finding, unreadable [2]map[string]bool) []plan.Finding {
	left := map[string]int{}
	for _, f := range before {
		left[f.Fingerprint]++
	}
	var out []plan.Finding
	for _, f := range after {
		f.State = plan.New
		if left[f.Fingerprint] > 0 {
			left[f.Fingerprint]--
			f.State = plan.Unchanged
		} else if unreadable[0][f.File] {
			f.State = plan.Unchanged
		}
		out = append(out, f)
	}
	for _, f := range before {
		if left[f.Fingerprint] > 0 {
			left[f.Fingerprint]--
			f.State, f.Side = plan.Fixed, plan.InBase
			if unreadable[1][f.File] {
				f.State = plan.Unchanged
			}
			out = append(out, f)
		}
	}
	return out
}

// keep appends the Finding of a hit, unless the settings ignore it.
func (s *Environment) keep(out []plan.Finding, r *Rule, h Hit) []plan.Finding {
	severity := s.Settings.severityOf(r, h.Severity)
	if severity == plan.Off {
		return out
	}
	for _, text := range []*string{&h.Title, &h.Detail, &h.Statement, &h.Requests} { // the paths of requests may hold some
		*text = loader.WithoutCredentials(*text)
	}
	f := plan.Finding{
		Rule: r.ID, Severity: severity, Title: h.Title, Detail: h.Detail, Message: h.message(), Subject: h.Subject, Several: h.several, Statement: h.Statement, Requests: h.Requests, Target: h.Target, Opens: h.Opens || r.Opens && !h.OpensNothing,
		File: h.At.File, Line: h.At.Line, Column: h.At.Column, Related: h.Related,
		Fingerprint: s.fingerprint(r, h),
	}
	if h.InBase {
		f.Side = plan.InBase
	}
	if by := cmp.Or(s.Settings.ignoredByEntry(r, h.Target, h.Subject), s.ignoredByAnnotation(r, h.Object), s.Settings.ignoredByBaseline(f.Fingerprint)); by != nil {
		if !s.before {
			s.Settings.Silenced.add(by, f, s.Environment)
		}
		return out
	}
	if len(h.changes) > 0 {
		if s.changes == nil {
			s.changes = map[string][]*change.Compared{}
		}
		s.changes[f.Fingerprint] = append(s.changes[f.Fingerprint], h.changes...)
	}
	if len(h.Involves) > 0 {
		if s.involved == nil {
			s.involved = map[string][]loader.ID{}
		}
		s.involved[f.Fingerprint] = h.Involves
	}
	if about := slices.Concat(h.Involves, h.Missing); len(about) > 0 {
		if s.about == nil {
			s.about = map[string][]loader.ID{}
		}
		s.about[f.Fingerprint] = append(s.about[f.Fingerprint], about...)
	}
	return append(out, f)
}

// severityOf is the severity of a finding of a rule: the one that users set, or the finding's own, or that of the rule.
func (s *Settings) severityOf(r *Rule, own plan.Severity) plan.Severity {
	return cmp.Or(s.Severity[r.ID], own, r.Severity)
}

// fingerprint identifies a finding. It is the same in both revisions.
func (s *Environment) fingerprint(r *Rule, h Hit) string {
	parts := append([]string{r.ID, s.Environment, h.Target}, h.Key...)
	if s.inHead != nil {
		for i := range parts[2:] {
			parts[2+i] = s.inHead(parts[2+i])
		}
	}
	return change.Fingerprint(parts...)
}

func sorted(out []plan.Finding) []plan.Finding {
	slices.SortStableFunc(out, func(a, b plan.Finding) int {
		return cmp.Or(
			cmp.Compare(a.Severity.Rank(), b.Severity.Rank()), cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Target, b.Target), cmp.Compare(a.Message, b.Message), cmp.Compare(a.State, b.State),
		)
	})
	return out
}
