package kustomize

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// Approved is what the gate has approved for one build: a copy of the files in
// which no reference is left that it has not seen.
type Approved struct {
	Root string
	// Folders are the kustomizations in the order of the walk, overlay first.
	Folders []*folder
	// Files are the approved files of the tree, by what they are used for.
	Files map[string]use
	// copy holds the files whose text differs from the tree's.
	Copies map[string][]byte
	// Inline are the patches that were moved out of kustomizations into files, so
	// that their values can be marked.
	Inline map[string]inline
	// Inflated are the charts that became files.
	Inflated map[string]deploy.Inflated
	// adapted are those that were read from their values.
	adapted []adaptedChart

	problems []loader.Problem
	Gaps     []loader.Gap
	// Refused says that nothing can be built.
	Refused bool
	// overlay is what a deployer adds, or nil.
	overlay *deploy.Overlay
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
	dir, File string
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
	// loads is how many objects it loads on the way.
	loads int
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
func (p *Approved) digest(v *tree.View) [sha256.Size]byte {
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
	for _, problem := range p.problems {
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
