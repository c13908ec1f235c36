package rule

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// Connections are those that network policies allow in one revision and deny in the other.
type Connections struct {
	Changes []plan.ConnectionChange
	// Exceeded means that there was too much to compare: nothing is known about connections.
	Exceeded bool
	// Uncompared means that nothing was compared: there was too much, or the run could not afford it.
	Uncompared bool
	// ends are the workloads at both ends of each change, by the direction in which their policies decide.
	ends [][2][]loader.ID
	// exposed are the workloads that no policy isolates any more.
	exposed []exposure
	// filtered are the policies whose rules admit other requests.
	filtered []network.FilterChange
}

// exposure is a workload that was isolated in a direction and is no longer.
type exposure struct {
	network.Exposure
	causes []plan.Cause
}

// Connections compares the network policies of both revisions.
func (p *Pair) Connections() *Connections {
	if p.connections != nil {
		return p.connections
	}
	p.connections = &Connections{}
	if p.Base == nil || p.Head == nil || p.Base.Run == p.Head.Run {
		return p.connections
	}
	base, head := p.Base.network(), p.Head.network()
	if !base.HasPolicies() && !head.HasPolicies() || network.Equal(base, head) {
		return p.connections
	}
	leave, ok := p.Head.enter("the comparison of connections")
	if !ok {
		p.connections.Uncompared = true
		return p.connections
	}
	defer leave()
	d := network.Compare(base, head)
	p.connections.Exceeded = d.After.Exceeded()
	p.connections.Uncompared = p.connections.Exceeded
	for _, c := range d.Changes {
		p.connections.Changes = append(p.connections.Changes, p.connectionChange(c))
		p.connections.ends = append(p.connections.ends, [2][]loader.ID{network.Ingress: c.Targets, network.Egress: c.Sources})
	}
	p.connections.filtered = d.Filtered
	for _, e := range d.Exposed {
		p.connections.exposed = append(p.connections.exposed, exposure{e, p.editCauses(e.Edits)})
	}
	return p.connections
}

// network returns what network policies decide on.
func (s *Environment) network() network.Side { return network.Of(s.Run.Environment, s.Run.Graph) }

func (p *Pair) connectionChange(c network.Change) plan.ConnectionChange {
	out := plan.ConnectionChange{
		Class: plan.ConnectionsCut, Except: c.Except, From: c.From, To: c.To, Count: c.Pairs, Causes: p.editCauses(c.Edits),
		Certain: c.Sure && !p.unreadable(c.Edits), Targets: []string{},
	}
	if c.Opened {
		out.Class = plan.ConnectionsOpened
	}
	for _, id := range c.Targets {
		out.Targets = append(out.Targets, id.String())
	}
	for _, r := range c.Ports {
		out.Ports = append(out.Ports, r.String())
	}
	out.Sentence = connectionSentence(&out, &c)
	return out
}

// editCauses are the places of edits. An object whose own content is equal, such as a namespace, has none.
func (p *Pair) editCauses(edits []network.Edit) []plan.Cause {
	var out []plan.Cause
	for _, e := range edits {
		out = append(out, change.CauseOf(e.Before, e.After, change.Options{Content: contentsOf(p.Revisions)}))
	}
	return out
}

// unreadable reports whether an object seems to come or go because a file could not be read, or what deploys it is not rendered.
func (p *Pair) unreadable(edits []network.Edit) bool {
	for _, side := range []*Environment{p.Base, p.Head} {
		if side != nil && slices.ContainsFunc(side.Run.Environment.Gaps, loader.Gap.OfNetworkPolicies) {
			return true // another policy may select the same pods
		}
	}
	lost := func(o *loader.Object, side int) bool {
		return givenBy(o, p.Unreadable[side]) || p.Difference.Unrendered.On(side, o)
	}
	return slices.ContainsFunc(edits, func(e network.Edit) bool {
		return e.After == nil && lost(e.Before, 1) || e.Before == nil && lost(e.After, 0)
	})
}

