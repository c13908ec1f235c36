package outline

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// ByKind writes counts by kind, such as "4 HTTPRoutes, 1 Service".
func ByKind(counts map[string]int) string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, spelling.Count(counts[kind], kind))
	}
	return strings.Join(parts, ", ")
}

// TargetName writes "HTTPRoute baker/oven#bake".
func TargetName(t plan.TargetRef) string {
	name := t.Kind + " "
	if t.Namespace != "" {
		name += t.Namespace + "/"
	}
	name += t.Name
	if t.Section != "" {
		name += "#" + t.Section
	}
	return name
}

// NodeName writes a node as kind and name: "RetryPolicy baker/ns-retries". It omits the group. A path stays as it is: a kind
// begins with a capital letter and has no dot but before its group.
func NodeName(node string) string {
	kind, rest, found := strings.Cut(node, "/")
	if !found || kind == "" || !unicode.IsUpper(rune(kind[0])) {
		return node
	}
	return loader.KindOf(kind) + " " + rest
}

// PositionName writes file:line:column as far as it is known.
func PositionName(file string, line, column int) string {
	switch {
	case line <= 0:
		return file
	case column <= 0:
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprintf("%s:%d:%d", file, line, column)
}

// verdictText describes the verdict of a policy: "enforced at 4 targets".
func verdictText(v *plan.Verdict) string {
	if v == nil {
		return "absent"
	}
	text := string(v.Enforcement)
	if v.Enforcement == plan.NotEnforced {
		text = "not enforced"
	}
	if v.Enforcement == plan.EnforcementUnknown {
		text = "enforcement unknown"
	}
	if v.EffectiveTargets > 0 {
		text += " at " + spelling.Count(v.EffectiveTargets, "target")
	}
	switch v.Accepted {
	case plan.False:
		text = "not accepted" + ReasonText(v.Reason)
	case plan.Unknown:
		text += ", acceptance unknown" + ReasonText(v.Reason)
	}
	text += SpokenText(v.Conditions, v.Reason)
	if v.AgeSensitive {
		text += AgeText(v.DecidedBy)
		if v.DecidedBy != "" && v.DecidedBy != plan.ByNothing {
			text += " (decided by " + criterion(v.DecidedBy) + ")"
		}
	}
	return text
}

// criterion names in words what decided between policies.
func criterion(decidedBy string) string {
	if decidedBy == plan.ByBase {
		return "which was there before"
	}
	return cmp.Or(decidedBy, "none")
}

// AgeText warns that the cluster may produce another result: because of ages, or because it is not
// defined which of several policies counts.
func AgeText(decidedBy string) string {
	if decidedBy == plan.ByNothing {
		return ", the effective policy is not defined"
	}
	return ", depends on age"
}

// SpokenText writes the controller's own conditions after those of the GEP, without those that
// repeat the reason.
func SpokenText(conditions []string, reason string) string {
	own := slices.DeleteFunc(slices.Clone(conditions), func(c string) bool { return strings.HasSuffix(c, "/"+reason) })
	if len(own) == 0 {
		return ""
	}
	return " [" + strings.Join(own, ", ") + "]"
}

// ReasonText returns a condition's reason in brackets, or "".
func ReasonText(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + reason + ")"
}

// PolicyAction names what happened to a policy.
func PolicyAction(c *plan.PolicyChange) string {
	return plan.EditOf(c.Before != nil, c.After != nil)
}

// OutcomeTitle names the kind of thing that changed.
func OutcomeTitle(c *plan.Change) string {
	title := "own configuration"
	if c.PolicyKind != nil {
		title = c.PolicyKind.Kind
	}
	switch c.Kind {
	case plan.FieldChange:
	case plan.Moved, plan.Added, plan.Removed, plan.VerdictChange, plan.Attached, plan.Detached, plan.Renamed:
		if c.PolicyKind == nil {
			title = KindWord(c.Kind)
			break
		}
		title += " " + KindWord(c.Kind)
	}
	return title
}

// KindWord returns a kind of change in words.
func KindWord(k plan.ChangeKind) string {
	if k == plan.VerdictChange {
		return "verdict changed"
	}
	return string(k)
}

// Flags lists what is special about a target.
func (t *TargetLine) Flags() string {
	if t.Example.NotInInput {
		return " · not in the input"
	}
	return Flags(t.Certain, t.AgeSensitive)
}

// Flags lists what is uncertain about a target.
func Flags(certain, ageSensitive bool) string {
	text := ""
	if !certain {
		text += " · uncertain"
	}
	if ageSensitive {
		text += " · depends on age"
	}
	return text
}

// ProblemText writes `file:line:column: severity: message; hint [code]`.
func ProblemText(p *plan.Problem) string {
	text := p.Severity + ": " + p.Message
	if p.Hint != "" {
		text += "; " + p.Hint
	}
	if p.Code != "" {
		text += " [" + p.Code + "]"
	}
	if p.File != "" {
		text = PositionName(p.File, p.Line, p.Column) + ": " + text
	}
	var about []string
	if p.Side != "" {
		about = append(about, p.Side)
	}
	if Named(p.Environments) {
		about = append(about, p.Environments...)
	}
	if len(about) > 0 {
		text += " (" + strings.Join(about, ", ") + ")"
	}
	return text
}

// Role says in brackets how a source set a value, where that is not plain: as an override, or without anybody's doing. That a
// value is a default, which others may override, is the usual case (GEP-713).
func Role(role string) string {
	switch role {
	case "", "direct", "object", "default":
		return ""
	case "schema-default":
		return "(CRD default)"
	}
	return "(" + role + ")"
}
