package protection

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// Own compares the protection that an object of Gateway API, a listener or a rule provides itself.
// Either node may be nil. known reports whether a kind is a policy kind; its objects are not judged
// here.
func Own(before, after *hierarchy.Node, known func(group, kind string) bool) Shift {
	var s Shift
	n := cmp.Or(after, before)
	if n == nil {
		return s
	}
	b, a := tree(before, nil, known), tree(after, before, known)
	for _, row := range rowsOf(n) {
		s.judge(row, b, a, nil)
	}
	s.Lost = slices.DeleteFunc(s.Lost, func(f Field) bool {
		name, removed := strings.CutPrefix(f.Path, "/filters/RequestHeaderModifier/headers/remove/")
		return removed && f.What == Exposure && !identifying.MatchString(name)
	})
	switch n.Level {
	case hierarchy.LevelGateway:
		s.class(b, a)
	case hierarchy.LevelListener:
		s.certificates(b, a)
	case hierarchy.LevelRoute:
		s.hostnames(b, a)
	default:
	}
	return s.worstOfEach()
}

// Guards returns the protection that a listener or a rule itself gives to all of its requests. TLS is left out, and what says
// which requests are admitted. known is that of Own.
func Guards(n *hierarchy.Node, known func(group, kind string) bool) []Field {
	var s Shift
	is := tree(n, nil, known)
	for _, row := range rowsOf(n) {
		switch row.What {
		case TLS, Access, Exposure, Disclosure, Origins:
		default:
			s.judge(row, nil, is, nil)
		}
	}
	return s.worstOfEach().Tightened
}

// Same reports whether nothing of what Own compares can differ between two nodes: their objects are equal, and the Gateways of
// listeners as well.
func Same(before, after *hierarchy.Node) bool {
	equal := func(b, a *hierarchy.Node) bool {
		return b != nil && a != nil && b.Object != nil && a.Object != nil && b.Object.Digest == a.Object.Digest
	}
	if !equal(before, after) || before.Level != hierarchy.LevelListener {
		return equal(before, after)
	}
	_, was := before.Frontend()
	_, is := after.Frontend()
	return was == is || equal(was, is)
}

// internalName matches the names of classes whose Gateways are internal.
var internalName = regexp.MustCompile(`(?i)(^|[^a-z])(internal|private|intranet|int)([^a-z]|$)`)

// class judges a Gateway's class by its name, because manifests show nothing else. Any other class
// may be more open than the old one, unless its name says that it is internal.
func (s *Shift) class(before, after *merge.Tree) {
	f := Field{Path: "/gatewayClassName", What: Exposure, Before: before.Get("gatewayClassName"), After: after.Get("gatewayClassName")}
	b, a := f.Text()
	wasInside, isInside := internalName.MatchString(b), internalName.MatchString(a)
	switch {
	case b == a || before == nil || after == nil || wasInside && isInside:
	case isInside:
		s.Tightened = append(s.Tightened, f)
	case wasInside:
		s.LetIn = append(s.LetIn, f)
	default:
		s.Edited = append(s.Edited, f)
	}
}

// Paths of a listener's certificates, and of what its Gateway requires of clients at its port.
const (
	Certificates     = "/tls/certificateRefs"
	ClientValidation = "/clientValidation"
)

// certificates adds the certificates of a listener that replace others. An additional certificate
// is shown only to clients that request its names.
func (s *Shift) certificates(before, after *merge.Tree) {
	was, is := entries(before.At("tls.certificateRefs")), entries(after.At("tls.certificateRefs"))
	stays := func(in []merge.Entry) func(merge.Entry) bool {
		return func(e merge.Entry) bool { return valueOf(in, e.Key) != nil }
	}
	if came, gone := slices.DeleteFunc(slices.Clone(is), stays(was)), slices.DeleteFunc(slices.Clone(was), stays(is)); len(came) > 0 && len(gone) > 0 {
		s.Edited = append(s.Edited, Field{Path: Certificates + "/" + came[0].Key, What: TLS, After: came[0].Tree})
	}
}

// hostnames adds the new hostnames of a route that cover one of its old ones. Any other new name
// admits other requests, not more of the same.
func (s *Shift) hostnames(before, after *merge.Tree) {
	names := entries(before.Get("hostnames"))
	for _, e := range entries(after.Get("hostnames")) {
		if e.Tree.Value != nil && valueOf(names, e.Key) == nil &&
			slices.ContainsFunc(names, func(was merge.Entry) bool {
				return was.Tree.Value != nil && covers(e.Tree.Value.Text, was.Tree.Value.Text)
			}) {
			s.LetIn = append(s.LetIn, Field{Path: "/hostnames/" + e.Key, What: Exposure, After: e.Tree})
		}
	}
}

