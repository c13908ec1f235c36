package analyze

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/sentence"
	"github.com/gwplan/gwplan/loader"
)

// counter counts what was analysed.
type counter struct {
	policies, routes int
	kinds            map[*catalogue.Kind]bool
	// changed are the kinds with an edited policy or a change in the plan.
	changed          map[*catalogue.Kind]bool
	assumedNamespace int
	// hidden counts the changes that the filter left out.
	hidden int
	// generated are the objects that controllers create, as "THIS for THAT".
	generated map[string]bool
}

// show records a kind for which the plan shows a change.
func (c *counter) show(k *catalogue.Kind) {
	if k == nil {
		return // a change of an object's own fields
	}
	if c.changed == nil {
		c.changed = map[*catalogue.Kind]bool{}
	}
	c.changed[k] = true
}

// edited records the kinds with notes that have a policy which differs between two runs.
func (c *counter) edited(before, after *effective.Run) {
	if before == nil || after == nil {
		return // the whole environment is added or removed
	}
	digests := map[loader.ID][16]byte{}
	for _, p := range before.Attached.Policies {
		if len(p.Kind.Notes) > 0 {
			digests[p.ID()] = p.Object.Digest
		}
	}
	for _, p := range after.Attached.Policies {
		if len(p.Kind.Notes) == 0 {
			continue
		}
		if digest, both := digests[p.ID()]; !both || digest != p.Object.Digest {
			c.show(p.Kind)
		}
		delete(digests, p.ID())
	}
	for _, p := range before.Attached.Policies {
		if _, gone := digests[p.ID()]; gone {
			c.show(p.Kind)
		}
	}
}

// sums are what a run adds to a counter.
type sums struct {
	Policies, Routes, AssumedNamespace int
	Kinds                              []catalogue.GroupKind
	Generated                          []string
}

func sumsOf(r *effective.Run) sums {
	s := sums{Policies: len(r.Attached.Policies) + network.Count(r.Environment.Workloads)}
	for _, k := range r.Attached.Kinds {
		s.Kinds = append(s.Kinds, catalogue.GroupKind{Group: k.Group, Kind: k.Entry.Kind})
	}
	for _, n := range r.Graph.Nodes {
		if n.Level == hierarchy.LevelRoute && n.Object != nil {
			s.Routes++
		}
	}
	for _, o := range r.Environment.Objects {
		if o.GeneratedBy != (loader.ID{}) {
			s.Generated = append(s.Generated, o.ID.String()+" for "+o.GeneratedBy.String())
		}
		if o.NamespaceAssumed && hierarchy.LevelOf(o.ID.Group, o.ID.Kind) != hierarchy.LevelOutside {
			s.AssumedNamespace++
		}
	}
	return s
}

func (c *counter) run(r *effective.Run, t *catalogue.Table) {
	if r != nil {
		c.add(sumsOf(r), t)
	}
}

func (c *counter) add(s sums, t *catalogue.Table) {
	if c.kinds == nil {
		c.kinds, c.generated = map[*catalogue.Kind]bool{}, map[string]bool{}
	}
	c.policies += s.Policies
	c.routes += s.Routes
	c.assumedNamespace += s.AssumedNamespace
	for _, k := range s.Kinds {
		c.kinds[t.Kind(k.Group, k.Kind)] = true
	}
	for _, text := range s.Generated {
		c.generated[text] = true
	}
}

// tally adds a finding of a severity.
func tally(c *plan.Counts, s plan.Severity) {
	switch s {
	case plan.Error:
		c.Error++
	case plan.Warning:
		c.Warning++
	case plan.Note, plan.Off:
		c.Note++
	}
}

// differentChanges counts the changes of a plan. One that several environments have is one.
func differentChanges(p *plan.Plan) int {
	n, with := 0, 0
	for i := range p.Environments {
		n += len(p.Environments[i].Changes)
		if len(p.Environments[i].Changes) > 0 {
			with++
		}
	}
	if with < 2 {
		return n
	}
	met := map[string]bool{}
	for i := range p.Environments {
		for j := range p.Environments[i].Changes {
			met[p.Environments[i].Changes[j].Outcome()] = true
		}
	}
	return len(met)
}

// place identifies a finding that several environments may have from one place.
func place(r *plan.Recurring, f *plan.Finding) string {
	if key := r.Key(f); key != "" {
		return key
	}
	return fmt.Sprintf("%s %s %s:%d:%d %s", f.Rule, f.State, f.File, f.Line, f.Column, f.Message)
}

// summarize counts the results of a plan. A change, a target and a policy are counted once, in however many
// environments they are. If it is below routes, these routes are counted instead of it.
func summarize(p *plan.Plan, counts *counter) plan.Summary {
	s := plan.Summary{
		Changes: differentChanges(p), Policies: counts.policies, Routes: counts.routes, Environments: len(p.Environments),
		Problems: len(p.Problems), TargetsByKind: map[string]int{},
	}
	counted, policies := map[string]bool{}, map[string]int{}
	said := map[string]bool{}
	var recurring plan.Recurring
	for _, env := range p.Environments {
		recurring.Next()
		for _, c := range env.PolicyChanges {
			if policies[c.Policy] == 0 {
				s.PolicyChanges++
			}
			policies[c.Policy]++
		}
		s.Connections += len(env.Connections)
		s.Requests += len(env.Requests)
		for _, c := range env.Changes {
			for _, t := range c.Targets {
				s.Contexts += t.ContextCount
				for _, node := range sentence.Counted(&t) {
					if !counted[node] {
						counted[node] = true
						s.Targets++
						s.TargetsByKind[loader.KindOf(node)]++
					}
				}
			}
		}
		for _, f := range env.Findings {
			// Several environments may have the same finding from one place: it counts once.
			key := place(&recurring, &f)
			if said[key] {
				continue
			}
			said[key] = true
			switch f.State {
			case plan.New:
				tally(&s.Findings, f.Severity)
			case plan.Fixed:
				s.Fixed++
			case plan.Unchanged:
				s.Unchanged++
			}
		}
	}
	return s
}

// skip records what was left out of a revision.
func skip(s *plan.Summary, from *loader.Snapshot) {
	for _, n := range from.Skipped {
		s.Skipped += n
	}
	s.Unread = from.Unread
}
