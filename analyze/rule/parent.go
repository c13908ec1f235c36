package rule

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// refused is a parentRef that nobody accepts.
type refused struct {
	route *hierarchy.Node
	hierarchy.Parent
}

// Refusals that a controller does not tell from NoMatchingParent, or of which it
// says nothing.
const (
	setRefused   = "ListenerSetRefused"
	listenerLost = "ListenerConflicted"
)

// refusedParents is a rule's check for parentRefs that are refused for some
// reasons.
func refusedParents(reasons ...string) func(*Environment, Report) {
	return func(s *Environment, report Report) {
		for _, r := range s.refusals() {
			why := r.why()
			if !slices.Contains(reasons, why) {
				continue
			}
			message := fmt.Sprintf("%s is not admitted by %s (%s): %s", r.route, r.Target, r.Accepted.Reason, r.Accepted.Message)
			switch why {
			case setRefused:
				message = fmt.Sprintf("%s is not admitted by %s, which is not accepted itself: %s", r.route, r.Target, r.Accepted.Message)
			case listenerLost:
				message = fmt.Sprintf("%s is not admitted by %s (%s): the listener lost a conflict with another one", r.route, r.Target, r.Accepted.Reason)
			}
			report(Hit{
				Target: r.route.String(), Key: r.key(), At: r.place(why), Object: r.route.Object, Message: message,
			})
		}
	}
}

// why is the reason of a refusal, told more exactly than in a status. A parent
// that does not exist has a rule of its own.
func (r *refused) why() string {
	reason := r.Accepted.Reason
	switch {
	case r.Target.Object == nil:
		return ""
	case r.Target.Level == hierarchy.LevelListenerSet && refusedSet(r.Target):
		return setRefused
	case reason == "NoMatchingParent" && r.names(r.field("sectionName"), r.field("port")):
		return listenerLost
	}
	return reason
}

// names says whether the parent has a listener of a name and port, each of which
// may be left out.
func (r *refused) names(section, port string) bool {
	return slices.ContainsFunc(r.Target.Sections, func(n *hierarchy.Node) bool {
		return n.Level == hierarchy.LevelListener && n.Value != nil &&
			(section == "" || n.Target.Section == section) && (port == "" || text(n.Value.Get("port")) == port)
	})
}

func (r *refused) field(name string) string { return text(r.Ref.Get(name)) }

// text is a scalar as it is written.
func text(v *loader.Value) string {
	if v == nil {
		return ""
	}
	return v.Text
}

// key tells refusals of one route apart, also those by listeners of one parent.
func (r *refused) key() []string {
	key := []string{r.Accepted.Reason, r.Target.String()}
	for _, field := range []string{"sectionName", "port"} {
		if value := r.field(field); value != "" {
			key = append(key, field, value)
		}
	}
	return key
}

// place is the line to change: what names no listener, the hostnames of a route
// with one parent, else the parentRef.
func (r *refused) place(why string) loader.Position {
	o := r.route.Object
	section, port := r.Ref.Get("sectionName"), r.Ref.Get("port")
	switch {
	case why == "NoMatchingListenerHostname" && len(r.route.Value.List("parentRefs")) == 1:
		return o.Position(r.route.Value.Get("hostnames"))
	case why == "NoMatchingParent" && !section.IsEmpty() && (port.IsEmpty() || !r.names(section.Text, "")):
		return o.Position(section)
	case why == "NoMatchingParent" && !port.IsEmpty():
		return o.Position(port)
	}
	return r.Accepted.Position()
}

// refusedSet says whether the Gateway of a ListenerSet does not take it.
func refusedSet(set *hierarchy.Node) bool {
	return slices.ContainsFunc(set.Up, func(e *hierarchy.Edge) bool { return !e.Open() })
}

// refusals are the refused parentRefs of all routes.
func (s *Environment) refusals() []refused {
	if s.refused == nil {
		s.refused = []refused{}
		s.nodes(hierarchy.LevelRoute, func(route *hierarchy.Node) {
			if !slices.ContainsFunc(route.Up, func(e *hierarchy.Edge) bool { return !e.Open() }) {
				return
			}
			for _, p := range s.Run.Graph.Parents(route) {
				if p.Accepted.Status == fact.False {
					s.refused = append(s.refused, refused{route: route, Parent: p})
				}
			}
		})
	}
	return s.refused
}