// rows returns the protecting fields of the objects, listeners or rules at a level.
func rows(level hierarchy.Level) []catalogue.Protection {
	switch level {
	case hierarchy.LevelGateway, hierarchy.LevelListenerSet:
		return gatewayRows()
	case hierarchy.LevelListener:
		return listenerRows()
	case hierarchy.LevelRoute:
		return routeRows()
	case hierarchy.LevelRule:
		return ruleRows()
	default:
		return nil
	}
}

// rowsOf returns the protecting fields of a node.
func rowsOf(n *hierarchy.Node) []catalogue.Protection {
	if rows := rowsOfKinds[[2]string{n.Target.Group, n.Target.Kind}]; rows != nil {
		return rows()
	}
	return rows(n.Level)
}

// Kinds of protection of objects, in addition to those of policies.
const (
	TLS     = "tls"
	Headers = "headers"
	// Access limits what may attach or be reached, Exposure which requests are admitted, Disclosure
	// what else receives them, Origins which sites browsers admit.
	Access     = "access"
	Exposure   = "exposure"
	Disclosure = "disclosure"
	Origins    = "cross-origin requests"
)

// gatewayRows are for Gateways (Gateway API apis/v1/gateway_types.go, GatewaySpec; annotations of
// load balancers: kubernetes/cloud-provider-aws, cloud-provider-gcp and cloud-provider-azure).
var gatewayRows = sync.OnceValue(func() []catalogue.Protection {
	return catalogue.Nested(slices.Concat([]catalogue.Protection{
		{Path: "tls.backend.clientCertificateRef", What: Authentication, Loosens: catalogue.Removed},
		{Path: "tls.backend.clientCertificateRef.name", What: Authentication, Loosens: catalogue.Changed},
		{Path: "allowedListeners.namespaces.from", What: Access, Loosens: catalogue.Lower, Order: namespaces, Unset: []string{"=None"}},
		{Path: "allowedListeners.namespaces.selector.matchLabels.*", What: Access, Loosens: catalogue.Removed, Unless: "allowedListeners.namespaces.from=Same|None|All"},
		{Path: "addresses.private.address", What: Exposure, Loosens: catalogue.Removed},
		{Path: "addresses.public.*", What: Exposure, Loosens: catalogue.Added},
	}, internalRows()))
})

var (
	validationModes = []string{"AllowInsecureFallback", "AllowValidOnly"}
	namespaces      = []string{"All", "Selector", "Same", "None"}
)

// internal lists the annotations that keep a load balancer internal, with the values for it. Any
// other value, and none, means external.
var internal = []struct{ key, inside, outside string }{
	{"service~beta~kubernetes~io/aws-load-balancer-internal", "true", "false"},
	{"service~beta~kubernetes~io/aws-load-balancer-scheme", "internal", "internet-facing"},
	{"service~beta~kubernetes~io/azure-load-balancer-internal", "true", "false"},
	{"networking~gke~io/load-balancer-type", "Internal", "External"},
	{"cloud~google~com/load-balancer-type", "Internal", "External"},
}

func internalRows() []catalogue.Protection {
	var out []catalogue.Protection
	for _, a := range internal {
		out = append(out, catalogue.Protection{
			Path: "infrastructure.annotations." + a.key, What: Exposure, Loosens: catalogue.Lower, Order: []string{a.outside, a.inside}, Unset: []string{"=" + a.outside},
		})
	}
	return out
}

