package answer

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/internal/dns"
	"github.com/gwplan/gwplan/loader"
)

// Passage is a set of requests that another rule, or another listener, answers after a change.
type Passage struct {
	// Request describes the set, Witness returns one of its requests.
	Request *Way
	Witness func() *Request
	// Except returns the parts of the set that other rules answer.
	Except func() []*Match
	// Before and After are nil if no rule answers. Kept is true if the same rule answers, but does
	// something else.
	Before, After *Way
	Kept          bool
	// Doubts say why it is not known whether such requests exist: the conditions of a match could not be compared with
	// those of others, or it is not known which route is older.
	Doubts []string
	// Tied means that nothing but the ages of routes, which are not known, decides whether there are such requests.
	Tied bool
}

// maxSteps limits how many conditions are looked at for one change, and hostSteps how many of them for one
// hostname, so that one with hostile matches leaves enough for the others.
const (
	maxSteps  = 20_000_000
	hostSteps = maxSteps / 5
)

// Passages returns the requests that are answered differently after a change, at hostnames that the
// change touches. It returns none if one side is missing. reworked tells of the rules, routes, listeners and
// Gateways whose policies differ; it may be nil. left are ways whose requests were not compared, because there
// are too many.
func Passages(j *effective.Join, reworked func(*hierarchy.Node) bool) (passages []Passage, left []*Way) {
	return passagesWithin(j, reworked, maxSteps)
}

func passagesWithin(j *effective.Join, reworked func(*hierarchy.Node) bool, steps int) (passages []Passage, left []*Way) {
	if j == nil || j.Runs[effective.Base] == nil || j.Runs[effective.Head] == nil {
		return nil, nil
	}
	if reworked == nil {
		reworked = func(*hierarchy.Node) bool { return false }
	}
	c := &comparison{join: j, steps: steps, policies: reworked, reworked: map[wayJoint]bool{}, patterns: patterns{}}
	c.touched()
	for _, e := range c.entries() {
		c.compare(e)
	}
	return c.settled(), c.left
}

// comparison compares two runs.
type comparison struct {
	join     *effective.Join
	steps    int
	passages []Passage
	left     []*Way
	// changed are the routes that differ, reworked the rules that do something else at a listener, as far
	// as they were looked at. policies tells of the nodes whose policies differ.
	changed map[*effective.Joint]bool
	// touching caches touches, by the route.
	touching map[*effective.Joint]bool
	// elsewhere are the backends, of both sides, that lead elsewhere.
	elsewhere map[*hierarchy.Node]bool
	reworked  map[wayJoint]bool
	policies  func(*hierarchy.Node) bool
	patterns  patterns
}

// entry is where requests arrive, in both revisions: the joined Gateway or Service, the port, and the
// family of protocols. Families do not compete.
type entry struct {
	gateway *effective.Joint
	port    string
	family  string
}

// family names the protocols of listeners that compete for requests by their hostnames: a listener that ends
// TLS and one that lets it pass do.
func family(protocol string) string {
	switch protocol {
	case "TCP", "UDP":
		return protocol
	}
	return "HTTP"
}

// joined is an entry with its listeners in both revisions.
type joined struct {
	entry
	ports [2]*Port
	// listeners are the listeners by hostname.
	listeners [2]map[string]*Table
	// ends are how its hostnames end from a variable on, nil until first used.
	ends map[string]bool
}

// ofSeveralEnds reports whether hostnames of the entry end with different variables, or some with none: two of them may
// then be one. It is found once.
func (e *joined) ofSeveralEnds() bool {
	if e.ends == nil {
		e.ends = map[string]bool{}
		add := func(name string) {
			if name != "*" {
				e.ends[hierarchy.VariableEnd(name)] = true
			}
		}
		for _, listeners := range e.listeners {
			for _, t := range listeners {
				for _, n := range t.Listeners {
					add(folded(cmp.Or(n.Value.Str("hostname"), "*")))
				}
				for _, edge := range t.edges {
					for _, name := range edge.HostsAt() {
						add(folded(name))
					}
				}
			}
		}
	}
	return len(e.ends) > 1
}

