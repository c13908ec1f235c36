package schema

import (
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
)

// vocabularyText has for each kind the names of its fields, and by these names the words and durations that they take, wherever
// in the spec they are: read from the CRDs of Envoy Gateway (d32f2829), kgateway (48460f7f), agentgateway, NGINX Gateway Fabric,
// Kuadrant and Istio (86c9f01f) of August 2026. It is for input without the CRD: what is almost one of them is a mistake,
// anything else may be of another release.
//
//go:embed vocabulary.txt
var vocabularyText string

// coreText is the same for kinds of Kubernetes, written by hand after kubernetes pkg/apis/core/types.go and pkg/apis/apps/types.go.
//
//go:embed core.txt
var coreText string

// kindVocabulary is that of one kind. free are fields with anything below them, maps those with any keys. values are by NAME or, where
// fields of one name take different things, by PARENT.NAME.
type kindVocabulary struct {
	fields, free, maps map[string]bool
	values             map[string]vocabulary
}

// kindVocabularies are read from the text when something asks for them, each once.
var kindVocabularies = sync.OnceValue(func() map[string]func() *kindVocabulary {
	out := map[string]func() *kindVocabulary{}
	for block := range strings.SplitSeq(strings.TrimPrefix(coreText+vocabularyText, "kind "), "\nkind ") {
		kind, lines, _ := strings.Cut(block, "\n")
		out[kind] = sync.OnceValue(func() *kindVocabulary { return readVocabulary(lines) })
	}
	return out
})

// vocabularyFor returns the vocabulary of a kind, or nil.
func vocabularyFor(group, kind string) *kindVocabulary {
	read, known := kindVocabularies()[group+"/"+kind]
	if !known {
		return nil
	}
	return read()
}

func readVocabulary(lines string) *kindVocabulary {
	v := &kindVocabulary{fields: map[string]bool{}, free: map[string]bool{}, maps: map[string]bool{}, values: map[string]vocabulary{}}
	for line := range strings.Lines(lines) {
		words := strings.Fields(line)
		switch name := words[1]; words[0] {
		case "fields", "free", "maps":
			set := map[string]map[string]bool{"fields": v.fields, "free": v.free, "maps": v.maps}[words[0]]
			for _, name := range words[1:] {
				set[name] = true
			}
		case "words":
			v.values[name] = vocabulary{words: words[2:]}
		case "pattern":
			v.values[name] = vocabulary{pattern: regexp.MustCompile(words[2]), says: "must match " + words[2]}
		case "duration":
			v.values[name] = vocabulary{pattern: duration(), says: "must be a duration such as 10s or 1m30s"}
		case "goduration":
			v.values[name] = vocabulary{pattern: goDuration(), says: "must be a duration such as 10s or 0.5s"}
		case "number":
			v.values[name] = vocabulary{says: "must be a number"}
		case "boolean":
			v.values[name] = vocabulary{says: "must be true or false"}
		}
	}
	return v
}

// durationPattern is that of a duration of Gateway API (GEP-2257).
const durationPattern = `^([0-9]{1,5}(h|m|s|ms)){1,4}$`

