package policy

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/settle"
	"github.com/gwplan/gwplan/loader"
)

// Set is the policies of one kind at one target, after conflict resolution.
type Set struct {
	Kind *catalogue.Kind
	// At is the name of the target, Target the target itself if it is in the hierarchy.
	At     string
	Target hierarchy.Target
	// Route is the route that the target is or belongs to, for kinds with inheritance from route
	// to route. Inherit then defines which route's policies win.
	Route   loader.ID
	Inherit merge.Role
	// Policies are those that take part, in order of precedence.
	Policies []*Policy
	// Losers are rejected; LostTo of each Reference is the policy that won.
	Losers []*Policy
	// DecidedBy is the criterion that put the first policy before the second.
	DecidedBy string
	// Unsure means that a time that is not in the input could change the order, and that another
	// order would change the result.
	Unsure bool
	// Uncertain means that it is unknown whether one of the policies attaches here.
	Uncertain bool
	// Nothing is the spec of the policies if nothing of them applies here, else nil.
	Nothing *merge.Tree
	// Key identifies the set by content: the same key means the same policies
	// with the same specs in the same order, in either revision.
	Key string
	// Through are the policies that only the proxy applies to which the target is bound, Past the others: those that requests
	// meet which go past the proxy. Both are nil if there are none of the former.
	Through, Past *Set
}

// resolve orders the references to one target and decides conflicts among
// them. The references are of one kind and accepted so far.
//
// lost are the policies that lost at another target and therefore lose here, for kinds whose
// losers are rejected as a whole. shared means that the implementation rejects none.
func resolve(k *catalogue.Kind, refs []*Reference, lost map[*Policy]bool, ages age.Ages, shared bool) *Set {
	slices.SortStableFunc(refs, func(a, b *Reference) int {
		return k.Precedence(a.Policy.Object, b.Policy.Object, ages).Compare
	})
	s := &Set{Kind: k}
	for i, ref := range refs {
		if i > 0 && refs[i-1].Policy == ref.Policy {
			continue // one policy names one target twice
		}
		s.Policies = append(s.Policies, ref.Policy)
		s.Uncertain = s.Uncertain || ref.Accepted == fact.Unknown
	}
	s.judgeOrder(ages)
	for _, p := range s.Policies {
		if lost[p] {
			s.Losers = append(s.Losers, p)
		}
	}
	s.Policies = slices.DeleteFunc(s.Policies, func(p *Policy) bool { return lost[p] })
	switch k.SameAlgorithm {
	case merge.None:
		if len(s.Policies) > 0 && !shared && k.Merge.Same.Tie != catalogue.Undefined {
			s.reject(refs, ages)
		}
	case merge.UnionOrReject:
		s.rejectOverlaps(refs, ages)
	default:
	}
	if len(s.Policies) > 0 && slices.ContainsFunc(refs, func(ref *Reference) bool { return ref.Void && ref.Policy == s.Policies[0] }) {
		s.Nothing = nothing(s.Policies[0])
	}
	s.Key = s.key()
	return s
}

// judgeOrder records what decided the order of the first two policies, and whether the reverse
// order of any unsure pair would change the result.
func (s *Set) judgeOrder(ages age.Ages) {
	if s.Kind.Merge.Same.Tie == catalogue.Undefined {
		s.judgeUndefined()
		return
	}
	for i := 1; i < len(s.Policies); i++ {
		higher, lower := s.Policies[i-1], s.Policies[i]
		o := s.Kind.Precedence(higher.Object, lower.Object, ages)
		if i == 1 {
			s.DecidedBy = o.By
		}
		s.Unsure = s.Unsure || o.Unsure && orderMatters(s.Kind, higher, lower)
	}
	// Neighbours can be interchangeable when policies further from each other are not.
	for i := 2; i < min(len(s.Policies), maxCompared) && !s.Unsure; i++ {
		for _, higher := range s.Policies[:i-1] {
			o := s.Kind.Precedence(higher.Object, s.Policies[i].Object, ages)
			s.Unsure = s.Unsure || o.Unsure && orderMatters(s.Kind, higher, s.Policies[i])
		}
	}
}

func (s *Set) judgeUndefined() {
	if len(s.Policies) > 1 {
		s.DecidedBy = plan.ByNothing
	}
	for i := 1; i < len(s.Policies) && !s.Unsure; i++ {
		s.Unsure = orderMatters(s.Kind, s.Policies[i-1], s.Policies[i])
	}
}

// maxCompared is how many policies of one target are compared pair by pair.
const maxCompared = 64

// orderMatters reports whether swapping two policies of one level changes the result. If only
// one of them counts as a whole, it always does.
func orderMatters(k *catalogue.Kind, a, b *Policy) bool {
	algorithm := k.SameAlgorithm
	if algorithm == merge.FromLevels {
		algorithm = a.Algorithm
	}
	switch algorithm {
	case merge.None, merge.Atomic:
		return true
	case merge.DefaultOverride:
		return differ(a.Defaults, b.Defaults) || differ(a.Overrides, b.Overrides)
	default:
	}
	strategy := k.Strategy(algorithm)
	one, other := strategy.Merge(a.Spec, b.Spec), strategy.Merge(b.Spec, a.Spec)
	if k.Settling.Sorts {
		one, other = k.Settling.Spec(one, settle.Target{}), k.Settling.Spec(other, settle.Target{})
	}
	return a.Direction != b.Direction || a.Algorithm != b.Algorithm || !merge.Equal(one, other)
}

