package answer

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/implementation"
	"github.com/gwplan/gwplan/internal/expression"
	"github.com/gwplan/gwplan/loader"
)

// Outcome is what happens to a request that a rule answers.
type Outcome struct {
	// Status is the status that the Gateway answers with itself; 0 if a backend answers, or if the
	// request has none.
	Status int
	// Location is where a redirect leads.
	Location string
	// Steps are what happens on the way, in order.
	Steps []Step
	// Backends are the backends that may answer, with their shares.
	Backends []Backend

	object *loader.Object
}

// Backend is a backend with the share of requests that it gets.
type Backend struct {
	Name          string
	Weight, Total int
	// Status is what its share of requests gets if it cannot be used, 0 otherwise; Why says why.
	Status int
	Why    string
	At     loader.Position
}

// noBackend is the status without a usable backend, noEndpoint that of a Service without endpoints (Gateway API,
// HTTPRouteRule.backendRefs).
const (
	noBackend  = 500
	noEndpoint = 503
)

// WithoutEndpoints reports whether the backend gets nothing because it is a Service without endpoints.
func (b Backend) WithoutEndpoints() bool { return b.Status == noEndpoint }

// notFound is the status where no route takes what a rule passes on, notReached that of kgateway.
const notFound, notReached = 404, 500

// OutcomeOf says what happens to a request that a way takes.
func OutcomeOf(w *Way, r *Request) *Outcome {
	o := &Outcome{object: w.Listener.Object}
	if r.HTTP() {
		o.preRouting(w)
	}
	o.object = w.Rule.Object
	if w.deadEnd {
		o.Status = notFound
		if w.graph.Implementation(hierarchy.GatewayOf(w.Listener)).Routes.PlainDelegates {
			o.Status = notReached
		}
		o.Steps = append(o.Steps, Step{Action: Fails, Name: strconv.Itoa(o.Status), Value: "no route to which the rule passes requests on takes them", At: w.Rule.Position()})
		return o
	}
	if r.HTTP() && w.Route.Target.Kind != "TLSRoute" {
		fault := w.graph.FilterFault(w.Rule)
		for _, above := range w.via {
			fault = cmp.Or(fault, hierarchy.ReplacedBelow(w.graph, above))
		}
		if fault != nil {
			o.Status = unusableFilter
			o.Steps = append(o.Steps, Step{Action: Fails, Name: strconv.Itoa(o.Status), Value: "filter: " + fault.Reason + ": " + fault.Message, At: fault.Position()})
			return o
		}
		for _, filter := range w.Rule.Value.List("filters") {
			o.filter(w, r, filter)
			if o.Status != 0 {
				return o
			}
		}
	}
	o.backends(w, r)
	for _, name := range []string{wholeTime, backendTime} {
		if timeout := w.Rule.Value.Get("timeouts", name); timeout != nil {
			o.step(timeout, LimitsTime, name, timeout.Text)
		}
	}
	if retry := w.Rule.Value.Get("retry"); retry != nil {
		o.step(retry, TriesAgain, strings.ReplaceAll(texts(retry.List("codes")), " ", ""), textOr(retry.Get("attempts"), "1"))
	}
	return o
}

// The times of a rule (Gateway API, HTTPRouteTimeouts).
const (
	wholeTime   = "request"
	backendTime = "backendRequest"
)

func (o *Outcome) step(at *loader.Value, action Action, name, value string) {
	o.Steps = append(o.Steps, Step{Action: action, Name: name, Value: value, At: o.object.Position(at)})
}

// preRouting applies the filters of a listener, which run before a route is chosen (Gateway API,
// ListenerFilters; GEP-5224).
func (o *Outcome) preRouting(w *Way) {
	for _, f := range w.Listener.Value.List("filters", "requests") {
		switch f.Str("type") {
		case "ExternalAuth":
			ref := f.Get("externalAuth", "backendRef")
			o.step(f, AsksExternally, hierarchy.BackendID(ref, w.Listener.Namespace()).String(), "")
		case "ExtensionRef":
			ref := f.Get("extensionRef")
			o.step(f, ExtendsFirst, fmt.Sprintf("%s %s/%s", ref.Str("kind"), w.Listener.Namespace(), ref.Str("name")), "")
		}
	}
}

