package rule

import (
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
)

var classNotFound = &Rule{
	ID:       "class-not-found",
	Title:    "A Gateway names a GatewayClass that does not exist",
	Severity: plan.Error,
	Why: "No controller takes the Gateway, and nothing says so in its status: it stays Accepted=Unknown. Found " +
		"where the input is complete (--complete), or where a class of almost that name is in it.",
	Fix:   "Correct gatewayClassName, or add the GatewayClass.",
	Check: checkClassNotFound,
}

func checkClassNotFound(s *Environment, report Report) {
	s.nodes(hierarchy.LevelGateway, func(gateway *hierarchy.Node) {
		for _, e := range gateway.Up {
			class := e.Parent
			if class.Object != nil || s.Run.Graph.External(class.Target.ID) || s.Run.Graph.Controller(gateway) != "" {
				continue
			}
			title := say("%s names %s, which is not in the input", gateway, class)
			if _, meant := s.Run.Graph.Misclassed(gateway); meant != "" {
				title += spelling.Meant(meant)
			} else if class.Presence != fact.False {
				continue // it usually comes with its controller's chart
			}
			report(Hit{Target: gateway.String(), Key: []string{class.String()}, At: e.Position(), Object: gateway.Object, Title: title})
		}
	})
}
