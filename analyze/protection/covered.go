package protection

import (
	"net/netip"
	"strings"

	"github.com/gwplan/gwplan/analyze/merge"
	"github.com/gwplan/gwplan/loader"
)

// maxCovering is how many items an item is looked for in.
const maxCovering = 256

// covered reports whether an item says nothing that others of its list do not say, so that it decides nothing to list it
// beside them, or no longer: an address or a range that lies in theirs or, in a list of what is admitted, a text that
// a pattern of theirs admits.
func covered(item *merge.Tree, others []merge.Entry, by pairing) bool {
	if len(others) > maxCovering {
		return false
	}
	return inRanges(item, others) || by == sameNames && admitted(item, others)
}

func inRanges(item *merge.Tree, others []merge.Entry) bool {
	own, ok := rangeOf(item)
	if !ok {
		return false
	}
	var ranges []netip.Prefix
	for _, e := range others {
		if other, ok := rangeOf(e.Tree); ok {
			ranges = append(ranges, other)
		}
	}
	return together(ranges, own)
}

func rangeOf(t *merge.Tree) (netip.Prefix, bool) {
	text, ok := textOf(t)
	if !ok {
		return netip.Prefix{}, false
	}
	return network(text)
}

func textOf(t *merge.Tree) (string, bool) {
	if t == nil || t.Value == nil || t.Value.Shape != loader.String {
		return "", false
	}
	return t.Value.Text, true
}

// admitted reports whether a pattern of a list, such as https://*.example, has all that a text stands for.
func admitted(item *merge.Tree, others []merge.Entry) bool {
	own, ok := textOf(item)
	if !ok {
		return false
	}
	for _, e := range others {
		pattern, ok := textOf(e.Tree)
		head, tail, wild := strings.Cut(pattern, "*")
		if !ok || !wild || pattern == own || strings.Contains(tail, "*") || isExpression(pattern) {
			continue
		}
		if len(own) > len(head)+len(tail) && strings.HasPrefix(own, head) && strings.HasSuffix(own, tail) {
			return true
		}
	}
	return false
}

// isExpression reports whether a text with a star is a regular expression, of which the star repeats what is before it.
func isExpression(text string) bool {
	return strings.ContainsAny(text, `\^$()[]{}+|`) || strings.Contains(text, ".*")
}
