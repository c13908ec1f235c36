package schema

import (
	"regexp"
	"strings"

	"github.com/gwplan/gwplan/internal/dns"
	"github.com/gwplan/gwplan/loader"
)

// misnamed returns a violation if the name or the namespace of an object is none. One with a variable is not judged. For some
// kinds of core the API server demands more.
func misnamed(root *loader.Value) []Violation {
	for _, field := range []string{"name", "namespace"} {
		v := root.Get("metadata", field)
		if v == nil || v.Opaque || v.Shape != loader.String || v.Text == "" || strings.ContainsAny(v.Text, "${}") {
			continue
		}
		if !dns.IsSubdomain(v.Text) {
			return []Violation{{At: v, Path: "metadata." + field, Message: "must consist of lower case letters, digits, '-' and '.', and begin and end with a letter or digit"}}
		}
	}
	return nil
}

// label is what the API server demands of a label's value, and of its key behind the prefix (apimachinery
// pkg/util/validation, IsValidLabelValue and IsQualifiedName).
var label = regexp.MustCompile(`^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$`)

const maxLabel = 63

// maxAnnotations is how many bytes the keys and values of all annotations have at most (apimachinery pkg/api/validation,
// TotalAnnotationSizeLimitB).
const maxAnnotations = 256 << 10

// mislabelled returns a violation if the labels or the annotations of an object are none. What contains a variable is not
// judged.
func mislabelled(root *loader.Value) []Violation {
	for _, field := range []string{"labels", "annotations"} {
		list := root.Get("metadata", field)
		if list == nil || list.Opaque || list.IsNull() || list.Shape == loader.String && strings.ContainsAny(list.Text, "${}") {
			continue
		}
		path, size := "metadata."+field, 0
		if list.Shape != loader.Map {
			return []Violation{{At: list, Path: path, Message: "must be a map"}}
		}
		for _, f := range list.Fields {
			size += len(f.Key) + len(f.Value.Text)
			if wrong := mistaken(field, f); wrong != "" {
				return []Violation{{At: f.Value, Path: path + "." + f.Key, Message: wrong}}
			}
		}
		if field == "annotations" && size > maxAnnotations {
			return []Violation{{At: list, Path: path, Message: "must have at most 256 KiB in all"}}
		}
	}
	return nil
}

// mistaken says what is wrong with one of the labels or annotations of an object, or nothing.
func mistaken(field string, f loader.Field) string {
	what, key := "a label", f.Key
	if field == "annotations" {
		what, key = "an annotation", strings.ToLower(key) // case does not matter there
	}
	prefix, name, prefixed := strings.Cut(key, "/")
	if !prefixed {
		prefix, name = "", key
	}
	switch {
	case f.Value.Opaque || strings.ContainsAny(f.Key+f.Value.Text, "${}"), f.Value.Shape == loader.Null:
		return ""
	case f.Value.Shape != loader.String:
		return "must be a text; quote it"
	case field == "labels" && (len(f.Value.Text) > maxLabel || !label.MatchString(f.Value.Text)):
		return "must have at most 63 letters, digits, '-', '_' and '.', and begin and end with a letter or digit"
	case name == "" || len(name) > maxLabel || !label.MatchString(name) || prefixed && !dns.IsSubdomain(prefix):
		return "is not a valid name of " + what
	}
	return ""
}