// givenBy reports whether one of some files declares an object, or a deployer of it.
func givenBy(o *loader.Object, files map[string]bool) bool {
	if len(o.Files) > 0 && files[o.Files[0]] {
		return true
	}
	for d := o.Deployer; d != nil; d = d.Parent {
		if files[d.At.File] {
			return true
		}
	}
	return false
}

// maxEnds is how many ends of connections a sentence names.
const maxEnds = 3

// connectionSentence says what changes: "everything in namespace web can now connect to Deployment
// shop/cart on 8080/TCP".
func connectionSentence(c *plan.ConnectionChange, of *network.Change) string {
	text := fmt.Sprintf("%s can now connect to %s on %s", ends(c.From), ends(c.To), portWords(of.Ports, "every port"))
	if len(of.SoFar) > 0 {
		text += ", so far only on " + of.SoFar.String()
	}
	if on := portWords(of.Ports, "any port"); c.Class == plan.ConnectionsCut {
		ofThese := " on " + on
		if of.Ports.All() {
			ofThese = "" // some of those that still can have ports of their own
		}
		switch {
		case len(of.StillFrom) > 0:
			text = fmt.Sprintf("only %s can still connect to %s%s", spelling.And(of.StillFrom), ends(c.To), ofThese)
		case len(of.StillTo) > 0:
			text = fmt.Sprintf("%s can still connect only to %s%s", ends(c.From), spelling.And(of.StillTo), ofThese)
		case len(of.Now) > 0:
			text = fmt.Sprintf("%s can now connect to %s only on %s", ends(c.From), ends(c.To), of.Now)
		case slices.Equal(c.From, []string{network.Anything}):
			text = fmt.Sprintf("nothing can connect to %s on %s now", ends(c.To), on)
		default:
			text = fmt.Sprintf("%s can no longer connect to %s on %s", ends(c.From), anyOf(ends(c.To)), on)
		}
	}
	if len(c.Except) > 0 {
		text += ", except " + spelling.And(c.Except)
	}
	if !c.Certain {
		text = "perhaps " + text
		if of.DependsOn != "" {
			text += "; it depends on " + of.DependsOn
		}
	}
	return text
}

func ends(list []string) string {
	short := make([]string, len(list))
	for i, end := range list {
		short[i] = shortEnd(end)
	}
	switch n := len(list); {
	case n == 0:
		return "nothing"
	case n <= maxEnds:
		return spelling.And(short)
	}
	return spelling.AtMost(maxEnds-1, short)
}

// maxEnd is the length in characters up to which an end is written with its exceptions. A longer end is shortened, so
// that a report which cuts the sentence still shows what comes after the end.
const maxEnd = 120

func shortEnd(end string) string {
	if whole, _, excepting := strings.Cut(end, " but "); excepting && utf8.RuneCountInString(end) > maxEnd {
		return whole + ", with exceptions,"
	}
	return end
}

// anyOf words an end for a sentence that denies: "no longer to every pod" would leave some.
func anyOf(end string) string {
	if rest, every := strings.CutPrefix(end, "every "); every {
		return "any " + rest
	}
	return end
}

// portWords describes ports; all is the word for all of them. If only a few ports are missing, it names these.
func portWords(p network.Ports, all string) string {
	rest := p.Rest()
	switch {
	case p.All():
		return all
	case len(rest) > 0 && len(p) > maxEnds && len(rest) < len(p):
		return all + " but " + rest.String()
	}
	return p.String()
}

// causePlace returns the line of a finding about an edit: the line of the diff that shows the edit, or the cause
// itself.
func (p *Pair) causePlace(causes []plan.Cause) (at loader.Position, inBase bool) {
	for _, c := range causes {
		if at, ok := p.shownEdit(c); ok {
			return at, false
		}
	}
	if len(causes) == 0 {
		return loader.Position{}, false
	}
	c := causes[0]
	return c.Position(), c.Side == plan.InBase
}

// shownEdit returns the line of the diff that shows a cause.
func (p *Pair) shownEdit(c plan.Cause) (loader.Position, bool) {
	at := c.Position()
	if p.Lines.Hunks == nil {
		return at, c.Side != plan.InBase
	}
	if c.Side == plan.InBase {
		return p.Lines.removed(at)
	}
	return at, true
}
