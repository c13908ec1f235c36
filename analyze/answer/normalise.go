package answer

import (
	"net/url"
	"strings"

	"github.com/gwplan/gwplan/analyze/implementation"
)

// Normal is what a data plane makes of a path before it matches routes.
type Normal struct {
	Path string
	// Status is that of the Gateway's own answer to a path that it does not match: 400 for one that it refuses, 307 for
	// a redirect to Path; 0 otherwise.
	Status int
}

// The statuses of paths that are not matched.
const (
	refusedPath    = 400
	redirectedPath = 307
)

// Paths is how the data plane of the port normalises paths.
func (p *Port) Paths() implementation.Paths { return p.own.Paths }

// At returns the listener that takes a request, or nil.
func (p *Port) At(r *Request) *Table { return p.table(r) }

// Normalise returns what a data plane makes of the path of a request, and false if that is not known. resolves is
// false if a policy turns the resolution of dots off.
func Normalise(r *Request, how implementation.Paths, resolves bool) (Normal, bool) {
	if !r.HTTP() || ordinary(r.Path) {
		return Normal{Path: r.Path}, true
	}
	switch how.Style {
	case implementation.EnvoyPaths:
		return envoyPath(r, how, resolves), true
	case implementation.NginxPaths:
		return rooted(unescape(r.Path, nil), how.MergesSlashes), true
	case implementation.KongPaths:
		return rooted(unescape(r.Path, reserved), how.MergesSlashes), true
	case implementation.TraefikPaths:
		path := rooted(unescape(r.Path, reserved), how.MergesSlashes)
		if path.Status != 0 { // what leaves the root stays there
			path = Normal{Path: withoutDots(unescape(r.Path, reserved), true)}
		}
		if last := r.Path[strings.LastIndexByte(r.Path, '/')+1:]; last == "." || last == ".." {
			path.Path = "/" + strings.Trim(path.Path, "/")
		}
		return path, true
	case implementation.LiteralPaths:
		return Normal{Path: r.Path}, true
	}
	return Normal{Path: r.Path}, false
}

// ordinary reports whether a path is the same to every data plane.
func ordinary(path string) bool {
	if strings.ContainsAny(path, `%\`) || strings.Contains(path, "//") {
		return false
	}
	return !strings.Contains(path+"/", "/./") && !strings.Contains(path+"/", "/../")
}

func envoyPath(r *Request, how implementation.Paths, resolves bool) Normal {
	path, redirects := r.Path, false
	if how.Slashes != implementation.KeepSlashes {
		plain := strings.NewReplacer("%2F", "/", "%2f", "/", "%5C", `\`, "%5c", `\`).Replace(path)
		switch {
		case plain == path:
		case how.Slashes == implementation.RejectSlashes || how.Slashes == implementation.RedirectSlashes && strings.HasPrefix(r.Scheme, "grpc"):
			return Normal{Path: path, Status: refusedPath}
		default:
			path, redirects = plain, how.Slashes == implementation.RedirectSlashes
		}
	}
	if resolves {
		path = withoutDots(strings.ReplaceAll(unescape(path, staysEscaped), `\`, "/"), false)
	}
	if how.MergesSlashes {
		path = merged(path)
	}
	if redirects {
		return Normal{Path: path, Status: redirectedPath}
	}
	return Normal{Path: path}
}

// rooted merges the slashes of a path, if asked for, and resolves its dots. A path that leaves the root, or holds a
// zero byte, is refused.
func rooted(path string, merges bool) Normal {
	depth := 0
	for segment := range strings.SplitSeq(path, "/") {
		switch segment {
		case "", ".":
		case "..":
			depth--
		default:
			depth++
		}
		if depth < 0 {
			return Normal{Path: path, Status: refusedPath}
		}
	}
	if strings.ContainsRune(path, 0) {
		return Normal{Path: path, Status: refusedPath}
	}
	return Normal{Path: withoutDots(path, merges)}
}

// withoutDots resolves the dot segments of a path (RFC 3986, section 5.2.4). If merges is true, empty segments count as
// none.
func withoutDots(path string, merges bool) string {
	var out []string
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for i, segment := range segments {
		last := i+1 == len(segments)
		switch {
		case segment == "..":
			if len(out) > 0 {
				out = out[:len(out)-1]
			}
		case segment != "." && (segment != "" || last || !merges):
			out = append(out, segment)
			continue
		}
		if last {
			out = append(out, "") // the slash before it stays
		}
	}
	return "/" + strings.Join(out, "/")
}

// merged makes one slash of several.
func merged(path string) string {
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	return path
}

// unescape decodes percent-encoded characters of a path once, but for those that keep holds.
func unescape(path string, keep func(byte) bool) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if path[i] == '%' && i+2 < len(path) {
			if text, err := url.PathUnescape(path[i : i+3]); err == nil && (keep == nil || !keep(text[0])) {
				b.WriteString(text)
				i += 2
				continue
			}
		}
		b.WriteByte(path[i])
	}
	return b.String()
}

// reserved reports whether a character separates parts of a URL (RFC 3986, section 2.2), or escapes.
func reserved(c byte) bool { return strings.IndexByte("!*'();:@&=+$,/?%#[]", c) >= 0 }

// staysEscaped reports whether a character is not one of the unreserved ones, whose escapes mean the character itself
// (RFC 3986, section 2.3).
func staysEscaped(c byte) bool {
	return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0)
}
