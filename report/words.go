package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/plan"
)

// count writes "1 target", "2 targets", "2 HTTPRoutes", "3 policies".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %s", n, plural(noun))
}

func plural(noun string) string {
	switch {
	case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "ay") && !strings.HasSuffix(noun, "ey"):
		return strings.TrimSuffix(noun, "y") + "ies"
	case strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "sh"):
		return noun + "es"
	}
	return noun + "s"
}

// byKind writes counts by kind, such as "4 HTTPRoutes, 1 Service".
func byKind(counts map[string]int) string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, count(counts[kind], kind))
	}
	return strings.Join(parts, ", ")
}

// targetName writes "HTTPRoute baker/oven#bake".
func targetName(t plan.TargetRef) string {
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

// nodeName writes a node as targetName does: "RetryPolicy baker/ns-retries".
// The group is left out.
func nodeName(node string) string {
	kind, rest, found := strings.Cut(node, "/")
	if !found {
		return node
	}
	return nodeKind(kind) + " " + rest
}

func nodeKind(node string) string {
	kind, _, _ := strings.Cut(node, "/")
	kind, _, _ = strings.Cut(kind, ".")
	return kind
}

// sectionNoun says what the sections of a kind are.
func sectionNoun(kind string) string {
	switch {
	case strings.HasSuffix(kind, "Route"):
		return "rule"
	case kind == "Gateway", strings.HasSuffix(kind, "ListenerSet"):
		return "listener"
	case kind == "Service", kind == "ServiceImport":
		return "port"
	}
	return "section"
}

// placeName writes file:line:column as far as it is known.
func placeName(file string, line, column int) string {
	switch {
	case line <= 0:
		return file
	case column <= 0:
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprintf("%s:%d:%d", file, line, column)
}

// verdictText says what becomes of a policy: "enforced at 4 targets".
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
		text += " at " + count(v.EffectiveTargets, "target")
	}
	switch v.Accepted {
	case "false":
		text = "not accepted" + reasonText(v.Reason)
	case "unknown":
		text += ", acceptance unknown" + reasonText(v.Reason)
	}
	text += spokenText(v.Conditions, v.Reason)
	if v.AgeSensitive {
		text += ageText(v.DecidedBy)
		if v.DecidedBy != "" && v.DecidedBy != plan.ByNothing {
			text += " (decided by " + v.DecidedBy + ")"
		}
	}
	return text
}

// ageText says that a result may be another one in the cluster: because of ages, or
// because nobody says which of several policies counts.
func ageText(decidedBy string) string {
	if decidedBy == plan.ByNothing {
		return ", nobody says which counts"
	}
	return ", depends on age"
}

// spokenText writes the controller's own words behind the GEP's, without those
// that repeat the reason.
func spokenText(conditions []string, reason string) string {
	own := slices.DeleteFunc(slices.Clone(conditions), func(c string) bool { return strings.HasSuffix(c, "/"+reason) })
	if len(own) == 0 {
		return ""
	}
	return " [" + strings.Join(own, ", ") + "]"
}

func reasonText(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + reason + ")"
}

// policyAction names what happened to a policy.
func policyAction(c *plan.PolicyChange) string {
	switch {
	case c.Before == nil:
		return "added"
	case c.After == nil:
		return "removed"
	}
	return "changed"
}

// outcomeTitle says what kind of thing changed, in words.
func outcomeTitle(c *plan.Change) string {
	title := "own configuration"
	if c.PolicyKind != nil {
		title = c.PolicyKind.Kind
	}
	switch c.Kind {
	case plan.FieldChange:
	case plan.Moved, plan.Added, plan.Removed, plan.VerdictChange, plan.Attached, plan.Detached, plan.Renamed:
		if c.PolicyKind == nil {
			title = kindWord(c.Kind)
			break
		}
		title += " " + kindWord(c.Kind)
	}
	return title
}

func kindWord(k plan.ChangeKind) string {
	if k == plan.VerdictChange {
		return "verdict changed"
	}
	return string(k)
}

// flags says what is special about a target.
func (t *targetLine) flags() string {
	if t.Example.NotInInput {
		return " · not in the input"
	}
	return flags(t.Certain, t.AgeSensitive)
}

// flags says what is not certain of a target.
func flags(certain, ageSensitive bool) string {
	text := ""
	if !certain {
		text += " · uncertain"
	}
	if ageSensitive {
		text += " · depends on age"
	}
	return text
}
