package gate

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/emit"
	"github.com/gwplan/gwplan/loader/tree"
)

// Builtin reports whether a plugin is part of kustomize and uses nothing outside the build (kustomize
// api/internal/plugins/builtinhelpers@v0.21.3). It excludes the rendering of charts.
func Builtin(kind string) bool {
	switch kind {
	case "AnnotationsTransformer", "ConfigMapGenerator", "HashTransformer", "IAMPolicyGenerator",
		"ImageTagTransformer", "LabelTransformer", "NamespaceTransformer", "PatchJson6902Transformer",
		"PatchStrategicMergeTransformer", "PatchTransformer", "PrefixSuffixTransformer",
		"PrefixTransformer", "SuffixTransformer", "ReplacementTransformer", "ReplicaCountTransformer",
		"SecretGenerator", "ValueAddTransformer":
		return true
	}
	return false
}

// pluginVisit checks the configurations of plugins.
type pluginVisit struct{ inlineVisit }

// plugins checks transformers and validators: files, folders of files, or inline YAML. Their references are relative to this
// kustomization.
func (g pluginVisit) plugins(f *Folder, v *loader.Value) *loader.Value {
	return g.pluginEntries(f, v, false)
}

// generators checks generators in the same way, and leaves out those that are not part of kustomize.
func (g pluginVisit) generators(f *Folder, v *loader.Value) *loader.Value {
	return g.pluginEntries(f, v, true)
}

func (g pluginVisit) pluginEntries(f *Folder, v *loader.Value, optional bool) *loader.Value {
	if !g.list(f, v) {
		return nil
	}
	out := &loader.Value{Shape: loader.List}
	for _, item := range v.Items {
		if in, ok := g.inlined(f, item); ok && inflatesCharts(in.Docs) {
			chartVisit(g).helm(f, &loader.Value{Shape: loader.List, Items: in.Docs})
		} else if ok && optional && g.leavesOut(f, item, in.Docs) {
			continue
		} else if ok {
			out.Items = append(out.Items, g.inlinePlugin(f, in))
		} else if !g.computed(f, item) && !(optional && g.leavesOutFile(f, item)) {
			g.plugin(f, item)
			out.Items = append(out.Items, item)
		}
	}
	return out
}

// computed reports whether an entry names a generator whose result is computed.
func (g pluginVisit) computed(f *Folder, item *loader.Value) bool {
	name, ok := tree.Target(f.Dir, item.Text)
	return ok && item.Shape == loader.String && tree.LocalReference(item.Text) && g.view.IDs[name] != "" && (g.policyGenerator(f, name) || g.chartGenerator(f, name))
}

func (g pluginVisit) inlinePlugin(f *Folder, in Inline) *loader.Value {
	name := g.free(f.Dir)
	g.approved.Inline[name] = Inline{}
	docs := make([]*loader.Value, len(in.Docs))
	for i, doc := range in.Docs {
		docs[i] = deploy.Remarked(doc, in.Place)
	}
	g.configs(f, name, docs)
	return tree.Text("./" + path.Base(name))
}

// plugin approves one file or folder.
func (g pluginVisit) plugin(f *Folder, item *loader.Value) {
	dir, ok := tree.Target(f.Dir, item.Text)
	if ok && item.Shape == loader.String && tree.LocalReference(item.Text) && g.view.Dirs[dir] {
		g.pluginFolder(f, item, dir)
		return
	}
	if name, ok := g.file(f, item, UseConfig); ok {
		g.pluginFile(f.Dir, name)
	}
}

// pluginFile checks a file whose references are relative to dir.
func (g pluginVisit) pluginFile(dir, name string) {
	p := g.store.Parse(g.view.IDs[name])
	if len(p.Problems) > 0 {
		g.problems(p.Problems, name)
		g.approved.Refused = true
		return
	}
	g.configs(&Folder{Dir: dir, File: name}, name, p.Docs)
}

