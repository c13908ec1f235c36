package outline

import (
	"fmt"
	"net/url"
	"path"
	"strings"
)

// Links configures links from a report to the repository. The zero value creates no links.
type Links struct {
	// Repository is the repository's page, such as https://github.com/o/r.
	Repository string
}

// Base returns the URL of the repository's page, or "" if it is not a plain http(s) URL. It drops a user
// or token before the host, so that no report contains one.
func (l Links) Base() string {
	u, err := url.Parse(strings.TrimSpace(l.Repository))
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" {
		return ""
	}
	if strings.ContainsFunc(u.Host, func(r rune) bool { return !IsWordRune(r) && !strings.ContainsRune(".-:[]", r) }) {
		return ""
	}
	page := u.Scheme + "://" + u.Host
	if p, ok := RelativeURI(strings.Trim(u.Path, "/")); ok {
		page += "/" + strings.TrimSuffix(p, ".git")
	}
	return page
}

// Blob returns the URL of a line, or "" if no link is possible.
func (s Style) Blob(commit, file string, line int) string {
	repo := s.Links.Base()
	uri, ok := RelativeURI(file)
	if repo == "" || !ok || !IsCommit(commit) {
		return ""
	}
	page := fmt.Sprintf("%s/%sblob/%s/%s", repo, s.dash(), commit, uri)
	if line > 0 {
		page += fmt.Sprintf("#L%d", line)
	}
	return page
}

// Compare returns the URL that compares two commits, or "".
func (s Style) Compare(base, head string) string {
	repo := s.Links.Base()
	if repo == "" || !IsCommit(base) || !IsCommit(head) {
		return ""
	}
	return fmt.Sprintf("%s/%scompare/%s...%s", repo, s.dash(), base, head)
}

// dash separates the project from the page in GitLab's URLs.
func (s Style) dash() string {
	if s.Flavor == GitLab {
		return "-/"
	}
	return ""
}

// IsCommit protects URLs: the commit of a plan that was read back is untrusted input.
func IsCommit(s string) bool {
	if len(s) < 7 || len(s) > 64 {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'f')
	})
}

// RelativeURI percent-encodes a slash path relative to the root of the repository. It returns false
// for a path that is absolute, empty or outside the root: GitHub ignores these places.
func RelativeURI(file string) (string, bool) {
	file = validText(file)
	if file == "" || strings.HasPrefix(file, "/") || file != path.Clean(file) ||
		file == ".." || strings.HasPrefix(file, "../") {
		return "", false
	}
	var b strings.Builder
	for i := range len(file) {
		c := file[i]
		if IsWordRune(rune(c)) || strings.IndexByte("-._~/", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String(), true
}

// IsWordRune reports whether a rune is an ASCII letter or digit.
func IsWordRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}
