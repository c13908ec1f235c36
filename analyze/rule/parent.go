package rule

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// refused is a parentRef that no parent accepts.
type refused struct {
	route *hierarchy.Node
	hierarchy.Parent
}

// Refusals for which controllers report NoMatchingParent, or no reason at all.
const (
	setRefused   = "ListenerSetRefused"
	listenerLost = "ListenerConflicted"
)

// refusedParents returns the check of a rule for parentRefs that are refused for one of some
// reasons.
func refusedParents(reasons ...string) func(*Environment, Report) {
	return func(s *Environment, report Report) {
		for _, r := range s.refusals() {
			why := r.why()
			if !slices.Contains(reasons, why) {
				continue
			}
			statement, detail := say("is not admitted by %s (%s): %s", r.Target, r.Accepted.Reason, r.Accepted.Message), ""
			if n := r.refusing(); n > 1 {
				statement, detail = say("is not admitted by %s (%s): none of its %d listeners takes it", r.Target, r.Accepted.Reason, n), r.Accepted.Message
			}
			switch why {
			case setRefused:
				statement = say("is not admitted by %s, which is not accepted itself: %s", r.Target, r.Accepted.Message)
			case listenerLost:
				statement = say("is not admitted by %s (%s): the listener lost a conflict with another one", r.Target, r.Accepted.Reason)
			}
			report(Hit{
				Target: r.route.String(), Key: r.key(), At: r.place(why), Object: r.route.Object, Title: r.route.Spoken() + " " + statement, Detail: detail,
				Subject: r.route.Spoken(), Statement: statement,
			})
		}
	}
}

// refusing returns how many listeners do not allow the route, if the reference names none of them.
func (r *refused) refusing() int {
	if r.Ref.Get("sectionName") != nil || r.Accepted.Reason != hierarchy.NotAllowedByListeners {
		return 0
	}
	n := 0
	for _, e := range r.route.Up {
		if e.Ref == r.Ref && e.Admitted == fact.False {
			n++
		}
	}
	return n
}

// why returns the reason of a refusal, more exactly than the status does. It returns "" for a
// parent that does not exist: another rule reports it.
func (r *refused) why() string {
	reason := r.Accepted.Reason
	switch {
	case r.Target.Object == nil:
		return ""
	case r.Target.Level == hierarchy.LevelListenerSet && refusedSet(r.Target):
		return setRefused
	case reason == hierarchy.NoMatchingParent && r.names(r.field("sectionName"), r.field("port")):
		return listenerLost
	}
	return reason
}

// names reports whether the parent has a listener with this name and port. An empty one matches
// any.
func (r *refused) names(section, port string) bool {
	return slices.ContainsFunc(r.Target.Sections, func(n *hierarchy.Node) bool {
		return n.Level == hierarchy.LevelListener && n.Value != nil &&
			(section == "" || n.Target.Section == section) && (port == "" || text(n.Value.Get("port")) == port)
	})
}

func (r *refused) field(name string) string { return text(r.Ref.Get(name)) }

// text returns a scalar as written.
func text(v *loader.Value) string {
	if v == nil {
		return ""
	}
	return v.Text
}

// key distinguishes the refusals of one route, including those by listeners of one parent.
func (r *refused) key() []string {
	key := []string{r.Accepted.Reason, r.Target.String()}
	for _, field := range []string{"sectionName", "port"} {
		if value := r.field(field); value != "" {
			key = append(key, field, value)
		}
	}
	return key
}

// place returns the line to change: the sectionName or port that matches no listener, the hostnames
// of a route with only one parent, else the parentRef.
func (r *refused) place(why string) loader.Position {
	o := r.route.Object
	section, port := r.Ref.Get("sectionName"), r.Ref.Get("port")
	switch {
	case why == "NoMatchingListenerHostname" && len(r.route.Value.List("parentRefs")) == 1:
		return o.Position(r.route.Value.Get("hostnames"))
	case why == hierarchy.NoMatchingParent && !section.IsEmpty() && (port.IsEmpty() || !r.names(section.Text, "")):
		return o.Position(section)
	case why == hierarchy.NoMatchingParent && !port.IsEmpty():
		return o.Position(port)
	}
	return r.Accepted.Position()
}

// refusedSet reports whether the Gateway of a ListenerSet refuses it.
func refusedSet(set *hierarchy.Node) bool {
	return slices.ContainsFunc(set.Up, func(e *hierarchy.Edge) bool { return !e.Open() })
}

// refusals returns the refused parentRefs of all routes. It leaves out those to a Gateway that is not translated at
// all, because that is reported once, for the Gateway.
func (s *Environment) refusals() []refused {
	if s.refused == nil {
		s.refused = []refused{}
		s.nodes(hierarchy.LevelRoute, func(route *hierarchy.Node) {
			if !slices.ContainsFunc(route.Up, func(e *hierarchy.Edge) bool { return !e.Open() }) {
				return
			}
			for _, p := range s.Run.Graph.Parents(route) {
				if p.Accepted.Status == fact.False && s.Run.Graph.Translated(p.Target) {
					s.refused = append(s.refused, refused{route: route, Parent: p})
				}
			}
		})
	}
	return s.refused
}
