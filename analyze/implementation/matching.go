package implementation

// Matching describes which rule answers a request. The specification: the most specific listener of a
// port, in it the most specific hostname, and among its matches exact paths before prefixes, the
// longer path, a method, more headers, more query parameters, the older route, the first by name, the
// first rule (Gateway API, HTTPRouteRule.matches). It leaves regular expressions to implementations;
// they come between exact paths and prefixes.
type Matching struct {
	// RegexLast means that regular expressions come after prefixes.
	RegexLast bool
	// PathAsWritten means that a trailing slash of a path counts as a character.
	PathAsWritten bool
	// MethodIsHeader means that a method counts as one more header.
	MethodIsHeader bool
	// ExactFirst means that among as many headers, or query parameters, more exact values win.
	ExactFirst bool
	// GRPCAsPaths means that matches of GRPCRoutes are ordered by the paths of their calls. In the
	// specification they are ordered by service, method and headers.
	GRPCAsPaths bool
	// SharesHosts means that all HTTP listeners of a port share one table of hostnames: a hostname
	// that no route has at the most specific listener is answered by routes of the others.
	SharesHosts bool
	// MatchFilter is a kind of filter whose matches of cookies are further conditions of the rule.
	MatchFilter Kind
	// Preflights means that a rule with a CORS filter also takes preflight requests for its matches
	// with another method.
	Preflights bool
	// Preserves is the field of a Gateway's parameters that keeps the order of rules as written.
	Preserves []string
}
