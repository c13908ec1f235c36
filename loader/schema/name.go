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
