package generate

import (
	"fmt"

	"github.com/gwplan/gwplan/loader"
)

// oidcPolicy generates the AuthPolicy with the name and target of an OIDCPolicy: overrides that
// merge with the other AuthPolicies on the path. It omits the redirect addresses, which depend on
// the first Gateway, and the objects for the callback (Kuadrant
// cmd/extensions/oidc-policy/internal/controller/oidcpolicy_reconciler.go, buildMainAuthPolicy).
func oidcPolicy(o *loader.Object) *loader.Object {
	spec := o.Spec()
	provider, target := spec.Get("provider"), spec.Get("targetRef")
	if provider == nil || target == nil {
		return nil
	}
	issuer := provider.Get("issuerURL")
	jwt := mapping(provider, field{"issuerUrl", issuer})
	if issuer.IsEmpty() {
		issuer = nil
		jwt = mapping(provider, field{"jwksUrl", provider.Get("jwksURL")})
	}
	credentials := spec.Get("auth", "tokenSource")
	if credentials == nil {
		credentials = mapping(provider, field{"cookie", mapping(provider, field{"name", text(provider, "jwt")})})
	}
	rules := mapping(provider,
		field{"authentication", mapping(provider, field{"oidc", mapping(provider, field{"jwt", jwt}, field{"credentials", credentials})})},
		field{"authorization", claims(spec.Get("auth", "claims"), issuer)},
		field{"response", mapping(provider, field{"unauthenticated", mapping(provider, field{"code", number(provider, "302")})})},
	)
	overrides := mapping(spec, field{"strategy", text(spec, "merge")}, field{"rules", rules})
	return object(o, "kuadrant.io", "v1", "AuthPolicy", mapping(spec, field{"targetRef", target}, field{"overrides", overrides}))
}

// claims returns the rule that requires the claims of a token, nil if none are required.
func claims(wanted, issuer *loader.Value) *loader.Value {
	if len(wanted.FieldList()) == 0 {
		return nil
	}
	var patterns []*loader.Value
	for _, claim := range wanted.Fields {
		k, v := claim.Key, claim.Value.Text
		patterns = append(patterns, predicate(claim.Value, fmt.Sprintf(
			`has(auth.identity) && has(auth.identity.%s) && (auth.identity.%s == "%s" || (type(auth.identity.%s) == list && "%s" in auth.identity.%s))`,
			k, k, v, k, v, k)))
	}
	var when *loader.Value
	if issuer != nil {
		when = list(issuer, predicate(issuer, fmt.Sprintf(`auth.identity.iss == "%s"`, issuer.Text)))
	}
	return mapping(wanted, field{"oidc", mapping(wanted,
		field{"when", when}, field{"patternMatching", mapping(wanted, field{"patterns", list(wanted, patterns...)})})})
}

func predicate(at *loader.Value, cel string) *loader.Value {
	return mapping(at, field{"predicate", text(at, cel)})
}

// number returns an integer at the place of a value.
func number(at *loader.Value, digits string) *loader.Value {
	return &loader.Value{Shape: loader.Int, Text: digits, Mark: at.Mark}
}
