package merge

import (
	"strconv"

	"github.com/gwplan/gwplan/loader"
)

// ItemKeys are readable keys for the items of a plain list. The key of a map is its name, with
// its namespace if it has one, and with its kind if the name is not unique. The key of a scalar
// is its text, and that of any other item is its position. No two keys are the same.
func ItemKeys(list *loader.Value) []string {
	keys := make([]string, len(list.Items))
	count := map[string]int{}
	for i, item := range list.Items {
		keys[i] = itemKey(item)
		count[keys[i]]++
	}
	used := map[string]bool{}
	for i, item := range list.Items {
		if kind := item.Str("kind"); keys[i] != "" && count[keys[i]] > 1 && kind != "" {
			keys[i] = kind + "/" + keys[i]
		}
		if keys[i] == "" {
			keys[i] = strconv.Itoa(i)
		}
		if used[keys[i]] {
			keys[i] = "#" + strconv.Itoa(i)
		}
		used[keys[i]] = true
	}
	return keys
}

func itemKey(item *loader.Value) string {
	if item.Shape != loader.Map {
		return item.Text
	}
	name, namespace := item.Str("name"), item.Str("namespace")
	if name != "" && namespace != "" {
		return namespace + "/" + name
	}
	return name
}
