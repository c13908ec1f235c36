package hierarchy

import (
	"slices"

	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// OwnRoutes counts the objects of implementation-specific route kinds that a listener accepts:
// those whose kind its allowedRoutes lists and that reference it as a parent, in any namespace
// (agentgateway controller/pkg/agentgateway/translator/model_collections.go).
func (l *listeners) OwnRoutes(listener *Node) int {
	own := l.Implementation(GatewayOf(listener))
	if len(own.Listeners.OwnKinds) == 0 {
		return 0
	}
	count := 0
	for _, allowed := range listener.Value.List("allowedRoutes", "kinds") {
		kind := implementation.Kind{Group: groupOf(allowed, loader.GatewayGroup), Name: allowed.Str("kind")}
		if !slices.Contains(own.Listeners.OwnKinds, kind) {
			continue
		}
		for _, o := range l.AllOf(kind.Group, kind.Name) {
			if namesListener(o, listener) {
				count++
			}
		}
	}
	return count
}

func namesListener(o *loader.Object, listener *Node) bool {
	return slices.ContainsFunc(o.Spec().List("parentRefs"), func(ref *loader.Value) bool {
		section, port := ref.Str("sectionName"), ref.Get("port")
		return ParentID(ref, o.ID.Namespace) == listener.Target.ID && (section == "" || section == listener.Target.Section) &&
			(port.IsNull() || port.Text == textOf(listener.Value.Get("port")))
	})
}
