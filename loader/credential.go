package loader

import (
	"regexp"
	"strings"
)

// Redacted replaces a secret in every output.
const Redacted = "<redacted>"

// credentials are secrets that a text shows by its form, whatever its key: private keys, user
// and password in a URL, a token in place of both, and what follows the scheme of an Authorization
// header. A URL that was cleaned like a path has one slash. A password may contain @.
var credentials = []struct {
	form *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*`), Redacted},
	{regexp.MustCompile(`(:/+[^/?#\s:@]*):[^/?#\s]+@`), "${1}:" + Redacted + "@"},
	{regexp.MustCompile(`(?i)(https?:/+)[^/?#\s:@]+@`), "${1}" + Redacted + "@"},
	{regexp.MustCompile(`^(?i)(Bearer|Basic) +[A-Za-z0-9._~+/=-]{8,}$`), "${1} " + Redacted},
}

// WithoutCredentials returns a text with the secrets that show by their form replaced.
func WithoutCredentials(text string) string {
	if !strings.Contains(text, "-----BEGIN") && !strings.Contains(text, ":/") && !strings.HasPrefix(text, "B") && !strings.HasPrefix(text, "b") {
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
		s.Notes[i] = WithoutCredentials(s.Notes[i])
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
