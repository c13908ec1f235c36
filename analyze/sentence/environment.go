package sentence

import (
	"fmt"
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
