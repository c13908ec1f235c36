package protection

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// reach says what an edit does to the set of requests that a list of rules matches.
type reach int

const (
	// unproven means that neither set is known to contain the other.
	unproven reach = iota
	matchesSame
	matchesMore
	matchesLess
	// matchesAll is more: a rule now matches all requests.
	matchesAll
	// matchesNone is less: no rule is left.
	matchesNone
)

// byRules judges an edit of a list of authorisation rules: the list that the field belongs to, or nil if nothing changes.
// judged is false if it is not proven what the edit does.
func (s *Shift) byRules(p catalogue.Protection, f protectedField) (list *[]Field, judged bool) {
	if !isRules(f.before) || !isRules(f.after) {
		return nil, false
	}
	var what reach
	denies := false
	switch p.Rules {
	case catalogue.IstioAllow, catalogue.IstioDeny:
		if f.before == nil && !f.inBefore || f.after == nil && !f.inAfter {
			return nil, false // a policy comes or goes
		}
		denies = p.Rules == catalogue.IstioDeny
		what = compareRules(rulesOf(f.before), rulesOf(f.after), istioCovers)
	case catalogue.EnvoyGatewayRules:
		before, after := rulesOf(f.before), rulesOf(f.after)
		action, plain := oneAction(f, append(slices.Clone(before), after...))
		if !plain {
			return nil, slices.EqualFunc(before, after, sameRule)
		}
		denies = action == "Deny"
		what = compareRules(before, after, envoyGatewayCovers)
	}
	switch {
	case what == unproven:
		return nil, false
	case what == matchesSame:
		return nil, true
	case what == matchesAll && !denies, what == matchesMore && !denies && (everybody(f.after) && !everybody(f.before) || anybody(f.after) && !anybody(f.before)):
		return &s.Lowered, true
	case what == matchesNone && denies:
		return &s.Lost, true
	case (what == matchesMore || what == matchesAll) != denies:
		return &s.LetIn, true
	}
	return &s.Tightened, true
}

// anybody reports whether a rule of Istio admits every identity, whichever it is (istio.io/api
// security/v1beta1/authorization_policy.proto, Source).
func anybody(rules *merge.Tree) bool {
	return slices.ContainsFunc(rulesOf(rules), func(rule *loader.Value) bool {
		return slices.ContainsFunc(rule.List("from"), func(from *loader.Value) bool {
			return slices.ContainsFunc([]string{"principals", "requestPrincipals", "namespaces", "serviceAccounts"}, func(field string) bool {
				return slices.ContainsFunc(from.Get("source").List(field), func(v *loader.Value) bool { return v.Text == "*" })
			})
		})
	})
}

// isRules reports whether a value is a list, or not set.
func isRules(t *merge.Tree) bool {
	return t == nil || t.Value == nil || t.Value.Shape == loader.List || t.Value.IsNull()
}

func rulesOf(t *merge.Tree) []*loader.Value {
	if t == nil || t.Value == nil {
		return nil
	}
	return t.Value.ItemList()
}

// oneAction returns the action of all rules of Envoy Gateway (api/v1alpha1/authorization_types.go), if it is the opposite of
// the default action on both sides. With several actions the order of the rules counts, too.
func oneAction(f protectedField, rules []*loader.Value) (action string, plain bool) {
	def := func(spec *merge.Tree) string {
		if t := spec.At("authorization.defaultAction"); t != nil && t.Value != nil {
			return t.Value.Text
		}
		return "Deny"
	}
	byDefault := def(f.specBefore)
	if len(rules) == 0 || byDefault != def(f.specAfter) {
		return "", false
	}
	action = rules[0].Str("action")
	for _, r := range rules {
		if r.Str("action") != action {
			return "", false
		}
	}
	return action, action != byDefault
}

// sameRule reports whether two rules of Envoy Gateway are one that is written in two ways.
func sameRule(a, b *loader.Value) bool {
	return !unknown(a) && !unknown(b) && a.Str("action") == b.Str("action") && envoyGatewayCovers(a, b) && envoyGatewayCovers(b, a)
}

// compareRules compares two lists of which each rule matches some requests, in any order. covers reports whether one rule is
// known to match all that another one matches.
func compareRules(before, after []*loader.Value, covers func(a, b *loader.Value) bool) reach {
	if slices.ContainsFunc(append(slices.Clone(before), after...), unknown) {
		return unproven
	}
	within := func(list, in []*loader.Value) bool {
		return !slices.ContainsFunc(list, func(b *loader.Value) bool {
			return !slices.ContainsFunc(in, func(a *loader.Value) bool { return covers(a, b) })
		})
	}
	grows, shrinks := within(before, after), within(after, before)
	all := &loader.Value{Shape: loader.Map}
	switch {
	case grows && shrinks:
		return matchesSame
	case grows && within([]*loader.Value{all}, after):
		return matchesAll
	case grows:
		return matchesMore
	case shrinks && len(after) == 0:
		return matchesNone
	case shrinks:
		return matchesLess
	}
	return unproven
}

