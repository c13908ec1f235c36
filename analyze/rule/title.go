package rule

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/analyze/sentence"
	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// title says in one sentence what happens to the subject of a finding: "HTTPRoute shop/cart loses JWT
// authentication".
func (p *Pair) title(h Hit, one, many string, c *change.Compared, what fieldWords) string {
	k, _, _ := c.Effective()
	words := p.words(k, what.paths)
	if skipped := sentence.ObjectOf(words).Skipped; skipped != "" && one == "weakens" {
		one, many, words = "skips", "skip", skipped
	}
	return predicate(h, one, many, c) + " " + words
}

// predicate joins the subject of a sentence about a change and its verb: "2 HTTPRoutes may lose" if it is not certain
// that the change takes effect.
func predicate(h Hit, one, many string, c *change.Compared) string {
	subject := h.Subject
	switch certain := slices.ContainsFunc(c.Targets, func(t plan.Target) bool { return t.Certain }); {
	case certain || len(c.Targets) == 0:
	case !c.Targets[0].NotInInput:
		return subject + " may " + many
	case h.several:
		subject += " that are not in the input"
	default:
		subject += ", which is not in the input,"
	}
	if h.several {
		return subject + " " + many
	}
	return subject + " " + one
}

// maxWords is how many settings a title names.
const maxWords = 3

// itemOf splits the policy off with which a path begins, as a setting of one of several policies does that take
// effect side by side: /DENY/AuthorizationPolicy.security.istio.io/shop/admin/rules.
func itemOf(p *Pair, path string) (item, rest string) {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for at, part := range parts[:min(len(parts), 2)] {
		if !strings.Contains(part, ".") {
			continue
		}
		for _, n := range []int{3, 2} { // with a namespace, and without one
			if at+n > len(parts) {
				continue
			}
			node := strings.Join(parts[at:at+n], "/")
			if p.Base.object(node) != nil || p.Head.object(node) != nil {
				return loader.Spoken(node), strings.Join(withoutIndex(parts[at+n:]), "/")
			}
		}
	}
	return "", path
}

// withoutIndex leaves the number of an item at the beginning of a path out: it says nothing to a reader.
func withoutIndex(parts []string) []string {
	if len(parts) > 1 && strings.Trim(parts[0], "0123456789") == "" {
		return parts[1:]
	}
	return parts
}

// valueOf splits a value off that a list of plain values lists, such as the address in /cors/allowOrigins/https://a.example.
func valueOf(k *catalogue.Kind, path string) (list, value string) {
	if k == nil {
		return "", ""
	}
	path = "/" + strings.TrimPrefix(path, "/")
	for i := range k.Protects {
		of, isList := strings.CutSuffix(strings.TrimPrefix(k.Protects[i].Path, "*."), ".*") // "*" is one of several policies
		if rest, found := strings.CutPrefix(path, catalogue.Pointer(of)+"/"); isList && found && (strings.Contains(rest, "://") || sentence.IsAddress(rest)) {
			return of, rest
		}
	}
	return "", ""
}

// withValue puts a value into the brackets at the end of words, or after them.
func withValue(words, value string) string {
	if open, found := strings.CutSuffix(words, ")"); found {
		return open + ": " + value + ")"
	}
	return words + " (" + value + ")"
}

// tableOf returns the catalogue of head, or of base if there is no head.
func tableOf(p *Pair) *catalogue.Table {
	if p.Head == nil {
		return p.Base.Table
	}
	return p.Head.Table
}

// words names settings by their paths, as sentences do.
func (p *Pair) words(k *catalogue.Kind, paths []string) string {
	var words []string
	weight := func(path string) int {
		_, rest := itemOf(p, path)
		return catalogue.WeightAt(k, catalogue.Dotted(rest))
	}
	paths = slices.Clone(paths)
	slices.SortStableFunc(paths, func(a, b string) int { return cmp.Compare(weight(a), weight(b)) })
	for _, path := range paths {
		item, rest := itemOf(p, path)
		if k == nil && rest == "/protocol" {
			rest = "TLS"
		}
		word := tableOf(p).ItemWords(k, item, catalogue.Dotted(rest))
		if header := headerWords(path); k == nil && header != "" {
			word = header
		}
		if list, value := valueOf(k, rest); value != "" {
			word = withValue(tableOf(p).ItemWords(k, item, list), value)
		}
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	if more := len(words) - maxWords; more > 0 {
		words = append(words[:maxWords], spelling.Count(more, "more setting"))
	}
	return spelling.And(words)
}
