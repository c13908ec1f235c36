package rule

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
	"github.com/gwplan/gwplan/analyze/sentence"
	"github.com/gwplan/gwplan/internal/spelling"
)

// title says in one sentence what happens to the targets of a change: "HTTPRoute shop/cart loses JWT
// authentication". A subject that begins with a number has several targets.
func (p *Pair) title(subject, one, many string, c *change.Compared, what said) string {
	k, _, _ := c.Effective()
	verb := one
	if several(subject) {
		verb = many
	}
	return subject + " " + verb + " " + p.words(k, what.paths)
}

// several reports whether the subject of a sentence is a number of targets.
func several(subject string) bool { return subject != "" && subject[0] >= '0' && subject[0] <= '9' }

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
				return sentence.Name(node), strings.Join(parts[at+n:], "/")
			}
		}
	}
	return "", path
}

// words names settings by their paths, as sentences do.
func (p *Pair) words(k *catalogue.Kind, paths []string) string {
	side := p.Head
	if side == nil {
		side = p.Base
	}
	var words []string
	for _, path := range paths {
		item, rest := itemOf(p, path)
		word := side.Table.ItemWords(k, item, catalogue.Dotted(rest))
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	if more := len(words) - maxWords; more > 0 {
		words = append(words[:maxWords], spelling.Count(more, "more setting"))
	}
	return spelling.And(words)
}
