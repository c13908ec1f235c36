package tree

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// restoreWords changes plain scalars such as on and yes back to strings. A kustomize build reads
// them by YAML 1.2, so they are strings in its output, but booleans in a manifest that is applied
// unchanged (kyaml/yaml decodes with yaml.v3, sigs.k8s.io/yaml with the rules of v2). The values
// with booleans belong to the store and are not shared yet.
func restoreWords(docs []*loader.Value, data []byte) {
	var lines []string
	var walk func(*loader.Value)
	walk = func(v *loader.Value) {
		if v.Shape == loader.Bool {
			if lines == nil {
				lines = strings.Split(string(data), "\n")
			}
			if word := wordAt(lines, v.Mark); word != "" {
				v.Shape, v.Text = loader.String, word
			}
		}
		for _, f := range v.Fields {
			walk(f.Value)
		}
		for _, item := range v.Items {
			walk(item)
		}
	}
	for _, doc := range docs {
		walk(doc)
	}
}

// AsBuilt returns the documents of a file as a build by kustomize gives them, with words such as on as strings. The
// content of the file is read for one that has such words.
func AsBuilt(s *Store, v *View, file string, docs []manifest.Document) []manifest.Document {
	if !slices.ContainsFunc(docs, func(d manifest.Document) bool { return holdsWord(d.Root) }) {
		return docs
	}
	id := v.IDs[file]
	if built, known := s.built[id]; known {
		return built
	}
	if _, read := s.Raw[id]; !read && s.Keep(v.Tree.Blobs, []string{id}) != nil {
		return docs
	}
	out := slices.Clone(docs)
	for i, d := range out {
		if holdsWord(d.Root) {
			out[i].Root = d.Root.Copy(func(*loader.Value) {})
			restoreWords([]*loader.Value{out[i].Root}, s.Raw[id])
		}
	}
	s.built[id] = out
	return out
}

func holdsWord(v *loader.Value) bool {
	return v.Word || slices.ContainsFunc(v.Items, holdsWord) || slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return holdsWord(f.Value) })
}

// own replaces the values that RestoreWords may change by copies where they belong to a decoded file.
func own(docs []*loader.Value, file *manifest.File) {
	if file == nil || len(file.Documents) == 0 {
		return
	}
	shared := make(map[*loader.Value]bool, len(file.Documents))
	for i := range file.Documents {
		shared[file.Documents[i].Root] = true
	}
	for i, doc := range docs {
		if shared[doc] && holdsBool(doc) {
			docs[i] = doc.Copy(func(*loader.Value) {})
		}
	}
}

func holdsBool(v *loader.Value) bool {
	return v.Shape == loader.Bool || slices.ContainsFunc(v.Items, holdsBool) ||
		slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return holdsBool(f.Value) })
}

// wordAt returns the boolean word of YAML 1.1 at a position, or "".
func wordAt(lines []string, at loader.Mark) string {
	if at.Line == 0 || int(at.Line) > len(lines) {
		return ""
	}
	line := []rune(lines[at.Line-1])
	if at.Column == 0 || int(at.Column) > len(line) {
		return ""
	}
	rest := string(line[at.Column-1:])
	end := strings.IndexFunc(rest, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
	if end >= 0 {
		rest = rest[:end]
	}
	switch strings.ToLower(rest) {
	case "y", "n", "yes", "no", "on", "off":
		return rest
	}
	return ""
}
