package rule

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/change"
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

// words names settings by their paths, as sentences do.
func (p *Pair) words(k *catalogue.Kind, paths []string) string {
	side := p.Head
	if side == nil {
		side = p.Base
	}
	var words []string
	for _, path := range paths {
		word := side.Table.Words(k, catalogue.Dotted(path))
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	if more := len(words) - maxWords; more > 0 {
		words = append(words[:maxWords], spelling.Count(more, "more setting"))
	}
	return spelling.And(words)
}

// clause returns the first clause of a message.
func clause(message string) string {
	first, _, _ := strings.Cut(message, "; ")
	if strings.Count(first, "(") != strings.Count(first, ")") {
		return message
	}
	return first
}