// filter applies one filter (Gateway API, HTTPRouteFilter).
func (o *Outcome) filter(w *Way, r *Request, f *loader.Value) {
	if kind := f.Str("type"); !w.own.HasFilter(w.Route.Target.Kind, kind) {
		if w.own.FaultOf(w.Route.Target.Kind, kind) == implementation.Fails {
			o.Status = unusableFilter
			o.step(f, Fails, strconv.Itoa(o.Status), "the controller has no filter "+kind)
		}
		return
	}
	if why := w.unusable(f); why != "" {
		if f.Str("type") != "RequestMirror" { // without a backend no copy is sent
			o.Status = unusableFilter
			o.step(f, Fails, strconv.Itoa(o.Status), why)
		}
		return
	}
	switch kind := f.Str("type"); kind {
	case "RequestRedirect":
		o.redirect(w, r, f.Get("requestRedirect"), f)
	case "URLRewrite":
		o.rewrite(w, r, f.Get("urlRewrite"))
	case "RequestHeaderModifier":
		o.headers(f.Get("requestHeaderModifier"), SetRequestHeader, AddRequestHeader, RemoveRequestHeader)
	case "ResponseHeaderModifier":
		o.headers(f.Get("responseHeaderModifier"), SetResponseHeader, AddResponseHeader, RemoveResponseHeader)
	case "RequestMirror":
		o.mirror(w, f)
	case "CORS":
		o.cors(r, f)
	case "ExternalAuth":
		ref := f.Get("externalAuth", "backendRef")
		o.step(f, AsksExternally, hierarchy.BackendID(ref, w.Rule.Namespace()).String(), "")
	case "ExtensionRef":
		ref := f.Get("extensionRef")
		name := fmt.Sprintf("%s %s/%s", ref.Str("kind"), w.Rule.Namespace(), ref.Str("name"))
		if w.graph.FilterCondition(w.Route, f).Status == fact.Unknown {
			name += ", which is not in the input"
		}
		o.step(f, Extends, name, "")
		o.extension(w, r, f, ref)
	default:
		o.step(f, Extends, "", kind)
	}
}

// unusableFilter is the status where a filter cannot be used: it must not be skipped (Gateway API, HTTPRouteFilter.type
// and HTTPRouteFilter.extensionRef).
const unusableFilter = 500

// unusable says why a filter of the way's rule is known to be unusable, or is empty.
func (w *Way) unusable(f *loader.Value) string { return unusable(w.graph, w.Route, w.own, f) }

func unusable(g *hierarchy.Graph, route *hierarchy.Node, own *implementation.Matching, f *loader.Value) string {
	if !hierarchy.Refers(f) && !hierarchy.ChangesHeaders(f) {
		return ""
	}
	skipped := own.MissingFilter == implementation.Ignores && f.Str("type") == "ExtensionRef"
	if c := g.FilterCondition(route, f); c.Status == fact.False && !skipped {
		return fmt.Sprintf("filter %s: %s: %s", f.Str("type"), c.Reason, c.Message)
	}
	return ""
}

