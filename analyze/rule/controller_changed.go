package rule

import (
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
)

var controllerChanged = &Rule{
	ID:       "controller-changed",
	Title:    "Another controller takes over a GatewayClass",
	Severity: plan.Warning,
	Why: "controllerName decides who serves the Gateways of the class, and by whose rules listeners, routes and policies are " +
		"judged. The API server refuses the change of an existing class (the field is immutable); what applies it must delete " +
		"and create the class again.",
	Fix:     "Add a class for the new controller, and move Gateways to it one by one.",
	Compare: compareControllers,
}

func compareControllers(p *Pair, report Report) {
	if p.Base == nil || p.Head == nil {
		return
	}
	p.Head.nodes(hierarchy.LevelGatewayClass, func(class *hierarchy.Node) {
		before := p.Base.Run.Graph.Object(class.Target.ID)
		name := class.Value.Get("controllerName")
		if before == nil || name == nil || before.Spec().Str("controllerName") == name.Text {
			return
		}
		report(Hit{
			Target: class.String(), Key: []string{name.Text}, At: class.Object.Position(name), Object: class.Object,
			Title: say("the controller of %s changes from %s to %s", class, before.Spec().Str("controllerName"), name.Text),
		})
	})
}