func differ(a, b *merge.Tree) bool {
	s := merge.Strategy{Algorithm: merge.LeafWise}
	return !merge.Equal(s.Merge(a, b), s.Merge(b, a))
}

// reject keeps the first policy and rejects the others (GEP-713, None).
func (s *Set) reject(refs []*Reference, ages age.Ages) {
	winner := s.Policies[0]
	var kept []*Policy
	for _, p := range s.Policies {
		if p == winner || !strictly(winner, p, ages) {
			kept = append(kept, p)
			continue
		}
		s.Losers = append(s.Losers, p)
		s.refuseTo(refs, p, winner, "conflicts with "+winner.ID().Spoken()+", which takes precedence")
	}
	s.Policies = kept
}

// refuseTo makes a policy lose to another one. If it is unknown whether the winner attaches
// here, the verdict on the loser is unknown, too.
func (s *Set) refuseTo(refs []*Reference, loser, winner *Policy, message string) {
	certain := slices.ContainsFunc(refs, func(r *Reference) bool { return r.Policy == winner && r.Accepted != fact.Unknown })
	for _, ref := range refs {
		if ref.Policy == loser {
			ref.loseIf(certain, winner, message)
		}
	}
}

// withoutTakers returns the set without the policies that only take the target, or nil if there are no others.
func (s *Set) withoutTakers(refs []*Reference) *Set {
	if !slices.ContainsFunc(refs, func(r *Reference) bool { return r.Takes }) {
		return s
	}
	s.Policies = slices.DeleteFunc(s.Policies, func(p *Policy) bool {
		return slices.ContainsFunc(refs, func(r *Reference) bool { return r.Takes && r.Policy == p })
	})
	if len(s.Policies) == 0 {
		return nil
	}
	s.Key = s.key()
	return s
}

// loseIf makes a reference lose to another policy or, if that is not certain, makes its verdict
// unknown.
func (r *Reference) loseIf(certain bool, to *Policy, message string) {
	switch {
	case certain:
		r.lose(to, message)
	case r.Accepted == fact.True:
		r.Accepted, r.Reason = fact.Unknown, NotInInput
		r.Message = message + ", if both attach there; whether they do is unknown"
	}
}

func (r *Reference) lose(to *Policy, message string) {
	r.refuse(Conflicted, message)
	r.LostTo, r.Holds = to, false
}

// rejectOverlaps keeps the policies that set different units and rejects each
// later one that sets a unit again (NGINX Gateway Fabric).
func (s *Set) rejectOverlaps(refs []*Reference, ages age.Ages) {
	strategy := s.Kind.Strategy(merge.UnionOrReject)
	var kept []*Policy
	for _, p := range s.Policies {
		i := slices.IndexFunc(kept, func(earlier *Policy) bool { return strategy.Overlap(earlier.Spec, p.Spec) })
		if i < 0 {
			kept = append(kept, p)
			continue
		}
		s.Losers = append(s.Losers, p)
		s.refuseTo(refs, p, kept[i], "sets what "+kept[i].ID().Spoken()+" sets already, which takes precedence")
		for _, ref := range refs {
			ref.assume(ages)
		}
	}
	s.Policies = kept
}

// writeKey writes the policy's identity and content, and the content of what it draws from.
func (p *Policy) writeKey(b *strings.Builder) {
	b.WriteString(p.Object.ID.String())
	b.WriteByte(0)
	b.Write(p.Object.Digest[:])
	b.WriteString(p.opened)
	b.WriteByte(0)
	for _, draw := range p.draws {
		if draw.Object != nil {
			b.Write(draw.Object.Digest[:])
		}
		b.WriteByte(1)
	}
}

// key identifies the sequence of policies by identity and content. It contains no positions: a
// policy that moves to another line stays the same.
func (s *Set) key() string {
	var b strings.Builder
	for _, p := range s.Policies {
		p.writeKey(&b)
	}
	if s.Unsure {
		b.WriteByte('?')
		// A loser could come first instead, so the result depends on the losers, too.
		for _, p := range s.Losers {
			p.writeKey(&b)
		}
	}
	if s.Uncertain {
		b.WriteByte('~')
	}
	if s.Nothing != nil {
		b.WriteByte('0')
	}
	if s.Kind.Settling.Fold != nil {
		b.WriteString(s.Target.Kind) // the result depends on nothing else of the target but its level
		b.WriteByte(0)
	}
	if s.Route != (loader.ID{}) {
		b.WriteString(s.Route.String())
		b.WriteString(string(s.Inherit))
	}
	return b.String()
}

// strictly reports whether the order of two policies makes one of them lose. If only the names
// decide, but the kind's order does not list the name, two policies of the same time do not
// conflict.
func strictly(winner, loser *Policy, ages age.Ages) bool {
	k := winner.Kind
	o := k.Precedence(winner.Object, loser.Object, ages)
	return o.By != plan.ByName || o.Unsure || len(k.Order) == 0 || slices.Contains(k.Order, "name")
}

// assume records by what a reference lost if a time that is not in the input could reverse it, for kinds whose policies of
// one target unite where they can.
func (r *Reference) assume(ages age.Ages) {
	if r.LostTo == nil || r.Policy.Kind.SameAlgorithm != merge.UnionOrReject {
		return
	}
	if o := r.Policy.Kind.Precedence(r.LostTo.Object, r.Policy.Object, ages); o.Unsure {
		r.LostBy = o.By
	}
}
