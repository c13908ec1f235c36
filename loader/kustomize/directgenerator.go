package kustomize

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/api/hasher"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/gate"
	"github.com/gwplan/gwplan/loader/tree"
)

// generate adds the ConfigMaps that a folder generates, those that nothing needs without their data. It returns
// false if kustomize might refuse one of them (kustomize api/internal/generators/configmap.go, api/kv/kv.go).
func (d *direct) generate(f *gate.Folder, out []item) ([]item, bool) {
	common := f.Edited.Get("generatorOptions")
	for _, g := range f.Edited.List("configMapGenerator") {
		name, own := g.Get("name"), g.Get("options")
		if !only(g, "name", "files", "literals", "options") || name == nil || name.Shape != loader.String || name.Text == "" || own != nil && !plainOptions(own) {
			return nil, false
		}
		data, ok := sources(g)
		if !ok || strings.Contains(name.Text, ",") {
			return nil, false
		}
		object := &loader.Value{Shape: loader.Map, Fields: []loader.Field{
			{Key: "apiVersion", Value: tree.Text("v1")},
			{Key: "kind", Value: tree.Text("ConfigMap")},
			{Key: "metadata", Value: &loader.Value{Shape: loader.Map, Fields: []loader.Field{{Key: "name", Value: tree.Text(name.Text)}}}},
		}}
		i := item{doc: object, place: d.trace.inFile(f.File), omitted: !d.matters(object)}
		const plain = "disableNameSuffixHash"
		i.hashed = !common.Get(plain).IsTrue() && !own.Get(plain).IsTrue()
		d.hashed = d.hashed || i.hashed
		// It is refused where an object has its identity, or had it (kustomize api/resmap/reswrangler.go, AbsorbAll).
		if slices.ContainsFunc(out, func(other item) bool { return ownTarget(object)(&other) }) {
			return nil, false
		}
		content, ok := d.content(f, data, !i.omitted)
		if !ok {
			return nil, false
		}
		if len(content.Fields) > 0 {
			object = tree.SetKey(object, "data", content)
		}
		i.Root = withOptions(object, common, own)
		out = append(out, i)
	}
	return out, true
}

// maxData is how many bytes a ConfigMap may hold (kubernetes pkg/apis/core/validation, ValidateConfigMap).
const maxData = 1 << 20

// content returns the data of a ConfigMap, none of it unless it is needed.
func (d *direct) content(f *gate.Folder, data []dataSource, needed bool) (*loader.Value, bool) {
	content, size := &loader.Value{Shape: loader.Map}, 0
	for _, from := range data {
		text := []byte(from.text)
		if from.isFile {
			name, ok := tree.Target(f.Dir, from.text)
			raw, read := d.builder.store.Raw[d.view.IDs[name]]
			if !ok || !read {
				return nil, false
			}
			text = raw
		}
		if size += len(text); size > maxData || bytes.HasPrefix(text, []byte("\t")) || !utf8.Valid(text) { // it becomes binaryData
			return nil, false
		}
		if needed {
			content.Fields = append(content.Fields, loader.Field{Key: from.key, Value: tree.Text(string(text))})
		}
	}
	return content, true
}

// withOptions returns a generated ConfigMap with options, of which the later ones take precedence. Attribution sets the
// positions: all of it comes from the generator.
func withOptions(object *loader.Value, options ...*loader.Value) *loader.Value {
	meta := object.Get("metadata")
	for _, o := range options {
		for _, field := range []string{"labels", "annotations"} {
			for _, f := range o.Get(field).FieldList() {
				texts := meta.Get(field)
				if texts == nil {
					texts = &loader.Value{Shape: loader.Map}
				}
				meta = tree.SetKey(meta, field, tree.SetKey(texts, f.Key, tree.Text(f.Value.Text)))
			}
		}
		if o.Get("immutable").IsTrue() {
			object = tree.SetKey(object, "immutable", &loader.Value{Shape: loader.Bool, Text: "true"})
		}
	}
	return tree.SetKey(object, "metadata", meta)
}

// withHash returns a generated ConfigMap with the name that kustomize gives it.
func withHash(object *loader.Value) (*loader.Value, bool) {
	content, isMap := object.Plain().(map[string]any)
	if !isMap {
		return nil, false
	}
	node, err := yaml.FromMap(content)
	if err != nil {
		return nil, false
	}
	hash, err := new(hasher.Hasher).Hash(node)
	if err != nil {
		return nil, false
	}
	meta := object.Get("metadata")
	return tree.SetKey(object, "metadata", tree.SetKey(meta, "name", tree.Text(meta.Str("name")+"-"+hash))), true
}

// plainOptions reports whether options of generators have the form that kustomize reads.
func plainOptions(v *loader.Value) bool {
	return only(v, "disableNameSuffixHash", "immutable", "labels", "annotations") && !slices.ContainsFunc(v.Fields, func(f loader.Field) bool {
		switch f.Key {
		case "labels", "annotations":
			return !areLabels(f.Value) || holdsWord(f.Value)
		}
		return f.Value.Shape != loader.Bool
	})
}

// dataSource is one entry of the data of a generated ConfigMap: a text, or the file that it is the path of.
type dataSource struct {
	key, text string
	isFile    bool
}

// sources returns the files and literals of a generator, or false if their keys are not valid, each once.
func sources(g *loader.Value) (out []dataSource, ok bool) {
	known := map[string]bool{}
	for _, field := range []string{"files", "literals"} {
		list := g.Get(field)
		if list != nil && list.Shape != loader.List {
			return nil, false
		}
		for _, entry := range list.ItemList() {
			key, text, keyed := strings.Cut(entry.Text, "=")
			if field == "files" && !keyed {
				key, text = path.Base(entry.Text), entry.Text
			}
			if entry.Shape != loader.String || known[key] || len(key) > maxDataKey || !dataKey.MatchString(key) || strings.HasPrefix(key, "..") || key == "." || text == "" ||
				field == "files" && strings.Contains(text, "=") || field == "literals" && (!keyed || strings.ContainsAny(text, "'\"\n")) {
				return nil, false
			}
			known[key] = true
			out = append(out, dataSource{key: key, text: text, isFile: field == "files"})
		}
	}
	return out, true
}

// maxDataKey is the length of the longest key of a ConfigMap or Secret.
const maxDataKey = 253

var dataKey = regexp.MustCompile(`^[-._a-zA-Z0-9]+$`)

// namesConfigMaps reports whether kustomize looks for names of ConfigMaps in an object (kustomize
// api/internal/konfig/builtinpluginconsts/namereference.go).
func namesConfigMaps(object *loader.Value) bool {
	switch object.Str("kind") {
	case "Pod", "PodTemplate", "Deployment", "ReplicaSet", "ReplicationController", "DaemonSet", "StatefulSet", "Job", "CronJob", "Node", "Role", "ClusterRole", "Ingress":
		return true
	}
	return false
}