// altered reports whether rules are chosen in another way after the change: by another controller, or by
// another order.
func (e *joined) altered() bool {
	b, a := e.ports[effective.Base], e.ports[effective.Head]
	return b != nil && a != nil && (!reflect.DeepEqual(b.own, a.own) || b.preserves() != a.preserves())
}

// entries joins the ports of both revisions, in the order of base, then of head.
func (c *comparison) entries() []*joined {
	var out []*joined
	found := map[entry]*joined{}
	for side, run := range c.join.Runs {
		for _, p := range Ports(run.Graph) {
			for _, t := range p.Tables {
				key := entry{gateway: c.join.Of(effective.Side(side), p.Gateway), port: cmp.Or(p.Number, portText(t.Listeners[0])), family: family(t.Protocol)}
				e := found[key]
				if e == nil {
					e = &joined{entry: key, listeners: [2]map[string]*Table{{}, {}}}
					found[key], out = e, append(out, e)
				}
				e.ports[side] = p
				if e.listeners[side][t.Hostname] == nil {
					e.listeners[side][t.Hostname] = t
				}
			}
		}
	}
	return out
}

func (e *joined) fallsThrough() bool {
	return slices.ContainsFunc(e.ports[:], func(p *Port) bool { return p != nil && p.own.FallsThrough })
}

// compare compares what the revisions answer at an entry, hostname by hostname.
func (c *comparison) compare(e *joined) {
	type pair struct{ before, after *Host }
	compared := map[pair]bool{}
	for _, name := range c.hostnames(e) {
		var hosts [2]*Host
		for side := range hosts {
			hosts[side] = e.find(side, name)
		}
		if at := (pair{hosts[0], hosts[1]}); compared[at] {
			continue
		} else {
			compared[at] = true
		}
		if c.steps <= 0 {
			c.leave(hosts)
			continue
		}
		c.compareHosts(e, name, hosts)
	}
}

// hostnames are those at which an answer may differ: those of routes that differ, of listeners that differ or
// that only one revision has, and the ones below the latter. Names come before wildcards. A name with a variable
// that is not resolved counts as a name of its own.
func (c *comparison) hostnames(e *joined) []string {
	wanted, all := map[string]bool{}, map[string]bool{}
	var odd []string
	altered := e.altered()
	var serving [2]map[*effective.Joint]bool
	for side, listeners := range e.listeners {
		serving[side] = map[*effective.Joint]bool{}
		for _, t := range listeners {
			for _, n := range t.Listeners {
				serving[side][c.join.Of(effective.Side(side), n)] = true
			}
		}
	}
	for side, listeners := range e.listeners {
		for hostname, t := range listeners {
			if e.listeners[1-side][hostname] == nil {
				odd = append(odd, hostname)
				wanted[hostname] = true
			}
			for _, e := range t.edges {
				// A listener may serve in one revision only, although nobody edited it: others conflicted with it.
				touched := altered || !serving[1-side][c.join.Of(effective.Side(side), e.Parent)] ||
					c.remade(effective.Side(side), e.Parent) || touchesBelow(c, effective.Side(side), e.Child, map[*hierarchy.Node]bool{})
				for _, name := range e.HostsAt() {
					name = folded(name)
					all[name] = true
					wanted[name] = wanted[name] || touched
				}
			}
		}
	}
	for name := range all {
		wanted[name] = wanted[name] || slices.ContainsFunc(odd, func(hostname string) bool { return hostname == "*" || dns.Covers(hostname, name) })
	}
	if e.fallsThrough() {
		// What a hostname does not answer, wider ones answer.
		changed := maps.Clone(wanted)
		for name := range all {
			for at := name; at != "*" && !wanted[name]; {
				at = wider(at)
				wanted[name] = changed[at]
			}
		}
	}
	var out []string
	for name, ok := range wanted {
		if ok {
			out = append(out, name)
		}
	}
	slices.SortFunc(out, moreSpecific)
	return out
}

// find returns the hostname of routes that answers requests for a name or for a wildcard, at the listener
// that takes them.
func (e *joined) find(side int, name string) *Host {
	listener := widest(name, func(name string) *Table { return e.listeners[side][name] })
	if listener == nil {
		return nil
	}
	return listener.answering(name)
}

