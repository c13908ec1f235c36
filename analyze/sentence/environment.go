package sentence

import (
	"fmt"
	"path"
	"strings"
)

// Environments names environments by their short names, or their number if there are more than three.
func Environments(environments []string, short map[string]string) string {
	if len(environments) > 3 {
		return fmt.Sprintf("%d environments", len(environments))
	}
	names := make([]string, len(environments))
	for i, name := range environments {
		names[i] = short[name]
	}
	return strings.Join(names, ", ")
}

// short returns a short name for each environment: the last step of its path if no other environment
// has it.
func short(environments []string) map[string]string {
	count := map[string]int{}
	for _, name := range environments {
		count[path.Base(name)]++
	}
	out := map[string]string{}
	for _, name := range environments {
		out[name] = name
		if base := path.Base(name); count[base] == 1 && base != "." && base != "/" {
			out[name] = base
		}
	}
	return out
}