// redirect computes the answer of a redirect (Gateway API, HTTPRequestRedirectFilter): what it does not
// set is that of the request, and the port follows the scheme.
func (o *Outcome) redirect(w *Way, r *Request, f, at *loader.Value) {
	code := cmp.Or(hierarchy.RedirectCode(w.graph, w.Rule), textOr(f.Get("statusCode"), "302"))
	o.Status = statusOf(code, 302)
	scheme := strings.ReplaceAll(r.Scheme, "grpc", "http")
	host := cmp.Or(f.Str("hostname"), r.Host)
	port := r.Port
	if port == "" {
		port = w.Port()
	}
	if written := f.Str("scheme"); written != "" {
		scheme = written
		port = defaultPorts[scheme]
	}
	if written := f.Get("port"); written != nil {
		port = written.Text
	}
	if port != "" && port != defaultPorts[scheme] {
		host += ":" + port
	}
	location := url.URL{Scheme: scheme, Host: host, Path: w.Match.replaced(r.Path, f.Get("path"))}
	var query []string
	for _, p := range r.Query {
		query = append(query, url.QueryEscape(p.Name)+"="+url.QueryEscape(effective.Shown(p.Name, p.Value)))
	}
	location.RawQuery = strings.Join(query, "&")
	o.Location = location.String()
	if variable.MatchString(host) { // it is written as it is, and not escaped as a host of a URL cannot be
		location.Host = ""
		o.Location = strings.Replace(location.String(), "://", "://"+host, 1)
	}
	o.step(at, Redirects, code, o.Location)
}

// statusOf reads a status code. One that is not known, because a variable stands there, is the usual one.
func statusOf(code string, usual int) int {
	if n, err := strconv.Atoi(code); err == nil {
		return n
	}
	return usual
}

// Port is the port of the way's listener.
func (w *Way) Port() string {
	if port := w.Listener.Value.Get("port"); port != nil {
		return port.Text
	}
	return ""
}

// replaced returns a path after a modifier (Gateway API, HTTPPathModifier).
func (m *Match) replaced(path string, modifier *loader.Value) string {
	switch modifier.Str("type") {
	case "ReplaceFullPath":
		return cmp.Or(modifier.Str("replaceFullPath"), "/")
	case "ReplacePrefixMatch":
		if m.Form != prefix {
			return path
		}
		rest := strings.TrimPrefix(path, strings.TrimSuffix(m.Path, "/"))
		replaced := strings.TrimSuffix(modifier.Str("replacePrefixMatch"), "/") + rest
		if !strings.HasPrefix(replaced, "/") {
			replaced = "/" + replaced
		}
		return replaced
	}
	return path
}

// extension applies a filter of an implementation's own kind, as far as it answers the request itself or rewrites its
// path (Envoy Gateway, HTTPRouteFilter.spec.directResponse and urlRewrite.path; Envoy replaces each match of the
// pattern, RouteAction.regex_rewrite).
func (o *Outcome) extension(w *Way, r *Request, f, ref *loader.Value) {
	if w.own.MatchFilter.Name == "" || ref.Str("group") != w.own.MatchFilter.Group || ref.Str("kind") != w.own.MatchFilter.Name {
		return
	}
	filter := w.graph.Object(loader.ID{Group: ref.Str("group"), Kind: ref.Str("kind"), Namespace: w.Rule.Namespace(), Name: ref.Str("name")})
	if filter == nil {
		return
	}
	if direct := filter.Spec().Get("directResponse"); direct != nil {
		code := textOr(direct.Get("statusCode"), "200")
		o.Status = statusOf(code, 200)
		o.step(f, Answers, "", code)
	}
	replace := filter.Spec().Get("urlRewrite", "path", "replaceRegexMatch")
	if pattern, err := expression.Compile(replace.Str("pattern")); err == nil && replace != nil {
		to := references.ReplaceAllString(strings.ReplaceAll(replace.Str("substitution"), "$", "$$"), "$${${1}}")
		o.step(f, RewritesPath, "", pattern.ReplaceAllString(r.Path, to))
	}
}

// references are the references to groups in a substitution of RE2.
var references = regexp.MustCompile(`\\([0-9])`)

func (o *Outcome) rewrite(w *Way, r *Request, f *loader.Value) {
	if host := f.Get("hostname"); host != nil {
		o.step(host, RewritesHost, "", host.Text)
	}
	if path := f.Get("path"); path != nil {
		o.step(path, RewritesPath, "", w.Match.replaced(r.Path, path))
	}
}

