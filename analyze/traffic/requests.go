package traffic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/answer"
	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/rule"
	"github.com/gwplan/gwplan/loader"
)

// The limits of what is said of one class: descriptions of requests, and edits that cause it.
const (
	maxRequestWords  = 20
	maxRequestCauses = 20
)

// Requests returns the classes of requests that are answered differently and shown, worst first.
func Requests(p *rule.Pair, shown func(*plan.RequestChange) bool) []plan.RequestChange {
	return classes(p, shown, requestChange)
}

// classes joins what describe says of each passage into classes, worst first. What it gives no class is left out.
func classes(p *rule.Pair, shown func(*plan.RequestChange) bool, describe func(*rule.Pair, *answer.Passage) plan.RequestChange) []plan.RequestChange {
	c := classing{pair: p, at: map[classKey]int{}}
	for _, passage := range p.Requests().Turns() {
		one := describe(p, &passage)
		if one.Class == "" || !shown(&one) {
			continue
		}
		for i := range one.Differences {
			one.Differences[i] = loader.WithoutCredentials(one.Differences[i])
		}
		c.add(&passage, one)
	}
	for i, list := range c.members {
		together := united(list)
		c.out[i].Count -= len(list) - len(together)
		for _, m := range together {
			c.out[i].Requests = append(c.out[i].Requests, m.String())
		}
		slices.Sort(c.out[i].Requests)
		for at, text := range c.out[i].Requests {
			c.out[i].Requests[at] = loader.WithoutCredentials(text)
		}
	}
	worstFirst(c.out)
	return c.out
}

// classKey is equal for requests of one class.
type classKey struct {
	class, perhaps             plan.RequestClass
	before, after, differences string
}

func classKeyOf(passage *answer.Passage, one *plan.RequestChange) classKey {
	k := classKey{class: one.Class, perhaps: one.Perhaps, differences: strings.Join(slices.Concat(one.Differences, one.Unknown), "\n")}
	switch {
	case passage.Kept:
	case passage.Before == nil || passage.After == nil || one.Before.Gateway != one.After.Gateway:
		k.before, k.after = gatewayName(one.Before), gatewayName(one.After)
		k.differences += fmt.Sprint(one.Unprotected, one.Certain)
	default:
		k.before, k.after = one.Before.Rule, one.After.Rule
	}
	return k
}

// classing collects classes of requests.
type classing struct {
	pair *rule.Pair
	out  []plan.RequestChange
	at   map[classKey]int
	// seen are the requests of each class, and members those of which its words are made.
	seen    []map[string]bool
	members [][]member
	// redirected says of each class that its example is answered with a redirect.
	redirected []bool
	// Another rule answers by an edit of objects, the same one does something else also by one of policies.
	edits [2]edits
}

func (c *classing) add(passage *answer.Passage, one plan.RequestChange) {
	k := classKeyOf(passage, &one)
	i, known := c.at[k]
	if !known {
		i = len(c.out)
		c.at[k], c.out = i, append(c.out, one)
		c.out[i].Requests = nil
		c.seen, c.members = append(c.seen, map[string]bool{}), append(c.members, nil)
		c.redirected = append(c.redirected, c.redirects(passage))
	}
	class := &c.out[i]
	if c.redirected[i] && !c.redirects(passage) {
		c.redirected[i] = false
		class.Witness, class.Headers, class.Before, class.After = one.Witness, one.Headers, one.Before, one.After
	}
	if len(class.Causes) < maxRequestCauses {
		c.addCauses(class, passage, &one)
	}
	class.Certain = class.Certain && one.Certain
	if c.seen[i][one.Requests[0]] {
		return // at another listener
	}
	c.seen[i][one.Requests[0]] = true
	if class.Count++; len(c.members[i]) < maxRequestWords {
		c.members[i] = append(c.members[i], newMember(passage, one.Requests[0]))
	}
}

