package schema

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

var crds = flag.String("crds", "", "write vocabulary.txt anew from the CRDs in the files of this folder")

// TestVocabularyIsWritten writes vocabulary.txt from CRDs if -crds names a folder of them.
func TestVocabularyIsWritten(t *testing.T) {
	if *crds == "" {
		return
	}
	files, err := filepath.Glob(filepath.Join(*crds, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatal("no CRDs in ", *crds, err)
	}
	blocks := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for document := range strings.SplitSeq(string(text), "\n---\n") {
			if kind, block := vocabularyOf(t, document); kind != "" {
				blocks[kind] = block
			}
		}
	}
	var out strings.Builder
	for _, kind := range slices.Sorted(maps.Keys(blocks)) {
		out.WriteString(blocks[kind])
	}
	if err := os.WriteFile("vocabulary.txt", []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestVocabularies reads every kind, and what is written by one of each kind's names stays silent.
func TestVocabularies(t *testing.T) {
	if n := len(kindVocabularies()); n < 40 {
		t.Errorf("%d kinds", n)
	}
	for kind, read := range kindVocabularies() {
		v := read()
		if len(v.fields) == 0 {
			t.Errorf("%s has no fields", kind)
		}
		for name := range v.values {
			if _, own, within := strings.Cut(name, "."); !v.fields[name] && !(within && v.fields[own]) {
				t.Errorf("%s: %s is no field", kind, name)
			}
		}
		for name := range v.fields {
			if near := v.meant(name + "s"); !v.fields[name+"s"] && near == name {
				t.Errorf("%s: the plural of %s is taken for a mistake", kind, name)
			}
		}
	}
}

// vocabularyOf returns the block of the CRD in a document, without a kind if there is none.
func vocabularyOf(t *testing.T, document string) (kind, block string) {
	t.Helper()
	lines := slices.DeleteFunc(strings.Split(document, "\n"), func(line string) bool { return strings.HasPrefix(line, "{{") })
	var crd struct {
		Kind string
		Spec struct {
			Group    string
			Names    struct{ Kind string }
			Versions []struct {
				Schema struct {
					OpenAPIV3Schema struct{ Properties map[string]any }
				}
			}
		}
	}
	if err := yaml.Unmarshal([]byte(strings.Join(lines, "\n")), &crd); err != nil || crd.Kind != "CustomResourceDefinition" {
		return "", ""
	}
	w := collected{fields: map[string]bool{}, free: map[string]bool{}, maps: map[string]bool{}, shapes: map[string]map[string]bool{}}
	for _, version := range crd.Spec.Versions {
		if spec, ok := version.Schema.OpenAPIV3Schema.Properties["spec"].(map[string]any); ok {
			w.walk("", "spec", spec)
		}
	}
	kind = crd.Spec.Group + "/" + crd.Spec.Names.Kind
	var out strings.Builder
	fmt.Fprintf(&out, "kind %s\n", kind)
	list := func(what string, names map[string]bool) {
		if len(names) > 0 {
			fmt.Fprintf(&out, "%s %s\n", what, strings.Join(slices.Sorted(maps.Keys(names)), " "))
		}
	}
	list("fields", w.fields)
	list("free", w.free)
	maps.DeleteFunc(w.maps, func(name string, _ bool) bool { return w.free[name] })
	list("maps", w.maps)
	line := func(name string) string {
		shapes := slices.Sorted(maps.Keys(w.shapes[name]))
		if len(shapes) == 1 && shapes[0] != "" {
			return strings.Replace(shapes[0], "NAME", name, 1)
		}
		if words, ok := wordsOf(shapes); ok {
			return "words " + name + " " + words
		}
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(w.shapes)) {
		_, alone, within := strings.Cut(name, ".")
		if text := line(name); text != "" && (!within || line(alone) == "") {
			fmt.Fprintln(&out, text)
		}
	}
	return kind, out.String()
}

// wordsOf joins several enumerations, unless the field takes something else as well.
func wordsOf(shapes []string) (words string, ok bool) {
	all := map[string]bool{}
	for _, shape := range shapes {
		list, enumerates := strings.CutPrefix(shape, "words NAME ")
		if !enumerates {
			return "", false
		}
		for word := range strings.FieldsSeq(list) {
			all[word] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(all)), " "), true
}

// collected is what the schema of a kind says, by the names of fields wherever they are, and by PARENT.NAME. shapes are lines of
// the vocabulary, and empty for a field that takes anything in some place.
type collected struct {
	fields, free, maps map[string]bool
	shapes             map[string]map[string]bool
}

func (w *collected) walk(parent, name string, schema map[string]any) {
	extra, _ := schema["additionalProperties"].(map[string]any)
	switch {
	case schema["x-kubernetes-preserve-unknown-fields"] == true, schema["additionalProperties"] != nil && extra["type"] != "object":
		w.free[name] = true
	case extra != nil:
		w.maps[name] = true
	}
	if shape, leaf := shapeOf(schema); leaf {
		for _, at := range []string{name, parent + "." + name} {
			if w.shapes[at] == nil {
				w.shapes[at] = map[string]bool{}
			}
			w.shapes[at][shape] = true
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for key, below := range properties {
		w.fields[key] = true
		if below, ok := below.(map[string]any); ok {
			w.walk(name, key, below)
		}
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if below, ok := schema[key].(map[string]any); ok {
			w.walk(parent, name, below)
		}
	}
}

// shapeOf returns the line for a value that is neither a map nor a list.
func shapeOf(schema map[string]any) (shape string, leaf bool) {
	switch schema["type"] {
	case "integer", "number":
		return "number NAME", true
	case "boolean":
		return "boolean NAME", true
	case "object", "array":
		return "", false
	case "string":
	default:
		return "", true
	}
	enums, _ := schema["allOf"].([]any)
	words := map[string]bool{}
	for _, one := range append(enums, schema) {
		one, _ := one.(map[string]any)
		enum, _ := one["enum"].([]any)
		for _, value := range enum {
			word, ok := value.(string)
			if !ok || word == "" || strings.Contains(word, " ") {
				return "", true
			}
			words[word] = true
		}
	}
	pattern, _ := schema["pattern"].(string)
	switch {
	case len(words) > 0:
		return "words NAME " + strings.Join(slices.Sorted(maps.Keys(words)), " "), true
	case pattern == durationPattern:
		return "duration NAME", true
	case pattern != "" && len(pattern) <= maxPattern && !strings.Contains(pattern, " "):
		if _, err := regexp.Compile(pattern); err == nil {
			return "pattern NAME " + pattern, true
		}
	case strings.Contains(fmt.Sprint(schema["x-kubernetes-validations"]), durationPattern):
		return "duration NAME", true
	case strings.Contains(fmt.Sprint(schema["x-kubernetes-validations"]), "duration(self)"):
		return "goduration NAME", true
	}
	return "", true
}

// maxPattern is the length in bytes of the longest pattern that a finding can show.
const maxPattern = 60
