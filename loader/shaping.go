package loader

import (
	"regexp"
	"slices"
	"strings"
)

// shaping are the fields of a kustomization that change all or some of what it builds, whatever that is (kustomize
// api/types/kustomization.go). Images, generators and charts are not among them: their changed lines speak for themselves.
var shaping = []string{
	"bases", "commonAnnotations", "commonLabels", "components", "labels", "namePrefix", "nameSuffix", "namespace", "patches",
	"patchesJson6902", "patchesStrategicMerge", "replacements", "resources", "transformers", "vars",
}

// ShapingAt returns the fields of a kustomization with changed lines that shape everything in it.
func ShapingAt(text []byte, changed func(line int) bool) []string {
	var out []string
	field := ""
	for i, line := range strings.Split(string(text), "\n") {
		if line != "" && !strings.ContainsAny(line[:1], " \t-#") {
			field, _, _ = strings.Cut(line, ":")
		}
		// A resource of another repository is named by itself where it changes.
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		if changed(i+1) && slices.Contains(shaping, field) && !slices.Contains(out, field) && !strings.Contains(line, "://") {
			out = append(out, field)
		}
	}
	return out
}

// Shaping returns the fields of a kustomization that shape what it builds, of patches only those that may concern
// traffic.
func Shaping(kustomization *Value) *Value {
	out := &Value{Shape: Map}
	for _, f := range kustomization.FieldList() {
		switch {
		case !slices.Contains(shaping, f.Key) || f.Key == "resources":
		case f.Key == "patches":
			kept := &Value{Shape: List}
			for _, patch := range f.Value.ItemList() {
				if PatchesTraffic(patch) {
					kept.Items = append(kept.Items, patch)
				}
			}
			out.Fields = append(out.Fields, Field{f.Key, kept})
		default:
			out.Fields = append(out.Fields, f)
		}
	}
	return out
}

// patchedKind matches the name of a kind that decides where requests go, at the end of a line.
var patchedKind = regexp.MustCompile(`(?m)(Route|Gateway|Service|Ingress|Policy|ListenerSet)["']?\s*(#.*)?$`)

// PatchesTraffic reports whether a patch may concern what decides where requests go: it names such a kind, or it is in
// a file of its own.
func PatchesTraffic(patch *Value) bool {
	return patch.Get("path") != nil || patchedKind.MatchString(patch.Str("target", "kind")+"\n"+patch.Str("patch"))
}
