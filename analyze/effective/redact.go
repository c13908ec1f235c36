package effective

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/analyze/policy"
	"github.com/gwplan/gwplan/loader"
)

// Redacted stands for a secret in every output.
const Redacted = "<redacted>"

// secretWords are what the key of a secret ends with, in any case and spelling.
// `secretName` and `tokenRef` are references, not secrets.
var secretWords = []string{
	"password", "passwd", "passphrase", "token", "secret", "apikey", "privatekey", "privatekeypem", "secretkey", "accesskey",
	"signingkey", "hmackey", "credential",
}

// secretHeaders are headers whose values are secrets, where a list of
// {name, value} sets them.
var secretHeaders = []string{"authorization", "proxyauthorization", "cookie", "xapikey"}

// Redact gives a JSON value with the strings of secrets replaced. path is
// dotted as merge.Join does it, from the root of the spec, with * for a position
// in a list.
func Redact(s *policy.Secrecy, path string, v any) any {
	switch v := v.(type) {
	case string:
		if isSecret(s, path) {
			return Redacted
		}
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = Redact(s, merge.Join(path, "*"), v[i])
		}
		return out
	case map[string]any:
		return redactMap(s, path, v)
	}
	return v
}

func redactMap(s *policy.Secrecy, path string, m map[string]any) any {
	out := make(map[string]any, len(m))
	for key, child := range m {
		out[key] = Redact(s, merge.Join(path, key), child)
	}
	name, _ := m["name"].(string)
	if m["value"] != nil && secretName(name) && !exempt(s, merge.Join(path, "value")) {
		out["value"] = Redacted
	}
	return out
}

// NamesSecret says whether a map is a {name, value} whose name tells that the
// value is a secret.
func NamesSecret(v *loader.Value) bool {
	return v.Get("value") != nil && secretName(v.Str("name"))
}

func secretName(name string) bool {
	name = squash(name)
	return slices.Contains(secretHeaders, name) || endsSecret(name)
}

// isSecret says whether a string at a path is a secret: its key or one above it
// is secret-like. What names an object is a reference and no secret.
func isSecret(s *policy.Secrecy, path string) bool {
	if exempt(s, path) || strings.Contains(path, "matchLabels.") {
		return false
	}
	if slices.ContainsFunc(s.Secret, func(p string) bool { return below(p, path) }) {
		return true
	}
	segments := strings.FieldsFunc(path, func(r rune) bool { return r == '.' || string(r) == merge.Dot })
	last := len(segments) - 1
	// A key of an authentication is a secret, that of a reference to a Secret none.
	if last > 0 && segments[last] == "key" && strings.HasSuffix(squash(segments[last-1]), "auth") {
		return true
	}
	for i, segment := range segments {
		if i < last && slices.ContainsFunc(s.Named, func(p string) bool { return merge.MatchPath(p, strings.Join(segments[:i], ".")) }) {
			continue
		}
		if endsSecret(squash(segment)) && (i == last || !slices.Contains(referenceKeys, segments[last])) {
			return true
		}
	}
	return false
}

// referenceKeys are the keys of a reference to a Secret, which is no secret.
var referenceKeys = []string{"name", "namespace", "kind", "group", "key", "apiVersion", "sectionName", "header", "headers"}

// exempt says whether what lies at a path is declared public, whatever its name.
func exempt(s *policy.Secrecy, path string) bool {
	return slices.ContainsFunc(s.Public, func(p string) bool { return below(p, path) })
}

// below says whether a path is the one that a pattern means, or under it. A
// pattern may leave out the positions in lists, and knows nothing of the list in
// which the specs of a kind are collected.
func below(pattern, path string) bool {
	flat := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(path, "*."), ".*"), ".*.", ".")
	return under(pattern, path) || under(pattern, strings.TrimPrefix(path, "*.")) || under(pattern, flat)
}

func under(pattern, path string) bool {
	for {
		if merge.MatchPath(pattern, path) {
			return true
		}
		i := strings.LastIndexByte(path, '.')
		if i < 0 {
			return false
		}
		path = path[:i]
	}
}

func endsSecret(key string) bool {
	key = strings.TrimSuffix(key, "s")
	return slices.ContainsFunc(secretWords, func(w string) bool { return strings.HasSuffix(key, w) })
}

var separators = strings.NewReplacer("-", "", "_", "")

func squash(key string) string { return strings.ToLower(separators.Replace(key)) }
