package loader

import "strings"

// wordOf is the word for a key of a kind, where the key says little alone, or for the whole object if there is no key.
func wordOf(kind, key string) string { return strings.TrimSpace(kind + " " + key) }

// PartsOfWord splits a word, as TrafficAt and ServingAt give them, into a kind, or a key that stands alone, and the key of that kind, if
// the word has one: the key by which an object of the kind is attached to traffic.
func PartsOfWord(word string) (first, key string) {
	first, key, _ = strings.Cut(word, " ")
	return first, key
}
