package rule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/analyze/protection"
	"github.com/gwplan/gwplan/analyze/sentence"
	"github.com/gwplan/gwplan/loader"
)

var protectionLost = &Rule{
	ID:       "protection-lost",
	Title:    "Targets lose authentication, authorisation, TLS or a limit",
	Severity: plan.Error,
	Why: "The effective policy of these targets protects less after this change: a protecting field is gone, its mode is a " +
		"lower one or everybody gets in beside it (errors), or its value is weaker or edited in a way that cannot be judged (warnings). Which fields protect is " +
		"said by the kind's entry (`gwplan kinds KIND`).",
	Fix:      "Keep the protection in a policy that still applies to every target named here.",
	Security: true,
	Compare:  compareProtectionLost,
}

// losses are the forms of weaker protection, each with the list of its fields.
var losses = []struct {
	key      string
	severity plan.Severity
	of       func(protection.Shift) []protection.Field
	// tells is the outcome that the headline has to report. If it reports another one, the title is made with the verbs
	// one and many.
	tells     sentence.Outcome
	one, many string
	// detail is about the fields and the kind of the policy.
	detail string
}{
	{"", plan.Error, func(s protection.Shift) []protection.Field { return s.Only(isWhole).Lost }, sentence.Loss, "loses", "lose", "%s of %s is gone"},
	{"part", plan.Error, func(s protection.Shift) []protection.Field { return s.Only(protection.Field.IsPart).Lost }, sentence.Weakening, "weakens", "weaken", "%s of %s is gone"},
	{"lowered", plan.Error, func(s protection.Shift) []protection.Field { return s.Lowered }, sentence.Lowering, "weakens", "weaken", "%s of %s is weaker"},
	{"weakened", plan.Warning, func(s protection.Shift) []protection.Field { return s.Weakened }, sentence.Weakening, "weakens", "weaken", "%s of %s is weaker"},
	{"let in", plan.Warning, func(s protection.Shift) []protection.Field { return only(s.LetIn, trustsNobody) }, sentence.Admission, "admits more by", "admit more by", "%s of %s now lets more requests in"},
	{"trusted", plan.Warning, func(s protection.Shift) []protection.Field { return only(s.LetIn, protection.Field.Trusts) }, sentence.Trust, "trusts", "trust", "%s of %s accepts more certificates"},
	{"replaced", plan.Warning, func(s protection.Shift) []protection.Field { return s.Replaced }, sentence.Exchange, "replaces", "replace", "another authentication replaces %s of %s"},
	{"loosened", plan.Warning, func(s protection.Shift) []protection.Field { return s.Only(isEdited).Edited }, sentence.Edit, "changes", "change", "%s of %s is edited and may protect less"},
	{"gone", plan.Warning, func(s protection.Shift) []protection.Field { return s.Only(isGone).Edited }, sentence.Edit, "changes", "change", "%s of %s is gone, which may protect less"},
}

// only returns the fields that keep accepts.
func only(fields []protection.Field, keep func(protection.Field) bool) []protection.Field {
	var out []protection.Field
	for _, f := range fields {
		if keep(f) {
			out = append(out, f)
		}
	}
	return out
}

func isWhole(f protection.Field) bool { return !f.IsPart() }

func isGone(f protection.Field) bool { return f.After == nil }

func isEdited(f protection.Field) bool { return f.After != nil }

// ownLosses are the ways in which an object of Gateway API itself protects less.
var ownLosses = []lossForm{
	{key: "lost", severity: plan.Error, of: func(s protection.Shift) []protection.Field { return s.Lost }, title: "%s loses %s", many: "%s lose %s", detail: "%s is gone"},
	{key: "lowered", severity: plan.Error, of: func(s protection.Shift) []protection.Field { return s.Lowered }, title: weakens, many: "%s weaken %s", detail: "%s is weaker"},
	{key: "weakened", severity: plan.Warning, of: func(s protection.Shift) []protection.Field { return s.Weakened }, title: weakens, many: "%s weaken %s", detail: "%s is weaker"},
	{key: "let in", severity: plan.Warning, of: func(s protection.Shift) []protection.Field { return s.LetIn }, title: "%s admits more by %s", many: "%s admit more by %s", detail: "%s now lets more requests in"},
	{key: "replaced", severity: plan.Warning, of: func(s protection.Shift) []protection.Field { return s.Replaced }, title: "%s replaces %s", many: "%s replace %s", detail: "another authentication replaces %s"},
	{key: "loosened", severity: plan.Warning, of: func(s protection.Shift) []protection.Field { return s.Only(isEdited).Edited }, title: "%s changes %s", many: "%s change %s", detail: "%s is edited and may protect less"},
	{key: "gone", severity: plan.Warning, of: func(s protection.Shift) []protection.Field { return s.Only(isGone).Edited }, title: "%s loses %s", many: "%s lose %s", detail: "%s is gone, which may protect less"},
}

