package ocm

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
)

var (
	// hubTemplate matches a template of the hub that only reads its context: .ManagedClusterName, a label of
	// .ManagedClusterLabels, the name or namespace of .PolicyMetadata (governance-policy-propagator
	// controllers/propagator/propagation.go).
	hubTemplate = regexp.MustCompile(`\{\{hub-?\s+(?:\.ManagedClusterName|\.ManagedClusterLabels\.([\w-]+)|\(?\s*index\s+\.ManagedClusterLabels\s+["` + "`" + `]([^"` + "`" + `]+)["` + "`" + `]\s*\)?|\.PolicyMetadata\.(name|namespace))\s+-?hub\}\}`)
	// fromConfigMap matches one that is an entry of a ConfigMap, with a key that is written out or the name of the cluster
	// (go-template-utils, README, fromConfigMap).
	fromConfigMap = regexp.MustCompile(`\{\{hub-?\s+fromConfigMap\s+"([^"]+)"\s+"([^"]+)"\s+(?:"([^"]+)"|\.ManagedClusterName)\s+-?hub\}\}`)
)

// maxEntry is the length of an entry that is filled in, in bytes.
const maxEntry = 4 << 10

// maxLabel is the length of the value of a label, in bytes.
const maxLabel = 63

// filling is what templates of the hub are filled with for one cluster.
type filling struct {
	cluster string
	labels  map[string]string
	policy  deploy.Object
	// configMaps are those of the hub that policies name, by namespace and name.
	configMaps map[string]deploy.Object
	// hub and local tell whether templates of the hub and of the cluster are filled.
	hub, local bool
}

// filled returns a definition with what the hub knows filled in. Other templates, of the hub and of the
// cluster, are filled with what is known only there: their texts are unknown.
func (f filling) filled(v *loader.Value) *loader.Value {
	if !templated(v) {
		return v
	}
	return v.Copy(func(v *loader.Value) {
		if v.Shape != loader.String || !strings.Contains(v.Text, "{{") {
			return
		}
		if f.hub {
			v.Text = hubTemplate.ReplaceAllStringFunc(v.Text, f.fill)
			v.Text = fromConfigMap.ReplaceAllStringFunc(v.Text, f.entry)
		}
		if strings.Contains(v.Text, "{{") && (f.local || f.hub && strings.Contains(v.Text, "{{hub")) {
			// A placeholder that no manifest can have written out.
			inputs := ""
			if strings.Contains(v.Text, "ManagedClusterLabels") { // other labels make it another text
				inputs = " of labels " + digestOf(f.labels)
			}
			inputs += f.read(v.Text)
			v.Opaque, v.Text = true, "${"+strings.NewReplacer("{{", "", "}}", "", "$", "").Replace(v.Text)+inputs+"}"
		}
	})
}

// digestOf tells different labels apart.
func digestOf(labels map[string]string) string {
	h := sha256.New()
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		fmt.Fprintf(h, "%q=%q\n", key, labels[key])
	}
	return hex.EncodeToString(h.Sum(nil)[:4])
}

// fill returns what one template stands for, or the template itself if a label is missing.
func (f filling) fill(template string) string {
	m := hubTemplate.FindStringSubmatch(template)
	switch {
	case m[3] == "name":
		return f.policy.Name
	case m[3] == "namespace":
		return f.policy.Namespace
	case m[1]+m[2] == "":
		return f.cluster
	}
	if value, has := f.labels[m[1]+m[2]]; has && len(value) <= maxLabel {
		return value
	}
	return template
}

// entry returns the entry of a ConfigMap that a template stands for, or the template itself. Templates read the namespace of their
// policy alone (Red Hat Advanced Cluster Management, Governance, Comparison of hub cluster and managed cluster templates);
// where a policy may read others, the text stays unknown.
func (f filling) entry(template string) string {
	m := fromConfigMap.FindStringSubmatch(template)
	value := f.configMaps[m[1]+"/"+m[2]].Root.Get("data", cmp.Or(m[3], f.cluster))
	if value == nil || value.Shape != loader.String || value.Opaque || m[1] != f.policy.Namespace || len(value.Text) > maxEntry || strings.Contains(value.Text, "{{") {
		return template
	}
	return value.Text
}

// read identifies the contents of the ConfigMaps that a template names, "" if there are none: with others it is another text.
func (f filling) read(template string) string {
	out := ""
	for _, name := range slices.Sorted(maps.Keys(f.configMaps)) {
		if o := f.configMaps[name]; strings.Contains(template, `"`+o.Name+`"`) {
			content := loader.Digest(o.AsObject().ID, o.Root)
			out += fmt.Sprintf(" of %s %x", name, content[:4])
		}
	}
	return out
}

// templated reports whether a value has a template.
func templated(v *loader.Value) bool { return contains(v, "{{") }

// contains reports whether a value has a string that contains a text.
func contains(v *loader.Value, text string) bool {
	if v == nil {
		return false
	}
	if v.Shape == loader.String {
		return strings.Contains(v.Text, text)
	}
	return slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return contains(f.Value, text) }) ||
		slices.ContainsFunc(v.Items, func(item *loader.Value) bool { return contains(item, text) })
}
