package sentence

import (
	"fmt"
	"strings"
)

// maxEnvironments is how many environments a sentence names; more are counted.
const maxEnvironments = 3

// Environments names environments by their short names, or counts them if they are too many.
func Environments(environments []string, short map[string]string) string {
	if len(environments) > maxEnvironments {
		return fmt.Sprintf("%d environments", len(environments))
	}
	names := make([]string, len(environments))
	for i, name := range environments {
		names[i] = short[name]
	}
	return strings.Join(names, ", ")
}
