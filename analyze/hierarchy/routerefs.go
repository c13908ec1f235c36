package hierarchy

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/analyze/age"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/loader"
)

// references evaluates what routes reference: backends, and the targets of filters.
type references struct {
	*controllers
	// times order objects by age.
	times *age.Known
	// securings are read once somebody asks.
	securings func() securings
	// looked caches the results of lookedUp.
	looked map[*implementation.Implementation]map[loader.ID]bool
	// delegating are the rules that pass requests on to routes.
	delegating map[*Node]bool
	// partlyDelegated are those of which no route takes the requests of one of their matches, cyclic the routes that pass requests on to
	// one above them.
	partlyDelegated, cyclic map[*Node]bool
}

func newReferences(c *controllers, times *age.Known) *references {
	return &references{
		controllers: c, times: times, securings: sync.OnceValue(func() securings { return securingsOf(c) }),
		looked: map[*implementation.Implementation]map[loader.ID]bool{}, delegating: map[*Node]bool{}, partlyDelegated: map[*Node]bool{}, cyclic: map[*Node]bool{},
	}
}

// referring evaluates the references of one route by the rules of one implementation.
type referring struct {
	*references
	route *Node
	own   *implementation.Implementation
	// mesh is true for a parent that is a Service.
	mesh bool
}

// of returns the references of a route by the rules of the implementation that decides about them.
func (r *references) of(route *Node) *referring {
	own, mesh := r.deciderOf(route)
	return &referring{references: r, route: route, own: own, mesh: mesh}
}

// judgeReferences returns one ResolvedRefs condition for all references of the route: of its
// backends, its filters and the filters of its backends. The first reference that fails counts,
// unless the implementation reports another one.
func (r *referring) judgeReferences() Condition {
	worst := good(ResolvedRefs, ResolvedRefs)
	var reasons []string
	var hard *Condition
	r.each(func(c Condition) {
		if c.drops || c.Carrier == Filter && slices.Contains(r.own.Routes.SilentFilters, c.filter) {
			return
		}
		if r.own.Routes.BackendError != "" && c.Reason == r.own.Routes.BackendError && (hard == nil || hard.rule == c.rule && hard.Reason != c.Reason) {
			hard = &c
		}
		ends := c.ends || r.own.Routes.FiltersFirst && c.Carrier == Filter || slices.Contains(r.own.Routes.HardReasons, c.Reason) && !c.goesOn
		if hard == nil && ends && c.Status == fact.False {
			hard = &c
		}
		if c.Status < worst.Status || c.Status == worst.Status && r.own.Routes.LastWins && c.Status != fact.True {
			worst = c
		}
		if c.Status == fact.False && !slices.Contains(reasons, c.Reason) {
			reasons = append(reasons, c.Reason)
		}
	})
	if hard != nil {
		return *hard
	}
	if r.own.Routes.JoinsReasons && len(reasons) > 1 {
		slices.Sort(reasons)
		worst.Reason = strings.Join(reasons, ",")
	}
	return worst
}

// HasFilterReferences reports whether a filter of a route references an object.
func (n *Node) HasFilterReferences() bool {
	for _, rule := range n.Value.List("rules") {
		if slices.ContainsFunc(rule.List("filters"), Refers) ||
			slices.ContainsFunc(rule.List("backendRefs"), func(ref *loader.Value) bool { return slices.ContainsFunc(ref.List("filters"), Refers) }) {
			return true
		}
	}
	return false
}

// Refers reports whether a filter references an object.
func Refers(filter *loader.Value) bool {
	return slices.Contains([]string{"RequestMirror", "ExternalAuth", "ExtensionRef"}, filter.Str("type"))
}

// FilterReferences returns the worst condition of a route's filter references. References to
// backends are not included, because they are edges of the graph.
func (r *references) FilterReferences(route *Node) Condition {
	of := r.of(route)
	worst := good(ResolvedRefs, ResolvedRefs)
	judge := func(filter *loader.Value) {
		if c := of.judgeFilter(filter); c.Status < worst.Status {
			worst = c
		}
	}
	for _, rule := range route.Value.List("rules") {
		for _, filter := range rule.List("filters") {
			judge(filter)
		}
		for _, ref := range rule.List("backendRefs") {
			if of.own.Routes.SkipsUnweighted && unweighted(ref) {
				continue
			}
			for _, filter := range ref.List("filters") {
				judge(filter)
			}
		}
	}
	return worst
}

// FilterCondition evaluates what a filter of a route refers to.
func (r *references) FilterCondition(route *Node, filter *loader.Value) Condition {
	return r.of(route).judgeFilter(filter)
}

