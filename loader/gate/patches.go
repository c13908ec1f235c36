package gate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"unicode"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/emit"
	"github.com/gwplan/gwplan/loader/tree"
)

// inlineVisit moves the inline texts of a kustomization into files.
type inlineVisit struct{ *visit }

// patchVisit checks patches.
type patchVisit struct{ inlineVisit }

func patching(g *visit) patchVisit { return patchVisit{inlineVisit{g}} }

// patchEntries checks patches and patchesJson6902.
func (g patchVisit) patchEntries(f *Folder, v *loader.Value) *loader.Value {
	if !g.list(f, v) {
		return nil
	}
	return change(v, func(item *loader.Value) *loader.Value {
		if !g.keys(f, item, "path", "patch", "target", "options") {
			return item
		}
		return g.patch(f, item)
	})
}

func (g patchVisit) patch(f *Folder, item *loader.Value) *loader.Value {
	if at := item.Get("path"); at != nil && !at.IsEmpty() {
		if name, ok := g.file(f, at, UsePatch); ok {
			g.patchFile(f, item, name)
		}
		return item
	}
	body := item.Get("patch")
	if body == nil || body.Shape != loader.String {
		return item
	}
	return g.inlinePatch(f, item, g.moved(f.File, trimmed(body)))
}

func (g patchVisit) patchFile(f *Folder, item *loader.Value, name string) {
	p := g.store.Parse(g.view.IDs[name])
	if len(p.Problems) > 0 {
		g.problems(p.Problems, name)
		g.approved.Refused = true
		return
	}
	if mistakenJSON(g.store.Raw[g.view.IDs[name]]) {
		g.refuse(name, nil, notJSON())
		return
	}
	for _, doc := range p.Docs {
		if doc.Shape == loader.List {
			f.Patches = append(f.Patches, JSONPatch{entry: item, Target: item.Get("target"), Ops: doc, Source: name})
		}
	}
	f.merge(item, p.Docs)
}

// mistakenJSON reports whether kustomize takes a patch for JSON by its first character, and it is none: a list in YAML's flow
// style (kustomize api/internal/builtins/PatchTransformer.go, jsonPatchFromBytes).
func mistakenJSON(text []byte) bool { return bytes.HasPrefix(text, []byte("[")) && !json.Valid(text) }

func notJSON() deploy.Complaint {
	return deploy.Complain(loader.KustomizeInline, "the patch begins with [, so kustomize reads it as JSON, which it is not", "begin each operation on a line of its own with -, or quote the keys and texts")
}

// merge records a strategic-merge patch without a target.
func (f *Folder) merge(item *loader.Value, docs []*loader.Value) {
	if item.Get("target") == nil && len(docs) > 0 && docs[0].Shape == loader.Map {
		f.merges = append(f.merges, mergePatch{entry: item, docs: docs})
	}
}

// inlinePatch moves a patch into a file of the copy.
func (g patchVisit) inlinePatch(f *Folder, item *loader.Value, in Inline) *loader.Value {
	if len(in.Docs) == 0 {
		return item
	}
	name := g.free(f.Dir)
	g.approved.Inline[name] = in
	edited := tree.ReplaceKey(item, "patch", loader.Field{Key: "path", Value: tree.Text("./" + path.Base(name))})
	if in.Docs[0].Shape == loader.List {
		f.Patches = append(f.Patches, JSONPatch{entry: edited, Target: item.Get("target"), Ops: in.Docs[0], Source: name})
	}
	f.merge(edited, in.Docs)
	return edited
}

// trimmed is the text of a patch as kustomize reads it, without a line break at its end, which may be that of a block
// scalar in the patch (kustomize api/internal/builtins/PatchTransformer.go, Config).
func trimmed(body *loader.Value) *loader.Value {
	out := *body
	out.Text = strings.TrimRightFunc(body.Text, unicode.IsSpace)
	return &out
}

// moved reads an inline text. If it cannot be read, the build is refused.
func (g inlineVisit) moved(file string, body *loader.Value) Inline {
	text := g.store.Texts.Parse(body.Text)
	if len(text.Problems) > 0 {
		g.refuse(file, body, deploy.Complain(loader.KustomizeInline, "the inline text cannot be read as YAML: "+text.Problems[0].Message, "correct it"))
		return Inline{}
	}
	if mistakenJSON([]byte(strings.TrimSpace(body.Text))) {
		g.refuse(file, body, notJSON())
		return Inline{}
	}
	in := Inline{File: file, Docs: text.Docs, line: body.Mark.Line, column: body.Mark.Column, fixed: true}
	if line, column, ok := deploy.Literal(g.store.Raw[g.view.IDs[file]], body); ok {
		in.line, in.column, in.fixed = line, column, false
	}
	return in
}

// free returns a file name that the tree does not use.
func (g inlineVisit) free(dir string) string {
	for i := len(g.approved.Inline); ; i++ {
		name := path.Join(dir, fmt.Sprintf("gwplan-inline-%d.yaml", i))
		_, taken := g.view.IDs[name]
		_, chart := g.approved.Inflated[name]
		if _, ours := g.approved.Inline[name]; !taken && !ours && !chart {
			return name
		}
	}
}

// mergePatches checks patchesStrategicMerge, whose items are files or patches.
func (g patchVisit) mergePatches(f *Folder, v *loader.Value) *loader.Value {
	if !g.list(f, v) {
		return nil
	}
	return change(v, func(item *loader.Value) *loader.Value {
		if in, ok := g.inlined(f, item); ok {
			name := g.free(f.Dir)
			g.approved.Inline[name] = in
			edited := tree.Text("./" + path.Base(name))
			f.merge(edited, in.Docs)
			return edited
		}
		if name, ok := g.file(f, item, UsePatch); ok {
			g.patchFile(f, item, name)
		}
		return item
	})
}

// inlined reads an entry that may be a path or YAML. YAML is rewritten, so that kustomize never tries
// to open it as a path.
func (g inlineVisit) inlined(f *Folder, item *loader.Value) (Inline, bool) {
	if item.Shape != loader.String || tree.LocalReference(item.Text) || !strings.ContainsAny(item.Text, "\n{:") {
		return Inline{}, false
	}
	in := g.moved(f.File, item)
	for _, doc := range in.Docs {
		if doc.Shape != loader.Map {
			return Inline{}, false
		}
	}
	return in, len(in.Docs) > 0
}

// Patched reports whether the build has JSON6902 patches.
func (p *Approved) Patched() bool {
	for _, f := range p.Folders {
		if len(f.Patches) > 0 {
			return true
		}
	}
	return false
}

// WithoutPatches returns the text of the edited kustomization without its JSON6902 patches.
func (f *Folder) WithoutPatches() []byte {
	gone := map[*loader.Value]bool{}
	for _, p := range f.Patches {
		gone[p.entry] = true
	}
	out := f.Edited
	for _, key := range []string{"patches", "patchesJson6902"} {
		if list := out.Get(key); list != nil {
			kept := filter(list, func(v *loader.Value) bool { return !gone[v] })
			out = tree.ReplaceKey(out, key, loader.Field{Key: key, Value: kept})
		}
	}
	return emit.Plain(notEmpty(out))
}
