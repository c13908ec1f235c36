package implementation

// AWS Load Balancer Controller, aws-load-balancer-controller@225f4456 (2026-08-17): pkg/gateway/routeutils/route_rule_precedence.go,
// compareRulePrecedenceUnified; route_rule_condition.go. The rules of a listener of an Application Load Balancer are one list, which
// all requests of its port go through. What stands for any text in an exact path or a header is not followed.
var awsLoadBalancer = Implementation{
	Name:         "AWS Load Balancer Controller",
	Proxies:      Proxies{None: true},
	OnlyMatching: true,
	Controllers:  []string{"gateway.k8s.aws/alb"},
	Matching: Matching{
		ServesMisdirected: true, FallsThrough: true, SharesHosts: true, SharesSecure: true, RegexLast: true,
	},
}
