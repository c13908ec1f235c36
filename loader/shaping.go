package loader

import (
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
		if changed(i+1) && slices.Contains(shaping, field) && !slices.Contains(out, field) && !strings.Contains(line, "://") {
			out = append(out, field)
		}
	}
	return out
}

// Shaping returns the fields of a kustomization that shape everything in it.
func Shaping(kustomization *Value) *Value {
	out := &Value{Shape: Map}
	for _, f := range kustomization.FieldList() {
		if slices.Contains(shaping, f.Key) && f.Key != "resources" {
			out.Fields = append(out.Fields, f)
		}
	}
	return out
}
