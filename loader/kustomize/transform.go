package kustomize

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// transform is a field of a kustomization that changes objects.
type transform struct {
	key   string
	value *loader.Value
	file  string
	mark  loader.Mark
}

// transforms returns the fields that change one object, the outermost first, because the one that is
// applied last decides.
func (p *Approved) transforms(file string) []transform {
	var out []transform
	if p.overlay != nil {
		for _, f := range p.overlay.Fields {
			mark := loader.Mark{Line: uint32(f.At.Line), Column: uint32(f.At.Column)}
			out = append(out, transform{key: f.Key, value: f.Value, file: f.At.File, mark: mark})
		}
	}
	for _, f := range p.Folders {
		if !f.reaches(file) && f.value.Str("kind") != "Component" {
			continue
		}
		for _, field := range f.value.Fields {
			out = append(out, transform{key: field.Key, value: field.Value, file: f.File, mark: field.Value.Mark})
		}
	}
	return out
}

// reaches reports whether a folder includes a file, directly or indirectly.
func (f *folder) reaches(file string) bool {
	return slices.Contains(f.holds, file) || f.File == file ||
		slices.ContainsFunc(f.below, func(below *folder) bool { return below.reaches(file) })
}

// generated returns the generator of an object: the one with the longest name that is part of the
// object's name, because a hash and prefixes only extend a name.
func (p *Approved) generated(kind, name string) (file string, mark loader.Mark, ok bool) {
	field := map[string]string{"ConfigMap": "configMapGenerator", "Secret": "secretGenerator"}[kind]
	length := 0
	for _, f := range p.Folders {
		for _, item := range f.value.List(field) {
			own := item.Str("name")
			if len(own) > length && strings.Contains(name, own) {
				file, mark, ok, length = f.File, item.Mark, true, len(own)
			}
		}
	}
	return file, mark, ok
}
