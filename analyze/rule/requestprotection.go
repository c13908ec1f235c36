package rule

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/protection"
	"github.com/gwplan/gwplan/analyze/sentence"
	"github.com/gwplan/gwplan/loader"
)

// guard is a protection that applies to requests on their way. It comes from a policy kind or from
// an object of Gateway API itself.
type guard struct {
	protection.Field
	// by names the source of the protection: a policy kind, or the node. kind is nil for a node.
	by   string
	kind *catalogue.Kind
}

// guards returns the protection that applies to the requests of a way.
func (p *Requests) guards(side effective.Side, w *answer.Way) []guard {
	key := [2]*hierarchy.Node{w.Listener, w.Rule}
	if _, known := p.guarding[key]; !known {
		if p.guarding == nil {
			p.guarding = map[[2]*hierarchy.Node][]guard{}
		}
		p.guarding[key] = guardsAlong(p, side, w)
	}
	all := p.guarding[key]
	asked := protection.RequestSet{Host: w.Host, Path: w.Match.Path, Below: answer.Below(w.Match)}
	passes := func(g guard) bool { return g.kind != nil && !protection.AsksOf(g.kind, g.Field, asked) }
	if slices.ContainsFunc(all, passes) {
		return slices.DeleteFunc(slices.Clone(all), passes)
	}
	return all
}

// guardsAlong returns what protects along the contexts of a way.
func guardsAlong(p *Requests, side effective.Side, w *answer.Way) []guard {
	var out []guard
	context := w.Context()
	for _, k := range p.protecting() {
		for _, e := range p.Difference.Join.Along(k, side, context) {
			for _, f := range protection.InForce(k, e) {
				if isExposure(f) || onlyWithTLS(k, f) && !hierarchy.HasTLS(w.Listener) {
					continue
				}
				out = append(out, guard{Field: f, by: k.Name(), kind: k})
			}
		}
	}
	out = append(out, guardsOfBackends(p, side, w)...)
	out = append(append(out, ownGuards(p, w.Listener)...), ownGuards(p, w.Rule)...)
	// For TLS, only the protocol of the listener counts.
	if hierarchy.HasTLS(w.Listener) {
		out = append(out, guard{Field: protection.Field{Path: "/protocol", What: protection.TLS}, by: w.Listener.Spoken()})
	}
	return out
}

// guardsOfBackends returns what decides who gets in at each backend of a way.
func guardsOfBackends(p *Requests, side effective.Side, w *answer.Way) []guard {
	var out []guard
	for _, k := range p.protecting() {
		var common []protection.Field
		for i, context := range w.Contexts()[1:] {
			var here []protection.Field
			along := p.Difference.Join.Along(k, side, context)
			for _, level := range []hierarchy.Level{hierarchy.LevelBackend, hierarchy.LevelPort} {
				if along[level] == nil {
					continue
				}
				for _, f := range protection.InForce(k, along[level]) {
					if f.Admits() {
						here = append(here, f)
					}
				}
			}
			if i > 0 {
				here = slices.DeleteFunc(here, func(f protection.Field) bool {
					return !slices.ContainsFunc(common, func(c protection.Field) bool { return c.What == f.What })
				})
			}
			common = here
		}
		for _, f := range common {
			out = append(out, guard{Field: f, by: k.Name()})
		}
	}
	return out
}

// ownGuards returns what a listener or a rule protects itself, except by TLS.
func ownGuards(p *Requests, n *hierarchy.Node) []guard {
	out, known := p.owned[n]
	if known {
		return out
	}
	for _, f := range protection.Guards(n, p.Head.isPolicy) {
		out = append(out, guard{Field: f, by: n.Spoken()})
	}
	if p.owned == nil {
		p.owned = map[*hierarchy.Node][]guard{}
	}
	p.owned[n] = out
	return out
}

// onlyWithTLS reports whether a field is a setting of TLS that does nothing at a listener without it.
func onlyWithTLS(k *catalogue.Kind, f protection.Field) bool {
	return k.OnlyWithTLS(f.Path)
}