// widest returns what is known for a hostname, or else for the next wildcard that covers it, and so on
// up to "*".
func widest[T any](name string, known func(string) *T) *T {
	for {
		if found := known(name); found != nil || name == "*" {
			return found
		}
		name = wider(name)
	}
}

// wider returns the next wildcard that covers a hostname: *.b.c for a.b.c, *.c for *.b.c, and
// finally "*".
func wider(host string) string {
	_, rest, found := strings.Cut(strings.TrimPrefix(host, "*."), ".")
	if !found {
		return "*"
	}
	return "*." + rest
}

// leave notes the ways of routes that differ, of head if it has the hostname.
func (c *comparison) leave(hosts [2]*Host) {
	for side, h := range slices.Backward(hosts[:]) {
		if h == nil {
			continue
		}
		for _, w := range h.Ways {
			if w.unfollowed || c.touches(effective.Side(side), w.Route) {
				c.left = append(c.left, w)
			}
		}
		return
	}
}

// compareHosts compares the ways of a hostname, path by path.
func (c *comparison) compareHosts(e *joined, name string, hosts [2]*Host) {
	if slices.ContainsFunc(hosts[:], func(h *Host) bool { return h != nil && h.exceeded }) {
		c.leave(hosts)
		return
	}
	steps := min(c.steps, hostSteps)
	whole := steps
	defer func() { c.steps -= whole - max(steps, 0) }()
	for _, namespace := range callers(hosts) {
		if !c.compareFrom(e, name, namespace, hosts, &steps) {
			c.leave(hosts)
			return
		}
	}
}

// callers returns the namespaces that have ways of their own to one of two hostnames, in a mesh, and "" for all others.
func callers(hosts [2]*Host) []string {
	out := []string{""}
	for _, h := range hosts {
		if h == nil {
			continue
		}
		for _, w := range h.Ways {
			if !slices.Contains(out, w.Callers) {
				out = append(out, w.Callers)
			}
		}
	}
	return out
}

// compareFrom compares the ways of the requests of a namespace. It returns false if that takes too many steps.
func (c *comparison) compareFrom(e *joined, name, namespace string, hosts [2]*Host, steps *int) bool {
	var lists [2][]*Way
	ties := e.ties()
	for side, h := range hosts {
		if h != nil {
			lists[side] = h.takersFrom(namespace)
		}
	}
	if !e.altered() && c.equal(lists) {
		return true
	}
	found, whole := c.compareLists(e, name, namespace, lists, steps)
	for side, ways := range lists {
		ties.find(effective.Side(side), ways, func(route *hierarchy.Node) bool { return c.touches(effective.Side(side), route) })
	}
	worlds := [][]Passage{found}
	for _, oldest := range ties.oldest() {
		if !whole {
			break
		}
		var other [2][]*Way
		for side, ways := range lists {
			other[side] = ties.with(oldest, effective.Side(side), ways)
		}
		found, whole = c.compareLists(e, name, namespace, other, steps)
		worlds = append(worlds, found)
	}
	c.passages = append(c.passages, ties.merge(c, worlds)...)
	return whole
}

// compareLists compares the ways of the requests of a namespace to a hostname, in order of precedence. It returns false if that
// takes too many steps.
func (c *comparison) compareLists(e *joined, name, namespace string, lists [2][]*Way, steps *int) (passages []Passage, whole bool) {
	var indexes [2]*index
	for side, ways := range lists {
		indexes[side] = newIndex(ways, c.patterns, steps)
	}
	type pair struct{ before, after *Way }
	found := map[pair]int{}
	for _, a := range atoms(indexes[0], indexes[1]) {
		w := walk{steps: steps, patterns: c.patterns, lists: [2][]taker{indexes[0].accepting(lists[0], a), indexes[1].accepting(lists[1], a)}}
		if c.equalTakers(w.lists) {
			continue
		}
		w.found = func(before, after *Way) {
			at := pair{before, after}
			i, known := found[at]
			kept := c.same(before, after)
			doubts := w.doubts()
			if known && (len(doubts) > 0 || len(passages[i].Doubts) == 0) || kept && (before == nil || !c.rework(before, after)) {
				return
			}
			decided := slices.Clone(w.decided)
			both := e.both(before, after, name)
			both.Callers = namespace
			passage := Passage{
				Request: both, Before: before, After: after, Kept: kept, Doubts: doubts, Except: excepting(lists, before, after, both.Match),
				Witness: func() *Request { return witness(e, name, a, decided, both, cmp.Or(after, before)) },
			}
			if loader.Placeholder(name) && e.ofSeveralEnds() {
				passage.Doubts = append(passage.Doubts, "hostname "+name+" holds a variable that is not resolved")
			}
			if known {
				passages[i] = passage // one that is known to exist
				return
			}
			found[at] = len(passages)
			passages = append(passages, passage)
		}
		w.run([2]int{})
		if *steps <= 0 {
			return passages, false
		}
	}
	return passages, true
}

