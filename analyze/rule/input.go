package rule

import (
	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// Environment is one environment of one revision, as rules see it.
type Environment struct {
	Environment string
	Run         *effective.Run
	Table       *catalogue.Table
	Settings    Settings

	verdicts map[*policy.Policy]*plan.Verdict
	join     *effective.Join
	// failing are the references of routes that fail, nil until they are asked for.
	failing []broken
	// refused are the parentRefs that nobody accepts, nil until they are asked for.
	refused []refused
	// inHead writes a text with the names that things have in the revision that this one is
	// compared with; nil where there is none.
	inHead func(string) string
	// named are the objects by their nodes, nil until they are asked for.
	named map[string]*loader.Object
}

// walked is the hierarchy, to be walked.
func (s *Environment) walked() *effective.Join {
	if s.join == nil {
		s.join = effective.Alone(s.Run)
	}
	return s.join
}

// Pair is one environment of two revisions; a side without it is nil.
type Pair struct {
	Base, Head *Environment
	Difference *change.Difference
	// Frozen are objects of head that their deployer does not apply, and of which head
	// says something else than base.
	Frozen []*loader.Object
	// Unreadable are the files of base and head that could not be read.
	Unreadable [2]map[string]bool
	// Problems are those of base and head that make the environment incomplete.
	Problems [2][]loader.Problem
	// Lines are what the change shows.
	Lines Lines

	// causesOf are the edits behind the changes of each node, nil until they are asked for.
	causesOf map[string][]plan.Cause
	// answered are the requests that are answered otherwise, nil until they are asked for.
	answered []answer.Passage
	// unanswered are the routes of which requests get no answer any more, names the nodes that
	// were renamed, nil until they are asked for.
	unanswered map[string]bool
	names      map[string]string
	// own is what objects lose of their own protection, nil until it is asked for.
	own []ownShift
}

func (p *Pair) settings() *Environment {
	if p.Head != nil {
		return p.Head
	}
	return p.Base
}

// Verdict is what becomes of a policy of the snapshot.
func (s *Environment) Verdict(p *policy.Policy) *plan.Verdict {
	if s.verdicts == nil {
		s.verdicts = map[*policy.Policy]*plan.Verdict{}
		join := s.walked()
		for _, k := range s.Run.Attached.Kinds {
			tallies := join.Tallies(k, effective.Head, func(*policy.Policy) bool { return true })
			for _, p := range s.Run.Attached.Policies {
				if p.Kind == k {
					s.verdicts[p] = s.Run.VerdictOf(p, tallies[p])
				}
			}
		}
	}
	return s.verdicts[p]
}

// policies visits the policies that are not from elsewhere.
func (s *Environment) policies(visit func(*policy.Policy)) {
	for _, p := range s.Run.Attached.Policies {
		if !p.Object.Context {
			visit(p)
		}
	}
}

// references visits the declared targets that fail for a reason.
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

// hitAt is a hit on a reference of a policy.
func hitAt(p *policy.Policy, ref *policy.Reference, message string) Hit {
	return Hit{
		Target: p.ID().String(), Key: []string{ref.Target.String()}, At: ref.Position(),
		Message: message, Object: p.Object,
	}
}

func first(o *loader.Object) loader.Position { return o.First() }

// created is the creation time that an object states, if any.
func created(o *loader.Object) string {
	if t := o.Root.Str("metadata", "creationTimestamp"); t != "" {
		return t
	}
	return o.Annotations()["gwplan.dev/created-at"]
}