// RefusedAtBackend says why the controller refuses a backend for one of its filters, or is empty.
func (r *references) RefusedAtBackend(route *Node, filter *loader.Value) string {
	of := r.of(route)
	switch c := of.judgeBackendFilter(filter); {
	case of.own.Routes.BackendFilterReason == "" || c.Status != fact.False:
	case c.Reason == of.own.Routes.BackendFilterReason:
		return c.Reason + ": " + c.Message
	case of.own.Routes.FiltersTogether:
		return invalidBackendFilters + ": " + c.Message
	}
	return ""
}

// Mirrors visits the references of a route's mirrors whose backend may be used, as evaluated by the controller of the route's
// first parent.
func (r *references) Mirrors(route *Node, found func(ref *loader.Value)) {
	of := r.of(route)
	for _, rule := range route.Value.List("rules") {
		for _, filter := range rule.List("filters") {
			if ref := filter.Get("requestMirror", "backendRef"); ref != nil && filter.Str("type") == "RequestMirror" && of.judgeFilter(filter).Status != fact.False {
				found(ref)
			}
		}
	}
}

// MirroredBackends counts the backends to which the rules of a route mirror, each once for a rule, without rules that are left out for
// a filter (NGINX Gateway Fabric, internal/controller/state/graph/httproute.go, buildHTTPMirrorRoutes).
func (r *references) MirroredBackends(route *Node) int {
	of, n := r.of(route), 0
	for _, rule := range route.Value.List("rules") {
		to, refused := map[loader.ID]bool{}, false
		of.filters(rule, func(c Condition) { refused = refused || c.drops || c.Reason == invalidFilter && c.Status == fact.False })
		for _, filter := range rule.List("filters") {
			if ref := filter.Get("requestMirror", "backendRef"); ref != nil && filter.Str("type") == "RequestMirror" {
				to[BackendID(ref, route.Namespace())] = true
			}
		}
		if !refused {
			n += len(to)
		}
	}
	return n
}

// RouteReferences visits every reference of a route that is not known to resolve, as evaluated by
// the controller of the route's first parent.
func (r *references) RouteReferences(route *Node, found func(Condition)) {
	r.of(route).each(func(c Condition) {
		if c.Status != fact.True {
			found(c)
		}
	})
}

// PartiallyInvalid is the type of the condition of a route of which some rules are not accepted (Gateway API,
// RouteConditionPartiallyInvalid).
const PartiallyInvalid = "PartiallyInvalid"

// DroppedRules returns what a route's status says of the rules that are not accepted because of a filter or a match: that the
// route is not accepted, or that it is partially invalid; nil if there are none.
func (r *references) DroppedRules(route *Node) *Condition {
	var first *Condition
	var reasons []string
	dropped := map[int]bool{}
	r.of(route).each(func(c Condition) {
		if c.drops {
			dropped[c.rule] = true
			reasons = append(reasons, c.Reason)
			if first == nil {
				first = &c
			}
		}
	})
	if first == nil {
		return nil
	}
	first.Type = Accepted
	if r.of(route).own.Routes.JoinsReasons {
		slices.Sort(reasons)
		first.Reason = strings.Join(slices.Compact(reasons), ",")
	}
	if len(dropped) < len(route.Value.List("rules")) && r.of(route).own.Routes.Replaced.Reason == "" {
		first.Type, first.Status = PartiallyInvalid, fact.True
	}
	return first
}

// each evaluates every reference of the route in document order.
func (r *referring) each(found func(Condition)) {
	for i, rule := range r.route.Value.List("rules") {
		unfiltered := false
		inRule := func(c Condition) {
			c.rule = i
			unfiltered = unfiltered || c.drops
			found(c)
		}
		r.filters(rule, inRule)
		if c := r.unusable(rule); c != nil { // its backends are not looked at
			inRule(*c)
			continue
		}
		if unfiltered && r.own.Routes.Headers != nil { // nor are they (NGINX Gateway Fabric, backend_refs.go, addBackendRefsToRules)
			continue
		}
		for _, ref := range rule.List("backendRefs") {
			if !r.own.Routes.SkipsUnweighted || !unweighted(ref) {
				r.backendReferences(ref, inRule)
			}
		}
		if c := resolvesAlone(r, rule); c != nil {
			inRule(*c)
		}
		if c := replaced(r, rule); c != nil {
			inRule(*c)
		} else if c := replacedBelow(r, rule); c != nil {
			inRule(*c)
		}
		if r.own.Routes.InfersParents {
			for _, c := range delegatesNowhere(r, rule) {
				inRule(c)
			}
		}
	}
}

