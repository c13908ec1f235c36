package refusal

import (
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/internal/dns"
	"github.com/gwplan/gwplan/loader"
)

// envoyGatewaySecurity follows Envoy Gateway, internal/gatewayapi/securitypolicy.go,
// validateSecurityPolicy, validateJWTProvider, validateOIDCIssuerURL, validateTokenEndpoint, extractRedirectPath, buildRemoteJWKS, buildOIDCProvider and
// buildExtAuth.
func envoyGatewaySecurity(spec *loader.Value) []Refusal {
	return slices.Concat(
		calledWith(spec.At("extAuth.grpc"), "extAuth.grpc"), calledWith(spec.At("extAuth.http"), "extAuth.http"), calledWith(spec.At("oidc.provider"), "oidc.provider"),
		keySources(spec), passThrough(spec), providers(spec.At("jwt").List("providers")), redirect(spec.At("oidc.redirectURL")), issuer(spec.At("oidc.provider.issuer")), tokenEndpoint(spec.At("oidc.provider.tokenEndpoint")),
	)
}

// keySources judges where keys are looked for (validateAPIKeyAuth).
func keySources(spec *loader.Value) []Refusal {
	for _, source := range spec.Get("apiKeyAuth").List("extractFrom") {
		set := 0
		for _, field := range []string{"headers", "params", "cookies"} {
			if len(source.List(field)) > 0 {
				set++
			}
		}
		if set > 1 {
			return []Refusal{{Path: "apiKeyAuth.extractFrom", At: source, Untaken: true, Why: "only one of headers, params and cookies is allowed"}}
		}
	}
	return nil
}

// passThrough judges requests that bring a token to where OIDC is asked for.
func passThrough(spec *loader.Value) []Refusal {
	oidc := spec.Get("oidc")
	at := oidc.Get("passThroughAuthHeader")
	if text, known := written(at); !known || text != "true" {
		return nil
	}
	refuse := func(at *loader.Value, why string) []Refusal {
		return []Refusal{{Path: "oidc", At: at, Untaken: true, Why: why}}
	}
	if spec.Get("jwt").IsNull() {
		return refuse(at, "passThroughAuthHeader needs jwt")
	}
	all := spec.Get("jwt").List("providers")
	// A provider that does not say from where reads the header Authorization.
	reads := func(provider *loader.Value) []string {
		if provider.Get("extractFrom").IsNull() {
			return []string{"Authorization"}
		}
		var out []string
		for _, header := range provider.Get("extractFrom").List("headers") {
			out = append(out, header.Str("name"))
		}
		return out
	}
	if !slices.ContainsFunc(all, func(provider *loader.Value) bool { return len(reads(provider)) > 0 }) {
		return refuse(at, "passThroughAuthHeader needs a provider of jwt that reads a header")
	}
	forward := oidc.At("forwardIDToken.header")
	for _, provider := range all {
		for _, header := range reads(provider) {
			if name, known := written(forward); known && strings.EqualFold(name, header) {
				return refuse(forward, "forwardIDToken cannot use a header from which a provider of jwt reads, with passThroughAuthHeader")
			}
		}
	}
	return nil
}

// providers judges the providers of JSON web tokens (validateJWTProvider).
func providers(list []*loader.Value) []Refusal {
	refuse := func(at *loader.Value, why string) []Refusal {
		return []Refusal{{Path: "jwt.providers", At: at, Why: why}}
	}
	seen := map[string]bool{}
	for _, provider := range list {
		if issuer, known := written(provider.Get("issuer")); known {
			switch {
			case strings.Contains(issuer, ":"):
				if _, err := url.ParseRequestURI(issuer); err != nil {
					return refuse(provider.Get("issuer"), "an issuer with a colon must be a URI")
				}
			case strings.Contains(issuer, "@"):
				if _, err := mail.ParseAddress(issuer); err != nil {
					return refuse(provider.Get("issuer"), "an issuer with @ must be an e-mail address")
				}
			}
		}
		at := provider.At("remoteJWKS.uri")
		if uri, known := written(at); known {
			if _, err := url.ParseRequestURI(uri); err != nil {
				return refuse(at, "remoteJWKS.uri is not a URI")
			}
		}
		if out := calledWith(provider.Get("remoteJWKS"), "jwt.providers.remoteJWKS"); len(out) > 0 {
			return out
		}
		for _, claim := range provider.List("claimToHeaders") {
			for _, field := range []string{"header", "claim"} {
				if text, known := written(claim.Get(field)); known && text == "" {
					return refuse(claim.Get(field), "claimToHeaders needs a "+field)
				}
			}
		}
		name, known := written(provider.Get("name"))
		if known && !isQualifiedName(name) {
			return refuse(provider.Get("name"), "the name of a provider must have letters, digits, '-', '_' and '.', at most 63, with a domain and a slash before it or none")
		}
		if known && seen[name] {
			return refuse(provider.Get("name"), "two providers have the name "+name)
		}
		seen[name] = known
	}
	return nil
}

// qualifiedName is apimachinery pkg/util/validation, IsQualifiedName, without the domain before it.
var qualifiedName = regexp.MustCompile(`^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$`)

func isQualifiedName(name string) bool {
	prefix, own, prefixed := strings.Cut(name, "/")
	if !prefixed {
		prefix, own = "", name
	}
	return len(own) <= 63 && qualifiedName.MatchString(own) && (!prefixed || dns.IsSubdomain(prefix))
}

// issuer judges who vouches for clients with OIDC, whether or not its endpoints are looked up there.
func issuer(at *loader.Value) []Refusal {
	text, known := written(at)
	if !known {
		return nil
	}
	u, err := url.Parse(text)
	if err == nil && u.Scheme == "https" && u.Hostname() != "" && u.User == nil && !strings.ContainsAny(text, "?#") {
		return nil
	}
	return []Refusal{{Path: "oidc", At: at, Why: "issuer must be https with a host, and without a user, a query and a fragment"}}
}

// tokenEndpoint judges where OIDC gets tokens: at a host with a name.
func tokenEndpoint(at *loader.Value) []Refusal {
	text, known := written(at)
	if !known {
		return nil
	}
	u, err := url.Parse(text)
	if err != nil {
		return []Refusal{{Path: "oidc", At: at, Why: "tokenEndpoint is not a URL"}}
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return []Refusal{{Path: "oidc", At: at, Why: "the host of tokenEndpoint must have a name, not an address"}}
	}
	return nil
}

// redirect judges where OIDC sends clients back to.
func redirect(at *loader.Value) []Refusal {
	text, known := written(at)
	if !known {
		return nil
	}
	scheme, rest, found := strings.Cut(text, "://")
	_, path, below := strings.Cut(rest, "/")
	host := strings.Index(rest, "/")
	if found && slices.Contains([]string{"http", "https", "%REQ(x-forwarded-proto)%"}, scheme) && host > 0 && below && path != "" {
		return nil
	}
	return []Refusal{{Path: "oidc", At: at, Why: "redirectURL must be http or https with a host and a path"}}
}
