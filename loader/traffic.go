package loader

import (
	"regexp"
	"slices"
	"strings"
)

// trafficKey is how keys look that decide where requests go: in the values of charts, in
// manifests, in the files of generators.
var trafficKey = regexp.MustCompile(`(?i)^(hosts?|domains?|fqdn|.*(hostname|ingress|gateway|route|parentref|listener|virtualservice|externaltraffic).*)$`)

// trafficLine is a line of YAML or JSON with a key.
var trafficLine = regexp.MustCompile(`^(\s*(?:-\s+)*)["']?([\w./-]+)["']?\s*:\s*(.*)$`)

// TrafficIn gives the keys about traffic of some values that are not the same on both sides,
// of all values where one side has none.
func TrafficIn(before, after *Value) []string {
	var found []string
	trafficIn(before, after, nil, &found)
	slices.Sort(found)
	return slices.Compact(found)
}

func trafficIn(before, after *Value, about []string, found *[]string) {
	if Equal(before, after) {
		return
	}
	if shapeOf(before) != Map && shapeOf(after) != Map && shapeOf(before) != List && shapeOf(after) != List {
		*found = append(*found, about...)
		return
	}
	keys := map[string]bool{}
	for _, side := range []*Value{before, after} {
		for _, f := range side.FieldList() {
			keys[f.Key] = true
		}
	}
	for key := range keys {
		on := about
		if trafficKey.MatchString(key) {
			on = []string{key}
		}
		trafficIn(before.Get(key), after.Get(key), on, found)
	}
	was, is := items(before), items(after)
	for i := range max(len(was), len(is)) {
		var b, a *Value
		if i < len(was) {
			b = was[i]
		}
		if i < len(is) {
			a = is[i]
		}
		trafficIn(b, a, about, found)
	}
}

func shapeOf(v *Value) Shape {
	if v == nil {
		return Null
	}
	return v.Shape
}

func items(v *Value) []*Value {
	if v == nil || v.Shape != List {
		return nil
	}
	return v.Items
}

// TrafficAt gives the keys about traffic on some lines of a file and above them, where the
// indentation says so; kinds of routes and Gateways count as well.
func TrafficAt(text []byte, changed func(line int) bool) []string {
	lines := strings.Split(string(text), "\n")
	var found []string
	for i, line := range lines {
		if !changed(i + 1) {
			continue
		}
		indent := -1
		for j := i; j >= 0 && (indent < 0 || indent > 0); j-- {
			m := trafficLine.FindStringSubmatch(lines[j])
			if j == i {
				indent = len(line) - len(strings.TrimLeft(line, " "))
				if m == nil {
					continue
				}
			} else if m == nil || len(m[1]) >= indent {
				continue
			} else {
				indent = len(m[1])
			}
			if trafficKey.MatchString(m[2]) {
				found = append(found, m[2])
			} else if kind := strings.Trim(m[3], `"'`); m[2] == "kind" && (strings.HasSuffix(kind, "Route") || strings.HasPrefix(kind, "Gateway") || strings.HasSuffix(kind, "Policy")) {
				found = append(found, kind)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