// equalTakers reports whether the ways of two lists are equal, as far as it is known that they accept the
// path.
func (c *comparison) equalTakers(lists [2][]taker) bool {
	return slices.EqualFunc(lists[0], lists[1], func(b, a taker) bool { return b.unsure == a.unsure && c.alike(b.Way, a.Way) })
}

// equal reports whether two lists have the same matches of the same rules at the same listeners.
func (c *comparison) equal(lists [2][]*Way) bool {
	return slices.EqualFunc(lists[0], lists[1], c.alike)
}

func (c *comparison) alike(b, a *Way) bool {
	return c.same(b, a) && b.Match.equal(a.Match) && !c.rework(b, a)
}

func (m *Match) equal(o *Match) bool {
	return m.Form == o.Form && m.Path == o.Path && m.Method == o.Method && slices.Equal(m.Headers, o.Headers) && slices.Equal(m.Params, o.Params) && slices.Equal(m.Cookies, o.Cookies)
}

// same reports whether the same rule answers at the same listener on both sides.
func (c *comparison) same(before, after *Way) bool {
	if before == nil || after == nil {
		return before == after
	}
	return c.join.Of(effective.Base, before.Rule) == c.join.Of(effective.Head, after.Rule) &&
		c.join.Of(effective.Base, before.Listener) == c.join.Of(effective.Head, after.Listener)
}

// both returns the requests that two ways take, at a hostname. Those of a mesh are for a Service.
func (e *joined) both(before, after *Way, name string) *Way {
	out := *cmp.Or(before, after)
	out.Host = name
	if at := out.Listener.Target; out.Listener.Level == hierarchy.LevelFrontend || out.Listener.Level == hierarchy.LevelFrontendPort {
		out.Host = at.Name + "." + at.Namespace
	}
	if before == nil || after == nil {
		return &out
	}
	m, o := *before.Match, *after.Match
	switch {
	case m.Covers(&o):
		m = o
	case !o.Covers(&m):
		// Each has a condition that the other does not have.
		switch {
		case m.Form == prefix && (o.Form == exact || o.Form == prefix && len(o.Path) > len(m.Path)):
			m.Form, m.Path, m.shown = o.Form, o.Path, o.shown
		case m.Form == regex && o.Form == exact:
			m.Form, m.Path, m.shown = o.Form, o.Path, o.shown
		case !m.samePath(&o) && (m.Form == regex && o.path() != "/*" || o.Form == regex && m.path() != "/*"):
			m.shown = strings.TrimPrefix(m.path(), "~") + " and " + o.path()
			if m.Form != regex {
				m.Form, m.Path = o.Form, o.Path
				m.shown = strings.TrimPrefix(o.path(), "~") + " and " + before.Match.path()
			}
		case m.Form == prefix && o.Form == regex:
			m.Form, m.Path, m.shown = o.Form, o.Path, o.shown
		}
		m.Method = cmp.Or(m.Method, o.Method)
		m.Headers, m.Params, m.Cookies = union(m.Headers, o.Headers), union(m.Params, o.Params), union(m.Cookies, o.Cookies)
	}
	out.Match = &m
	return &out
}

func union(a, b []Condition) []Condition {
	out := slices.Clone(a)
	for _, c := range b {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}
