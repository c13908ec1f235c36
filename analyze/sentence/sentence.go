// Package sentence says in one sentence each what a plan changes for some targets: "HTTPRoute
// shop/checkout loses JWT authentication (prod, staging)". Targets of several environments count
// once, and the worst comes first.
package sentence

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/protection"
)

// effect is what happens to targets.
type effect int

// The effects, worst first.
const (
	opens effect = iota
	exposed
	removed
	detached
	lowers
	weakens
	admits
	trusts
	needs
	loses
	changes
	moved
	departs
	verdict
	refuses
	gains
	attached
	added
	renamed
	relabelled
	keeps
	effects
)

// exposes reports whether targets are less protected.
func (e effect) exposes() bool {
	return e == opens || e == exposed || e == lowers || e == weakens || e == admits || e == trusts
}

// verbs are the words of an effect for several targets, for one target, and after "may".
var verbs = [effects][3]string{
	opens: {"admit", "admits", "admit"}, refuses: {"refuse", "refuses", "refuse"},
	exposed: {"lose", "loses", "lose"}, lowers: {"lower", "lowers", "lower"}, weakens: {"weaken", "weakens", "weaken"}, loses: {"lose", "loses", "lose"},
	admits: {"admit more by", "admits more by", "admit more by"}, trusts: {"trust", "trusts", "trust"}, needs: {"need", "needs", "need"}, changes: {"change", "changes", "change"}, gains: {"gain", "gains", "gain"},
	detached: {"are detached", "is detached", "be detached"}, attached: {"are attached", "is attached", "be attached"},
	departs: {"leave", "leaves", "leave"}, moved: {"move", "moves", "move"},
	keeps: {"keep", "keeps", "keep"}, verdict: {"change", "changes", "change"}, renamed: {"are renamed", "is renamed", "be renamed"}, relabelled: {"change", "changes", "change"},
	removed: {"are removed", "is removed", "be removed"}, added: {"are added", "is added", "be added"},
}

// Sentences collects the changes of a plan.
type Sentences struct {
	table   *catalogue.Table
	short   map[string]string
	unbuilt map[string]bool
	effects [effects]map[string]*target
}

// New returns an empty collection for a plan with these environments.
func New(table *catalogue.Table, environments []string) *Sentences {
	return &Sentences{table: table, short: plan.ShortNames(environments), unbuilt: map[string]bool{}}
}

// Unbuilt records that something of an environment can no longer be built: what changes there is
// not certain, because the cluster may stay as it is.
func (s *Sentences) Unbuilt(environment string) { s.unbuilt[environment] = true }

// Add adds a change of an environment.
func (s *Sentences) Add(environment string, c *change.Compared) {
	switch {
	case c.Kind == plan.FieldChange:
		s.addFields(environment, c, func(plan.Field) bool { return true })
	case c.PolicyKind != nil:
	case c.Kind == plan.Renamed && len(c.Targets) > 0 && c.Targets[0].Target.Section != "":
		s.put(relabelled, environment, c, sectionName(c), false)
	case c.Kind == plan.Renamed:
		s.put(renamed, environment, c, renaming(c), false)
	case remains(c):
		s.put(departs, environment, c, reason(c), false)
	default:
		e, ok := map[plan.ChangeKind]effect{
			plan.Detached: detached, plan.Moved: moved, plan.VerdictChange: verdict, plan.Removed: removed,
			plan.Attached: attached, plan.Added: added,
		}[c.Kind]
		if ok {
			s.put(e, environment, c, reason(c), false)
		}
	}
}

// addFields adds the fields of a change that about accepts.
func (s *Sentences) addFields(environment string, c *change.Compared, about func(plan.Field) bool) {
	k, _, _ := c.Effective()
	shift := protection.Between(c.Effective())
	guards := c.PolicyKind != nil && shift.Loosens()
	for _, f := range c.Fields {
		if !about(f) || ofOtherNamespaces(c, f) {
			continue
		}
		rates, isTime := ratesOf(shift, f)
		if isTime {
			continue // told with the amount
		}
		item, path := setting(s.table, c, f)
		e := effectOf(c, f, path)
		said := cmp.Or(rates, inner(f, path)+values(f))
		if was, is, told := backends(c, f); told {
			if said = ""; was != "" && is != "" {
				path, said = backendRefs, " from "+was+" to "+is
			}
		}
		if k != nil && e != changes {
			if by, text, ok := byDefault(c, f); ok {
				path, e, said = catalogue.Dotted(f.Path), by, text
			}
		}
		switch instead := exchangeOf(shift, f); {
		case instead == comes: // told with what goes
			continue
		case instead == goes:
			s.put(needs, environment, c, detail{words: s.exchanged(k, shift)}, guards)
			continue
		}
		switch moved := otherKey(c, f); {
		case c.PolicyKind != nil && isExposed(shift, f): // nothing that a request must have is lowered
			e = admits
		case moved != "": // the policy decides something else, whatever fields it has
			e, path, said = changes, "", moved
			if guards {
				e = weakens
			}
		case e == loses && guards && losesPart(shift, f):
			e = weakens
		case e == loses && guards && isWeakened(shift, f):
			e = exposed
		case e == changes && isLowered(shift, f):
			e = lowers
		case e == changes && c.PolicyKind != nil && isWeakened(shift, f):
			e = weakens
		case e == changes && c.PolicyKind != nil && letIn(shift, f) != "":
			e, path, said = admits, letIn(shift, f), ""
		case e == gains && c.PolicyKind != nil && loosensByAddition(shift, f):
			e = weakens
			switch {
			case trustsMore(shift, f):
				e = trusts
			case !strings.Contains(path, "."), isNew(shift, f):
				e = admits // the whole setting is new, or another way in
			}
		}
		one := detail{kind: k, item: item, path: path, values: said}
		if who := anonymous(c, f); who >= 0 {
			e, one = who, detail{words: "anonymous requests"}
		}
		s.put(e, environment, c, one, guards)
	}
}

