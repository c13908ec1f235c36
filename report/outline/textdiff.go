package outline

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/internal/spelling"
)

const (
	// maxApart limits the depth to which two values are compared.
	maxApart = 6
	// maxInner limits the length of a value inside a list or map that is compared.
	maxInner = MaxCell * 3 / 4
	// maxPairs limits the search for replaced items in two lists.
	maxPairs = 10_000
)

// SideTexts writes both values of a field, each in at most limit characters. If they do not fit, it
// writes only what differs, because values that are cut at their ends often look the same.
func SideTexts(f *plan.Field, limit int) (string, string) {
	b, a := Before(f), After(f)
	bText, aText := Safe(b.text()), Safe(a.text())
	if fits(bText, limit) && fits(aText, limit) || !b.Set || !a.Set || bText == aText {
		return Clamp(bText, limit), Clamp(aText, limit)
	}
	bText, aText = distinguish(jsonValue(b.Value), jsonValue(a.Value), 0)
	return cutApart(Safe(bText), Safe(aText), limit)
}

// innerText writes a normalised JSON value as it appears in a list or map.
func innerText(v any) string {
	var b strings.Builder
	writeValue(&b, v)
	return b.String()
}

func fits(s string, limit int) bool { return utf8.RuneCountInString(s) <= limit }

// distinguish writes the parts in which two values differ.
func distinguish(b, a any, depth int) (string, string) {
	if depth < maxApart {
		switch b := b.(type) {
		case []any:
			if a, ok := a.([]any); ok {
				return listsApart(b, a, depth)
			}
		case map[string]any:
			if a, ok := a.(map[string]any); ok {
				return mapsApart(b, a, depth)
			}
		}
	}
	if depth == 0 {
		return ValueText(b), ValueText(a)
	}
	return cutApart(innerText(b), innerText(a), maxInner)
}

// listsApart writes the items that are in only one list, and counts the others.
func listsApart(b, a []any, depth int) (string, string) {
	gone, come := without(b, a), without(a, b)
	equal := spelling.Count(len(b)-len(gone), "equal item")
	if len(gone) == 0 && len(come) == 0 {
		return ordersApart(b, a)
	}
	var bItems, aItems []string
	// The count comes first, so that no cut removes it.
	if len(b) > len(gone) {
		bItems, aItems = append(bItems, "… "+equal), append(aItems, "… "+equal)
	}
	for i, item := range gone {
		j := partner(gone, come, i)
		if j < 0 {
			bItems = append(bItems, innerText(item))
			continue
		}
		bText, aText := distinguish(item, come[j], depth+1)
		bItems, aItems = append(bItems, bText), append(aItems, aText)
		come = slices.Delete(slices.Clone(come), j, j+1)
	}
	for _, item := range come {
		aItems = append(aItems, innerText(item))
	}
	return "[" + strings.Join(bItems, ", ") + "]", "[" + strings.Join(aItems, ", ") + "]"
}

// without returns the items of a list that another list does not contain.
func without(list, other []any) []any {
	held := map[string]int{}
	for _, item := range other {
		held[innerText(item)]++
	}
	var rest []any
	for _, item := range list {
		k := innerText(item)
		if held[k] == 0 {
			rest = append(rest, item)
			continue
		}
		held[k]--
	}
	return rest
}

// partner returns the index of the item that replaced item i: the map with the same name, or the
// only other item if one map or list replaced one. Otherwise it returns -1.
func partner(gone, come []any, i int) int {
	if len(gone)*len(come) > maxPairs {
		return -1
	}
	if n := nameOf(gone[i]); n != "" {
		return slices.IndexFunc(come, func(v any) bool { return nameOf(v) == n })
	}
	if len(gone) == 1 && len(come) == 1 && isComposite(gone[0]) && reflect.TypeOf(gone[0]) == reflect.TypeOf(come[0]) {
		return 0
	}
	return -1
}

func nameOf(v any) string {
	m, _ := v.(map[string]any)
	name, _ := m["name"].(string)
	return name
}

func isComposite(v any) bool {
	switch v.(type) {
	case []any, map[string]any:
		return true
	}
	return false
}

// ordersApart writes two lists with equal items, from the first item that moved.
func ordersApart(b, a []any) (string, string) {
	i := 0
	for i < len(b) && innerText(b[i]) == innerText(a[i]) {
		i++
	}
	lead := "["
	if i > 0 {
		lead += "… " + spelling.Count(i, "equal item") + ", "
	}
	return lead + strings.TrimPrefix(ValueText(b[i:]), "["), lead + strings.TrimPrefix(ValueText(a[i:]), "[")
}

// mapsApart writes the name, the number of equal keys, and the keys that differ.
func mapsApart(b, a map[string]any, depth int) (string, string) {
	var bKeys, aKeys []string
	equal := 0
	keys := maps.Clone(b)
	maps.Copy(keys, a)
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		bValue, inB := b[k]
		aValue, inA := a[k]
		switch {
		case inB && inA && innerText(bValue) == innerText(aValue):
			equal++
		case inB && inA:
			bText, aText := distinguish(bValue, aValue, depth+1)
			bKeys, aKeys = append(bKeys, bareInside(k)+": "+bText), append(aKeys, bareInside(k)+": "+aText)
		case inB:
			bKeys = append(bKeys, bareInside(k)+": "+innerText(bValue))
		default:
			aKeys = append(aKeys, bareInside(k)+": "+innerText(aValue))
		}
	}
	var lead []string
	if name := nameOf(b); name != "" && name == nameOf(a) {
		equal--
		lead = append(lead, "name: "+bareInside(name))
	}
	if equal > 0 {
		lead = append(lead, "… "+spelling.Count(equal, "equal key"))
	}
	return "{" + strings.Join(slices.Concat(lead, bKeys), ", ") + "}", "{" + strings.Join(slices.Concat(lead, aKeys), ", ") + "}"
}

// cutApart cuts two texts to limit characters around their first difference.
func cutApart(b, a string, limit int) (string, string) {
	if fits(b, limit) && fits(a, limit) {
		return b, a
	}
	bRunes, aRunes := []rune(b), []rune(a)
	same := 0
	for same < min(len(bRunes), len(aRunes)) && bRunes[same] == aRunes[same] {
		same++
	}
	// Show some context before the difference, and more if little text follows it.
	start := min(same-limit/4, max(len(bRunes), len(aRunes))-limit+1)
	if start < 2 {
		start = 0
	}
	return window(bRunes, start, limit), window(aRunes, start, limit)
}

func window(text []rune, start, limit int) string {
	if start == 0 {
		return Clamp(string(text), limit)
	}
	return Clamp("…"+string(text[start:]), limit)
}
