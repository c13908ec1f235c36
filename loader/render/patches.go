package render

import (
	"fmt"
	"path"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// patchEntries checks patches and patchesJson6902.
func (g *gate) patchEntries(f *folder, v *loader.Value) *loader.Value {
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

func (g *gate) patch(f *folder, item *loader.Value) *loader.Value {
	if at := item.Get("path"); at != nil && !at.IsEmpty() {
		if name, ok := g.file(f, at, usePatch); ok {
			g.patchFile(f, item, name)
		}
		return item
	}
	body := item.Get("patch")
	if body == nil || body.Shape != loader.String {
		return item
	}
	return g.inlinePatch(f, item, g.moved(f.file, body))
}

func (g *gate) patchFile(f *folder, item *loader.Value, name string) {
	p := g.store.parse(g.view.ids[name])
	if len(p.problems) > 0 {
		g.problems(p.problems, name)
		g.plan.refused = true
		return
	}
	for _, doc := range p.docs {
		g.plan.secret = g.plan.secret || doc.Str("kind") == "Secret"
		if doc.Shape == loader.List {
			f.patches = append(f.patches, jsonPatch{entry: item, target: item.Get("target"), ops: doc, source: name})
		}
	}
	f.merge(item, p.docs)
}

// merge notes a strategic-merge patch that has no target.
func (f *folder) merge(item *loader.Value, docs []*loader.Value) {
	if item.Get("target") == nil && len(docs) > 0 && docs[0].Shape == loader.Map {
		f.merges = append(f.merges, mergePatch{entry: item, docs: docs})
	}
}

// inlinePatch moves a patch into a file of the copy.
func (g *gate) inlinePatch(f *folder, item *loader.Value, in inline) *loader.Value {
	if len(in.docs) == 0 {
		return item
	}
	name := g.free(f.dir)
	g.plan.inline[name] = in
	edited := replaceKey(item, "patch", loader.Field{Key: "path", Value: text("./" + path.Base(name))})
	if in.docs[0].Shape == loader.List {
		f.patches = append(f.patches, jsonPatch{entry: edited, target: item.Get("target"), ops: in.docs[0], source: name})
	}
	f.merge(edited, in.docs)
	return edited
}

// moved reads an inline text; what cannot be read refuses the build.
func (g *gate) moved(file string, body *loader.Value) inline {
	docs, problems := manifest.Parse([]byte(body.Text), g.store.opts.Manifest.Limits)
	if len(problems) > 0 {
		g.refuse(file, body, complain("kustomize-inline", "the inline text cannot be read as YAML: "+problems[0].Message, "correct it"))
		return inline{}
	}
	for _, doc := range docs {
		g.plan.secret = g.plan.secret || doc.Str("kind") == "Secret"
	}
	restoreWords(docs, []byte(body.Text))
	in := inline{file: file, docs: docs, line: body.Mark.Line, column: body.Mark.Column, fixed: true}
	if line, column, ok := literal(g.store.raw[g.view.ids[file]], body); ok {
		in.line, in.column, in.fixed = line, column, false
	}
	return in
}

// literal says where the lines of a literal block scalar stand in its file: the
// line of its | and the width of its indentation.
func literal(data []byte, body *loader.Value) (line, column uint32, ok bool) {
	lines := strings.Split(string(data), "\n")
	at := int(body.Mark.Line)
	if at == 0 || at > len(lines) {
		return 0, 0, false
	}
	head := []rune(lines[at-1])
	if c := int(body.Mark.Column); c == 0 || c > len(head) || head[c-1] != '|' {
		return 0, 0, false
	}
	for i, line := range strings.Split(body.Text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if at+i >= len(lines) {
			return 0, 0, false
		}
		raw := strings.TrimSuffix(lines[at+i], "\r")
		if indent := len(raw) - len(line); indent > 0 && strings.HasSuffix(raw, line) {
			return body.Mark.Line, uint32(indent), true
		}
		return 0, 0, false
	}
	return 0, 0, false
}

// free finds a file name that the tree does not use.
func (g *gate) free(dir string) string {
	for i := len(g.plan.inline); ; i++ {
		name := path.Join(dir, fmt.Sprintf("gwplan-inline-%d.yaml", i))
		_, taken := g.view.ids[name]
		_, chart := g.plan.inflated[name]
		if _, ours := g.plan.inline[name]; !taken && !ours && !chart {
			return name
		}
	}
}

func replaceKey(v *loader.Value, key string, by loader.Field) *loader.Value {
	out := &loader.Value{Shape: loader.Map, Mark: v.Mark}
	for _, field := range v.Fields {
		if field.Key == key {
			field = by
		}
		out.Fields = append(out.Fields, field)
	}
	return out
}

// mergePatches checks patchesStrategicMerge, whose items are files or patches.
func (g *gate) mergePatches(f *folder, v *loader.Value) *loader.Value {
	if !g.list(f, v) {
		return nil
	}
	return change(v, func(item *loader.Value) *loader.Value {
		if in, ok := g.inlined(f, item); ok {
			name := g.free(f.dir)
			g.plan.inline[name] = in
			edited := text("./" + path.Base(name))
			f.merge(edited, in.docs)
			return edited
		}
		if name, ok := g.file(f, item, usePatch); ok {
			g.patchFile(f, item, name)
		}
		return item
	})
}

// inlined reads an entry that may be a path or YAML. What it takes for YAML is
// written anew, so that kustomize never tries it as a path.
func (g *gate) inlined(f *folder, item *loader.Value) (inline, bool) {
	if item.Shape != loader.String || localReference(item.Text) || !strings.ContainsAny(item.Text, "\n{:") {
		return inline{}, false
	}
	in := g.moved(f.file, item)
	for _, doc := range in.docs {
		if doc.Shape != loader.Map {
			return inline{}, false
		}
	}
	return in, len(in.docs) > 0
}