// listenerRows are for listeners (Gateway API apis/v1/gateway_types.go, Listener and
// ListenerFilters; listenerset_types.go, ListenerEntry).
var listenerRows = sync.OnceValue(func() []catalogue.Protection {
	return catalogue.Nested([]catalogue.Protection{
		{Path: "protocol", What: TLS, Loosens: catalogue.Lower, Order: []string{"HTTP", "HTTPS"}},
		{Path: "protocol", What: TLS, Loosens: catalogue.Lower, Order: []string{"TCP", "TLS"}},
		{Path: "tls.mode", What: TLS, Loosens: catalogue.Changed},
		{Path: "tls.options.*", What: TLS, Loosens: catalogue.Changed},
		{Path: "tls.frontendValidation", What: Authentication, Loosens: catalogue.Removed},
		// What the Gateway configures for the port of the listener (Gateway API apis/v1/gateway_types.go, FrontendTLSConfig).
		{Path: "clientValidation", What: Authentication, Loosens: catalogue.Removed},
		{Path: "clientValidation.mode", What: Authentication, Loosens: catalogue.Lower, Order: validationModes, Unset: []string{"=AllowValidOnly"}},
		{Path: "clientValidation.caCertificateRefs.*", What: Authentication, Loosens: catalogue.Added},
		{Path: "hostname", What: Exposure, Loosens: catalogue.Wider},
		{Path: "allowedRoutes.namespaces.from", What: Access, Loosens: catalogue.Lower, Order: namespaces, Unset: []string{"=Same"}},
		{Path: "allowedRoutes.namespaces.selector.labels.*", What: Access, Loosens: catalogue.Removed, Unless: "allowedRoutes.namespaces.from=Same|None|All"},
		{Path: "allowedRoutes.namespaces.selector.labels.*.*", What: Access, Loosens: catalogue.Added, Unless: "allowedRoutes.namespaces.from=Same|None|All"},
		{Path: "allowedRoutes.namespaces.selector.matchExpressions.*", What: Access, Loosens: catalogue.Removed, Unless: "allowedRoutes.namespaces.from=Same|None|All"},
		{Path: "allowedRoutes.namespaces.selector.matchExpressions.*.values", What: Access, Loosens: catalogue.Changed, Unless: "allowedRoutes.namespaces.from=Same|None|All"},
		{Path: "allowedRoutes.kinds.*", What: Access, Loosens: catalogue.Added},
		{Path: "filters.ExternalAuth.*", What: Authentication, Loosens: catalogue.Removed},
		{Path: "filters.ExternalAuth.*.externalAuth.backendRef", What: Authentication, Loosens: catalogue.Changed},
		{Path: "filters.ExtensionRef.*", What: Access, Loosens: catalogue.Removed},
	})
})

// routeRows are for the hostnames in a route itself (Gateway API apis/v1/httproute_types.go,
// HTTPRouteSpec).
var routeRows = sync.OnceValue(func() []catalogue.Protection {
	return catalogue.Nested([]catalogue.Protection{
		{Path: "hostnames", What: Exposure, Loosens: catalogue.Removed},
	})
})

// ruleRows are for rules (Gateway API apis/v1/httproute_types.go, HTTPRouteRule and its filters).
var ruleRows = sync.OnceValue(func() []catalogue.Protection {
	return catalogue.Nested(slices.Concat([]catalogue.Protection{
		{Path: "filters.ExternalAuth.*", What: Authentication, Loosens: catalogue.Removed},
		{Path: "filters.ExternalAuth.*.externalAuth.backendRef", What: Authentication, Loosens: catalogue.Changed},
		{Path: "filters.ExternalAuth.*.externalAuth.http.path", What: Authentication, Loosens: catalogue.Changed},
		{Path: "filters.ExtensionRef.*", What: Access, Loosens: catalogue.Removed},
		{Path: "filters.RequestRedirect.https", What: TLS, Loosens: catalogue.Removed},
		{Path: "filters.RequestMirror.*", What: Disclosure, Loosens: catalogue.Added},
		{Path: "filters.CORS.*.cors.allowOrigins.*", What: Origins, Loosens: catalogue.Added},
		{Path: "filters.CORS.*.cors.allowCredentials", What: Origins, Loosens: catalogue.Added},
		{Path: "filters.CORS.*.cors.allowMethods.*", What: Origins, Loosens: catalogue.Added},
		{Path: "filters.CORS.*.cors.allowHeaders.*", What: Origins, Loosens: catalogue.Added},
		{Path: "backends.elsewhere.*", What: Exposure, Loosens: catalogue.Added},
		{Path: "matches.*.headers", What: Exposure, Loosens: catalogue.Removed},
		{Path: "matches.*.headers.*", What: Exposure, Loosens: catalogue.Removed},
		{Path: "matches.*.queryParams", What: Exposure, Loosens: catalogue.Removed},
		{Path: "matches.*.queryParams.*", What: Exposure, Loosens: catalogue.Removed},
		{Path: "matches.*.method", What: Exposure, Loosens: catalogue.Removed},
		{Path: "matches.*.method.service", What: Exposure, Loosens: catalogue.Removed},
		{Path: "matches.*.method.method", What: Exposure, Loosens: catalogue.Removed},
		{Path: "matches.*.path", What: Exposure, Loosens: catalogue.Removed},
		{Path: "matches.*.prefix", What: Exposure, Loosens: catalogue.Wider},
		{Path: "matches", What: Exposure, Loosens: catalogue.Removed},
	}, headerRows()))
})

