package report

import (
	"fmt"
	"net/url"
	"path"
	"strings"
)

// Links lead from a report to the repository. The zero value links nothing.
type Links struct {
	// Repository is the repository's page, such as https://github.com/o/r.
	Repository string
}

// repository is the page, or empty where it is not a plain http(s) URL. A user
// or token in front of the host never reaches a report.
func (l Links) repository() string {
	u, err := url.Parse(strings.TrimSpace(l.Repository))
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" {
		return ""
	}
	if strings.ContainsFunc(u.Host, func(r rune) bool { return !isWordRune(r) && !strings.ContainsRune(".-:[]", r) }) {
		return ""
	}
	page := u.Scheme + "://" + u.Host
	if p, ok := relativeURI(strings.Trim(u.Path, "/")); ok {
		page += "/" + strings.TrimSuffix(p, ".git")
	}
	return page
}

// blob is the page of a line, or empty where there is nothing to link to.
func (s Style) blob(commit, file string, line int) string {
	repo := s.Links.repository()
	uri, ok := relativeURI(file)
	if repo == "" || !ok || !isCommit(commit) {
		return ""
	}
	page := fmt.Sprintf("%s/%sblob/%s/%s", repo, s.dash(), commit, uri)
	if line > 0 {
		page += fmt.Sprintf("#L%d", line)
	}
	return page
}

// compare is the page that compares two commits, or empty.
func (s Style) compare(base, head string) string {
	repo := s.Links.repository()
	if repo == "" || !isCommit(base) || !isCommit(head) {
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

// isCommit guards URLs: the commit of a plan that was read back is a stranger's.
func isCommit(s string) bool {
	if len(s) < 7 || len(s) > 64 {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'f')
	})
}

// relativeURI percent-encodes a slash path relative to the root of the
// repository. A path that is absolute, empty or leaves the root has no URI:
// GitHub ignores such places, and so do we.
func relativeURI(file string) (string, bool) {
	file = validText(file)
	if file == "" || strings.HasPrefix(file, "/") || file != path.Clean(file) ||
		file == ".." || strings.HasPrefix(file, "../") {
		return "", false
	}
	var b strings.Builder
	for i := range len(file) {
		c := file[i]
		if isWordRune(rune(c)) || strings.IndexByte("-._~/", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String(), true
}

func isWordRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}