func compareProtectionLost(p *Pair, report Report) {
	if p.Base != nil && p.Head != nil {
		reportOwn(p, false, ownLosses, report)
		reportSelecting(p, report)
	}
	shifts := map[*change.Compared]protection.Shift{} // each form of loss asks for them again
	for _, loss := range losses {
		p.byEdit(loss.tells, func(c *change.Compared) fieldWords {
			if staysBehind(c) && !changesController(p, c) {
				return fieldWords{}
			}
			s, known := shifts[c]
			if !known {
				s = shift(p, c)
				shifts[c] = s
			}
			if givesItself(p, c) {
				s = s.Only(func(f protection.Field) bool { return f.What != protection.TLS })
			}
			return listed(loss.of(s.Only(func(f protection.Field) bool { return !isExposure(f) })))
		}, func(h Hit, what fieldWords, c *change.Compared) {
			h.Title = cmp.Or(h.Title, p.title(h, loss.one, loss.many, c, what))
			if loss.key != "" {
				h.Key = append(h.Key, loss.key)
			}
			h.Severity = loss.severity
			h.Detail = fmt.Sprintf(loss.detail, what.words, c.PolicyKind.Kind)
			if makersGo(p, c) {
				h.Severity = plan.Note
				h.Detail += "; what may have created the target is removed, too"
			} else if movesToTarget(p, c) {
				h.Severity = plan.Note
				h.Detail += "; the policy moves to a namespace with a target of this name, which is in the input"
			} else if name := namesInstead(p, c); name != "" && h.Severity == plan.Error {
				h.Severity = plan.Warning
				h.Detail += "; " + name + ", which is named instead, is not in the input"
			} else {
				h.Opens = beyondRequests(p, c) && slices.ContainsFunc(loss.of(shifts[c]), opens)
			}
			report(h)
		})
	}
}

// namesInstead names an object of the kind of a policy that filters name for all targets of a change, and that is not in the
// input: it may protect as the policy did, and without it the requests fail.
func namesInstead(p *Pair, c *change.Compared) string {
	if p.Head == nil || c.PolicyKind == nil {
		return ""
	}
	name := ""
	for _, t := range c.Targets {
		n := p.Head.Run.Graph.Node(hierarchy.Target{ID: t.Target.ID(), Section: t.Target.Section}, hierarchy.LevelRule)
		if n == nil || n.Value == nil {
			return ""
		}
		id := loader.ID{Group: c.PolicyKind.Group, Kind: c.PolicyKind.Kind, Namespace: n.Namespace()}
		i := slices.IndexFunc(n.Value.List("filters"), func(f *loader.Value) bool {
			ref := f.Get("extensionRef")
			id.Name = ref.Str("name")
			return ref != nil && ref.Str("group") == id.Group && ref.Str("kind") == id.Kind && p.Head.Run.Graph.Object(id) == nil
		})
		if i < 0 {
			return ""
		}
		name = cmp.Or(name, id.Spoken())
	}
	return name
}

// opens reports whether a field that protects less lets requests in: by mutual TLS of a mesh that is not asked for, those of senders
// without an identity.
func opens(f protection.Field) bool {
	return f.Admits() || f.What == protection.TLS && strings.Contains(strings.ToLower(f.Path), "mtls")
}

// beyondRequests reports whether some target of a change may get requests that no route of the input leads to it: a
// Service of a mesh, a route that is not in the input, or a Gateway whose routes are not known.
func beyondRequests(p *Pair, c *change.Compared) bool {
	return p.Head != nil && slices.ContainsFunc(c.Targets, func(t plan.Target) bool {
		if t.NotInInput || !t.Certain {
			return true
		}
		n := p.Head.Run.Graph.Node(hierarchy.Target{ID: t.Target.ID(), Section: t.Target.Section}, hierarchy.LevelBackend)
		return n != nil && len(n.Up) == 0
	})
}