// Headers that protect: browsers enforce those of responses; backends trust that only the gateway
// sets those of requests.
var (
	answerHeaders = []string{
		"strict-transport-security", "content-security-policy", "x-frame-options", "x-content-type-options", "referrer-policy",
		"permissions-policy", "cross-origin-opener-policy", "cross-origin-embedder-policy", "cross-origin-resource-policy",
	}
	requestHeaders = []string{
		"authorization", "cookie", "proxy-authorization", "x-forwarded-user", "x-forwarded-email", "x-forwarded-groups", "x-forwarded-preferred-username",
		"x-auth-request-user", "x-auth-request-email", "x-auth-request-groups", "x-remote-user", "x-remote-group", "remote-user", "remote-groups",
		"remote-email", "x-user-id", "x-user", "x-forwarded-client-cert", "x-client-cert", "x-ssl-client-cert", "x-real-ip", "x-forwarded-for",
		"x-envoy-external-address", "x-original-url", "x-rewrite-url",
	}
)

// identifying matches names of headers that seem to tell a backend who sends a request, or what the sender may do.
var identifying = regexp.MustCompile(`user|role|group|tenant|org-?id|scope|mail|auth|admin|permission|consumer|identity|subject|account|client|token|secret|internal|trusted|principal|claim|verified|forwarded`)

func headerRows() []catalogue.Protection {
	var out []catalogue.Protection
	for filter, names := range map[string][]string{"ResponseHeaderModifier": answerHeaders, "RequestHeaderModifier": requestHeaders} {
		at := "filters." + filter + ".headers."
		for _, name := range names {
			out = append(out,
				catalogue.Protection{Path: at + "set." + name, What: Headers, Loosens: catalogue.Removed},
				catalogue.Protection{Path: at + "set." + name, What: Headers, Loosens: catalogue.Changed},
			)
			if filter == "RequestHeaderModifier" {
				out = append(out, catalogue.Protection{Path: at + "remove." + name, What: Headers, Loosens: catalogue.Removed})
				continue
			}
			out = append(out, catalogue.Protection{Path: at + "remove." + name, What: Headers, Loosens: catalogue.Added})
		}
	}
	slices.SortFunc(out, func(a, b catalogue.Protection) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Loosens, b.Loosens))
	})
	// What else a backend trusts is not known; identifying says which names sound so.
	return append(out, catalogue.Protection{Path: "filters.RequestHeaderModifier.headers.remove.*", What: Exposure, Loosens: catalogue.Removed})
}

// tree returns the content of a node in the form for the rows: filters by type, header names in
// lower case, addresses as private or public, and at a listener what its Gateway configures for its port. A backend that former, the
// node before the change, has too is no other one where the node has another namespace now.
func tree(n, former *hierarchy.Node, known func(group, kind string) bool) *merge.Tree {
	if n == nil || n.Value == nil || n.Object == nil {
		return nil
	}
	b := form{node: n, known: known, source: &merge.Source{Object: n.Object, Role: merge.Object}}
	t := merge.New(n.Value, b.source, merge.Form{})
	switch n.Level {
	case hierarchy.LevelGateway:
		t = t.Put("addresses", b.addresses(asked(n.Value)))
		if n.Value.Get("allowedListeners", "namespaces", "from") == nil { // the default of the API
			t = t.Put("allowedListeners.namespaces.from", merge.New(&loader.Value{Shape: loader.String, Text: "None", Defaulted: true}, b.source, merge.Form{}))
		}
		if annotations := n.Value.Get("infrastructure", "annotations"); annotations != nil {
			t = t.Put("infrastructure", b.nest("annotations", b.annotations(annotations)))
		}
	case hierarchy.LevelListener:
		t = t.Put("filters", b.filters(n.Value.List("filters", "requests")))
		if selector := n.Value.Get("allowedRoutes", "namespaces", "selector"); selector != nil {
			t = t.Put("allowedRoutes.namespaces.selector", merge.New(withLabels(selector), b.source, merge.Form{}))
		}
		frontend, gateway := n.Frontend()
		if validation := frontend.Get("validation"); validation != nil {
			t = t.Put("clientValidation", merge.New(validation, &merge.Source{Object: gateway.Object, Role: merge.Object}, merge.Form{}))
		}
	case hierarchy.LevelRule:
		t = t.Put("filters", b.filters(n.Value.List("filters")))
		t = t.Put("backends", b.nest("elsewhere", b.elsewhere(n.Value.List("backendRefs"), former)))
		if matches := n.Value.List("matches"); len(matches) > 0 {
			t = t.Put("matches", b.matches(n.Value.Get("matches")))
		}
	default:
	}
	return t
}