// protecting returns the kinds of both sides whose entries list protecting fields.
func (p *Requests) protecting() []*catalogue.Kind {
	var out []*catalogue.Kind
	for _, s := range []*Environment{p.Base, p.Head} {
		for _, k := range s.Run.Attached.Kinds {
			if len(k.Protects) > 0 && !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	return out
}

// shiftBetween compares the protection on the two ways of a passage, by policy kind; the key nil is the objects' own
// protection. If both ways pass the same listener at the same port, differences at the listener are left out unless the same rule
// answers: they are reported once, as a change of the listener.
func (p *Requests) shiftBetween(passage *answer.Passage) map[*catalogue.Kind]protection.Shift {
	return p.shiftUpTo(hierarchy.LevelOutside-1, passage)
}

// shiftOfListeners compares the protection at the Gateways and listeners of the two ways of a passage alone.
func (p *Requests) shiftOfListeners(passage *answer.Passage) map[*catalogue.Kind]protection.Shift {
	return p.shiftUpTo(hierarchy.LevelListener, passage)
}

// shiftUpTo is shiftBetween for the levels down to lowest.
func (p *Requests) shiftUpTo(lowest hierarchy.Level, passage *answer.Passage) map[*catalogue.Kind]protection.Shift {
	out := map[*catalogue.Kind]protection.Shift{}
	before, after := passage.Before, passage.After
	b, a := before.Context(), after.Context()
	sameListener := !passage.Kept && before.Port() == after.Port() && p.Difference.Join.Of(effective.Base, before.Listener) == p.Difference.Join.Of(effective.Head, after.Listener)
	for _, k := range p.protecting() {
		was, is := p.Difference.Join.Along(k, effective.Base, b), p.Difference.Join.Along(k, effective.Head, a)
		var sum protection.Shift
		for level := range lowest + 1 {
			if sameListener && level <= hierarchy.LevelListener {
				continue
			}
			if was[level] == nil && is[level] == nil {
				continue
			}
			// Where a Gateway can be reached from is reported once, for the Gateway.
			shift := between(p.Pair, k, was[level], is[level]).Only(func(f protection.Field) bool { return !isExposure(f) })
			if level <= hierarchy.LevelListener && !hierarchy.HasTLS(before.Listener) && !hierarchy.HasTLS(after.Listener) {
				shift = shift.Only(func(f protection.Field) bool { return !onlyWithTLS(k, f) })
			}
			sum = sum.And(shift)
		}
		if passage.Kept {
			sum = sum.And(p.backendShift(k, passage))
		}
		if lowest > hierarchy.LevelListener {
			sum = sum.And(exchangeShift(p, k, passage))
		}
		if !sum.Empty() {
			out[k] = sum
		}
	}
	var own protection.Shift
	if lowest > hierarchy.LevelListener {
		own = p.objects(before.Rule, after.Rule)
	}
	if !sameListener {
		own = own.And(p.objects(before.Listener, after.Listener))
	}
	if passage.Kept {
		if before.Gateway().Level == hierarchy.LevelGateway {
			own = own.And(p.objects(before.Gateway(), after.Gateway()))
		}
		for _, contexts := range answer.Shared(p.Difference.Join, before, after) {
			was, is := contexts[effective.Base], contexts[effective.Head]
			own = own.And(p.objects(was[len(was)-1], is[len(is)-1]))
		}
	}
	// Listeners have certificates for their own hostnames: no loss. Without TLS they have no settings of it.
	other := hierarchy.HasTLS(before.Listener) != hierarchy.HasTLS(after.Listener)
	if own = own.Only(func(f protection.Field) bool {
		return !isExposure(f) && !strings.HasPrefix(f.Path, protection.Certificates) && !(other && strings.HasPrefix(f.Path, "/tls/"))
	}); !own.Empty() {
		out[nil] = own
	}
	return out
}

// objects compares the protection of two objects themselves. Equal objects protect alike.
func (p *Requests) objects(before, after *hierarchy.Node) protection.Shift {
	if before.Target == after.Target && protection.Same(before, after) {
		return protection.Shift{}
	}
	return protection.Own(before, after, p.Head.isPolicy)
}

// backendShift compares the protection of a kind on the way to the backends that a rule keeps.
func (p *Requests) backendShift(k *catalogue.Kind, passage *answer.Passage) protection.Shift {
	var sum protection.Shift
	j := p.Difference.Join
	for _, contexts := range answer.Shared(j, passage.Before, passage.After) {
		was, is := j.Along(k, effective.Base, contexts[effective.Base]), j.Along(k, effective.Head, contexts[effective.Head])
		for _, level := range []hierarchy.Level{hierarchy.LevelBackend, hierarchy.LevelPort} {
			if was[level] != nil || is[level] != nil {
				sum = sum.And(between(p.Pair, k, was[level], is[level]))
			}
		}
	}
	return sum
}

// Protection says in words what becomes of the protection of some requests, one clause each.
type Protection struct {
	// Lost is what they lose or have in a weaker form, Other what protects in another way, which may be weaker,
	// Gained what is new, and Withdrawn what clients relied on to be let in.
	Lost, Other, Gained, Withdrawn []string
	// Kinds are the policy kinds because of which; nil is the objects' own configuration.
	Kinds []*catalogue.Kind
	// Selected is true if all that differs is in rules that match some of the requests.
	Selected bool
}

// isPermission reports whether a field tightened by its removal: it admitted something.
func isPermission(f protection.Field) bool { return f.After == nil }

// Loses reports whether the requests are known to be protected less.
func (p Protection) Loses() bool { return len(p.Lost) > 0 }

// ofRules reports whether a field is a list of rules that match requests, so that it is not about all of them.
func ofRules(k *catalogue.Kind, path string) bool {
	rest, found := catalogue.BelowRules(k, path)
	return found && rest == ""
}

// Protection compares what protects the requests of a passage.
func (p *Requests) Protection(passage *answer.Passage) (out Protection) {
	if passage.Before == nil || passage.After == nil {
		return out
	}
	shifts, everywhere := p.shiftBetween(passage), false
	kinds := append(slices.Clone(p.protecting()), nil)
	slices.SortStableFunc(kinds, func(a, b *catalogue.Kind) int { return cmp.Compare(weightOf(shifts[a]), weightOf(shifts[b])) })
	for _, k := range kinds {
		shift, differs := shifts[k]
		if !differs {
			continue
		}
		shift = replaced(p.Pair, shift, k, passage)
		gone, versions, weaker := lowered(shift.Lowered)
		for _, l := range []struct {
			verb   string
			fields []protection.Field
			into   *[]string
		}{
			{"no longer ", slices.Concat(only(shift.Lost, isWhole), gone), &out.Lost},
			{"lowers ", versions, &out.Lost},
			{"weaker ", slices.Concat(only(shift.Lost, protection.Field.IsPart), weaker, shift.Weakened), &out.Lost},
			{"now trusts ", only(shift.LetIn, protection.Field.Trusts), &out.Lost},
			{"admits more by ", only(shift.LetIn, trustsNobody), &out.Lost},
			{"other ", slices.Concat(notExchanged(shift), shift.Edited), &out.Other},
			{"now ", slices.DeleteFunc(slices.Clone(shift.Tightened), func(f protection.Field) bool { return isPermission(f) || f.Before != nil }), &out.Gained},
			{"stricter ", slices.DeleteFunc(slices.Clone(shift.Tightened), func(f protection.Field) bool { return isPermission(f) || f.Before == nil }), &out.Gained},
			{"no longer admits by ", slices.DeleteFunc(slices.Clone(shift.Tightened), func(f protection.Field) bool { return !isPermission(f) || f.Withdrawn() }), &out.Gained},
			{"no longer admits by ", slices.DeleteFunc(slices.Clone(shift.Tightened), func(f protection.Field) bool { return !f.Withdrawn() }), &out.Withdrawn},
		} {
			paths := pathsOf(l.fields)
			everywhere = everywhere || slices.ContainsFunc(paths, func(path string) bool { return !ofRules(k, path) })
			if len(paths) > 0 && !slices.Contains(out.Kinds, k) {
				out.Kinds = append(out.Kinds, k)
			}
			if len(paths) > 0 {
				*l.into = append(*l.into, clause(l.verb, p.words(k, paths)))
			}
		}
		if len(shift.Replacing) > 0 {
			out.Other, everywhere = append(out.Other, p.words(k, pathsOf(shift.Replacing))+" instead of "+p.words(k, pathsOf(shift.Replaced))), true
			if !slices.Contains(out.Kinds, k) {
				out.Kinds = append(out.Kinds, k)
			}
		}
	}
	out.Selected = !everywhere && len(out.Lost)+len(out.Other)+len(out.Gained)+len(out.Withdrawn) > 0
	return out
}

// weightOf is the rank of the worst that a shift loses.
func weightOf(s protection.Shift) int {
	least := catalogue.Weight("")
	for _, f := range slices.Concat(s.Lost, s.Lowered, s.Weakened, s.LetIn) {
		least = min(least, catalogue.Weight(f.What))
	}
	return least
}

func trustsNobody(f protection.Field) bool { return !f.Trusts() }

func pathsOf(fields []protection.Field) []string {
	var out []string
	for _, f := range fields {
		out = append(out, f.Path)
	}
	return out
}

// notExchanged returns what something elsewhere replaces, so that its words do not tell by what.
func notExchanged(s protection.Shift) []protection.Field {
	if len(s.Replacing) > 0 {
		return nil
	}
	return s.Replaced
}

// clause joins the beginning of a clause and the words for settings, which may have an article.
func clause(verb, words string) string {
	object := sentence.ObjectOf(words)
	if object.Skipped != "" { // what is skipped protects
		switch verb {
		case "lowers ", "weaker ":
			return "skips " + object.Skipped
		case "now ", "stricter ", "no longer admits by ":
			return "no longer skips " + object.Skipped
		}
	}
	switch {
	case object.HasArticle() && (verb == "weaker " || verb == "other " || verb == "stricter "):
		return verb + object.Bare
	case object.HasArticle() && verb == "now ":
		return "now with " + words
	}
	return verb + words
}

// Programs returns the programs on the two ways of a passage.
func (p *Requests) Programs(passage *answer.Passage) (before, after []effective.Program) {
	j := p.Difference.Join
	return j.ProgramsAlong(effective.Base, passage.Before.Contexts()), j.ProgramsAlong(effective.Head, passage.After.Contexts())
}

// isTLSVersion reports whether a lower value still protects: a lower version of TLS is TLS, unlike another
// protocol or a mode that requires nothing.
func isTLSVersion(f protection.Field) bool { return f.What == protection.TLS && f.Path != "/protocol" }

// lowered splits lowered protection into what is gone (TLS, and what is switched off), lower versions of TLS, and what
// admits more.
func lowered(fields []protection.Field) (gone, versions, weaker []protection.Field) {
	for _, f := range fields {
		switch {
		case isTLSVersion(f):
			versions = append(versions, f)
		case f.What == protection.TLS, f.After != nil && f.After.Value != nil && f.After.Value.Shape == loader.Bool:
			gone = append(gone, f)
		default:
			weaker = append(weaker, f)
		}
	}
	return gone, versions, weaker
}

// Unprotected reports whether no policy and no setting of the objects protects the requests of a way.
func (p *Requests) Unprotected(side effective.Side, w *answer.Way) bool {
	return !slices.ContainsFunc(p.guards(side, w), func(g guard) bool { return g.Admits() })
}