// redirects reports whether the example of a passage gets a redirect: one that reaches a backend shows better what differs.
func (c *classing) redirects(passage *answer.Passage) bool {
	side, way := effective.Head, passage.After
	if way == nil {
		side, way = effective.Base, passage.Before
	}
	out := OutcomeOf(c.pair.Difference.Join, side, way, passage.Witness())
	return out.Location != ""
}

// addCauses adds to a class the edits that change who answers one of its requests, or what protects it.
func (c *classing) addCauses(class *plan.RequestChange, passage *answer.Passage, one *plan.RequestChange) {
	policies := 0
	if passage.Kept || one.Effect() == plan.RequestsExposed {
		policies = 1
	}
	if c.edits[policies] == nil {
		c.edits[policies] = editsOf(c.pair.Difference, policies == 1)
	}
	edits, nodes, had := c.edits[policies], answering(c.pair, passage), len(class.Causes)
	if class.Causes = edits.with(class.Causes, guarding(c.pair, passage, one), nodes...); had+len(class.Causes) == 0 {
		class.Causes = edits.of(nodes...)
	}
}

// guarding returns the policy kinds whose protection is all that differs for the requests of a passage, or nil.
func guarding(p *rule.Pair, passage *answer.Passage, one *plan.RequestChange) []*catalogue.Kind {
	if !passage.Kept {
		return nil
	}
	guards := p.Requests().Protection(passage)
	if len(guards.Lost)+len(guards.Other)+len(guards.Gained)+len(guards.Withdrawn) < len(one.Differences) {
		return nil
	}
	return guards.Kinds
}

func worstFirst(list []plan.RequestChange) {
	slices.SortStableFunc(list, func(a, b plan.RequestChange) int {
		return cmp.Or(
			cmp.Compare(a.Class.Rank(), b.Class.Rank()),
			count(a.Redirect)-count(b.Redirect), // a redirect matters less than what it leads to
			strings.Compare(a.Requests[0], b.Requests[0]),
		)
	})
}

// answering names what takes part in answering some requests, before and after.
func answering(p *rule.Pair, passage *answer.Passage) []string {
	var out []string
	for _, w := range []*answer.Way{passage.Before, passage.After} {
		if w != nil {
			out = append(out, w.Rule.String(), w.Route.String(), w.Listener.String(), w.Gateway().String())
		}
	}
	if passage.After == nil {
		for _, n := range p.Requests().Takers(passage) {
			out = append(out, n.String())
		}
	}
	return out
}

// count is 1 for true.
func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

func gatewayName(r *plan.RequestRule) string {
	if r == nil {
		return ""
	}
	return r.Gateway
}

// requestChange describes one passage. It has no class if nothing differs that can be said.
func requestChange(p *rule.Pair, passage *answer.Passage) plan.RequestChange {
	out := knownChange(p, passage)
	doubts := passage.Doubts
	if out.Class == plan.RequestsLost && passage.After == nil {
		doubts = append(slices.Clone(doubts), unrendered(p.Head.Run.Environment, passage.Request.Host)...)
	}
	if ungranted := newlyUngranted(p, passage); len(ungranted) > 0 && out.Class.Rank() > plan.RequestsUnknown.Rank() {
		if out.Class = plan.RequestsUnknown; passage.Before == nil {
			out.Perhaps = plan.RequestsGained
		} else {
			out.Perhaps = plan.RequestsLost
		}
		out.Unknown = append(out.Unknown, ungranted...)
	}
	doubts = append(slices.Clip(doubts), unrouted(p, passage)...)
	if len(doubts) > 0 && out.Class != "" {
		out.Class, out.Perhaps, out.Unknown = plan.RequestsUnknown, out.Effect(), append(out.Unknown, doubts...)
	}
	return out
}

