package hierarchy

import (
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// addDelegate follows a parentRef to another route, which passes requests on to
// this one by a backendRef (kgateway and agentgateway, route delegation). The
// contexts that lead through the other route are not built: what is known is
// whether it takes this one.
func (g *Graph) addDelegate(a attachment, id loader.ID) {
	parent := g.object(id, LevelGateway)
	e := Edge{Admitted: False, Reason: noMatchingParent, Message: id.String() + " passes nothing on to this route"}
	if g.delegates(parent, a.route) {
		e = Edge{Admitted: Unknown, Reason: delegated, Message: "what reaches the route through " + id.String() + " is not followed"}
	}
	a.link(parent, e)
}

// delegates says whether some backendRef of a route selects another: by name, by
// "*" for all of a namespace, or by a label KEY=VALUE.
func (g *Graph) delegates(parent, child *Node) bool {
	for _, rule := range parent.Value.List("rules") {
		for _, ref := range rule.List("backendRefs") {
			id := BackendID(ref, parent.Namespace())
			if id.Kind != child.Target.Kind || id.Namespace != child.Namespace() {
				continue
			}
			key, value, labelled := strings.Cut(id.Name, "=")
			if id.Name == "*" || id.Name == child.Target.Name || labelled && child.Object.Labels()[key] == value {
				return true
			}
		}
	}
	return false
}