// Outcome is what a finding tells of an edit. It has no sentence if it is another than those that headlines tell.
type Outcome int

// The outcomes that headlines tell, too.
const (
	Another Outcome = iota
	Loss
	Lowering
	Weakening
	Admission
	Trust
	Exchange
	Edit
	Gain
)

// of reports whether a sentence with an effect tells an outcome.
func (o Outcome) of(e effect) bool {
	switch o {
	case Loss:
		return e == exposed || e == loses
	case Lowering:
		return e == lowers || e == opens
	case Weakening:
		return e == weakens || e == opens
	case Admission:
		return e == weakens || e == admits || e == opens
	case Trust:
		return e == weakens || e == trusts
	case Exchange:
		return e == needs
	case Edit:
		return e == changes || e == exposed || e == loses
	case Gain:
		return e == gains || e == refuses
	case Another:
	}
	return false
}

// One returns what changes do to the fields that about accepts, in the sentence that the headline of a plan has for
// it. It returns "" if the headline says something else than what is to be told, or needs several sentences.
func One(table *catalogue.Table, list []*change.Compared, tells Outcome, about func(plan.Field) bool) string {
	s := New(table, nil)
	for _, c := range list {
		if c.Kind == plan.FieldChange {
			s.addFields("", c, about)
		}
	}
	var all []*group
	for e := range effects {
		all = append(all, s.groups(e)...)
	}
	if len(all) != 1 || !tells.of(all[0].effect) {
		return ""
	}
	all[0].kept = nil
	return all[0].say(table)
}

// Exposed returns the targets, as KIND NAMESPACE/NAME, of which a sentence says that they are less protected.
func (s *Sentences) Exposed() map[string]bool {
	out := map[string]bool{}
	for e := range effects {
		for _, t := range s.effects[e] {
			out[t.name] = out[t.name] || e.exposes()
		}
	}
	return out
}

// Alarming reports whether targets lose protection, or are detached for certain.
func (s *Sentences) Alarming() bool {
	for _, t := range s.effects[detached] {
		if t.certain {
			return true
		}
	}
	return len(s.effects[opens])+len(s.effects[exposed])+len(s.effects[lowers])+len(s.effects[weakens])+len(s.effects[admits])+len(s.effects[trusts]) > 0
}

// WithoutVerdicts drops the sentences about conditions: findings that tell the reason take their place.
func (s *Sentences) WithoutVerdicts() { s.effects[verdict] = nil }

// List returns a sentence for each set of settings that targets share, worst first.
func (s *Sentences) List() []plan.Effect {
	var all []*group
	for e := range effects {
		all = append(all, s.groups(e)...)
	}
	slices.SortStableFunc(all, func(a, b *group) int { return cmp.Compare(a.rank(), b.rank()) })
	var out []plan.Effect
	for _, g := range all {
		environments := slices.Sorted(maps.Keys(g.environments))
		out = append(out, plan.Effect{
			Sentence: g.say(s.table) + s.bracketed(environments), LosesProtection: g.effect.exposes(),
			Lost:    g.effect == removed || g.effect == detached,
			Perhaps: g.effect.exposes() && !g.targets[0].certain,
			Targets: len(g.targets), Environments: environments,
		})
	}
	return out
}

// groups returns the targets of an effect, grouped by the sentence about them.
func (s *Sentences) groups(e effect) []*group {
	groups := map[string]*group{}
	for _, node := range slices.Sorted(maps.Keys(s.effects[e])) {
		for _, t := range s.effects[e][node].parts() {
			key := t.key()
			if groups[key] == nil {
				groups[key] = newGroup(e)
			}
			groups[key].add(t)
		}
	}
	var out []*group
	for _, g := range groups {
		out = append(out, g.inEnvironments()...)
	}
	slices.SortFunc(out, (*group).compare)
	return out
}

// bracketed names environments after a sentence, or their number if there are more than three. A plan
// of one environment needs no name.
func (s *Sentences) bracketed(environments []string) string {
	if len(s.short) < 2 {
		return ""
	}
	return " (" + Environments(environments, s.short) + ")"
}
