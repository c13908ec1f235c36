package rule

import (
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/upgrade"
	"github.com/gwplan/gwplan/loader"
)

// Settings is the configuration of the rules.
type Settings struct {
	Severity map[string]plan.Severity
	Ignore   []Ignore
	// Now decides which annotations have expired; zero means none.
	Now time.Time
	// Silenced collects what was ignored, unless it is nil.
	Silenced *Silenced
	// Baseline holds the findings that are known already, or is nil.
	Baseline *Baseline
	// Owners maps hostnames to the namespaces whose routes may serve them.
	Owners map[string][]string
	// Added and Lowered are what head's configuration silences, if this is the one of base.
	Added   []Ignore
	Lowered []Lowered
	// Versions are the releases that base's and head's configuration say, for controllers that the
	// input does not install.
	Versions [2][]upgrade.Installed
	// Upgrades are releases of controllers, by the words of package upgrade, that head is judged with
	// instead of those that it installs.
	Upgrades map[string]upgrade.Version
	// Altered are the other differences of head's configuration.
	Altered []Altered
}

// Ignore silences a rule at some targets, for a given reason.
type Ignore struct {
	// Rule is a rule id or "*". Target is a doublestar glob over targets as in messages:
	// KIND/NAMESPACE/NAME or KIND NAMESPACE/NAME, with or without the kind's group, with a section
	// or for the whole object. Of a policy's effect it matches the policy and the object that the message is about. Empty
	// means any target.
	Rule, Target string
	At           loader.Position
	// Reason is the author's explanation.
	Reason string
	// Expired is true if it no longer silences anything.
	Expired bool
}

// ignoredByEntry returns the entry that silences a finding, nil if none does. subject is the object that its message is about, or empty.
func (s *Settings) ignoredByEntry(r *Rule, target, subject string) *silencer {
	subject = strings.Replace(subject, " ", "/", 1)
	for n, i := range s.Ignore {
		if !i.Expired && (i.Rule == r.ID || i.Rule == "*") && (i.matches(target) || subject != "" && i.matches(subject)) {
			return &silencer{by: plan.SilencedByConfig, entry: n, reason: i.Reason, at: i.At}
		}
	}
	return nil
}

func (s *Settings) ignoredByBaseline(fingerprint string) *silencer {
	if s.Baseline.has(fingerprint) {
		return &silencer{by: plan.SilencedByBaseline}
	}
	return nil
}

// matches reports whether an entry applies to a target, in any of its notations.
func (i Ignore) matches(target string) bool {
	if i.Target == "" {
		return true
	}
	pattern := strings.Replace(i.Target, " ", "/", 1)
	object, _, _ := strings.Cut(target, "#")
	return slices.ContainsFunc([]string{target, object, short(target), short(object)}, func(name string) bool {
		ok, err := doublestar.Match(pattern, name)
		return err == nil && ok || name == pattern
	})
}

// short returns a node without the group of its kind.
func short(node string) string {
	_, rest, ok := strings.Cut(node, "/")
	if !ok {
		return node
	}
	return loader.KindOf(node) + "/" + rest
}

func (i Ignore) where() string {
	if i.Target == "" {
		return "every target"
	}
	return i.Target
}
