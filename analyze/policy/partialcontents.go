package policy

import (
	"cmp"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// wrongContent returns the first text that a policy with the status `partly-valid` contains or selects and that its controller
// cannot read or does not take: keys, URLs, names of claims and types of tokens (agentgateway, plugins/traffic_plugin.go,
// processJWTAuthenticationPolicy and processAPIKeyAuthenticationPolicy).
func wrongContent(p *Policy, g *hierarchy.Graph) *hierarchy.Condition {
	var found *hierarchy.Condition
	wrong := func(at *loader.Value, message string, involved ...loader.ID) {
		if found == nil {
			found = &hierarchy.Condition{Type: hierarchy.ResolvedRefs, Status: fact.False, Message: message, Owner: p.Object, Ref: at, Involves: involved}
		}
	}
	eachField(p.Object.Spec(), func(around, field string, v *loader.Value) {
		switch {
		case field == "url" && slices.Contains(callers, around):
			if message := wrongURL(v); message != "" {
				wrong(v, message)
			}
		case around == "jwtSign" && field == "claims", field == "additionalParams" && around == "oauthTokenExchange":
			for _, f := range v.FieldList() {
				if reserved(field, f.Key) {
					wrong(f.Value, f.Key+" is what the proxy itself sets")
				}
			}
		case field == "tokenType" && (around == "subjectToken" || around == "actorToken"):
			if message := wrongTokenType(v); message != "" {
				wrong(v, message)
			}
		case around == "jwks" && field == "inline" && v.Shape == loader.String && !v.Opaque && !loader.Placeholder(v.Text):
			if message := wrongKeySet(v.Text); message != "" {
				wrong(v, message)
			}
		case around == "apiKeyAuthentication" && field == "configMapSelector":
			for _, o := range g.ObjectsOf("", "ConfigMap", p.Object.ID.Namespace) {
				if v.Shape != loader.Map || (inventory.Labels{Values: o.Labels()}).Matches(v) != fact.True {
					continue
				}
				for _, entry := range o.Root.Get("data").FieldList() {
					if message := wrongKey(entry.Value); message != "" {
						wrong(v, entry.Key+" of "+o.ID.Spoken()+" "+message, o.ID)
					}
				}
			}
		}
	})
	return found
}

// callers are the fields with the URL of a service that the proxy or the controller calls.
var callers = []string{
	"extAuth", "extProc", "policy", "global", "tunnel", "tracing", "otlp", "remote", "jwks", "oauthTokenExchange", "identityProvider", "resourceAuthorizationServer",
}

// wrongURL says why the URL of a service cannot be called, or is empty (agentgateway, remotehttp/resolver.go, ParseHTTPURL).
func wrongURL(v *loader.Value) string {
	if v.Shape != loader.String || v.Opaque || loader.Placeholder(v.Text) {
		return ""
	}
	parsed, err := url.Parse(v.Text)
	if err != nil {
		return "this is not a URL"
	}
	number, err := strconv.Atoi(cmp.Or(parsed.Port(), "80"))
	switch {
	case parsed.Scheme != "http" && parsed.Scheme != "https":
		return "this URL is neither of http nor of https"
	case parsed.Hostname() == "":
		return "this URL has no host"
	case parsed.User != nil, parsed.ForceQuery, parsed.RawQuery != "", parsed.Fragment != "":
		return "this URL has more than a host, a port and a path"
	case err != nil || number < 1 || number > 65535:
		return "this URL has a port that is none"
	}
	return ""
}

// reserved reports whether a claim or a parameter is one that the proxy sets (agentgateway, plugins/backend_policies.go,
// buildJwtSignAuthPolicy and isOAuthReservedAdditionalParam).
func reserved(field, key string) bool {
	if field == "claims" {
		return key == "iat" || key == "exp" || key == "nbf"
	}
	return slices.Contains([]string{
		"grant_type", "subject_token", "subject_token_type", "actor_token", "actor_token_type", "assertion", "audience", "resource", "scope",
		"requested_token_type", "client_id", "client_secret", "client_assertion", "client_assertion_type",
	}, strings.ToLower(key))
}

// wrongTokenType says why a text is no type of tokens, or is empty (agentgateway, plugins/backend_policies.go, validateOAuthTokenType).
func wrongTokenType(v *loader.Value) string {
	if v.Shape != loader.String || v.Opaque || loader.Placeholder(v.Text) || slices.Contains([]string{"AccessToken", "Jwt", "IdToken", "IdJag"}, v.Text) {
		return ""
	}
	if parsed, err := url.Parse(v.Text); err != nil || !parsed.IsAbs() || parsed.Fragment != "" {
		return "this is neither a known type of tokens nor an absolute URI without a fragment"
	}
	return ""
}

// eachField visits the fields of a value, with the field around each. What only moderators read is left out.
func eachField(v *loader.Value, visit func(around, field string, v *loader.Value)) {
	var in func(around string, v *loader.Value)
	in = func(around string, v *loader.Value) {
		for _, f := range v.FieldList() {
			if slices.Contains(moderators, around) {
				continue
			}
			visit(around, f.Key, f.Value)
			in(f.Key, f.Value)
		}
		for _, item := range v.ItemList() {
			in(around, item)
		}
	}
	in("", v)
}

// keyHash is what the hash of a key looks like (plugins/traffic_plugin.go, validateAPIKeyHash).
var keyHash = regexp.MustCompile(`^sha256:[0-9a-fA-F]{64}$`)

// wrongKey says what is wrong with an API key in a ConfigMap, which may hold hashes alone, or is empty.
func wrongKey(entry *loader.Value) string {
	text := strings.TrimSpace(entry.Text)
	if entry.Opaque || loader.Placeholder(text) {
		return ""
	}
	var key struct{ Key, KeyHash string }
	switch {
	case text == "":
		return "is an empty key"
	case !strings.HasPrefix(text, "{"):
		return "is a key in plain text; a ConfigMap may hold its hash alone"
	case json.Unmarshal([]byte(text), &key) != nil:
		return "is not valid JSON"
	case (key.Key == "") == (key.KeyHash == ""):
		return "has not exactly one of key and keyHash"
	case key.Key != "":
		return "is a key in plain text; a ConfigMap may hold its hash alone"
	case !keyHash.MatchString(key.KeyHash):
		return "has a keyHash that is not sha256: and 64 hexadecimal digits"
	}
	return ""
}
