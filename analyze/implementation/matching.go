package implementation

import "slices"

// Matching describes which rule answers a request. The specification: the most specific listener of a
// port, in it the most specific hostname, among the routes of that the most specific hostname as they are
// written, and among their matches exact paths before prefixes, the longer path, a method, more headers, more
// query parameters, the older route, the first by name, the first rule (Gateway API, HTTPRouteSpec.hostnames
// and HTTPRouteRule.matches). It leaves regular expressions to implementations;
// they come between exact paths and prefixes.
type Matching struct {
	// RegexLast means that regular expressions come after prefixes, RegexByLength that the longer of the
	// two comes first, RegexUnordered that of two regular expressions the longer one does not.
	RegexLast, RegexByLength, RegexUnordered bool
	// PathAsWritten means that a trailing slash of a path counts as a character.
	PathAsWritten bool
	// MethodIsHeader means that a method counts as one more header.
	MethodIsHeader bool
	// ExactFirst means that among as many headers, or query parameters, more exact values win.
	ExactFirst bool
	// GRPCAsPaths means that matches of GRPCRoutes are ordered by the paths of their calls. In the
	// specification they are ordered by service, method and headers.
	GRPCAsPaths bool
	// SuffixMethods means that a match for the method of any gRPC service is a condition for a header, and
	// none for the path.
	SuffixMethods bool
	// FallsThrough means that a request that no rule of its most specific hostname matches is answered by
	// rules of the less specific ones. Elsewhere it gets a 404.
	FallsThrough bool
	// SharesHosts means that all HTTP listeners of a port share one table of hostnames: a hostname
	// that no route has at the most specific listener is answered by routes of the others.
	SharesHosts bool
	// SharesSecure means that HTTPS listeners of a port share their hostnames, too.
	SharesSecure bool
	// IsolatesHosts means that such a listener does not serve a hostname of a route that the hostname of
	// a more specific listener covers.
	IsolatesHosts bool
	// IntersectedHosts means that routes count as equally specific if their hostnames are equal where they
	// intersect with the listener's. The specification lets implementations choose, and prefers the hostnames
	// as they are written (its feature GatewayRouteHostnameIntersectionPrecedence).
	IntersectedHosts bool
	// ServesMisdirected means that a request whose host another HTTPS listener serves than the one with which its
	// connection began is answered by the latter's routes. In the specification it gets a 421 (Gateway API,
	// Listener.hostname).
	ServesMisdirected bool
	// PathFirst means that the path is decided first: if no match with the best path takes a request,
	// those with other paths are not tried.
	PathFirst bool
	// TiesByName means that of equal matches the route that is first by name answers, whatever its age.
	// HTTPFirst means that of equal matches an HTTPRoute answers before a GRPCRoute.
	TiesByName, HTTPFirst bool
	// HTTPAlways means that an HTTPRoute answers before any GRPCRoute, whatever their hostnames and matches.
	HTTPAlways bool
	// Scores means that a sum decides, in which the hostname counts by its length: 100,000 for an exact path, 100
	// for each character of another one and 10,000 (1 for the prefix /), 1,000 for a method, 100 for each header, 10
	// for each query parameter, and the rules that follow in the route.
	Scores bool
	// TiesUnknown means that which of equal matches of several routes answers is not known.
	TiesUnknown bool
	// RegexEndsOpen means that a regular expression need not match the end of a path, RegexBeginsOpen that it need
	// not match the beginning, OthersBeginOpen that this holds for all of its alternatives but the first.
	RegexEndsOpen, RegexBeginsOpen, OthersBeginOpen bool
	// ValuesOpen means that a regular expression need not match the whole value of a header or a query parameter.
	ValuesOpen bool
	// MatchFilter is a kind of filter whose matches of cookies are further conditions of the rule.
	MatchFilter Kind
	// Preflights means that a rule with a CORS filter also takes preflight requests for its matches
	// with another method.
	Preflights bool
	// Filters are the types of filter that the controller has, by kind of route; no entry for a kind of which they are not
	// known. They decide what requests get. What the status of the route says of another type is Routes.Filters.
	Filters map[string]FilterTypes
	// MissingFilter is what becomes of a rule with an ExtensionRef filter whose object does not exist.
	MissingFilter Fault
	// MissingAtBackend is what becomes of a backend with such a filter.
	MissingAtBackend Fault
	// Built are the kinds of objects from which the controller builds a handler of a rule. It leaves out the rule if it cannot.
	Built []Kind
	// AlikeServices is a prefix of annotations that all Services of a rule have alike. The controller leaves out a rule with
	// Services of which one lacks such an annotation, or has another value; empty for none.
	AlikeServices string
	// LoneUnweighted means that a backend that is alone in its rule gets all requests, also with the weight 0.
	LoneUnweighted bool
	// Paths is what becomes of the path of a request before it is matched.
	Paths Paths
	// Preserves is the field of a Gateway's parameters that keeps the order of rules as written.
	Preserves []string
}

// FilterTypes are the types of filter that a controller has, and what becomes of a rule with another one.
type FilterTypes struct {
	Types []string
	Other Fault
}

// Fault is what becomes of a rule with a filter that cannot be used.
type Fault string

// The faults. In the specification, requests get an error (Gateway API, HTTPRouteFilter.type and .extensionRef).
const (
	Fails     Fault = ""
	LeavesOut Fault = "leaves out" // another rule answers, or none
	Ignores   Fault = "ignores"    // the rule answers without the filter
)

// FaultOf returns what becomes of a rule of a route of a kind because of the type of a filter, and Fails for a type that the
// controller has.
func (m *Matching) FaultOf(route, filter string) Fault {
	if types, known := m.Filters[route]; known && !slices.Contains(types.Types, filter) {
		return types.Other
	}
	return Fails
}

// HasFilter reports whether the controller has a type of filter, as far as that is known.
func (m *Matching) HasFilter(route, filter string) bool {
	types, known := m.Filters[route]
	return !known || slices.Contains(types.Types, filter)
}