// unrouted says that a Service of a mesh has routes in one revision alone: in the other, the mesh passes all of its requests on to its
// pods (GEP-1294, Default behavior), which is not compared.
func unrouted(p *rule.Pair, passage *answer.Passage) []string {
	for side, way := range []*answer.Way{passage.Before, passage.After} {
		other := []effective.Side{effective.Head, effective.Base}[side]
		if way == nil || []*answer.Way{passage.After, passage.Before}[side] != nil || way.Gateway().Level != hierarchy.LevelFrontend {
			continue
		}
		service, run, joint := way.Gateway().Target, p.Difference.Join.Runs[other], p.Difference.Join.Of(effective.Side(side), way.Gateway())
		_, stays := slices.BinarySearchFunc(run.Environment.Objects, service.ID, func(o *loader.Object, id loader.ID) int { return o.ID.Compare(id) })
		if stays && (joint == nil || joint.Nodes[other] == nil || isUnrouted(joint.Nodes[other])) {
			return []string{fmt.Sprintf("%s has no route %s: a mesh passes its requests on to its pods then", service.Spoken(), []string{"any more", "in base"}[side])}
		}
	}
	return nil
}

func isUnrouted(frontend *hierarchy.Node) bool {
	attaches := func(n *hierarchy.Node) bool { return slices.ContainsFunc(n.Down, (*hierarchy.Edge).Open) }
	return !attaches(frontend) && !slices.ContainsFunc(frontend.Sections, attaches)
}

// newlyUngranted names a backend of which it is not known whether the rule that answers after the change may refer to it, where
// the one before had no such backend.
func newlyUngranted(p *rule.Pair, passage *answer.Passage) []string {
	var out []string
	if passage.After == nil {
		return nil
	}
	known := map[string]bool{}
	if passage.Before != nil {
		for _, e := range passage.Before.Rule.Down {
			known[e.Child.String()] = p.Base.Run.Graph.Ungranted(e)
		}
	}
	for _, e := range passage.After.Rule.Down {
		if p.Head.Run.Graph.Ungranted(e) && !known[e.Child.String()] && len(out) == 0 {
			out = append(out, "whether there is another ReferenceGrant: "+e.Message)
		}
	}
	return out
}

// unrendered names the releases of an environment that are not rendered and whose values name a hostname: a route
// of theirs may answer its requests.
func unrendered(e *loader.Environment, host string) []string {
	var out []string
	for _, g := range e.Gaps {
		if host != "*" && g.HasValue(host) {
			out = append(out, fmt.Sprintf("%s, which is not rendered, names %s", g, host))
		}
	}
	return out
}

// knownChange describes one passage as if there were no doubt about it.
func knownChange(p *rule.Pair, passage *answer.Passage) plan.RequestChange {
	witness := passage.Witness()
	out := plan.RequestChange{
		Requests: []string{passage.Request.Described()}, Witness: witness.String(), Headers: sent(witness),
		Before: requestRule(passage.Before), After: requestRule(passage.After), Certain: true,
	}
	for _, w := range []*answer.Way{passage.Before, passage.After} {
		out.Certain = out.Certain && (w == nil || w.Certain && !p.Requests().Doubts().Uncertain(w.Route) && !p.Requests().Doubts().Unread(w))
	}
	switch {
	case passage.Before == nil:
		gained(p, passage.After, witness, &out)
	case passage.After == nil:
		lost(p, passage.Before, witness, &out)
	default:
		answeredTwice(p, passage, witness, &out)
		addPrograms(p, passage, &out)
	}
	return out
}

// gained describes requests that nothing answered before.
func gained(p *rule.Pair, way *answer.Way, witness *answer.Request, out *plan.RequestChange) {
	after := OutcomeOf(p.Difference.Join, effective.Head, way, witness)
	out.Class, out.Unprotected = plan.RequestsGained, p.Requests().Unprotected(effective.Head, way) && !p.Requests().AlreadyOpen(way)
	if after.Status != 0 {
		what := clauses(fmt.Sprint(after.Status), after.Why)
		if out.Redirect = after.Location != ""; out.Redirect {
			what = fmt.Sprintf("%d, a redirect", after.Status)
		}
		out.Differences = []string{what}
		out.Unprotected = out.Unprotected && after.Location == "" && !failing(&after)
	}
	if failing(&after) {
		out.Class = plan.RequestsChanged
	}
}

