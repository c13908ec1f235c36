package unseen

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gwplan/gwplan/loader"
)

// shapersOf are the objects of an environment that edit or make others.
func shapersOf(env *loader.Environment) []*loader.Object {
	if env == nil {
		return nil
	}
	var out []*loader.Object
	for _, o := range env.Objects {
		groups := []string{"policies.kyverno.io", "mutations.gatekeeper.sh", "admissionregistration.k8s.io"}
		if Unattached(o.ID.Group, o.ID.Kind) && (slices.Contains(groups, o.ID.Group) || o.ID.Group == "kyverno.io" && shapes(o)) {
			out = append(out, o)
		}
	}
	return out
}

// shapedBy returns the labels that differ and that an object mentions which edits or makes others: it may do so for another
// object then (Kyverno, Match and Exclude).
func shapedBy(shapers func() []*loader.Object, before, after map[string]string) []string {
	var out []string
	for key := range union(before, after) {
		if before[key] != after[key] && slices.ContainsFunc(shapers(), func(o *loader.Object) bool { return mentions(o, key) }) {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}

func union(a, b map[string]string) map[string]bool {
	out := map[string]bool{}
	for _, m := range []map[string]string{a, b} {
		for key := range m {
			out[key] = true
		}
	}
	return out
}

// mentions reports whether an object has a key outside of its metadata: webhooks have no spec.
func mentions(o *loader.Object, key string) bool {
	return slices.ContainsFunc(o.Root.FieldList(), func(f loader.Field) bool { return f.Key != "metadata" && mentionsKey(f.Value, key) })
}

// mentionsKey reports whether a value has a key, or a text that contains it as a whole word: an expression may read it.
func mentionsKey(v *loader.Value, key string) bool {
	return v != nil && (v.Shape == loader.String && containsKey(v.Text, key) ||
		slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return f.Key == key || mentionsKey(f.Value, key) }) ||
		slices.ContainsFunc(v.Items, func(item *loader.Value) bool { return mentionsKey(item, key) }))
}

// containsKey reports whether a text contains a key that is no part of another one.
func containsKey(text, key string) bool {
	for rest := text; key != ""; {
		before, after, found := strings.Cut(rest, key)
		switch {
		case !found:
			return false
		case !endsInWord(before) && !startsWithWord(after) && !strings.HasPrefix(after, "/"):
			return true
		}
		rest = after
	}
	return false
}

func endsInWord(text string) bool { return strings.TrimRightFunc(text, inWord) != text }

func startsWithWord(text string) bool { return strings.TrimLeftFunc(text, inWord) != text }

func inWord(r rune) bool { return r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