// backendReferences evaluates a backend and its filters. The filters come first, unless the implementation has other
// filters there.
func (r *referring) backendReferences(ref *loader.Value, found func(Condition)) {
	if r.own.Routes.BackendError != "" && r.route.Target.Kind == "HTTPRoute" {
		found(r.backendError(ref))
		return
	}
	if r.own.Routes.FiltersTogether {
		filteredBackend(r, ref, found)
		return
	}
	last := r.own.Routes.BackendFilters == nil || r.own.Routes.BackendFilterReason != ""
	if !last {
		found(r.backendCondition(ref))
	}
	for _, filter := range ref.List("filters") {
		c := r.judgeBackendFilter(filter)
		if found(c); c.Status == fact.False && c.Reason == r.own.Routes.BackendFilterReason {
			return
		}
	}
	if last {
		found(r.backendCondition(ref))
	}
}

// invalidBackendFilters is Envoy Gateway's reason for a backend whose filters have a fault.
const invalidBackendFilters = "InvalidBackendFilters"

// filteredBackend evaluates a backend whose filters must be of supported types, before it, and without a fault, after it (Envoy Gateway
// internal/gatewayapi/validate.go, validateBackendRefFilters; route.go, processDestinationFilters).
func filteredBackend(r *referring, ref *loader.Value, found func(Condition)) {
	if c := r.unseen(ref); c != nil {
		found(*c)
		return
	}
	backend := r.backendCondition(ref)
	found(backend)
	if backend.Status == fact.False || unweighted(ref) { // route.go, processDestination
		return
	}
	faulty := false
	r.filters(ref, func(c Condition) {
		switch {
		case c.Status == fact.Unknown:
			found(c)
		case c.Status == fact.False && !faulty:
			faulty = true
			c.Type, c.Reason, c.drops = ResolvedRefs, invalidBackendFilters, false
			found(c)
		}
	})
}

// Unseen reports whether the controller does not look at a backend because it does not support a filter of it.
func (r *references) Unseen(route *Node, ref *loader.Value) bool {
	return r.of(route).unseen(ref) != nil
}

// unseen is the condition for that filter, or nil.
func (r *referring) unseen(ref *loader.Value) *Condition {
	for _, filter := range ref.List("filters") {
		if c := r.judgeBackendFilter(filter); r.own.Routes.BackendFilterReason != "" && c.Status == fact.False && c.Reason == r.own.Routes.BackendFilterReason {
			return &c
		}
	}
	return nil
}

// backendError evaluates a backend of an HTTPRoute whose filters count before it: any error of one of them is
// the same error, as is a name with a dot (agentgateway, translator/conversion.go, buildAgwHTTPDestination).
func (r *referring) backendError(ref *loader.Value) Condition {
	for _, filter := range ref.List("filters") {
		if c := r.judgeBackendFilter(filter); c.Status == fact.False {
			c.Reason = r.own.Routes.BackendError
			return c
		}
	}
	c := r.backendCondition(ref)
	if c.Status == fact.False && c.Reason == r.own.Routes.DottedName {
		c.Reason = r.own.Routes.BackendError
	}
	return c
}

// judgeBackendFilter evaluates a filter of a backend.
func (r *referring) judgeBackendFilter(filter *loader.Value) Condition {
	kind := filter.Str("type")
	message := "filters of type " + kind + " are not supported at a backend"
	if kinds := r.own.Routes.BackendFilters; kinds == nil || slices.Contains(kinds[r.route.Target.Kind], kind) {
		if !r.own.Routes.BackendHostAlone || filter.Get("urlRewrite", "path").IsNull() {
			return r.judgeFilter(filter)
		}
		message = "a URLRewrite at a backend cannot change the path"
	}
	reason := cmp.Or(r.own.Routes.BackendFilterReason, r.own.Routes.FilterReason)
	c := r.route.condition(ResolvedRefs, fact.False, reason, message, filter)
	c.Subject = kind
	c.Carrier = Filter
	return c
}

func unweighted(ref *loader.Value) bool { return textOf(ref.Get("weight")) == "0" }

func (r *referring) backendCondition(ref *loader.Value) Condition {
	admitted, reason, message := r.judgeBackend(ref)
	switch admitted {
	case fact.True:
		return good(ResolvedRefs, ResolvedRefs)
	case fact.Unknown:
		reason = NotInInput
	case fact.False:
	}
	c := r.route.condition(ResolvedRefs, admitted, reason, message, ref)
	c.Carrier = BackendRef
	c.Involves = []loader.ID{BackendID(ref, r.route.Namespace())}
	return c
}

// judgeFilter evaluates the reference of a filter, if any: to the backend of a mirror or of an
// external authorization, or to an extension; and the headers that it changes.
func (r *referring) judgeFilter(filter *loader.Value) Condition {
	c := r.followFilter(filter)
	c.Carrier, c.filter = Filter, filter.Str("type")
	c.ofBackend = slices.Contains([]string{"RequestMirror", "ExternalAuth"}, filter.Str("type"))
	return c
}

