package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

var parametersNotFound = &Rule{
	ID:       "parameters-not-found",
	Title:    "A class or Gateway refers to parameters that do not exist",
	Severity: plan.Error,
	Why: "The object is not accepted (Gateway API, InvalidParameters). What is below it gets the controller's defaults " +
		"or does not work at all: that is the controller's own. Found where the input is complete (--complete), and where parameters of almost " +
		"that name are in it: then it is a warning, or an error if the change brings it about.",
	Fix: "Correct parametersRef, or add the object it names.",
	Check: func(s *Environment, report Report) {
		conditions(hierarchy.Accepted, "InvalidParameters")(s, report)
		misspeltParameters(s, report)
	},
	Stops: func(p *Pair, node string) bool { return p.Base != nil && p.Base.object(node) != nil },
}

// misspeltParameters reports references to parameters that are not in the input if some with a similar name are.
func misspeltParameters(s *Environment, report Report) {
	judge := func(n *hierarchy.Node, ref *loader.Value, namespace string) {
		id := loader.ID{Group: ref.Str("group"), Kind: ref.Str("kind"), Namespace: namespace, Name: ref.Str("name")}
		if ref.IsNull() || n.Object == nil || s.Run.Graph.Exists(id) || s.Run.Graph.External(id) {
			return
		}
		if similar := s.Run.Graph.Similar(id); similar != "" {
			report(Hit{
				Target: n.String(), Key: []string{id.String()}, At: n.Object.Position(ref), Object: n.Object, Severity: plan.Warning, Involves: []loader.ID{id},
				Title: say("%s names %s, which is not in the input%s", n, id, spelling.Meant(similar)),
			})
		}
	}
	s.nodes(hierarchy.LevelGatewayClass, func(class *hierarchy.Node) {
		ref := class.Value.Get("parametersRef")
		judge(class, ref, ref.Str("namespace"))
	})
	s.nodes(hierarchy.LevelGateway, func(gateway *hierarchy.Node) {
		judge(gateway, gateway.Value.Get("infrastructure", "parametersRef"), gateway.Namespace())
	})
}
