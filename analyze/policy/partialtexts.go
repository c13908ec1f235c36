package policy

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/gwplan/gwplan/internal/celsyntax"
	"github.com/gwplan/gwplan/loader"
)

// wrongExpression returns the first text of a policy with the status `partly-valid` that is no expression of CEL although its
// controller reads it as one, and why (agentgateway, plugins/traffic_plugin.go, isCEL, and its callers).
func wrongExpression(spec *loader.Value) (at *loader.Value, why string) {
	eachExpression(nil, spec, func(v *loader.Value) {
		if at != nil || v.Text == "" || v.Opaque {
			return
		}
		if wrong := celsyntax.Wrong(v.Text); wrong != "" {
			at, why = v, "this is not an expression of CEL: "+wrong
		}
	})
	return at, why
}

// Fields that hold an expression, or a map or list of them, by name. filledIn are those that do so only directly in another
// field, which may have to be in a third one. unread are fields whose expressions the controller passes on as they are.
var (
	expressionFields = []string{
		"expression", "bodyExpression", "unhealthyCondition", "filter", "randomSampling", "clientSampling", "cost", "limitOverride", "matchExpressions",
		"requestMetadata", "responseMetadata", "addRequestHeaders", "additionalParams", "requestAttributes", "responseAttributes", "metadataContext",
	}
	filledIn = []struct {
		in     []string
		fields []string
	}{
		{[]string{"transformation", "request"}, []string{"body", "metadata"}},
		{[]string{"transformation", "response"}, []string{"body", "metadata"}},
		{[]string{"transformation", "add"}, []string{"value"}},
		{[]string{"transformation", "set"}, []string{"value"}},
		{[]string{"directResponse", "headers"}, []string{"value"}},
		{[]string{"extAuth", "http"}, []string{"path", "redirect", "body"}},
		{[]string{"extAuth", "cache"}, []string{"key", "ttl"}},
		{[]string{"delay"}, []string{"duration"}},
		{[]string{"conditional"}, []string{"condition"}},
		{[]string{"guardrails", "remote"}, []string{"metadata"}},
		{[]string{"promptGuard", "webhook"}, []string{"headers"}},
	}
	unread = []string{"networkAuthorization", "retry", "sessionTags"}
)

// eachExpression visits the texts in a value that are expressions. path are the fields that lead to it, without lists.
func eachExpression(path []string, v *loader.Value, visit func(*loader.Value)) {
	if v == nil || len(path) > 0 && slices.Contains(unread, path[len(path)-1]) {
		return
	}
	if holdsExpression(path) {
		eachText(v, func(text *loader.Value) {
			if _, err := time.ParseDuration(text.Text); path[len(path)-1] != "ttl" && path[len(path)-1] != "duration" || err != nil {
				visit(text)
			}
		})
	}
	for _, f := range v.FieldList() {
		eachExpression(append(path, f.Key), f.Value, visit)
	}
	for _, item := range v.ItemList() {
		for _, f := range item.FieldList() {
			eachExpression(append(path, f.Key), f.Value, visit)
		}
	}
}

// holdsExpression reports whether a field holds an expression, or a map or list of them.
func holdsExpression(path []string) bool {
	if len(path) == 0 {
		return false
	}
	field, around := path[len(path)-1], path[:len(path)-1]
	if slices.Contains(expressionFields, field) {
		return true
	}
	for _, one := range filledIn {
		if slices.Contains(one.fields, field) && len(around) > 0 && around[len(around)-1] == one.in[len(one.in)-1] && slices.Contains(around, one.in[0]) {
			return true
		}
	}
	return false
}

// eachText visits the texts of a value that is one, a list of them, or maps of them.
func eachText(v *loader.Value, visit func(*loader.Value)) {
	if v.Shape == loader.String {
		visit(v)
	}
	for _, item := range v.ItemList() {
		if item.Shape == loader.String {
			visit(item)
		}
	}
	for _, f := range v.FieldList() {
		eachText(f.Value, visit)
	}
}

// secretKeys are the entries that a Secret must have for the field of a reference to it, or for the one around it, if the
// reference names none (agentgateway, pkg/wellknown/constants.go; plugins/backend_policies.go and traffic_plugin.go,
// ResolveCredentialKeyRef).
var secretKeys = map[string][]string{
	"basicAuthentication": {".htaccess"}, "auth": {"Authorization"}, "credentials": {"Authorization"}, "aws": {"accessKey", "secretKey"},
	"azure": {"clientID", "tenantID", "clientSecret"}, "gcp": {"credentials.json"}, "clientAuth": {"clientSecret"},
	"clientSecretRef": {"clientSecret"}, "signingKeyRef": {"signingKey"}, "certificateRef": {"certificate"},
	"mtlsCertificateRef": {"tls.crt", "tls.key"}, "caCertificateRefs": {"ca.crt"},
}

// lackingKey says which entry a Secret lacks for the field of the reference to it, or returns "". Nothing is known of a
// Secret that something else fills in.
func lackingKey(secret *loader.Object, field string, ref *loader.Value) string {
	keys := secretKeys[field]
	if key := ref.Str("key"); key != "" && len(keys) == 1 {
		keys = []string{key}
	}
	if field == "mtlsCertificateRef" && holdsOnlyAuthority(secret) {
		return ""
	}
	return lackingAny(secret, keys)
}

// holdsOnlyAuthority reports whether a Secret has the certificate of an authority and neither one of its own nor a key
// (agentgateway, plugins/tls.go, cleanedSslKeyPair).
func holdsOnlyAuthority(secret *loader.Object) bool {
	if secret == nil {
		return false
	}
	held := func(key string) bool {
		return secret.Root.Get("data", key) != nil || secret.Root.Get("stringData", key) != nil
	}
	return held("ca.crt") && !held("tls.crt") && !held("tls.key")
}

// hidesKeys reports whether not all keys of a map are known, such as one with a variable.
func hidesKeys(v *loader.Value) bool {
	return v != nil && (v.Opaque || slices.ContainsFunc(v.FieldList(), func(f loader.Field) bool { return loader.Placeholder(f.Key) }))
}

// lackingAny says which of some keys a Secret does not have, or is empty. One without data may be filled by others.
func lackingAny(secret *loader.Object, keys []string) string {
	if secret == nil || len(keys) == 0 {
		return ""
	}
	data, texts := secret.Root.Get("data"), secret.Root.Get("stringData")
	if data.IsEmpty() && texts.IsEmpty() || hidesKeys(data) || hidesKeys(texts) {
		return ""
	}
	for _, key := range keys {
		switch held := cmp.Or(texts.Get(key), data.Get(key)); {
		case held == nil || held.Text == "" && !held.Opaque:
			return secret.ID.Spoken() + " has no " + strings.TrimSpace(key)
		case held.Text == loader.NoCertificate:
			return key + " of " + secret.ID.Spoken() + " is no certificate"
		case held.Text == loader.OtherUsers: // Envoy Gateway internal/gatewayapi/securitypolicy.go, validateHtpasswdFormat
			return key + " of " + secret.ID.Spoken() + " has a password that is not hashed as {SHA}"
		}
	}
	return ""
}
