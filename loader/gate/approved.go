package gate

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// Approved is the approved input of one build: copies of the files, with only references that the gate
// has checked.
type Approved struct {
	Root string
	// Folders are the kustomizations in the order of the visit, the overlay first.
	Folders []*Folder
	// Files are the approved files of the tree with their purpose.
	Files map[string]Use
	// Copies are the files whose text differs from that in the tree.
	Copies map[string][]byte
	// Inline are the patches that were moved from kustomizations into files, so that their values can
	// be marked with comments.
	Inline map[string]Inline
	// Inflated are the rendered charts, which are files of the copy.
	Inflated map[string]deploy.Inflated
	// adapted are the charts whose objects were derived from their values.
	adapted []adaptedChart

	Problems []loader.Problem
	Gaps     []loader.Gap
	// Refused means that nothing can be built.
	Refused bool
	// overlay is what a deployer adds to the kustomization, or nil.
	overlay *deploy.Overlay
	// Unrestricted allows files outside the folder of their kustomization, as Flux does (fluxcd/pkg
	// kustomize/kustomize_generator.go, Build).
	Unrestricted bool
	// salt identifies the overlay in the digest.
	salt string
	// view is where the gate passed it, key identifies its inputs once they are known.
	view *tree.View
	key  *[sha256.Size]byte
}

// holdsIn reports whether the gate would pass the same in another view: nothing was left out, so all that it looked
// for is among the files and folders. What charts read is not known here.
func (p *Approved) holdsIn(v *tree.View) bool {
	if p.view == v {
		return true
	}
	if p.Refused || len(p.Problems)+len(p.Gaps)+len(p.Inflated)+len(p.adapted) > 0 || p.overlay != nil && p.overlay.Optional {
		return false
	}
	same := func(file string) bool { return v.IDs[file] == p.view.IDs[file] }
	for file := range p.Files {
		if !same(file) {
			return false
		}
	}
	return !slices.ContainsFunc(p.Folders, func(f *Folder) bool {
		return !slices.Equal(v.Kusts[f.Dir], p.view.Kusts[f.Dir]) || !same(f.File)
	})
}

// Use is the purpose of a file.
type Use uint8

// The purposes.
const (
	UseData     Use = iota // bytes for a generator, a schema, a configuration
	UseResource            // objects
	UsePatch               // a patch
	UseConfig              // the configuration of a plugin
)

// Folder is one kustomization of a build.
type Folder struct {
	Dir, File string
	// Value is the content of the file, Edited the content that kustomize reads.
	Value, Edited *loader.Value
	// below are the folders that it includes, with components.
	below []*Folder
	// inflated are the files made from its charts.
	inflated []string
	// holds are the resource files that it lists.
	holds []string
	// lists are the positions of its entries, by file or folder.
	lists map[string]loader.Position
	// Patches are its JSON6902 patches, in order.
	Patches []JSONPatch
	// merges are its strategic-merge patches without a target.
	merges []mergePatch
	// visits is how many folders kustomize visits from here, including this one.
	visits int
	// loads is how many objects kustomize loads from there.
	loads int
}

// Inline is a text in a kustomization that was moved into a file of the copy.
type Inline struct {
	File string
	// line and column are added to positions in the text. If fixed is set, every value has that
	// position instead, because its own is not known.
	line, column uint32
	fixed        bool
	Docs         []*loader.Value
}

// Place converts a position in the text into one in its file.
func (in Inline) Place(m loader.Mark) loader.Mark {
	if in.fixed {
		return loader.Mark{Line: in.line, Column: in.column}
	}
	return loader.Mark{Line: in.line + m.Line, Column: in.column + m.Column}
}

// JSONPatch is a JSON6902 patch with its target.
type JSONPatch struct {
	// entry is the item of the edited kustomization.
	entry  *loader.Value
	Target *loader.Value
	Ops    *loader.Value
	// Source names the file or inline text that contains the operations.
	Source string
}

// mergePatch is a strategic-merge patch without a target: its own kind and name select the object.
type mergePatch struct {
	// entry is the item of the edited kustomization.
	entry *loader.Value
	docs  []*loader.Value
}

// Digest identifies the inputs of the build. Equal digests mean equal results, including positions.
func (p *Approved) Digest(v *tree.View) [sha256.Size]byte {
	if p.key == nil {
		key := p.inputs(v)
		p.key = &key
	}
	return *p.key
}

func (p *Approved) inputs(v *tree.View) [sha256.Size]byte {
	h := sha256.New()
	write := func(texts ...string) {
		for _, text := range texts {
			var n [8]byte
			binary.BigEndian.PutUint64(n[:], uint64(len(text)))
			h.Write(n[:])
			h.Write([]byte(text))
		}
	}
	write(p.Root, p.salt)
	for _, f := range p.Folders {
		write("folder", f.File, v.IDs[f.File])
	}
	for _, file := range slices.Sorted(maps.Keys(p.Files)) {
		write("file", file, v.IDs[file], string(rune('0'+p.Files[file])))
	}
	for _, file := range slices.Sorted(maps.Keys(p.Copies)) {
		write("copy", file, string(p.Copies[file]))
	}
	// They are part of the result.
	for _, problem := range p.Problems {
		write(string(problem.Severity), problem.Code, problem.Message, problem.Hint, problem.Position.String())
	}
	for _, gap := range p.Gaps {
		write(gap.Kind, gap.Name, gap.Namespace, gap.Position.String(), string(gap.Content[:]))
	}
	for _, file := range slices.Sorted(maps.Keys(p.Inflated)) {
		digest := p.Inflated[file].Digest
		write("chart", file, string(digest[:]))
	}
	return [sha256.Size]byte(h.Sum(nil))
}
