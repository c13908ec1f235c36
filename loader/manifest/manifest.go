// Package manifest converts the bytes of one file to documents. It splits them, detects by bytes
// which documents are irrelevant, and decodes the others once into Values with positions.
//
// It does not depend on paths, revisions or environments, because the same bytes may be in many
// places. So problems have no file name. A limit drops at most one document, except the limit of
// documents per file, which drops the rest. Skipped documents are always counted.
package manifest

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// Relevance is whether the documents of a kind may affect the result.
type Relevance uint8

// The answers of Options.Relevance.
const (
	// Needed documents are decoded and kept.
	Needed Relevance = iota
	// Irrelevant documents are counted, but not kept.
	Irrelevant
	// Undecided is for unknown kinds. Their documents are kept if their bytes could contain the
	// target or parent reference of a policy, and otherwise only counted.
	Undecided
	// Companion documents are needed if some file mentions what they belong to, as Options.Mentions
	// decides, and otherwise irrelevant.
	Companion
)

// Limits bound the cost of one file. A zero field means the default.
type Limits struct {
	// Depth is how deep maps and lists of one document may nest.
	Depth int
	// AliasNodes is how many nodes the aliases of one document may add to the nodes in its text.
	AliasNodes int
	// Documents is how many documents one file may hold.
	Documents int
	// Values is how many lines and commas one document may have: each may give a value, which takes a hundred times its text.
	Values int
}

// DefaultLimits returns the limits of a run without flags.
func DefaultLimits() Limits {
	return Limits{Depth: 200, AliasNodes: 100_000, Documents: 50_000, Values: 500_000}
}

func (l Limits) orDefaults() Limits {
	d := DefaultLimits()
	return Limits{
		Depth:      cmp.Or(l.Depth, d.Depth),
		AliasNodes: cmp.Or(l.AliasNodes, d.AliasNodes),
		Documents:  cmp.Or(l.Documents, d.Documents),
		Values:     cmp.Or(l.Values, d.Values),
	}
}

// AdmitDepth reports whether a value nests no deeper than a document may.
func (l Limits) AdmitDepth(v *loader.Value) bool { return within(v, l.orDefaults().Depth) }

func within(v *loader.Value, levels int) bool {
	return (len(v.Fields) == 0 && len(v.Items) == 0 || levels > 0) &&
		!slices.ContainsFunc(v.Fields, func(f loader.Field) bool { return !within(f.Value, levels-1) }) &&
		!slices.ContainsFunc(v.Items, func(item *loader.Value) bool { return !within(item, levels-1) })
}

// Options are the settings of Decode.
type Options struct {
	Limits Limits
	// Relevance classifies kinds; nil means that all are Needed. It is called once per kind and
	// file, with an empty group for core.
	Relevance func(group, kind string) Relevance
	// Mentions reports whether the bytes of a file mention something that makes Companion documents
	// needed. It may be nil.
	Mentions func(data []byte) bool
	// Keeps reports whether an Undecided document is needed, now that it is decoded. It may be nil, and then all are.
	Keeps func(root *loader.Value) bool
	// Refers visits the kinds of objects to which an object of a kind, with a spec, refers. Undecided documents of such
	// kinds are needed. It may be nil.
	Refers func(group, kind string, spec *loader.Value, visit func(group, kind string))
	// Rewires reports whether a change of Companion documents makes all of them needed. It may be nil.
	Rewires func(before, after []*loader.Object) bool
	// ParseAll also decodes the documents that could be skipped by their bytes, to detect a broken
	// Deployment, for example. The same documents are kept.
	ParseAll bool
}

// Document is one Kubernetes object as it is written.
type Document struct {
	Group, Version, Kind string
	// Namespace is empty if the object has none. Name is empty if the object has only a
	// generateName.
	Namespace, Name string
	// Root is the whole object, without the body of a Secret.
	Root *loader.Value
	// Line is where the object begins.
	Line int
	// Origin is the file that the object was rendered from, as recorded by the tool that rendered
	// it; "" if unknown.
	Origin string
}

