package rule

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/protection"
	"github.com/gwplan/gwplan/analyze/sentence"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// fieldWords is the text of a rule about a change, with the paths that the text names.
type fieldWords struct {
	words string
	paths []string
}

// listed names fields in a list, each with its kind of protection in brackets.
func listed(fields []protection.Field) fieldWords {
	var out fieldWords
	var words []string
	for _, field := range fields {
		words = append(words, field.String())
		out.paths = append(out.paths, field.Path)
	}
	out.words = strings.Join(words, ", ")
	return out
}

// byEdit groups the changes of a policy kind that have the same causes and for which describe returns the same words, so
// that one edit makes one finding. The title of the hit is the sentence of the headline if the headline reports the
// same outcome, else it is empty. Changes that one side could not read are skipped.
func (p *Pair) byEdit(tells sentence.Outcome, describe func(*change.Compared) fieldWords, found func(h Hit, what fieldWords, c *change.Compared)) {
	type edit struct{ kind, causes, what string }
	var edits groups[edit, *change.Compared]
	paths := map[edit][]string{}
	for i := range p.Difference.Changes {
		c := &p.Difference.Changes[i]
		if c.PolicyKind == nil || c.Unreadable() {
			continue
		}
		if what := describe(c); what.words != "" {
			e := edit{kind: c.PolicyKind.Kind + "." + c.PolicyKind.Group, causes: fmt.Sprint(c.Causes), what: what.words}
			if edits.of[e] == nil {
				paths[e] = what.paths
			}
			edits.add(e, c)
		}
	}
	for _, e := range edits.keys {
		changes := edits.of[e]
		h := p.hit(changes, paths[e])
		h.Subject, h.several = reach(changes)
		h.Statement = changes[0].PolicyKind.Kind + ": " + e.what
		about := isAt(paths[e])
		h.Title = sentence.One(tableOf(p), changes, tells, func(f plan.Field) bool { return about(plain(f.Path)) })
		found(h, fieldWords{words: e.what, paths: paths[e]}, changes[0])
	}
}

// hit returns a finding about some fields of changes that one edit caused.
func (p *Pair) hit(changes []*change.Compared, paths []string) Hit {
	c := changes[0]
	at, target, inBase, related := p.positions().of(c, paths)
	switch {
	case target != "":
	case len(c.Causes) > 0:
		target = firstOf(c.Causes, losers(c, paths))[0].Object
	case len(c.Policies) > 0:
		target = c.Policies[0]
	}
	if o := p.Head.object(target); at.File == "" && o != nil {
		at = o.First() // what changed it has no line that is known
	}
	var where, fields []string
	for _, change := range changes {
		for _, t := range change.Targets {
			where = append(where, t.Target.Kind+"/"+t.Target.Namespace)
		}
		for _, f := range change.Fields {
			fields = append(fields, f.Path)
		}
	}
	slices.Sort(where)
	slices.Sort(fields)
	key := slices.Concat([]string{c.PolicyKind.Kind, c.PolicyKind.Group}, slices.Compact(where), slices.Compact(fields))
	return Hit{Target: target, Key: key, At: at, InBase: inBase, Related: related, Object: ignoring(p, target, changes), changes: changes}
}

// ignoring returns the object whose annotation may ignore a finding about changes: the one that the finding is about
// or, if it has no such annotation and the changes have only one target, that target.
func ignoring(p *Pair, target string, changes []*change.Compared) *loader.Object {
	about := p.Head.object(target)
	if about != nil && IsAnnotated(about) {
		return about
	}
	only := changes[0].Targets[0].Target.ID()
	for _, c := range changes {
		if slices.ContainsFunc(c.Targets, func(t plan.Target) bool { return t.Target.ID() != only }) {
			return about
		}
	}
	return cmp.Or(p.Head.object(only.String()), about)
}

// reach names the target of changes, or counts them by object if there are several.
func reach(changes []*change.Compared) (words string, several bool) {
	type object struct{ kind, namespace, name string }
	seen := map[object]bool{}
	kinds := map[string]int{}
	for _, c := range changes {
		for _, t := range c.Targets {
			o := object{kind: t.Target.Kind, namespace: t.Target.Namespace, name: t.Target.Name}
			if !seen[o] {
				seen[o] = true
				kinds[t.Target.Kind]++
			}
		}
	}
	if len(seen) == 1 {
		return targetName(changes[0].Targets[0].Target), false
	}
	var parts []string
	for kind, n := range kinds {
		parts = append(parts, spelling.Count(n, kind))
	}
	slices.Sort(parts)
	return spelling.And(parts), true
}

// targetName names the object of a target, or its namespace: "HTTPRoute shop/cart", "GatewayClass public".
func targetName(t plan.TargetRef) string { return t.Kind + " " + path.Join(t.Namespace, t.Name) }

// fieldNames lists the paths of fields, at most four.
func fieldNames(fields []plan.Field) string {
	var names []string
	for _, f := range fields {
		names = append(names, f.Path)
	}
	return spelling.AtMost(4, names)
}