func (o *Outcome) headers(f *loader.Value, set, add, remove Action) {
	for _, h := range f.List("set") {
		o.header(h, set, h.Str("name"), h.Str("value"))
	}
	for _, h := range f.List("add") {
		o.header(h, add, h.Str("name"), h.Str("value"))
	}
	for _, h := range f.List("remove") {
		o.step(h, remove, h.Text, "")
	}
}

// header adds a step on a header, whose value is hidden if it is a secret.
func (o *Outcome) header(at *loader.Value, action Action, name, value string) {
	o.step(at, action, name, effective.Shown(name, value))
}

func (o *Outcome) mirror(w *Way, f *loader.Value) {
	ref := f.Get("requestMirror", "backendRef")
	share := ""
	if percent := f.Get("requestMirror", "percent"); percent != nil {
		share = percent.Text + " %"
	} else if fraction := f.Get("requestMirror", "fraction"); fraction != nil {
		share = textOr(fraction.Get("numerator"), "?") + "/" + textOr(fraction.Get("denominator"), "100")
	}
	o.step(f, Mirrors, BackendName(ref, w), share)
}

func textOr(v *loader.Value, otherwise string) string {
	if v == nil {
		return otherwise
	}
	return v.Text
}

// cors answers a preflight request, and adds headers to answers for an allowed origin (Gateway API,
// HTTPCORSFilter).
func (o *Outcome) cors(r *Request, f *loader.Value) {
	origin, cors := r.header("origin"), f.Get("cors")
	if origin == "" {
		return
	}
	asked := r.header("access-control-request-method")
	preflight := r.Method == "OPTIONS" && asked != ""
	allowed := allowsOrigin(cors, origin)
	switch {
	case preflight:
		o.Status = 200
		o.step(f, AnswersPreflight, "", origin)
		if !allowed {
			o.step(f, RefusesOrigin, "", origin)
		}
	case allowed:
		o.step(f, AllowsOrigin, "", origin)
	default:
		o.step(f, RefusesOrigin, "", origin)
	}
	if !allowed {
		return
	}
	o.step(f, SetResponseHeader, "access-control-allow-origin", origin)
	credentials := cors.Get("allowCredentials").IsTrue()
	if credentials {
		o.step(f, SetResponseHeader, "access-control-allow-credentials", "true")
	}
	if preflight {
		o.grant(cors, "allowMethods", "access-control-allow-methods", asked)
		o.grant(cors, "allowHeaders", "access-control-allow-headers", r.header("access-control-request-headers"))
		o.step(cors, SetResponseHeader, "access-control-max-age", textOr(cors.Get("maxAge"), "5"))
	}
	if exposed := texts(cors.List("exposeHeaders")); exposed != "" && !(credentials && exposed == "*") {
		o.step(cors.Get("exposeHeaders"), SetResponseHeader, "access-control-expose-headers", exposed)
	}
}

// grant sets a header of the answer to a preflight request to a list; a wildcard grants what is asked for.
func (o *Outcome) grant(cors *loader.Value, field, header, asked string) {
	granted := texts(cors.List(field))
	if granted == "*" {
		granted = asked
	}
	if granted != "" {
		o.step(cors.Get(field), SetResponseHeader, header, granted)
	}
}

// texts joins the texts of values as a list in a header.
func texts(values []*loader.Value) string {
	var out []string
	for _, v := range values {
		out = append(out, v.Text)
	}
	return strings.Join(out, ", ")
}

func allowsOrigin(cors *loader.Value, origin string) bool {
	return slices.ContainsFunc(cors.List("allowOrigins"), func(v *loader.Value) bool {
		before, after, wild := strings.Cut(v.Text, "*")
		return v.Text == origin || wild && len(origin) >= len(before)+len(after) && strings.HasPrefix(origin, before) && strings.HasSuffix(origin, after)
	})
}