// File is the result of decoding one file.
type File struct {
	// Documents are in the order of the file; lists are replaced by their items.
	Documents []Document
	// Skipped counts the skipped documents, by GROUP/KIND, or KIND for core.
	Skipped map[string]int
	// Problems have positions without a file name.
	Problems []loader.Problem
	// Manifest is true if the file contains manifests, readable or not. Other files have no
	// problems, unless they are Git LFS pointers.
	Manifest bool
	// Other is true if the file contains something and no manifest.
	Other bool
	// Stray is the line of the first document that is no object, beside manifests; 0 if there is none. Deployers refuse the file.
	Stray int
	// Variables are the names of variables that Flux would replace in the file and that have no default there, also in documents
	// that are skipped, each once.
	Variables []string
}

// Decode reads the documents of a file. It keeps no reference to data. If decoding panics, for
// example in the parser, that is a problem of this file only.
func Decode(data []byte, opts Options) (file *File) {
	defer func() {
		if broken := recover(); broken != nil {
			file = &File{Manifest: true, Problems: []loader.Problem{brokeDown(broken)}}
		}
	}()
	r := reader{opts: opts, limits: opts.Limits.orDefaults()}
	if isPointer(data) {
		r.file.Problems = append(r.file.Problems, pointerProblem())
		return &r.file
	}
	r.file.Variables = variables(data)
	r.file.Manifest = holdsManifest(data)
	if !r.file.Manifest && !maybeEscaped(data) && !maybeHalfNamed(data) {
		r.file.Other = holdsContent(data)
		return &r.file
	}
	r.read(data)
	if len(r.file.Documents) > 0 || len(r.file.Skipped) > 0 {
		r.file.Manifest = true
	}
	if !r.file.Manifest {
		r.file.Problems, r.file.Other, r.file.Stray = nil, holdsContent(data), 0
	}
	r.file.Problems = clamp(r.file.Problems)
	return &r.file
}

// holdsContent reports whether YAML has more than comments and separators.
func holdsContent(data []byte) bool {
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' && !bytes.Equal(line, []byte("---")) && !bytes.Equal(line, []byte("...")) {
			return true
		}
	}
	return false
}

// Parse reads any YAML or JSON. It returns a value for each document that is not empty or null, and
// the problems of unreadable documents.
func Parse(data []byte, limits Limits) ([]*loader.Value, []loader.Problem) {
	roots, problems, _ := parse(data, limits, nil)
	return roots, problems
}

// ParseAgain is Parse of a file that Decode has read, of which it takes the documents that Decode kept as they
// are. The caller must not change these. A nil file has none. For a file, marks of documents on which programs do not agree are a
// problem: kustomize fails, or throws away what follows.
func ParseAgain(data []byte, limits Limits, decoded *File) ([]*loader.Value, []loader.Problem) {
	roots, problems, mark := parse(data, limits, decoded)
	if mark != nil {
		problems = append(problems, *mark)
	}
	return roots, problems
}

func parse(data []byte, limits Limits, decoded *File) (roots []*loader.Value, problems []loader.Problem, mark *loader.Problem) {
	if isPointer(data) {
		return nil, []loader.Problem{pointerProblem()}, nil
	}
	if p := wideEncoding(data); p != nil {
		return nil, []loader.Problem{*p}, nil
	}
	limits = limits.orDefaults()
	visit := func(t tree, p *loader.Problem) {
		switch {
		case p != nil:
			problems = append(problems, *p)
		case !t.root.IsNull():
			roots = append(roots, t.root)
		}
	}
	data = trim(data)
	parts, sure := split(data)
	if !sure {
		stream(data, parts, limits, visit)
		return roots, problems, ambiguousMark(data)
	}
	for i, p := range parts {
		if i == limits.Documents {
			return roots, append(problems, tooMany(limits.Documents, len(parts), p.line)), nil
		}
		end := math.MaxInt
		if i+1 < len(parts) {
			end = parts[i+1].line
		}
		if root := decoded.rootBetween(p.line, end); root != nil {
			roots = append(roots, root)
			continue
		}
		decode(p, limits, visit)
	}
	return roots, problems, nil
}

