package schema

import (
	"regexp"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// subdomain is what the API server demands of names (apimachinery pkg/util/validation, IsDNS1123Subdomain). For some
// kinds of core it demands more.
var subdomain = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)

const maxName = 253

// misnamed returns a violation if the name or the namespace of an object is none. One with a variable is not judged.
func misnamed(root *loader.Value) []Violation {
	for _, field := range []string{"name", "namespace"} {
		v := root.Get("metadata", field)
		if v == nil || v.Opaque || v.Shape != loader.String || v.Text == "" || strings.ContainsAny(v.Text, "${}") {
			continue
		}
		if len(v.Text) > maxName || !subdomain.MatchString(v.Text) {
			return []Violation{{At: v, Path: "metadata." + field, Message: "must consist of lower case letters, digits, '-' and '.', and begin and end with a letter or digit"}}
		}
	}
	return nil
}

// label is what the API server demands of a label's value, and of its key behind the prefix (apimachinery
// pkg/util/validation, IsValidLabelValue and IsQualifiedName).
var label = regexp.MustCompile(`^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$`)

const maxLabel = 63

// mislabelled returns a violation if the labels of an object are none. What contains a variable is not judged.
func mislabelled(root *loader.Value) []Violation {
	labels := root.Get("metadata", "labels")
	if labels == nil || labels.Opaque || labels.Shape != loader.Map {
		return nil
	}
	for _, f := range labels.Fields {
		at := Violation{At: f.Value, Path: "metadata.labels." + f.Key}
		prefix, name, prefixed := strings.Cut(f.Key, "/")
		if !prefixed {
			prefix, name = "", f.Key
		}
		switch {
		case f.Value.Opaque || strings.ContainsAny(f.Key+f.Value.Text, "${}"):
			continue
		case f.Value.Shape == loader.Null:
			continue
		case f.Value.Shape != loader.String:
			at.Message = "must be a text; quote it"
		case len(f.Value.Text) > maxLabel || !label.MatchString(f.Value.Text):
			at.Message = "must have at most 63 letters, digits, '-', '_' and '.', and begin and end with a letter or digit"
		case name == "" || len(name) > maxLabel || !label.MatchString(name) || prefixed && (len(prefix) > maxName || !subdomain.MatchString(prefix)):
			at.Message = "is no name of a label"
		default:
			continue
		}
		return []Violation{at}
	}
	return nil
}
