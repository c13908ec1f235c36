package rule

import (
	"slices"

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
		"that name are in it, or the change brings the reference alone: then it is a warning, or an error if there were parameters before.",
	Fix: "Correct parametersRef, or add the object it names.",
	Check: func(s *Environment, report Report) {
		conditions(hierarchy.Accepted, "InvalidParameters")(s, report)
		misspeltParameters(s, report)
	},
	Stops: func(p *Pair, node string) bool { return p.Base != nil && hadParameters(p.Base, node) },
}

// parametersOf calls visit with each class and Gateway, the place of its parametersRef and what this names.
func parametersOf(s *Environment, visit func(n *hierarchy.Node, ref *loader.Value, id loader.ID)) {
	one := func(n *hierarchy.Node, ref *loader.Value, namespace string) {
		if !ref.IsNull() {
			visit(n, ref, loader.ID{Group: ref.Str("group"), Kind: ref.Str("kind"), Namespace: namespace, Name: ref.Str("name")})
		}
	}
	s.nodes(hierarchy.LevelGatewayClass, func(class *hierarchy.Node) {
		ref := class.Value.Get("parametersRef")
		one(class, ref, ref.Str("namespace"))
	})
	s.nodes(hierarchy.LevelGateway, func(gateway *hierarchy.Node) {
		one(gateway, gateway.Value.Get("infrastructure", "parametersRef"), gateway.Namespace())
	})
}

// hadParameters reports whether a class or a Gateway names parameters that are there.
func hadParameters(s *Environment, node string) bool {
	had := false
	parametersOf(s, func(n *hierarchy.Node, _ *loader.Value, id loader.ID) {
		had = had || n.String() == node && s.Run.Graph.Exists(id)
	})
	return had
}

// misspeltParameters reports references to parameters that are not in the input if some with a similar name are, or if the change
// brings the reference and nothing in either revision may bring the parameters.
func misspeltParameters(s *Environment, report Report) {
	parametersOf(s, func(n *hierarchy.Node, ref *loader.Value, id loader.ID) {
		refused := slices.ContainsFunc(n.Conditions, func(c hierarchy.Condition) bool { return c.Type == hierarchy.Accepted && c.Bad() })
		if refused || s.Run.Graph.Exists(id) || s.Run.Graph.External(id) {
			return
		}
		if similar := s.Run.Graph.Similar(id); similar != "" || brings(s, n.Object, id) {
			report(Hit{
				Target: n.String(), Key: []string{id.String()}, At: n.Object.Position(ref), Object: n.Object, Severity: plan.Warning, Involves: []loader.ID{id},
				Title: say("%s names %s, which is not in the input%s", n, id, spelling.Meant(similar)),
			})
		}
	})
}
