package effective

import (
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/internal/yamltext"
	"github.com/gwplan/gwplan/loader"
)

// secretHeaders are headers whose values are secrets, of requests and of responses: what a response sets as a cookie is what requests
// present from then on. The keys are those of gateways that ask for them as a credential (Azure, Cloudflare, CloudFront).
var secretHeaders = []string{
	"authorization", "proxyauthorization", "cookie", "cookie2", "setcookie", "setcookie2", "xapikey",
	"xauthkey", "xfunctionskey", "ocpapimsubscriptionkey", "xoriginverify",
}

// Redact returns a JSON value with the strings of secrets replaced. path is dotted in the form of
// merge.Join, from the root of the spec, with * for a position in a list.
func Redact(s *catalogue.Secrecy, path string, v any) any {
	return (&Redactor{Secrecy: s}).Redact(path, v)
}

// Redactor redacts many values of one kind. It is for one goroutine.
type Redactor struct {
	Secrecy *catalogue.Secrecy
	// secret has what was decided about paths: the items of a list have one path.
	secret map[string]bool
}

// Redact is the function of that name.
func (r *Redactor) Redact(path string, v any) any {
	switch v := v.(type) {
	case string:
		if r.isSecret(path) {
			return loader.Redacted
		}
		if configures(v) || tells(v) {
			return loader.Redacted
		}
		return loader.WithoutCredentials(v)
	case json.Number, int64, float64:
		// A boolean reveals nothing, and a count of tokens is not a token.
		if r.isSecret(path) && !counts(path) {
			return loader.Redacted
		}
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = r.Redact(merge.Join(path, "*"), v[i])
		}
		return out
	case map[string]any:
		return r.redactMap(path, v)
	}
	return v
}

func (r *Redactor) isSecret(path string) bool {
	secret, known := r.secret[path]
	if !known {
		if r.secret == nil {
			r.secret = map[string]bool{}
		}
		secret = isSecret(r.Secrecy, path)
		r.secret[path] = secret
	}
	return secret
}

func (r *Redactor) redactMap(path string, m map[string]any) any {
	out := make(map[string]any, len(m))
	for key, child := range m {
		out[key] = r.Redact(merge.Join(path, key), child)
	}
	if (m["value"] != nil || m["values"] != nil) && NamesSecret(r.Secrecy, path, func(key string) string { name, _ := m[key].(string); return name }) {
		for _, key := range []string{"value", "values"} {
			if m[key] != nil {
				out[key] = hidden(m[key])
			}
		}
	}
	return out
}

// hidden replaces a secret, or each of a list of secrets.
func hidden(v any) any {
	list, ok := v.([]any)
	if !ok {
		return loader.Redacted
	}
	out := make([]any, len(list))
	for i := range out {
		out[i] = loader.Redacted
	}
	return out
}

// NamesSecret reports whether the value in a map at a path is a secret by what stands beside it:
// its name, or the path where a patch puts it. text returns the text at a key of the map.
func NamesSecret(s *catalogue.Secrecy, path string, text func(key string) string) bool {
	steps := catalogue.Dotted(text("path"))
	named := slices.ContainsFunc([]string{"name", "key", "header", "selector"}, func(key string) bool { return secretName(text(key)) || secretName(headerOf(text(key))) })
	return (named || isSecret(&catalogue.Secrecy{}, steps)) && !exempt(s, merge.Join(path, "value"))
}

// headerOf returns the header that an attribute of a request names, such as request.headers[x-api-key] or request.headers.x-api-key.
func headerOf(attribute string) string {
	_, header, _ := strings.Cut(attribute, "headers")
	return strings.Trim(header, `.[]'"`)
}

// configures reports whether a text is a configuration of its own, in YAML or JSON, with a secret
// in it. One that is too long to tell counts as such.
func configures(text string) bool {
	if !strings.Contains(text, "\n") && !strings.Contains(text, ": ") && !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return false
	}
	var v any
	if err := yamltext.Unmarshal([]byte(text), &v); err != nil {
		return errors.Is(err, yamltext.ErrTooLong)
	}
	if _, word := v.(string); word {
		return false
	}
	return !reflect.DeepEqual(v, Redact(&catalogue.Secrecy{}, "", v))
}