// form builds trees for one node.
type form struct {
	node   *hierarchy.Node
	known  func(group, kind string) bool
	source *merge.Source
}

func (b form) keyed() *merge.Tree {
	return &merge.Tree{Value: b.node.Value, Source: b.source, Kind: merge.Keyed}
}

func (b form) nest(key string, t *merge.Tree) *merge.Tree {
	return &merge.Tree{Value: b.node.Value, Source: b.source, Kind: merge.Map, Entries: []merge.Entry{{Key: key, Tree: t}}}
}

func (b form) put(t *merge.Tree, key string, v *loader.Value) {
	for t.Get(key) != nil {
		key += "'"
	}
	t.Entries = append(t.Entries, merge.Entry{Key: key, Tree: merge.New(v, b.source, merge.Form{})})
}

// annotations replaces the dots in keys, which would split the path of a row.
func (b form) annotations(v *loader.Value) *merge.Tree {
	t := b.keyed()
	for _, f := range v.FieldList() {
		b.put(t, strings.ReplaceAll(f.Key, ".", "~"), f.Value)
	}
	return t
}

// filters groups filters by type. Each type exists even without a filter, so that a new one is
// compared with none.
func (b form) filters(list []*loader.Value) *merge.Tree {
	out := &merge.Tree{Value: b.node.Value, Source: b.source, Kind: merge.Map}
	types := map[string]*merge.Tree{}
	for _, kind := range []string{"CORS", "ExtensionRef", "ExternalAuth", "RequestHeaderModifier", "RequestMirror", "RequestRedirect", "ResponseHeaderModifier"} {
		types[kind] = b.keyed()
		out.Entries = append(out.Entries, merge.Entry{Key: kind, Tree: types[kind]})
	}
	changed := map[string]*merge.Tree{}
	for _, f := range list {
		kind := f.Str("type")
		t := types[kind]
		if t == nil {
			continue
		}
		switch kind {
		case "RequestHeaderModifier":
			changed[kind] = b.headers(changed[kind], f.Get("requestHeaderModifier"))
		case "ResponseHeaderModifier":
			changed[kind] = b.headers(changed[kind], f.Get("responseHeaderModifier"))
		case "RequestMirror":
			b.put(t, hierarchy.BackendID(f.Get("requestMirror", "backendRef"), b.node.Namespace()).String(), f)
		case "ExtensionRef":
			ref := f.Get("extensionRef")
			if !b.known(ref.Str("group"), ref.Str("kind")) {
				b.put(t, ref.Str("kind")+"/"+ref.Str("name"), f)
			}
		case "RequestRedirect":
			b.put(t, "redirect", f)
			if f.Str("requestRedirect", "scheme") == "https" {
				b.put(t, "https", f)
			}
		default:
			b.put(t, "filter", f)
		}
	}
	for kind, t := range types {
		if kind == "RequestHeaderModifier" || kind == "ResponseHeaderModifier" {
			by := changed[kind]
			if by == nil {
				by = b.headers(nil, nil)
			}
			t.Entries = append(t.Entries, merge.Entry{Key: "headers", Tree: by})
		}
	}
	return out
}

// headers collects the headers that filters set (or add) and remove.
func (b form) headers(t *merge.Tree, modifier *loader.Value) *merge.Tree {
	if t == nil {
		t = &merge.Tree{Value: b.node.Value, Source: b.source, Kind: merge.Map, Entries: []merge.Entry{
			{Key: "remove", Tree: b.keyed()}, {Key: "set", Tree: b.keyed()},
		}}
	}
	for _, key := range []string{"set", "add"} {
		for _, item := range modifier.List(key) {
			b.put(t.Get("set"), strings.ToLower(item.Str("name")), item.Get("value"))
		}
	}
	for _, name := range modifier.List("remove") {
		b.put(t.Get("remove"), strings.ToLower(name.Text), name)
	}
	return t
}

