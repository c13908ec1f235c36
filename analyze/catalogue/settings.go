package catalogue

import "strings"

// maxPath is how long the path of a setting may be in a sentence, in bytes.
const maxPath = 48

// Words returns what a setting is called in a sentence: "JWT authentication" for jwt. The path is
// dotted, without list items. If only a step above it has words, the path follows in brackets: "JWT
// authentication (jwt.providers)". A setting without words is called by its path. The kind is nil for
// an object's own configuration.
func (t *Table) Words(k *Kind, path string) string {
	for above := path; above != ""; {
		if words := t.wordsFor(k, above); words != "" {
			if above != path && len(path) <= maxPath {
				words += " (" + path + ")"
			}
			return words
		}
		above = parent(above)
	}
	for len(path) > maxPath && strings.Contains(path, ".") {
		path = parent(path)
	}
	return path
}

// ItemWords names a setting of one of several policies that take effect side by side, or the whole of this policy if
// the path is empty.
func (t *Table) ItemWords(k *Kind, item, path string) string {
	switch {
	case item == "":
		return t.Words(k, path)
	case path == "":
		return item
	}
	return t.Words(k, path) + " of " + item
}

// HasWords reports whether a setting, and not only one that it is in, has words.
func (t *Table) HasWords(k *Kind, path string) bool { return t.wordsFor(k, path) != "" }

func parent(path string) string { return path[:max(strings.LastIndexByte(path, '.'), 0)] }

// wordsFor returns the words of a path, or those of its longest end that has some, or "".
func (t *Table) wordsFor(k *Kind, path string) string {
	for _, words := range []map[string]string{k.words(), t.settings} {
		if whole := words["/"+path]; whole != "" {
			return whole
		}
		for end, more := path, true; more; _, end, more = strings.Cut(end, ".") {
			if words[end] != "" {
				return words[end]
			}
		}
	}
	return ""
}

func (k *Kind) words() map[string]string {
	if k == nil {
		return nil
	}
	return k.Settings
}