// unknown reports whether a value contains a variable.
func unknown(v *loader.Value) bool {
	return v.Opaque || slices.ContainsFunc(v.ItemList(), unknown) ||
		slices.ContainsFunc(v.FieldList(), func(f loader.Field) bool { return unknown(f.Value) })
}

// istioCovers compares rules of an AuthorizationPolicy (istio.io/api security/v1beta1/authorization_policy.proto, Rule): one of
// from, one of to and all of when must match, and what is not there matches everything.
func istioCovers(a, b *loader.Value) bool {
	oneOf := func(list, part string) bool {
		wanted := a.List(list)
		if len(wanted) == 0 {
			return true
		}
		given := b.List(list)
		return len(given) > 0 && !slices.ContainsFunc(given, func(g *loader.Value) bool {
			return !slices.ContainsFunc(wanted, func(w *loader.Value) bool { return fieldsCover(w.Get(part), g.Get(part)) })
		})
	}
	all := !slices.ContainsFunc(a.List("when"), func(w *loader.Value) bool {
		return !slices.ContainsFunc(b.List("when"), func(g *loader.Value) bool {
			return w.Str("key") == g.Str("key") && listCovers(w.List("values"), g.List("values")) && listExcludes(w.List("notValues"), g.List("notValues"))
		})
	})
	return oneOf("from", "source") && oneOf("to", "operation") && all
}

// fieldsCover compares a source or an operation: each field that is there must match, and those named not… must not.
func fieldsCover(a, b *loader.Value) bool {
	for _, f := range a.FieldList() {
		rest, negative := strings.CutPrefix(f.Key, "not")
		negative = negative && rest != "" && strings.ToUpper(rest[:1]) == rest[:1]
		switch {
		case f.Value.Shape != loader.List:
			return false // no field of today
		case negative && !listExcludes(f.Value.Items, b.List(f.Key)):
			return false
		case !negative && !listCovers(f.Value.Items, b.List(f.Key)):
			return false
		}
	}
	return true
}

// listCovers reports whether what one list of values demands is demanded by another one, too; an empty list demands nothing.
func listCovers(a, b []*loader.Value) bool {
	return len(a) == 0 || len(b) > 0 && eachIn(b, a)
}

// listExcludes reports whether what one list of values excludes is excluded by another one, too.
func listExcludes(a, b []*loader.Value) bool { return eachIn(a, b) }

// eachIn reports whether each value is matched by one of some patterns.
func eachIn(values, patterns []*loader.Value) bool {
	var ranges []netip.Prefix
	for _, p := range patterns {
		if n, ok := network(p.Text); ok {
			ranges = append(ranges, n)
		}
	}
	return !slices.ContainsFunc(values, func(v *loader.Value) bool {
		if n, ok := network(v.Text); ok && together(ranges, n) {
			return false
		}
		return !slices.ContainsFunc(patterns, func(p *loader.Value) bool { return matches(p.Text, v.Text) })
	})
}

// matches reports whether a pattern matches all that another one does: the same text, or one with a * at its beginning or end.
func matches(pattern, text string) bool {
	if pattern == text || pattern == "*" {
		return true
	}
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok && !strings.HasPrefix(text, "*") {
		return strings.HasPrefix(strings.TrimSuffix(text, "*"), prefix)
	}
	if suffix, ok := strings.CutPrefix(pattern, "*"); ok && !strings.HasSuffix(text, "*") {
		return strings.HasSuffix(strings.TrimPrefix(text, "*"), suffix)
	}
	return false
}

// network returns a range of addresses, or that of one address.
func network(text string) (netip.Prefix, bool) {
	if p, err := netip.ParsePrefix(text); err == nil {
		return p.Masked(), true
	}
	a, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Prefix{}, false
	}
	return netip.PrefixFrom(a, a.BitLen()), true
}

// envoyGatewayCovers compares two rules of the same action (Envoy Gateway api/v1alpha1/authorization_types.go, Principal and
// Operation): all fields that are there must match. The name of a rule is for people.
func envoyGatewayCovers(a, b *loader.Value) bool {
	for _, part := range []string{"principal", "operation"} {
		for _, f := range a.Get(part).FieldList() {
			given := b.Get(part, f.Key)
			switch f.Key {
			case "clientCIDRs", "sourceCIDRs", "methods":
				if !listCovers(f.Value.ItemList(), given.ItemList()) {
					return false
				}
			default:
				if !loader.Equal(f.Value, given) {
					return false
				}
			}
		}
	}
	for _, f := range a.FieldList() { // what is not known here must be equal
		if !slices.Contains([]string{"action", "name", "principal", "operation"}, f.Key) && !loader.Equal(f.Value, b.Get(f.Key)) {
			return false
		}
	}
	return true
}