var (
	duration = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(durationPattern) })
	// goDuration is that of duration() of CEL, which reads what Go does (time.ParseDuration).
	goDuration = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[-+]?(0|(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$`)
	})
)

// specField is a field of a spec: parent is the name of the field around it, old what another spec has in its place.
type specField struct {
	parent, name, path string
	value, old         *loader.Value
}

// visit visits the fields of a value that the field parent has, or an item or entry of it, except those of which nothing is known.
func (v *kindVocabulary) visit(at, old *loader.Value, parent, path string, each func(specField)) {
	for _, f := range at.FieldList() {
		one := specField{parent, f.Key, path + "." + f.Key, f.Value, old.Get(f.Key)}
		each(one)
		switch {
		case v.free[f.Key], !v.fields[f.Key]:
		case v.maps[f.Key]:
			for _, entry := range f.Value.FieldList() {
				v.visit(entry.Value, one.old.Get(entry.Key), f.Key, one.path+"."+entry.Key, each)
			}
		default:
			v.visit(one.value, one.old, f.Key, one.path, each)
		}
	}
	was := old.ItemList()
	for i, item := range at.ItemList() {
		var before *loader.Value
		if i < len(was) {
			before = was[i]
		}
		v.visit(item, before, parent, fmt.Sprintf("%s[%d]", path, i), each)
	}
}

// besideSpec are the fields of an object of these kinds.
var besideSpec = []string{"apiVersion", "kind", "metadata", "spec", "status"}

// unknown returns the fields that an object or its spec has by a name that is almost one of the kind, and that old does not have.
func (v *kindVocabulary) unknown(root, old *loader.Value) []Unknown {
	var out []Unknown
	for _, f := range root.FieldList() {
		if slices.Contains(besideSpec, f.Key) || old.Get(f.Key) != nil || f.Value.IsNull() {
			continue
		}
		if near := spelling.Nearest(f.Key, besideSpec); near != "" {
			out = append(out, Unknown{At: f.Value, Path: f.Key, Near: near})
		}
	}
	judged := 0
	v.visit(root.Get("spec"), old.Get("spec"), "spec", "spec", func(f specField) {
		if v.fields[f.name] || f.old != nil || f.value.IsNull() || judged == maxJudged {
			return
		}
		judged++
		if near := v.meant(f.name); near != "" {
			out = append(out, Unknown{At: f.value, Path: f.path, Near: near})
		}
	})
	return out
}

// maxJudged is for how many names of one object it is asked what they mean.
const maxJudged = 100

// minName is the length in bytes from which a name that differs by one letter is taken for a mistake, minLongName by two.
const (
	minName     = 6
	minLongName = 12
)

// meant is the name of a field of the kind that was probably meant by another name, or "".
func (v *kindVocabulary) meant(key string) string {
	return slipOf(key, slices.Sorted(maps.Keys(v.fields)))
}

// slipOf is the first of some names that is written in other letters only, or with one wrong letter, in a long name that begins and
// ends alike with two; a plural may be another field.
func slipOf(key string, names []string) string {
	for _, name := range names {
		if strings.EqualFold(name, key) {
			return name
		}
		if len(key) < minName || !alikeInLength(name, key, 2) || name+"s" == key || key+"s" == name {
			continue
		}
		switch distance := spelling.Distance(name, key); {
		case distance == 1:
			return name
		case distance == 2 && len(key) >= minLongName && len(name) >= minLongName && name[:4] == key[:4] && name[len(name)-1] == key[len(key)-1]:
			return name
		}
	}
	return ""
}

// wrong returns the values of a spec that are almost a word of their field, or of another form than all that it takes.
func (v *kindVocabulary) wrong(root *loader.Value) []Violation {
	var out []Violation
	add := func(at *loader.Value, path, message string) {
		if message != "" && len(out) < maxViolations {
			out = append(out, Violation{At: at, Path: path, Message: message})
		}
	}
	v.visit(root.Get("spec"), nil, "spec", "spec", func(f specField) {
		one, known := v.values[f.name]
		if !known {
			one, known = v.values[f.parent+"."+f.name]
		}
		if known {
			for _, at := range slices.Concat([]*loader.Value{f.value}, f.value.ItemList()) {
				add(at, f.path, one.wrong(at))
			}
		}
	})
	return out
}

// apiOf names the API of a group.
func apiOf(group string) string {
	for _, api := range []struct{ suffix, name string }{
		{"istio.io", istio},
		{"kgateway.dev", "the API of kgateway"},
		{"agentgateway.dev", "the API of agentgateway"},
		{"kuadrant.io", "the API of Kuadrant"},
		{"gateway.nginx.org", "the API of NGINX Gateway Fabric"},
		{"gateway.envoyproxy.io", "the API of Envoy Gateway 1.9"},
	} {
		if group == api.suffix || strings.HasSuffix(group, "."+api.suffix) {
			return api.name
		}
	}
	if group == "" || !strings.Contains(group, ".") {
		return "Kubernetes"
	}
	return "the API of " + group
}
