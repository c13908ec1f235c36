package rule

import (
	"github.com/gwplan/gwplan/analyze/afford"
	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/analyze/protection"
	"github.com/gwplan/gwplan/loader"
)

// Environment is one environment of one revision, as input for rules.
type Environment struct {
	Environment string
	Run         *effective.Run
	Table       *catalogue.Table
	Settings    Settings
	// Parts are what the run can afford.
	Parts *afford.Parts
	// Exceeded is true once a rule had too many network policies to decide anything.
	Exceeded bool

	verdicts map[*policy.Policy]*plan.Verdict
	join     *effective.Join
	// involved are the objects that findings depend on, by their fingerprints.
	involved map[string][]loader.ID
	// about are these, and the objects that findings say are missing.
	about map[string][]loader.ID
	// changes are those that findings are about, by their fingerprints.
	changes map[string][]*change.Compared
	// unchecked are the rules that the run could not afford.
	unchecked []string
	// beyond are the rules that have more findings than are told.
	beyond []string
	// failing lists the references of routes that fail. It is nil until first used.
	failing []broken
	// refused lists the parentRefs that no parent accepts. It is nil until first used.
	refused []refused
	// inHead replaces the names in a text with those in head, the revision that this one is
	// compared with. It is nil if there is none.
	inHead func(string) string
	// before is true while the rules check base in a diff: what is silenced there says nothing about head.
	before bool
	// isRule reports whether a rule has an ID. Rules are in a list, to which none of them may refer.
	isRule func(id string) bool
	// former finds the object of base with an ID, in a diff; it is nil elsewhere.
	former func(loader.ID) *loader.Object
	// entries are the ports with the ways of requests. It is nil until first used.
	entries []*answer.Port
	// named indexes the objects by their nodes. It is nil until first used.
	named map[string]*loader.Object
}

// enter begins a part of the analysis. ok is false if the run cannot afford it.
func (s *Environment) enter(name string) (leave func(), ok bool) {
	return s.Parts.Enter(name, s.Environment)
}

// walked returns a join of this revision alone.
func (s *Environment) walked() *effective.Join {
	if s.join == nil {
		s.join = effective.Alone(s.Run)
	}
	return s.join
}

// Pair is one environment of two revisions. A side that does not have it is nil.
type Pair struct {
	Base, Head *Environment
	Difference *change.Difference
	// Frozen lists the objects of head that their deployer does not apply and that differ from
	// base.
	Frozen []*loader.Object
	// Unreadable contains the files of base and head that could not be read.
	Unreadable [2]map[string]bool
	// Broken are the problems for which a deployer applies nothing, and which base does not have.
	Broken []loader.Problem
	// Lines are the edited lines.
	Lines Lines
	// Revisions are base and head with all their environments; they may be nil.
	Revisions [2]*loader.Snapshot

	// causesOf maps each node to the edits that changed it. It is nil until first used.
	causesOf map[string][]plan.Cause
	// requests are the requests that are answered differently. It is nil until first used.
	requests *Requests
	// unanswered contains the routes that no longer answer some requests, names maps the renamed
	// nodes to their new names. Both are nil until first used.
	unanswered map[string]bool
	names      map[string]string
	// judged keeps how effective policies compare.
	judged map[comparedPolicies]protection.Shift
	// grants are the ReferenceGrants of both sides by namespace. It is nil until first used.
	grants map[string][]loader.ID
	// own lists the shifts of the objects' own protection. It is nil until first used.
	own []nodeShift
	// connections are those that network policies newly allow or deny. It is nil until first used.
	connections *Connections
}

// contentsOf return the id of a file's content in base and head; they may be nil.
func contentsOf(revisions [2]*loader.Snapshot) (out [2]func(string) string) {
	for i, s := range revisions {
		if s != nil {
			out[i] = s.Content
		}
	}
	return out
}

func (p *Pair) settings() *Environment {
	if p.Head != nil {
		return p.Head
	}
	return p.Base
}

// acceptFormer lets annotations count that base has.
func acceptFormer(p *Pair) {
	former := func(loader.ID) *loader.Object { return nil }
	if p.Base != nil {
		former = p.Base.Run.Graph.Object
	}
	for _, s := range []*Environment{p.Base, p.Head} {
		if s != nil {
			s.former = former
		}
	}
}

// verdict returns the verdict on a policy of the snapshot.
func (s *Environment) verdict(p *policy.Policy) *plan.Verdict {
	if s.verdicts == nil {
		s.verdicts = map[*policy.Policy]*plan.Verdict{}
		for _, k := range s.Run.Attached.Kinds {
			tallies := s.Run.Tallies(k)
			for _, p := range s.Run.Attached.Policies {
				if p.Kind == k {
					s.verdicts[p] = s.Run.VerdictOf(p, tallies[p])
				}
			}
		}
	}
	return s.verdicts[p]
}

// policies visits the policies that are not context from elsewhere.
func (s *Environment) policies(visit func(*policy.Policy)) {
	for _, p := range s.Run.Attached.Policies {
		if !p.Object.Context {
			visit(p)
		}
	}
}

// references visits the declared targets that fail for the given reason.
func (s *Environment) references(reason string, visit func(*policy.Policy, *policy.Reference)) {
	s.policies(func(p *policy.Policy) {
		for _, ref := range p.References {
			if ref.Reason == reason {
				visit(p, ref)
			}
		}
	})
}

// nodes visits the nodes of a level that the input declares.
func (s *Environment) nodes(level hierarchy.Level, visit func(*hierarchy.Node)) {
	for _, n := range s.Run.Graph.Nodes {
		if n.Level == level && n.Object != nil && !n.Object.Context {
			visit(n)
		}
	}
}

// hitAt returns a hit on a reference of a policy.
func hitAt(p *policy.Policy, ref *policy.Reference, title string) Hit {
	return Hit{
		Target: p.ID().String(), Key: []string{ref.Target.String()}, At: ref.Position(),
		Title: title, Object: p.Object, Missing: []loader.ID{ref.Target.ID},
	}
}

// created returns the creation time in the manifest of an object, or "".
func created(o *loader.Object) string {
	if t := o.Root.Str("metadata", "creationTimestamp"); t != "" {
		return t
	}
	return o.Annotations()[age.CreatedAt]
}
