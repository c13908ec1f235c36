package answer

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/effective"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
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

// Step is one thing that happens to a request or its answer, and the line that says so.
type Step struct {
	What string
	At   loader.Position
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

// noBackend is the status without a usable backend (Gateway API, HTTPRouteRule.backendRefs).
const noBackend = 500

// OutcomeOf says what happens to a request that a way takes.
func OutcomeOf(w *Way, r *Request) *Outcome {
	o := &Outcome{object: w.Rule.Object}
	if r.HTTP() && w.Route.Target.Kind != "TLSRoute" {
		for _, filter := range w.Rule.Value.List("filters") {
			o.filter(w, r, filter)
			if o.Status != 0 {
				return o
			}
		}
	}
	o.backends(w, r)
	for _, name := range []string{"request", "backendRequest"} {
		if timeout := w.Rule.Value.Get("timeouts", name); timeout != nil {
			o.step(timeout, "the "+map[string]string{"request": "request", "backendRequest": "request to the backend"}[name]+" may take "+timeout.Text)
		}
	}
	if retry := w.Rule.Value.Get("retry"); retry != nil {
		o.step(retry, "is tried again up to "+cmp.Or(retryAttempts(retry), "1")+" times")
	}
	return o
}

func retryAttempts(retry *loader.Value) string {
	if attempts := retry.Get("attempts"); attempts != nil {
		return attempts.Text
	}
	return ""
}

func (o *Outcome) step(at *loader.Value, what string) {
	o.Steps = append(o.Steps, Step{What: what, At: o.object.Position(at)})
}

// filter applies one filter (Gateway API, HTTPRouteFilter).
func (o *Outcome) filter(w *Way, r *Request, f *loader.Value) {
	switch kind := f.Str("type"); kind {
	case "RequestRedirect":
		o.redirect(w, r, f.Get("requestRedirect"), f)
	case "URLRewrite":
		o.rewrite(w, r, f.Get("urlRewrite"))
	case "RequestHeaderModifier":
		o.headers(f.Get("requestHeaderModifier"), "request")
	case "ResponseHeaderModifier":
		o.headers(f.Get("responseHeaderModifier"), "response")
	case "RequestMirror":
		o.mirror(w, f)
	case "CORS":
		o.cors(r, f)
	case "ExternalAuth":
		ref := f.Get("externalAuth", "backendRef")
		o.step(f, "asks "+hierarchy.BackendID(ref, w.Rule.Namespace()).String()+" for authorisation")
	case "ExtensionRef":
		ref := f.Get("extensionRef")
		o.step(f, fmt.Sprintf("applies %s %s/%s", ref.Str("kind"), w.Rule.Namespace(), ref.Str("name")))
		o.extension(w, f, ref)
	default:
		o.step(f, "applies filter "+kind)
	}
}

// redirect computes the answer of a redirect (Gateway API, HTTPRequestRedirectFilter): what it does not
// set is that of the request, and the port follows the scheme.
func (o *Outcome) redirect(w *Way, r *Request, f, at *loader.Value) {
	o.Status = 302
	if code := f.Get("statusCode"); code != nil {
		o.Status, _ = strconv.Atoi(code.Text)
	}
	scheme := strings.ReplaceAll(r.Scheme, "grpc", "http")
	host := cmp.Or(f.Str("hostname"), r.Host)
	port := r.Port
	if port == "" {
		port = w.port()
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
	o.step(at, fmt.Sprintf("answers %d, a redirect to %s", o.Status, o.Location))
}

// port is the port of the way's listener.
func (w *Way) port() string {
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

// extension applies a filter of an implementation's own kind, as far as it answers the request itself
// (Envoy Gateway, HTTPRouteFilter.spec.directResponse).
func (o *Outcome) extension(w *Way, f, ref *loader.Value) {
	if w.own.MatchFilter.Name == "" || ref.Str("group") != w.own.MatchFilter.Group || ref.Str("kind") != w.own.MatchFilter.Name {
		return
	}
	filter := w.graph.Object(loader.ID{Group: ref.Str("group"), Kind: ref.Str("kind"), Namespace: w.Rule.Namespace(), Name: ref.Str("name")})
	if filter == nil {
		return
	}
	if direct := filter.Spec().Get("directResponse"); direct != nil {
		o.Status, _ = strconv.Atoi(textOr(direct.Get("statusCode"), "200"))
		o.step(f, fmt.Sprintf("answers %d by itself", o.Status))
	}
}

func (o *Outcome) rewrite(w *Way, r *Request, f *loader.Value) {
	if host := f.Get("hostname"); host != nil {
		o.step(host, "the host becomes "+host.Text)
	}
	if path := f.Get("path"); path != nil {
		o.step(path, "the path becomes "+w.Match.replaced(r.Path, path))
	}
}

func (o *Outcome) headers(f *loader.Value, what string) {
	for _, action := range []struct{ field, verb string }{{"set", "sets"}, {"add", "adds"}} {
		for _, h := range f.List(action.field) {
			o.step(h, action.verb+" "+what+" header "+h.Str("name"))
		}
	}
	for _, h := range f.List("remove") {
		o.step(h, "removes "+what+" header "+h.Text)
	}
}

func (o *Outcome) mirror(w *Way, f *loader.Value) {
	ref := f.Get("requestMirror", "backendRef")
	share := ""
	if percent := f.Get("requestMirror", "percent"); percent != nil {
		share = " for " + percent.Text + " % of requests"
	} else if fraction := f.Get("requestMirror", "fraction"); fraction != nil {
		share = fmt.Sprintf(" for %s of %s requests", fraction.Get("numerator").Text, textOr(fraction.Get("denominator"), "100"))
	}
	o.step(f, "sends a copy to "+hierarchy.BackendID(ref, w.Rule.Namespace()).String()+share)
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
	origin := r.Header("origin")
	switch {
	case origin == "":
		return
	case !allowsOrigin(f.Get("cors"), origin):
		o.step(f, "allows no access from the origin "+origin)
	case r.Method == "OPTIONS" && r.Header("access-control-request-method") != "":
		o.Status = 200
		o.step(f, "answers the preflight request of "+origin)
	default:
		o.step(f, "allows access from the origin "+origin)
	}
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
		if e.Child.Level == hierarchy.LevelBackend {
			edges[e.Ref] = e
		}
	}
	seen := map[loader.ID]*hierarchy.Edge{}
	total := 0
	for _, ref := range w.Rule.Value.List("backendRefs") {
		id := hierarchy.BackendID(ref, w.Rule.Namespace())
		e := edges[ref]
		if e == nil {
			e = seen[id] // one edge for several references to one backend
		}
		seen[id] = e
		b := Backend{Name: id.String(), Weight: 1, At: o.object.Position(ref)}
		if port := ref.Get("port"); port != nil {
			b.Name += ":" + port.Text
		}
		if weight := ref.Get("weight"); weight != nil {
			b.Weight, _ = strconv.Atoi(weight.Text)
		}
		if e != nil && e.Admitted == fact.False {
			b.Status, b.Why = noBackend, e.Reason+": "+e.Message
		} else if e != nil && e.Admitted == fact.Unknown {
			b.Why = e.Message
		}
		total += b.Weight
		for _, f := range ref.List("filters") {
			before := len(o.Steps)
			o.filter(w, r, f)
			for i := range o.Steps[before:] {
				o.Steps[before+i].What += " (for " + b.Name + ")"
			}
		}
		o.Backends = append(o.Backends, b)
	}
	usable := false
	for i := range o.Backends {
		o.Backends[i].Total = total
		usable = usable || o.Backends[i].Status == 0 && o.Backends[i].Weight > 0
	}
	if !usable && r.HTTP() && !w.Extended() {
		o.Status = noBackend
	}
}

// Extended reports whether a filter of an implementation's own kind may answer a request.
func (w *Way) Extended() bool {
	return slices.ContainsFunc(w.Rule.Value.List("filters"), func(f *loader.Value) bool { return f.Str("type") == "ExtensionRef" })
}