// pluginFolder approves a kustomization that only lists files. One that changes or generates plugins
// could introduce references that the gate has not checked.
func (g pluginVisit) pluginFolder(f *Folder, item *loader.Value, dir string) {
	files := g.view.Kusts[dir]
	if len(files) != 1 {
		g.refuse(f.File, item, deploy.Complain(loader.KustomizePlugin, fmt.Sprintf("the folder %s does not contain exactly one kustomization", deploy.Quote(item.Text)), "name the files of the plugins"))
		return
	}
	docs := g.store.Parse(g.view.IDs[files[0]]).Docs
	if len(docs) == 0 || !g.keys(&Folder{File: files[0]}, docs[0], "apiVersion", "kind", "metadata", "resources") {
		g.refuse(f.File, item, deploy.Complain(loader.KustomizePlugin, fmt.Sprintf("the folder %s does more than list plugins", deploy.Quote(item.Text)), "name the files of the plugins"))
		return
	}
	for _, entry := range docs[0].List("resources") {
		name, ok := tree.Target(dir, entry.Text)
		_, exists := g.view.IDs[name]
		if !ok || !exists || !loader.Within(dir, name) || !tree.LocalReference(entry.Text) {
			g.refuse(files[0], entry, deploy.Complain(loader.KustomizePlugin, fmt.Sprintf("%s is not a file of the folder", deploy.Quote(entry.Text)), "name the files of the plugins"))
			continue
		}
		g.use(name, UseConfig)
		g.pluginFile(f.Dir, name)
	}
	g.use(files[0], UseConfig)
	g.approved.Copies[files[0]] = emit.Plain(docs[0])
}

// configs checks the configurations of plugins and rewrites them.
func (g pluginVisit) configs(f *Folder, name string, docs []*loader.Value) {
	var e emit.Writer
	for _, doc := range docs {
		e.Document(g.config(f, doc))
	}
	g.approved.Copies[name] = bytes.Clone(e.Buf.Bytes())
}

func (g pluginVisit) config(f *Folder, doc *loader.Value) *loader.Value {
	kind := doc.Str("kind")
	if doc.Str("apiVersion") != "builtin" || !Builtin(kind) {
		g.refuse(f.File, doc, deploy.Complain(loader.KustomizePlugin, fmt.Sprintf("the plugin %s is not part of kustomize and is not run", deploy.Quote(kind)), "render beforehand what needs it"))
		return doc
	}
	if !g.foldSafe(f, doc) {
		return doc
	}
	for _, key := range []string{"path", "targetFilePath"} {
		if at := doc.Get(key); at != nil && !at.IsEmpty() {
			g.settings(f, at)
		}
	}
	doc = generatorVisit{g.visit}.sources(f, doc, true)
	g.inserts(f, doc.Get("replacements"))
	for _, item := range doc.List("replacements") {
		if at := item.Get("path"); at != nil && g.keys(f, item, "path", "source", "targets", "sourceValue") {
			g.settings(f, at)
		}
	}
	return g.paths(f, doc)
}

// foldSafe refuses keys that differ only in case from the key of a reference, because kustomize would
// follow them.
func (g pluginVisit) foldSafe(f *Folder, doc *loader.Value) bool {
	for _, field := range doc.Fields {
		for _, known := range []string{"path", "paths", "targetFilePath", "files", "envs", "env", "replacements"} {
			if field.Key != known && strings.EqualFold(field.Key, known) {
				g.refuse(f.File, field.Value, deploy.Complain(loader.KustomizePlugin, fmt.Sprintf("the field %s of a plugin is misspelt", deploy.Quote(field.Key)), "write it as "+known))
				return false
			}
		}
	}
	for _, item := range doc.List("replacements") {
		if !g.keys(f, item, "path", "source", "targets", "sourceValue") {
			return false
		}
	}
	return true
}

// paths checks the patches of a PatchStrategicMergeTransformer, each a file or inline YAML. Inline YAML
// is rewritten, so that kustomize cannot read it as a path.
func (g pluginVisit) paths(f *Folder, doc *loader.Value) *loader.Value {
	list := doc.Get("paths")
	if list == nil || list.Shape != loader.List {
		return doc
	}
	items := change(list, func(item *loader.Value) *loader.Value {
		in, ok := g.inlined(f, item)
		if !ok {
			g.settings(f, item)
			return item
		}
		var e emit.Writer
		for _, patch := range in.Docs {
			e.Document(patch)
		}
		return tree.Text(e.Buf.String())
	})
	return tree.ReplaceKey(doc, "paths", loader.Field{Key: "paths", Value: items})
}
