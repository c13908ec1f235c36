package catalogue

import "strings"

// BelowRules splits the path of a field in a report after the list of rules that it is or is in, if the kind has one that is judged
// by what its rules match: "/authorization/rules/0/action" gives "/0/action". The name of a policy in the place of a * has
// slashes of its own.
func BelowRules(k *Kind, path string) (rest string, found bool) {
	if k == nil {
		return "", false
	}
	for _, p := range k.Protects {
		if p.Rules == "" {
			continue
		}
		if rest, found = belowSteps(strings.Split(p.Path, "."), path); found {
			return rest, true
		}
	}
	return "", false
}

// belowSteps returns what follows the first place of a path at which all steps of a pattern are gone through.
func belowSteps(steps []string, path string) (rest string, found bool) {
	if len(steps) == 0 {
		return path, path == "" || path[0] == '/'
	}
	if steps[0] != "*" {
		rest, found = strings.CutPrefix(path, "/"+steps[0])
		if !found {
			return "", false
		}
		return belowSteps(steps[1:], rest)
	}
	for path != "" && path[0] == '/' {
		key, _, _ := strings.Cut(path[1:], "/")
		path = path[1+len(key):]
		if rest, found = belowSteps(steps[1:], path); found {
			return rest, true
		}
	}
	return "", false
}