// makersGo reports whether all targets are not in the input and their Namespace is removed, or a release in it that may have made
// them: they probably go as well.
func makersGo(p *Pair, c *change.Compared) bool {
	if p.Base == nil || p.Head == nil || len(c.Targets) == 0 {
		return false
	}
	return !slices.ContainsFunc(c.Targets, func(t plan.Target) bool {
		namespace := t.Target.Namespace
		if !t.NotInInput || namespace == "" {
			return true
		}
		own := loader.ID{Kind: "Namespace", Name: namespace}
		stays := func(g loader.Gap) bool {
			return slices.ContainsFunc(p.Head.Run.Environment.Gaps, func(other loader.Gap) bool { return other.By == g.By && other.String() == g.String() })
		}
		return !(p.Base.Run.Graph.Object(own) != nil && p.Head.Run.Graph.Object(own) == nil) &&
			!slices.ContainsFunc(p.Base.Run.Environment.Gaps, func(g loader.Gap) bool { return g.Namespace == namespace && g.By.Kind == "HelmRelease" && !stays(g) })
	})
}

// movesToTarget reports whether no target is in the input, and each policy for them moves to a namespace that has a
// target of the same name.
func movesToTarget(p *Pair, c *change.Compared) bool {
	k, before, _ := c.Effective()
	if p.Base == nil || p.Head == nil || before == nil || len(c.Targets) == 0 || slices.ContainsFunc(c.Targets, func(t plan.Target) bool { return !t.NotInInput }) {
		return false
	}
	return !slices.ContainsFunc(before.Shares, func(share effective.Share) bool {
		return !slices.ContainsFunc(p.Head.Run.Attached.Policies, func(moved *policy.Policy) bool {
			return moved.Kind == k && moved.ID().Name == share.Policy.ID().Name && p.Base.Run.Graph.Object(moved.ID()) == nil &&
				slices.ContainsFunc(moved.References, func(ref *policy.Reference) bool {
					return len(ref.Nodes) > 0 && ref.Nodes[0].Object != nil && ref.Target.Kind == c.Targets[0].Target.Kind && ref.Target.Name == c.Targets[0].Target.Name
				})
		})
	})
}

// staysBehind reports whether a change concerns targets that are themselves added or removed:
// nothing remains unprotected.
func staysBehind(c *change.Compared) bool {
	return slices.Contains([]plan.ChangeKind{plan.Added, plan.Removed, plan.Attached, plan.Detached}, c.Kind)
}

// changesController reports whether policies leave targets because the Gateway above gets another class, or the class
// another controller: the targets stay where they are, and the new controller does not know the policies.
func changesController(p *Pair, c *change.Compared) bool {
	return c.Kind == plan.Detached && slices.ContainsFunc(c.Causes, func(cause plan.Cause) bool {
		before, after := p.Base.object(cause.Object), p.Head.object(cause.Object)
		if before == nil || after == nil {
			return false
		}
		decides := map[string]string{"Gateway": "gatewayClassName", "GatewayClass": "controllerName"}[after.ID.Kind]
		return decides != "" && before.Spec().Str(decides) != after.Spec().Str(decides)
	})
}

// weakens is the title for protection that stays in a weaker form.
const weakens = "%s weakens %s"

// shift returns the effect of a change on the protection of its targets.
func shift(p *Pair, c *change.Compared) protection.Shift {
	k, before, after := c.Effective()
	s := between(p, k, before, after)
	if k != nil && len(k.CheckedWithTLS) > 0 && !slices.ContainsFunc(c.Targets, func(t plan.Target) bool { return !withoutTLS(p, t.Target) }) {
		s = s.Only(func(f protection.Field) bool { return !onlyWithTLS(k, f) })
	}
	return s
}

// withoutTLS reports whether a target is a listener without TLS in both revisions.
func withoutTLS(p *Pair, t plan.TargetRef) bool {
	target := hierarchy.Target{ID: t.ID(), Section: t.Section}
	found := false
	for _, s := range []*Environment{p.Base, p.Head} {
		if s == nil {
			continue
		}
		if n := s.Run.Graph.Node(target, hierarchy.LevelListener); n != nil && n.Value != nil {
			if hierarchy.HasTLS(n) {
				return false
			}
			found = true
		}
	}
	return found
}

// comparedPolicies are two effective policies of a kind.
type comparedPolicies struct {
	kind          *catalogue.Kind
	before, after *effective.Policy
}

// between compares the protection of two effective policies, once for all rules that ask.
func between(p *Pair, k *catalogue.Kind, before, after *effective.Policy) protection.Shift {
	key := comparedPolicies{k, before, after}
	s, known := p.judged[key]
	if !known {
		if p.judged == nil {
			p.judged = map[comparedPolicies]protection.Shift{}
		}
		s = protection.Between(k, before, after)
		p.judged[key] = s
	}
	return s
}