func (r *referring) followFilter(filter *loader.Value) Condition {
	kind := filter.Str("type")
	if known := r.own.Routes.Filters[r.route.Target.Kind]; known != nil && !slices.Contains(known, kind) {
		c := r.route.condition(ResolvedRefs, fact.False, r.own.Routes.FilterReason, "filters of type "+kind+" are not supported", filter)
		c.Subject, c.drops = kind, r.own.Routes.FilterDropsRule
		return c
	}
	switch kind {
	case "RequestMirror":
		if ref := filter.Get("requestMirror", "backendRef"); ref != nil {
			return r.mirrorCondition(ref)
		}
	case "ExternalAuth":
		auth := filter.Get("externalAuth")
		if protocol := auth.Get("protocol"); r.own.Routes.HTTPAuthAlone && protocol != nil && protocol.Text != "HTTP" && !unreadable(protocol) {
			return r.refused("an ExternalAuth filter of protocol "+protocol.Text+" is not supported", protocol)
		}
		if ref := auth.Get("backendRef"); ref != nil {
			c := r.backendCondition(ref)
			if c.Status == fact.False {
				c.Reason = cmp.Or(r.own.Routes.AuthReason, c.Reason)
			}
			return c
		}
	case "ExtensionRef":
		return r.judgeExtension(filter.Get("extensionRef"))
	case requestHeaders, responseHeaders:
		return judgeHeaders(r, filter)
	case "RequestRedirect":
		return r.judgePath(filter.Get("requestRedirect", "path"))
	case "URLRewrite":
		return r.judgePath(filter.Get("urlRewrite", "path"))
	}
	return good(ResolvedRefs, ResolvedRefs)
}

// judgeExtension evaluates an extensionRef, which references an object in the route's namespace.
func (r *referring) judgeExtension(ref *loader.Value) Condition {
	id := loader.ID{Group: ref.Str("group"), Kind: ref.Str("kind"), Namespace: r.route.Namespace(), Name: ref.Str("name")}
	kind := implementation.Kind{Group: id.Group, Name: id.Kind}
	extensions := r.own.Routes.Extensions
	switch {
	case r.Exists(id):
		if why := r.unbuilt(id, map[loader.ID]bool{}); why != "" {
			c := r.route.condition(ResolvedRefs, fact.False, invalidFilter, why, ref)
			c.Involves = []loader.ID{id}
			return c
		}
		return good(ResolvedRefs, ResolvedRefs)
	case extensions != nil && !slices.Contains(extensions, kind):
		return good(ResolvedRefs, ResolvedRefs) // the filter is not supported, which another condition reports
	case !Needs(kind.Group, kind.Name) && !r.KnowsKind(kind.Group, kind.Name) && !r.Gone(id): // whether one exists would not be in the input
		c := r.route.condition(ResolvedRefs, fact.Unknown, NotInInput, id.Spoken()+" is not in the input", ref)
		c.Involves = []loader.ID{id}
		return c
	}
	exists, message := r.ExistsOutsideWhy(id)
	reason := NotInInput
	if exists == fact.False {
		reason = cmp.Or(r.own.Routes.ExtensionNotFound, BackendNotFound)
	}
	c := r.route.condition(ResolvedRefs, exists, reason, message, ref)
	c.Involves = []loader.ID{id}
	return c
}

// referable reports whether a backend kind is known to be supported: it is in the specification's
// list, in the input, or defined by a CRD there. Otherwise only the implementation can tell, so the
// result is unknown unless the input is complete.
func referable(r *references, group, kind string) fact.Fact {
	if slices.Contains(backendKinds, loader.ID{Group: group, Kind: kind}) || r.extends(group, kind) {
		return fact.True
	}
	if r.Whole() || group == loader.GatewayGroup && kind == "Service" { // that group has no such kind
		return fact.False
	}
	return fact.Unknown
}

// extends reports whether the input has a kind that belongs neither to core Kubernetes nor to
// Gateway API.
func (r *references) extends(group, kind string) bool {
	return group != "" && group != loader.GatewayGroup && r.KnowsKind(group, kind)
}

// backendKinds lists the kinds that Gateway API itself mentions as backends.
var backendKinds = []loader.ID{
	{Group: "", Kind: "Service"},
	{Group: "multicluster.x-k8s.io", Kind: "ServiceImport"},
	{Group: "inference.networking.k8s.io", Kind: "InferencePool"},
	{Group: "inference.networking.x-k8s.io", Kind: "InferencePool"}, // its alpha versions
	{Group: loader.ExperimentalGroup, Kind: "XBackend"},
}