// rootBetween returns the root of the document that was kept from the lines after one up to another, or nil.
// Items of lists and Secrets are not kept as they are.
func (f *File) rootBetween(after, to int) *loader.Value {
	if f == nil || len(f.Problems) > 0 {
		return nil
	}
	i, _ := slices.BinarySearchFunc(f.Documents, after+1, func(d Document, line int) int { return cmp.Compare(d.Line, line) })
	if i == len(f.Documents) {
		return nil
	}
	d := &f.Documents[i]
	if d.Line > to || d.Root.Mark.Column != 1 || d.Kind == "Secret" {
		return nil
	}
	return d.Root
}

// reader reads one file.
type reader struct {
	opts   Options
	limits Limits
	file   File
	kinds  map[string]*kind
	// origin is the source named in a comment above the document.
	origin string
}

// kind is the data of one apiVersion and kind within a file.
type kind struct {
	// key is GROUP/KIND; group and name are parts of it.
	key, group, name string
	relevance        Relevance
}

func (r *reader) read(data []byte) {
	if p := wideEncoding(data); p != nil {
		r.problem(*p)
		return
	}
	data = trim(data)
	parts, sure := split(data)
	if !sure {
		if p := ambiguousMark(data); p != nil {
			r.problem(*p)
		}
		stream(data, parts, r.limits, func(t tree, p *loader.Problem) { r.take(t, p, data) })
		return
	}
	for i, p := range parts {
		if i == r.limits.Documents {
			r.problem(tooMany(r.limits.Documents, len(parts), p.line))
			return
		}
		if !r.opts.ParseAll && r.skip(p.body) {
			continue
		}
		r.origin = sourceComment(p.data)
		decode(p, r.limits, func(t tree, problem *loader.Problem) { r.take(t, problem, p.data) })
	}
}

// skip counts and skips a document if its bytes show that it is irrelevant.
func (r *reader) skip(body []byte) bool {
	h, sure := scan(body)
	if !sure {
		return false
	}
	k := r.kind(h.apiVersion, h.kind)
	return r.leaveOut(k, body)
}

// leaveOut counts an irrelevant document. text is the document's text, or more. An unknown kind is
// irrelevant only if text cannot contain a targetRef or parentRefs, or the name of a Gateway or route.
func (r *reader) leaveOut(k *kind, text []byte) bool {
	if k.relevance == Needed || k.relevance == Undecided && maybePolicy(text) {
		return false
	}
	r.count(k)
	return true
}

// count counts a document that is left out.
func (r *reader) count(k *kind) {
	if r.file.Skipped == nil {
		r.file.Skipped = make(map[string]int, 1)
	}
	r.file.Skipped[k.key]++
}

// take adds the result of decoding one document to the file.
func (r *reader) take(t tree, p *loader.Problem, text []byte) {
	if p != nil {
		r.problem(*p)
		return
	}
	r.object(t, text, t.root)
}

func (r *reader) problem(p loader.Problem) { r.file.Problems = append(r.file.Problems, p) }

func (r *reader) kind(apiVersion, name []byte) *kind {
	var scratch [128]byte
	key := append(append(append(scratch[:0], apiVersion...), 0), name...)
	if k := r.kinds[string(key)]; k != nil {
		return k
	}
	if r.kinds == nil {
		r.kinds = make(map[string]*kind)
	}
	k := newKind(string(apiVersion), string(name))
	if r.opts.Relevance != nil {
		k.relevance = r.opts.Relevance(k.group, k.name)
	}
	r.kinds[string(key)] = k
	return k
}

// tooDense returns the problem of a text that may give too many values, or nil. line is the number of lines before it.
func (l Limits) tooDense(text []byte, line int) *loader.Problem {
	if len(text) <= l.Values || bytes.Count(text, newline)+bytes.Count(text, comma) <= l.Values {
		return nil
	}
	p := problem("limit-values", loader.Position{Line: line + 1, Column: 1},
		fmt.Sprintf("the document has more than %d lines and commas", l.Values), "split it")
	return &p
}

func tooMany(limit, seen, line int) loader.Problem {
	return problem("limit-documents", loader.Position{Line: line + 1, Column: 1},
		fmt.Sprintf("the file holds %d documents, over the limit of %d", seen, limit),
		"split the file")
}