// lost describes requests that nothing answers any longer.
func lost(p *rule.Pair, way *answer.Way, witness *answer.Request, out *plan.RequestChange) {
	out.Class = plan.RequestsLost
	switch before := OutcomeOf(p.Difference.Join, effective.Base, way, witness); {
	case before.Location != "":
		out.Redirect = true
		out.Differences = []string{fmt.Sprintf("%d, a redirect, before", before.Status)}
	case failing(&before):
		out.Class = plan.RequestsChanged
		out.Differences = []string{fmt.Sprintf("no rule answers them, which answered with %d before", before.Status)}
	}
}

// answeredTwice describes requests that a rule answers before and after.
func answeredTwice(p *rule.Pair, passage *answer.Passage, witness *answer.Request, out *plan.RequestChange) {
	if b, a := out.Before.Gateway, out.After.Gateway; b != a {
		out.Differences = append(out.Differences, fmt.Sprintf("at %s, at %s before", a, b))
	}
	if b, a := out.Before.Port, out.After.Port; b != a && b != "" && a != "" {
		out.Differences = append(out.Differences, fmt.Sprintf("at port %s, at port %s before", a, b))
	}
	j := p.Difference.Join
	before, after := OutcomeOf(j, effective.Base, passage.Before, witness), OutcomeOf(j, effective.Head, passage.After, witness)
	protection := p.Requests().Protection(passage)
	work := differentWork(&before, &after)
	out.Selected = protection.Selected && len(out.Differences)+len(work) == 0 && passage.Kept
	out.Differences = slices.Concat(out.Differences, protection.Lost, protection.Other, protection.Withdrawn, protection.Gained, work)
	if passage.Kept {
		out.Differences = append(out.Differences, otherSettings(j, passage, len(out.Differences) > 0)...)
	}
	switch {
	case failing(&after) && !failing(&before): // whatever protects them
		out.Class = plan.RequestsLost
	case protection.Loses():
		out.Class = plan.RequestsExposed
	case failing(&before) && !failing(&after):
		out.Class, out.Unprotected = plan.RequestsGained, p.Requests().Unprotected(effective.Head, passage.After)
	case !passage.Kept:
		out.Class = plan.RequestsMoved
		out.Unprotected = p.Requests().Relocated(passage) && !failing(&after) && after.Location == "" && p.Requests().Unprotected(effective.Head, passage.After)
	case len(out.Differences) == 0:
	case len(protection.Gained) == len(out.Differences):
		out.Class = plan.RequestsGuarded
	default:
		out.Class = plan.RequestsChanged
	}
	if len(protection.Other) > 0 && out.Class != plan.RequestsExposed && out.Class != plan.RequestsLost {
		out.Class, out.Perhaps = plan.RequestsUnknown, plan.RequestsExposed
		out.Unknown = append(out.Unknown, "whether that lets more requests in")
	}
}

// addPrograms adds how the programs on the two ways differ. What they do is not computed: where nothing worse is known,
// it is not known what becomes of the requests.
func addPrograms(p *rule.Pair, passage *answer.Passage, out *plan.RequestChange) {
	words, guarded, admits := differentPrograms(p.Requests().Programs(passage))
	switch {
	case len(words) == 0:
	case out.Class == plan.RequestsExposed || out.Class == plan.RequestsLost:
		out.Differences = append(out.Differences, words...)
	case guarded || admits && !p.Requests().Unprotected(effective.Base, passage.Before):
		out.Class, out.Perhaps = plan.RequestsUnknown, plan.RequestsExposed
		out.Unknown = append(out.Unknown, notComputed(words)...)
	case !passage.Kept:
		out.Differences = append(out.Differences, words...)
	default:
		if out.Class != plan.RequestsUnknown {
			out.Class, out.Perhaps = plan.RequestsUnknown, plan.RequestsChanged
		}
		out.Unknown = append(out.Unknown, notComputed(words)...)
	}
}

// failing reports whether the Gateway itself answers with an error.
func failing(a *plan.Answer) bool { return a.Status >= 400 }

