package gate

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// Transform is a field of a kustomization that changes objects.
type Transform struct {
	Key   string
	Value *loader.Value
	File  string
	Mark  loader.Mark
}

// Transforms returns the fields that change one object, the outermost first, because the one that is
// applied last decides.
func (p *Approved) Transforms(file string) []Transform {
	var out []Transform
	if p.overlay != nil {
		for _, f := range p.overlay.Fields {
			mark := loader.Mark{Line: uint32(f.At.Line), Column: uint32(f.At.Column)}
			out = append(out, Transform{Key: f.Key, Value: f.Value, File: f.At.File, Mark: mark})
		}
	}
	for _, f := range p.Folders {
		if !f.reaches(file) && f.Value.Str("kind") != "Component" {
			continue
		}
		for _, field := range f.Value.Fields {
			out = append(out, Transform{Key: field.Key, Value: field.Value, File: f.File, Mark: field.Value.Mark})
		}
	}
	return out
}

// reaches reports whether a folder includes a file, directly or indirectly.
func (f *Folder) reaches(file string) bool {
	return slices.Contains(f.holds, file) || f.File == file ||
		slices.ContainsFunc(f.below, func(below *Folder) bool { return below.reaches(file) })
}

// Generated returns the generator of an object: the one with the longest name that is part of the
// object's name, because a hash and prefixes only extend a name.
func (p *Approved) Generated(kind, name string) (file string, mark loader.Mark, ok bool) {
	field := map[string]string{"ConfigMap": "configMapGenerator", "Secret": "secretGenerator"}[kind]
	length := 0
	for _, f := range p.Folders {
		for _, item := range f.Value.List(field) {
			own := item.Str("name")
			if len(own) > length && strings.Contains(name, own) {
				file, mark, ok, length = f.File, item.Mark, true, len(own)
			}
		}
	}
	return file, mark, ok
}