// tellings are forms in which a text of any language gives a value to a name: a header line, a line of YAML, an assignment or a
// comparison with a literal, a directive of NGINX, the two arguments of a call. What a program computes is none.
var tellings = sync.OnceValue(func() (out []*regexp.Regexp) {
	for _, form := range []string{
		`^([\w-]+):[ \t]*[^\s$<{%/]`,
		`(?m)^[ \t]*(?:-[ \t]+)?["']?([\w.-]+)["']?:[ \t]+["']?[^\s"'|>{\[&*#$<%]`,
		`([\w.-]+)["'\]]*\s*(?::=|={1,2}|:)\s*["'][^"'$<\s]`,
		`\w*_headers?\s+["']?([\w-]+)["']?[:\s]+["']?[^\s$;"']`,
		`\(\s*["']([\w-]+)["']\s*,\s*["'][^"'$]`,
	} {
		out = append(out, regexp.MustCompile(form))
	}
	return out
})

// maxTold bounds the text in which such forms are looked for. A longer one that has the name of a secret counts as telling one.
const maxTold = 1 << 18

// tells reports whether a text gives a value to the name of a secret, although it is no configuration as a whole.
func tells(text string) bool {
	if !strings.ContainsAny(text, ":=,") && !strings.Contains(text, "_header") {
		return false
	}
	if len(text) > maxTold {
		return loader.NamesCredentialIn(text)
	}
	return slices.ContainsFunc(tellings(), func(form *regexp.Regexp) bool {
		return slices.ContainsFunc(form.FindAllStringSubmatch(text, -1), func(m []string) bool { return secretName(m[1]) })
	})
}

// Shown returns the value of a header, parameter or cookie as reports show it: hidden if its name is that of a
// secret.
func Shown(name, value string) string {
	if secretName(name) {
		return loader.Redacted
	}
	return value
}

func secretName(name string) bool {
	return slices.Contains(secretHeaders, loader.Squash(name)) || loader.NamesCredential(name)
}

// isSecret reports whether a string at a path is a secret: its key or a key above it looks like
// that of a secret. The name of an object is a reference and not a secret.
func isSecret(s *catalogue.Secrecy, path string) bool {
	if exempt(s, path) || strings.Contains(path, "matchLabels.") {
		return false
	}
	if slices.ContainsFunc(s.Secret, func(p string) bool { return below(p, path) }) {
		return true
	}
	segments := strings.FieldsFunc(path, func(r rune) bool { return r == '.' || string(r) == merge.Dot })
	last := len(segments) - 1
	// The field `key` of an authentication is a secret, and tls.key; in a reference to a Secret it is not.
	if last > 0 && segments[last] == "key" && (strings.HasSuffix(loader.Squash(segments[last-1]), "auth") || segments[last-1] == "tls") {
		return true
	}
	if last > 0 && setsHeaders(loader.Squash(segments[last-1])) && slices.Contains(secretHeaders, loader.Squash(segments[last])) {
		return true
	}
	// A header may be described in a map of its own: headers.x-api-key.plain.value.
	for i := range max(0, last-1) {
		if segments[last] == "value" && setsHeaders(loader.Squash(segments[i])) && secretName(segments[i+1]) {
			return true
		}
	}
	for i, segment := range segments {
		if i < last && slices.ContainsFunc(s.Named, func(p string) bool { return merge.MatchPath(p, strings.Join(segments[:i], ".")) }) {
			continue
		}
		if loader.NamesCredential(segment) && (i == last || !slices.Contains(referenceKeys, segments[last])) {
			return true
		}
	}
	return false
}

// setsHeaders reports whether a map at a key has headers with the values that requests get.
func setsHeaders(key string) bool {
	return strings.HasSuffix(key, "headers") || slices.Contains([]string{"set", "add", "overwrite"}, key)
}

// referenceKeys are the keys in a reference to a Secret. Their values are not secret.
var referenceKeys = []string{"name", "namespace", "kind", "group", "key", "apiVersion", "sectionName", "header", "headers"}

// exempt reports whether the value at a path is declared public, whatever its key is.
func exempt(s *catalogue.Secrecy, path string) bool {
	return slices.ContainsFunc(s.Public, func(p string) bool { return below(p, path) })
}

// below reports whether a path is the path of a pattern, or under it. A pattern may omit positions
// in lists. It does not include the list in which the specs of a kind are collected.
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

// counts reports whether a number at a path is a count, for example of tokens, and not a secret.
func counts(path string) bool {
	key := loader.Squash(path[strings.LastIndexByte(path, '.')+1:])
	return strings.HasSuffix(key, "tokens") || strings.HasPrefix(key, "max")
}
