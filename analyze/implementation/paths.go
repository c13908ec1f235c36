package implementation

// Paths describes what a data plane makes of the path of a request before it matches routes.
type Paths struct {
	Style PathStyle
	// MergesSlashes is true if several slashes become one, as long as no policy says otherwise.
	MergesSlashes bool
	// Slashes is what happens to a path with an escaped slash, as long as no policy says otherwise.
	Slashes EscapedSlashes
	// Policy is the kind of policy of a listener with settings for this, if any. Normalizes, Merges, Separates and
	// Escaped are its fields, as far as it has them: whether dots are resolved, whether slashes are merged, whether they
	// are not, and what happens to escaped slashes.
	Policy                                 Kind
	Normalizes, Merges, Separates, Escaped string
}

// PathStyle is a way of normalising paths.
type PathStyle string

// The styles. It is not known what other data planes do.
const (
	// EnvoyPaths decodes unreserved characters, resolves dots and then merges slashes (envoy
	// source/common/http/conn_manager_utility.cc, maybeNormalizePath; path_utility.cc).
	EnvoyPaths PathStyle = "envoy"
	// NginxPaths decodes everything once, merges slashes and resolves dots in one pass (nginx
	// src/http/ngx_http_parse.c, ngx_http_parse_complex_uri).
	NginxPaths PathStyle = "nginx"
	// KongPaths decodes everything that is not reserved, then merges slashes and resolves dots in one pass; what leaves
	// the root is refused (Kong kong/tools/uri.lua, normalize).
	KongPaths PathStyle = "kong"
	// TraefikPaths is the same, but what leaves the root stays there, and a dot at the end leaves no slash (Traefik
	// pkg/server/server_entrypoint_tcp.go, sanitizePath; pkg/muxer/http/mux.go, withRoutingPath).
	TraefikPaths PathStyle = "traefik"
	// LiteralPaths changes nothing.
	LiteralPaths PathStyle = "literal"
)

// EscapedSlashes is what a data plane does with %2F and %5C in a path.
type EscapedSlashes string

// The actions; the zero value keeps them.
const (
	KeepSlashes     EscapedSlashes = ""
	RejectSlashes   EscapedSlashes = "reject"
	ForwardSlashes  EscapedSlashes = "forward"
	RedirectSlashes EscapedSlashes = "redirect"
)

// SlashWords are these actions as policies write them.
var SlashWords = map[string]EscapedSlashes{
	"KeepUnchanged": KeepSlashes, "RejectRequest": RejectSlashes, "UnescapeAndForward": ForwardSlashes, "UnescapeAndRedirect": RedirectSlashes,
	"IMPLEMENTATION_SPECIFIC_DEFAULT": KeepSlashes, "KEEP_UNCHANGED": KeepSlashes, "REJECT_REQUEST": RejectSlashes,
	"UNESCAPE_AND_FORWARD": ForwardSlashes, "UNESCAPE_AND_REDIRECT": RedirectSlashes,
}
