package loader

import (
	"regexp"
	"slices"
	"strings"
)

// credentialWords are the endings of keys whose values are secrets. Case, hyphens and underscores do
// not matter. `secretName` and `tokenRef` are references, not secrets.
var credentialWords = []string{
	"password", "passwd", "passphrase", "token", "secret", "apikey", "privatekey", "privatekeypem", "secretkey", "accesskey",
	"signingkey", "hmackey", "hmac", "credential", "psk", "presharedkey", "pwd", "clientkey", "encryptionkey", "sharedkey", "sshkey",
	"licensekey", "connectionstring",
}

// credentialForms are what a key may say of the form of the secret, at its end.
var credentialForms = []string{"base64", "b64", "plaintext", "text", "string", "value", "raw"}

// NamesCredentialIn reports whether a text has a word of the keys of secrets in it.
func NamesCredentialIn(text string) bool {
	text = Squash(text)
	return slices.ContainsFunc(credentialWords, func(w string) bool { return strings.Contains(text, w) })
}

// NamesCredential reports whether a key is that of a secret.
func NamesCredential(key string) bool {
	key = strings.TrimSuffix(Squash(key), "s")
	ends := func(key string) bool {
		return slices.ContainsFunc(credentialWords, func(w string) bool { return strings.HasSuffix(key, w) })
	}
	return ends(key) || slices.ContainsFunc(credentialForms, func(form string) bool {
		rest, says := strings.CutSuffix(key, form)
		return says && ends(rest)
	})
}

// connectionWords are parts of keys under which a Secret holds how a program connects, beside the credentials that NamesCredential
// knows. They may be wider than these, as nothing is hidden from reports because of them.
var connectionWords = []string{"pass", "token", "secret", "cert", "user", "login", "email", "dsn", "credential", "salt", "webhook"}

// routeWords are parts of paths that may decide about routes. They are not the keys about traffic, which a change is reported
// by: below oauth2-proxy, a credential is one, and a url or a service may be a host.
var routeWords = []string{"route", "host", "domain", "gateway", "parentref", "ingress", "url", "service"}

// IsOnlyCredential reports whether a value of a chart that comes from a Secret is a credential by its path, and not about routes.
// Any other value may decide what the chart renders.
func IsOnlyCredential(path string) bool {
	path = strings.ToLower(path)
	last := path[strings.LastIndexByte(path, '.')+1:]
	contained := func(in string) func(string) bool { return func(word string) bool { return strings.Contains(in, word) } }
	return (NamesCredential(last) || strings.HasSuffix(last, "key") || slices.ContainsFunc(connectionWords, contained(last))) &&
		!slices.ContainsFunc(routeWords, contained(path))
}

// objectName is what names a Secret where a variable may hold the name of one.
var objectName = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

// IsCredential reports whether a variable holds a secret, by its name. One that ends in "secret" may hold the name of a Secret, too: such
// names are words.
func IsCredential(variable, text string) bool {
	return text != "" && NamesCredential(variable) && !(strings.HasSuffix(Squash(variable), "secret") && objectName.MatchString(text))
}

var separators = strings.NewReplacer("-", "", "_", "")

// Squash returns a key without what separates its words.
func Squash(key string) string { return strings.ToLower(separators.Replace(key)) }

// Redacted replaces a secret in every output.
const Redacted = "<redacted>"

// credentials are secrets that a text shows by its form, whatever its key: private keys, user
// and password in a URL, a token in place of both, what follows the scheme of an Authorization
// header, what is set to a password or token (an argument, a parameter of a URL, a part of a connection string), the key or
// signature in the query of a URL (Google, Azure), JWTs, and tokens of GitHub, GitLab, Slack and AWS. A URL that was cleaned like a path has one slash. A password may contain @.
var credentials = []struct {
	form *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*`), Redacted},
	{regexp.MustCompile(`(:/+[^/?#\s:@]*):[^/?#\s]+@`), "${1}:" + Redacted + "@"},
	{regexp.MustCompile(`(?i)(https?:/+)[^/?#\s:@]+@`), "${1}" + Redacted + "@"},
	{regexp.MustCompile(`^(?i)(Bearer|Basic) +[A-Za-z0-9._~+/=-]{8,}$`), "${1} " + Redacted},
	{regexp.MustCompile(`(?i)((?:password|passwd|pwd|secret|token|api[-_]?key)=)[^=\s;&,"'<$][^\s;&,"']*`), "${1}" + Redacted},
	{regexp.MustCompile(`(?i)([?&](?:key|sig|signature|sas)=)[^=\s;&,"'<$][^\s;&,"']*`), "${1}" + Redacted},
	{regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*`), Redacted},
	{regexp.MustCompile(`\b(?:gh[oprsu]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16})\b`), Redacted},
	{regexp.MustCompile(`(hooks\.slack\.com/+services/)[\w/]+`), "${1}" + Redacted},
}

// signs are parts of texts of which one must be there for a credential to be, except at the beginning of a text.
var signs = []string{"-----BEGIN", ":/", "=", "gh", "glpat-", "xox", "eyJ", "AKIA", "hooks.slack.com"}

// WithoutCredentials returns a text with the secrets that show by their form replaced.
func WithoutCredentials(text string) string {
	if !strings.HasPrefix(text, "B") && !strings.HasPrefix(text, "b") && !slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(text, sign) }) {
		return text
	}
	for _, c := range credentials {
		text = c.form.ReplaceAllString(text, c.with)
	}
	return text
}

// HideCredentials hides the credentials in all that a snapshot says of itself. Messages quote
// addresses as they are written.
func (s *Snapshot) HideCredentials() {
	for i := range s.Problems {
		s.Problems[i].Message, s.Problems[i].Hint = WithoutCredentials(s.Problems[i].Message), WithoutCredentials(s.Problems[i].Hint)
	}
	for i := range s.Notes {
		s.Notes[i].Text = WithoutCredentials(s.Notes[i].Text)
	}
	named := func(gaps []Gap) {
		for i := range gaps {
			gaps[i].Name = WithoutCredentials(gaps[i].Name)
		}
	}
	named(s.Doubtful)
	for _, e := range s.Environments {
		named(e.Gaps)
	}
}