// backends lists the backends of a rule. Without a usable one the answer is 500; an unusable one gives
// 500 for its share (Gateway API, HTTPRouteRule.backendRefs).
func (o *Outcome) backends(w *Way, r *Request) {
	edges := map[*loader.Value]*hierarchy.Edge{}
	for _, e := range w.Rule.Down {
		if e.Child.Level >= hierarchy.LevelBackend {
			edges[e.Ref] = e
		}
	}
	// There is one edge for several references to one port.
	seen := map[string]*hierarchy.Edge{}
	total := 0
	for _, ref := range w.Rule.Value.List("backendRefs") {
		name, e := BackendName(ref, w), edges[ref]
		if e == nil {
			e = seen[name]
		}
		seen[name] = e
		b := backendOf(w, ref, e)
		b.Name, b.At = name, o.object.Position(ref)
		if b.Weight == 0 && w.own.LoneUnweighted && r.HTTP() && len(w.Rule.Value.List("backendRefs")) == 1 {
			b.Weight = 1
		}
		total += b.Weight
		o.filtersAt(&b, ref, w, r)
		o.Backends = append(o.Backends, b)
	}
	have := map[int]bool{} // the statuses of those that get requests
	for i := range o.Backends {
		o.Backends[i].Total = total
		if o.Backends[i].Weight > 0 {
			have[o.Backends[i].Status] = true
		}
	}
	if have[0] || !r.HTTP() || w.Extended() {
		return
	}
	o.Status = noBackend
	if have[noEndpoint] && !have[noBackend] {
		o.Status = noEndpoint
	}
}

// backendOf returns the weight of a backendRef of a way, and whether what it refers to can be reached.
func backendOf(w *Way, ref *loader.Value, e *hierarchy.Edge) Backend {
	b := Backend{Weight: 1}
	if weight := ref.Get("weight"); weight != nil {
		if n, err := strconv.Atoi(weight.Text); err == nil {
			b.Weight = n
		} else {
			b.Why = "its weight is not known: " + weight.Text
		}
	}
	switch id := hierarchy.BackendID(ref, w.Rule.Namespace()); {
	case e != nil && e.Admitted == fact.False:
		b.Status, b.Why = noBackend, e.Reason+": "+e.Message
	case w.graph.WithoutEndpoints(id):
		b.Status, b.Why = noEndpoint, id.String()+" selects no pods, and nothing gives it endpoints"
	case e != nil && e.Admitted == fact.Unknown:
		b.Why = join(b.Why, e.Message)
	case !w.graph.Exists(id):
		b.Why = join(b.Why, "not in the input")
	}
	return b
}

// filtersAt adds what the filters of a backendRef do, up to the first that cannot be used.
func (o *Outcome) filtersAt(b *Backend, ref *loader.Value, w *Way, r *Request) {
	for _, f := range ref.List("filters") {
		if w.own.MissingAtBackend == implementation.Ignores && f.Str("type") == "ExtensionRef" && w.unusable(f) != "" {
			continue // the backend answers without it
		}
		if why := w.graph.RefusedAtBackend(w.Route, f); why != "" && b.Status == 0 {
			b.Status, b.Why = unusableFilter, why
			return
		}
		if why := w.unusable(f); why != "" && f.Str("type") != "RequestMirror" && b.Status == 0 {
			b.Status, b.Why = unusableFilter, why
			return
		}
		before := len(o.Steps)
		o.filter(w, r, f)
		for i := range o.Steps[before:] {
			o.Steps[before+i].Backend = b.Name
		}
	}
}

// join joins two explanations, of which either may be empty.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// BackendName is the backend of a reference of a way with the port: Service/shop/cart:8080.
func BackendName(ref *loader.Value, w *Way) string {
	name := hierarchy.BackendID(ref, w.Rule.Namespace()).String()
	if port := ref.Get("port"); port != nil {
		name += ":" + port.Text
	}
	return name
}

// Extended reports whether a filter of an implementation's own kind may answer a request.
func (w *Way) Extended() bool { return hierarchy.MayAnswer(w.graph, w.Rule) }
