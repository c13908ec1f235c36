package ocm

import (
	"regexp"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// clusterName matches the template of the hub for the name of the cluster.
var clusterName = regexp.MustCompile(`\{\{hub\s+\.ManagedClusterName\s+hub\}\}`)

// filled returns a definition with the name of the cluster filled in. Other templates, of the hub and of the
// cluster, are filled with what is known only there: their texts are unknown.
func filled(v *loader.Value, cluster string) *loader.Value {
	if !templated(v) {
		return v
	}
	return v.Copy(func(v *loader.Value) {
		if v.Shape != loader.String || !strings.Contains(v.Text, "{{") {
			return
		}
		v.Text = clusterName.ReplaceAllLiteralString(v.Text, cluster)
		if strings.Contains(v.Text, "{{") {
			// A placeholder that no manifest can have written out.
			v.Opaque, v.Text = true, "${"+strings.NewReplacer("{{", "", "}}", "", "$", "").Replace(v.Text)+"}"
		}
	})
}

// templated reports whether a value has a template.
func templated(v *loader.Value) bool {
	if v == nil {
		return false
	}
	if v.Shape == loader.String {
		return strings.Contains(v.Text, "{{")
	}
	for _, f := range v.Fields {
		if templated(f.Value) {
			return true
		}
	}
	for _, item := range v.Items {
		if templated(item) {
			return true
		}
	}
	return false
}
