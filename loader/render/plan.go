package render

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// plan is what the gate has approved for one build: a copy of the files in
// which no reference is left that it has not seen.
type plan struct {
	root string
	// folders are the kustomizations in the order of the walk, overlay first.
	folders []*folder
	// files are the approved files of the tree, by what they are used for.
	files map[string]use
	// copy holds the files whose text differs from the tree's.
	copies map[string][]byte
	// inline are the patches that were moved out of kustomizations into files, so
	// that their values can be marked.
	inline map[string]inline
	// inflated are the charts that became files.
	inflated map[string]inflated
	// adapted are those that were read from their values.
	adapted []adaptedChart

	problems []loader.Problem
	gaps     []loader.Gap
	// refused says that nothing can be built.
	refused bool
	// secret says that secrets are among the inputs, so that what kustomize says
	// about them is not repeated.
	secret bool
	// overlay is what a deployer adds, or nil.
	overlay *overlay
	// unrestricted lets files lie outside the folder of their kustomization, as
	// Flux does (fluxcd/pkg kustomize/kustomize_generator.go, Build).
	unrestricted bool
	// salt identifies what a deployer adds.
	salt string
}

// use says what a file is for.
type use uint8

const (
	useData     use = iota // bytes for a generator, a schema, a configuration
	useResource            // objects
	usePatch               // a patch
	useConfig              // the configuration of a plugin
)

// folder is one kustomization of a build.
type folder struct {
	dir, file string
	// value is the file as it is, edited what kustomize sees.
	value, edited *loader.Value
	// below are the folders that it includes, components among them.
	below []*folder
	// inflated are the files that its charts became.
	inflated []string
	// holds are the resource files that it lists.
	holds []string
	// lists are the places of what it lists, by file or folder.
	lists map[string]loader.Position
	// patches are its JSON6902 patches, in order.
	patches []jsonPatch
	// merges are its strategic-merge patches without a target.
	merges []mergePatch
	// visits is how many folders kustomize walks from here, itself included.
	visits int
}

// inline is text of a kustomization that became a file of the copy.
type inline struct {
	file string
	// line and column are added to places in the text; where fixed is set every
	// value has that place instead, since its own is not known.
	line, column uint32
	fixed        bool
	docs         []*loader.Value
}

// place turns a place in the text into one of its file.
func (in inline) place(m loader.Mark) loader.Mark {
	if in.fixed {
		return loader.Mark{Line: in.line, Column: in.column}
	}
	return loader.Mark{Line: in.line + m.Line, Column: in.column + m.Column}
}

// jsonPatch is a JSON6902 patch and what it is applied to.
type jsonPatch struct {
	// entry is the item of the edited kustomization.
	entry  *loader.Value
	target *loader.Value
	ops    *loader.Value
	// source names the file or inline text that the operations stand in.
	source string
}

// mergePatch is a strategic-merge patch that names its object itself.
type mergePatch struct {
	// entry is the item of the edited kustomization.
	entry *loader.Value
	docs  []*loader.Value
}

// digest identifies the inputs of the build: equal digests give equal results,
// positions included.
func (p *plan) digest(v *view) [sha256.Size]byte {
	h := sha256.New()
	write := func(texts ...string) {
		for _, text := range texts {
			var n [8]byte
			binary.BigEndian.PutUint64(n[:], uint64(len(text)))
			h.Write(n[:])
			h.Write([]byte(text))
		}
	}
	write(p.root, p.salt)
	for _, f := range p.folders {
		write("folder", f.file, v.ids[f.file])
	}
	for _, file := range slices.Sorted(maps.Keys(p.files)) {
		write("file", file, v.ids[file], string(rune('0'+p.files[file])))
	}
	for _, file := range slices.Sorted(maps.Keys(p.copies)) {
		write("copy", file, string(p.copies[file]))
	}
	// They are part of the result.
	for _, problem := range p.problems {
		write(string(problem.Severity), problem.Code, problem.Message, problem.Hint, problem.Position.String())
	}
	for _, gap := range p.gaps {
		write(gap.Kind, gap.Name, gap.Namespace, gap.Position.String(), string(gap.Content[:]))
	}
	for _, file := range slices.Sorted(maps.Keys(p.inflated)) {
		digest := p.inflated[file].digest
		write("chart", file, string(digest[:]))
	}
	return [sha256.Size]byte(h.Sum(nil))
}
