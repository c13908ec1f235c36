package plan

import (
	"path"
	"strings"
)

// ShortNames returns a short name for each environment: the last step of its path, without steps that all paths end
// with, if no other environment has it. A single environment keeps its name. Reports for people use these names; -e
// takes both.
func ShortNames(environments []string) map[string]string {
	ending := commonEnding(environments)
	steps, count := map[string]string{}, map[string]int{}
	for _, name := range environments {
		if _, known := steps[name]; known {
			continue
		}
		steps[name] = path.Base(strings.TrimSuffix(name, ending))
		count[steps[name]]++
	}
	out := map[string]string{}
	for name, step := range steps {
		out[name] = name
		if len(steps) > 1 && count[step] == 1 && step != "." && step != "/" {
			out[name] = step
		}
	}
	return out
}

// commonEnding is what all paths end with, from a slash on.
func commonEnding(paths []string) string {
	ending := ""
	for {
		next := ""
		for i, p := range paths {
			at := strings.LastIndexByte(strings.TrimSuffix(p, ending), '/')
			if at <= 0 || i > 0 && p[at:] != next {
				return ending
			}
			next = p[at:]
		}
		if next == "" {
			return ending
		}
		ending = next
	}
}