// elsewhere returns the backends in other namespaces, without those that the rule may not refer to.
func (b form) elsewhere(refs []*loader.Value, former *hierarchy.Node) *merge.Tree {
	t := b.keyed()
	had := func(id loader.ID) bool {
		return former != nil && slices.ContainsFunc(former.Value.List("backendRefs"), func(ref *loader.Value) bool { return hierarchy.BackendID(ref, former.Namespace()) == id })
	}
	refused := map[*loader.Value]bool{}
	for _, e := range b.node.Down {
		refused[e.Ref] = e.Admitted == fact.False && e.Ref != nil
	}
	for _, ref := range refs {
		if refused[ref] {
			continue
		}
		if id := hierarchy.BackendID(ref, b.node.Namespace()); id.Namespace != b.node.Namespace() && !(had(id) && former.Namespace() != b.node.Namespace()) {
			b.put(t, id.String(), ref)
		}
	}
	return t
}

// matches adds the path as one word, so that a wider prefix is a wider name.
func (b form) matches(list *loader.Value) *merge.Tree {
	out := *list
	out.Items = make([]*loader.Value, 0, len(list.Items))
	for _, m := range list.Items {
		item := *m
		item.Fields = slices.Clone(m.Fields)
		for i, f := range item.Fields {
			if f.Key == "headers" || f.Key == "queryParams" {
				item.Fields[i].Value = lowerNames(f.Value)
			}
		}
		if p := m.Get("path"); p != nil && p.Str("value") != "" {
			item.Fields = append(item.Fields, loader.Field{Key: "prefix", Value: &loader.Value{Shape: loader.String, Text: pathName(p), Mark: p.Mark}})
		}
		if isAll(m.Get("path")) {
			item.Fields = slices.DeleteFunc(item.Fields, func(f loader.Field) bool { return f.Key == "path" })
		}
		out.Items = append(out.Items, &item)
	}
	return merge.New(&out, b.source, merge.Form{})
}

// isAll reports whether a path match matches every path.
func isAll(p *loader.Value) bool {
	return p != nil && cmp.Or(p.Str("type"), "PathPrefix") == "PathPrefix" && cmp.Or(p.Str("value"), "/") == "/"
}

// pathName returns a path match as one word: "/api/*" is everything below /api.
func pathName(p *loader.Value) string {
	name := "/" + strings.Trim(p.Str("value"), "/")
	switch cmp.Or(p.Str("type"), "PathPrefix") {
	case "PathPrefix":
		return strings.TrimSuffix(name, "/") + "/*"
	case "RegularExpression":
		return "regex " + p.Str("value")
	}
	return name
}

// withLabels returns a label selector with the values of each label of which it demands one of some below labels, however that is
// written.
func withLabels(selector *loader.Value) *loader.Value {
	labels := loader.Value{Shape: loader.Map, Mark: selector.Mark}
	for _, f := range selector.Get("matchLabels").FieldList() {
		f.Value = &loader.Value{Shape: loader.List, Mark: f.Value.Mark, Items: []*loader.Value{f.Value}}
		labels.Fields = append(labels.Fields, f)
	}
	var rest []*loader.Value
	for _, e := range selector.List("matchExpressions") {
		if key := e.Str("key"); e.Str("operator") == "In" && len(e.List("values")) > 0 && labels.Get(key) == nil {
			labels.Fields = append(labels.Fields, loader.Field{Key: key, Value: e.Get("values")})
		} else {
			rest = append(rest, e)
		}
	}
	out := &loader.Value{Shape: loader.Map, Mark: selector.Mark, Fields: []loader.Field{{Key: "labels", Value: &labels}}}
	if len(rest) > 0 {
		out.Fields = append(out.Fields, loader.Field{Key: "matchExpressions", Value: &loader.Value{Shape: loader.List, Mark: rest[0].Mark, Items: rest}})
	}
	return out
}

// lowerNames returns a list with the names of its items in lower case.
func lowerNames(list *loader.Value) *loader.Value {
	return list.Copy(func(v *loader.Value) {
		for _, f := range v.Fields {
			if f.Key == "name" && f.Value.Shape == loader.String {
				f.Value.Text = strings.ToLower(f.Value.Text)
			}
		}
	})
}
