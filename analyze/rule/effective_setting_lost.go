package rule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/protection"
	"github.com/gwplan/gwplan/analyze/sentence"
)

var effectiveSettingLost = &Rule{
	ID:       "effective-setting-lost",
	Title:    "Targets lose an effective setting",
	Severity: plan.Warning,
	Why: "After this change no policy sets the fields any more for these targets, so the implementation's default applies, " +
		"which manifests do not show. The edit may be far away: a policy on a Namespace or a Gateway reaches every route below. " +
		"CORS counts as a setting: without it, browsers refuse requests from other origins.",
	Fix:     "Set the fields in a policy that still applies, or accept the loss in `ignore` of the configuration, with a reason.",
	Compare: compareSettings,
}

func compareSettings(p *Pair, report Report) {
	p.byEdit(sentence.Loss, func(c *change.Compared) fieldWords {
		if c.Kind != plan.FieldChange || c.Selected() || movesToTarget(p, c) {
			return fieldWords{}
		}
		k, before, after := c.Effective()
		if before.Failing() != after.Failing() {
			return fieldWords{} // requests fail on one side, which matters more
		}
		told := reportedAsProtection(p, c)
		programs := programsSaid(p, c, goneProgram).paths // program-changed reports them
		plainHTTP := k != nil && len(k.CheckedWithTLS) > 0 && !slices.ContainsFunc(c.Targets, func(t plan.Target) bool { return !withoutTLS(p, t.Target) })
		gone := slices.DeleteFunc(slices.Clone(c.Fields), func(f plan.Field) bool {
			return f.Action != plan.FieldRemoved || wentWith(p, f) || plainHTTP && k.OnlyWithTLS(f.Path) || replacedReference(c, f) || told(f) || inRules(k, f) || after.Yields(catalogue.Dotted(f.Path)) || byDefault(c, f) ||
				slices.ContainsFunc(programs, func(path string) bool { return leadsTo(path, plain(f.Path)) })
		})
		out := fieldWords{words: fieldNames(gone)}
		for _, f := range gone {
			out.paths = append(out.paths, plain(f.Path))
		}
		return out
	}, func(h Hit, what fieldWords, c *change.Compared) {
		h.Title = cmp.Or(h.Title, p.title(h, "loses", "lose", c, what))
		h.Detail = fmt.Sprintf("%s of %s no longer set", what.words, c.PolicyKind.Kind)
		report(h)
	})
}

// inRules reports whether a field is inside a rule of a list that is judged by what its rules match, in whatever order.
func inRules(k *catalogue.Kind, f plan.Field) bool {
	rest, found := catalogue.BelowRules(k, plain(f.Path))
	return found && rest != ""
}

// byDefault reports whether the controller uses the same value if the field is not set. A default of the CRD counts
// only in an object that still exists. A path has the keys of list items in brackets.
func byDefault(c *change.Compared, f plan.Field) bool {
	k, _, after := c.Effective()
	path := catalogue.Dotted(plain(f.Path))
	if unset, known := k.DefaultOf(path); known {
		return unset == fmt.Sprint(f.Before)
	}
	around := path[:max(strings.LastIndexByte(path, '.'), 0)]
	gone := around != "" && !strings.Contains(f.Path, "[") && (after == nil || after.Spec.At(around) == nil)
	return k.IsDefault(path, fmt.Sprint(f.Before)) && !(gone && k.Defaults.At(path) != nil)
}

// replacedReference reports whether a field is part of a reference whose name changes: it goes with
// the old object.
func replacedReference(c *change.Compared, f plan.Field) bool {
	at := strings.LastIndexByte(f.Path, '/')
	if at < 0 || !slices.Contains([]string{"namespace", "group", "kind", "sectionName", "port"}, f.Path[at+1:]) {
		return false
	}
	return slices.ContainsFunc(c.Fields, func(other plan.Field) bool {
		return other.Path == f.Path[:at]+"/name" && other.Action == plan.FieldChanged
	})
}

// reportedAsProtection returns a function that reports whether other rules already report a field: it is protection that a
// change loses or tightens, or it is removed together with a policy of which that is true.
func reportedAsProtection(p *Pair, c *change.Compared) func(plan.Field) bool {
	told, around := map[string]bool{}, map[string]bool{}
	places := map[string]bool{}
	s := shift(p, c)
	for _, field := range slices.Concat(s.Lost, s.Lowered, s.Weakened, s.LetIn, s.Replaced, s.Edited, s.Tightened) {
		if field.Withdrawn() {
			continue // clients are refused without it: it is lost as other settings are
		}
		told[field.Path] = true
		places[field.Place()] = true
		for _, above := range protection.Above(field.Path) {
			around[above] = true
		}
	}
	_, _, after := c.Effective()
	return func(f plan.Field) bool {
		path := plain(f.Path)
		if told[path] || slices.ContainsFunc(protection.Above(path), func(above string) bool { return told[above] }) {
			return true
		}
		if places[protection.PlaceOf(path)] {
			return true
		}
		keys, rest := f.Keys()
		return len(keys) > 0 && !after.Has(keys) && around[plain(strings.TrimSuffix(f.Path, rest))]
	}
}

// wentWith reports whether a field belongs to an object that is removed itself, such as a list item
// with the name of a route.
func wentWith(p *Pair, f plan.Field) bool {
	_, key, found := strings.Cut(f.Path, "[")
	key, _, _ = strings.Cut(key, "]")
	return found && p.Base != nil && p.Head != nil && p.Base.object(key) != nil && p.Head.object(key) == nil
}