func requestRule(w *answer.Way) *plan.RequestRule {
	if w == nil {
		return nil
	}
	at := w.Rule.Position()
	return &plan.RequestRule{Gateway: w.Gateway().String(), Listener: w.Listener.String(), Port: w.Port(), Rule: w.Rule.String(), File: at.File, Line: at.Line}
}

// differentWork lists what rules do differently with a request: the answer, the backends, the steps.
func differentWork(b, a *plan.Answer) []string {
	var out []string
	if b.Status != a.Status || b.Location != a.Location {
		out = append(out, clauses(fmt.Sprintf("%s, %s before", answerWord(a), answerWord(b)), a.Why))
	}
	if was, is := Shares(b), Shares(a); !sameShares(b, a) && a.Status == 0 && b.Status == 0 {
		out = append(out, fmt.Sprintf("goes to %s, to %s before", cmp.Or(is, "no backend"), cmp.Or(was, "no backend")))
	}
	return append(out, differentSteps(b, a)...)
}

// otherSettings lists differences of a rule that the witness does not show: filters whose effect depends on the
// request, objects that filters name, and backends that lead elsewhere. If others is true, of the filters of Gateway
// API only CORS is compared, which depends on the request's origin.
func otherSettings(j *effective.Join, passage *answer.Passage, others bool) []string {
	var out []string
	of := func(w *answer.Way, form string) (filters []*loader.Value) {
		for _, f := range w.Rule.Value.List("filters") {
			if f.Str("type") == form {
				filters = append(filters, f)
			}
		}
		return filters
	}
	var forms []string
	for _, w := range []*answer.Way{passage.Before, passage.After} {
		for _, f := range w.Rule.Value.List("filters") {
			if form := f.Str("type"); !slices.Contains(forms, form) {
				forms = append(forms, form)
			}
		}
	}
	for _, form := range forms {
		if (!others || form == "CORS") && !slices.EqualFunc(of(passage.Before, form), of(passage.After, form), sameFilter) {
			out = append(out, "other filter "+form)
		}
	}
	was, is := passage.Before.Context(), passage.After.Context()
	for _, k := range j.Runs[effective.Head].Attached.Kinds {
		if k.Family != catalogue.FilterFamily {
			continue
		}
		b, a := j.Along(k, effective.Base, was)[hierarchy.LevelRule], j.Along(k, effective.Head, is)[hierarchy.LevelRule]
		if b = effective.Aligned(b, a); b != nil && a != nil && (!merge.Equal(b.Spec, a.Spec) || drawsOther(b, a)) {
			out = append(out, "other settings of its "+k.Name())
		}
	}
	for _, backend := range answer.OtherBackends(j, passage.Before, passage.After) {
		out = append(out, backend.String()+" leads elsewhere")
	}
	return out
}

// sameFilter reports whether two filters are equal but for the case of the names of headers.
func sameFilter(a, b *loader.Value) bool {
	return loader.Equal(a, b) || loader.Equal(foldNames(a), foldNames(b))
}

func foldNames(filter *loader.Value) *loader.Value {
	return filter.Copy(func(v *loader.Value) {
		for _, f := range v.Fields {
			switch {
			case f.Key == "name" && f.Value.Shape == loader.String:
				f.Value.Text = strings.ToLower(f.Value.Text)
			case f.Key == "remove":
				for _, item := range f.Value.Items {
					item.Text = strings.ToLower(item.Text)
				}
			}
		}
	})
}

// drawsOther reports whether the objects differ from which two effective policies draw, such as the middlewares of a chain.
func drawsOther(before, after *effective.Policy) bool {
	differs := false
	change.EachDrawn(before, after, func(_ []effective.Step, b, a *effective.Drawn) {
		differs = differs || !merge.Equal(b.Content(), a.Content())
	})
	return differs
}

// answerWord is what the Gateway itself answers: "404", "302 to https://shop.example.com/".
func answerWord(a *plan.Answer) string {
	switch {
	case a.Location != "":
		return fmt.Sprintf("%d to %s", a.Status, a.Location)
	case a.Status != 0:
		return fmt.Sprint(a.Status)
	}
	return "an answer of the backend"
}
