package applicationset

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/internal/expression"
	"github.com/gwplan/gwplan/loader"
)

// git returns a set for each folder or file that matches (generators/git.go). Its values
// are rendered once per match, because they may use the parameters of the match.
func (g *generator) git(v *loader.Value, given params) ([]params, *Problem) {
	bare := *v
	bare.Fields = slices.DeleteFunc(slices.Clone(v.Fields), func(f loader.Field) bool { return f.Key == "values" })
	spec, err := g.render(&bare, given)
	if err != nil {
		return nil, g.failed(v, err)
	}
	if url := spec.Str("repoURL"); !g.tree.Own(url) {
		return nil, &Problem{
			loader.UnresolvedSet, fmt.Sprintf("the git generator of the ApplicationSet reads %q, which is not this repository; its Applications are unknown", clip(url)),
			"", at(v, g.root),
		}
	}
	var out []params
	switch dirs, files := spec.List("directories"), spec.List("files"); {
	case len(dirs) > 0:
		out, err = g.directories(spec, dirs)
	case len(files) > 0:
		out, err = g.files(spec, files)
	default:
		err = fmt.Errorf("the git generator has neither directories nor files")
	}
	for _, set := range out {
		if err == nil {
			err = g.values(set, given, v.Get("values"))
		}
	}
	if err != nil {
		return nil, g.failed(v, err)
	}
	return out, nil
}

// directories matches folders with path.Match. An excluded folder is omitted even if
// another pattern matches it. Folders with a path segment that begins with a dot never match.
func (g *generator) directories(spec *loader.Value, patterns []*loader.Value) ([]params, error) {
	var out []params
	if err := g.matches(len(g.tree.Directories()), len(patterns)); err != nil {
		return nil, err
	}
	for _, dir := range g.tree.Directories() {
		if dir == "." || dotted(dir) {
			continue
		}
		in, excluded := false, false
		for _, p := range patterns {
			hit, err := path.Match(p.Str("path"), dir)
			hit = hit && err == nil // an invalid pattern matches nothing
			if p.Get("exclude").IsTrue() {
				excluded = excluded || hit
				continue
			}
			in = in || hit
		}
		if !in || excluded {
			continue
		}
		set := params{}
		g.place(set, dir, "", spec.Str("pathParamPrefix"))
		out = append(out, set)
	}
	return out, nil
}

func dotted(dir string) bool {
	return slices.ContainsFunc(strings.Split(dir, "/"), func(s string) bool { return strings.HasPrefix(s, ".") })
}

// files reads the files that match. A file with a list results in a set for each item.
// Patterns are git pathspecs, whose star also matches slashes (docs,
// Generators-Git-File-Globbing).
func (g *generator) files(spec *loader.Value, patterns []*loader.Value) ([]params, error) {
	var out []params
	if err := g.matches(len(g.tree.Files()), len(patterns)); err != nil {
		return nil, err
	}
	specs := make([]*regexp.Regexp, len(patterns))
	for i, p := range patterns {
		specs[i] = pathspec(p.Str("path"))
	}
	for _, file := range g.tree.Files() {
		in, excluded := false, false
		for i, p := range patterns {
			hit := specs[i].MatchString(file)
			if p.Get("exclude").IsTrue() {
				excluded = excluded || hit
				continue
			}
			in = in || hit
		}
		if !in || excluded {
			continue
		}
		docs, err := g.tree.Read(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %v", file, err)
		}
		sets, err := g.fileSets(file, docs, spec)
		if err != nil {
			return nil, err
		}
		out = append(out, sets...)
	}
	return out, nil
}

func (g *generator) fileSets(file string, docs []*loader.Value, spec *loader.Value) ([]params, error) {
	objects := []*loader.Value{{Shape: loader.Map}}
	if len(docs) > 0 {
		objects = docs[:1]
		if docs[0].Shape == loader.List {
			objects = docs[0].Items
		}
	}
	for _, object := range objects {
		if object.Shape != loader.Map {
			return nil, fmt.Errorf("%s must contain a map or a list of maps", file)
		}
	}
	var out []params
	for _, object := range objects {
		set := params{}
		if g.goTemplate {
			if m, ok := object.Decoded().(map[string]any); ok {
				maps.Copy(set, m)
			}
		} else {
			flatten(set, "", object)
		}
		g.place(set, path.Dir(file), path.Base(file), spec.Str("pathParamPrefix"))
		out = append(out, set)
	}
	return out, nil
}

// flatten sets a text parameter for each scalar below a value, named by its dotted path.
func flatten(set params, prefix string, v *loader.Value) {
	join := func(key string) string {
		if prefix == "" {
			return key
		}
		return prefix + "." + key
	}
	switch v.Shape {
	case loader.Map:
		for _, f := range v.Fields {
			flatten(set, join(f.Key), f.Value)
		}
	case loader.List:
		for i, item := range v.Items {
			flatten(set, join(strconv.Itoa(i)), item)
		}
	case loader.Null, loader.Bool, loader.Int, loader.Float, loader.String:
		set[prefix] = v.Text
	}
}

// place sets the path parameters of a matched folder or file.
func (g *generator) place(set params, dir, file, prefix string) {
	segments := strings.Split(dir, "/")
	if g.goTemplate {
		list := make([]any, len(segments))
		for i, s := range segments {
			list[i] = s
		}
		at := map[string]any{"path": dir, "basename": path.Base(dir), "basenameNormalized": normalized(path.Base(dir)), "segments": list}
		if file != "" {
			at["filename"], at["filenameNormalized"] = file, normalized(file)
		}
		if prefix != "" {
			set[prefix] = map[string]any{"path": at}
			return
		}
		set["path"] = at
		return
	}
	if prefix != "" {
		prefix += "."
	}
	set[prefix+"path"], set[prefix+"path.basename"] = dir, path.Base(dir)
	set[prefix+"path.basenameNormalized"] = normalized(path.Base(dir))
	for i, s := range segments {
		set[fmt.Sprintf("%spath[%d]", prefix, i)] = s
	}
	if file != "" {
		set[prefix+"path.filename"], set[prefix+"path.filenameNormalized"] = file, normalized(file)
	}
}

// maxPattern limits the bytes of a pattern, because the cost of matching is its length
// times that of the path.
const maxPattern = 1024

// matchesPerStep is the number of path comparisons that one budget step pays for.
const matchesPerStep = 64

// matches charges the budget for comparing paths with patterns.
func (g *generator) matches(paths, patterns int) error {
	return g.budget.Spend(1+paths*patterns/matchesPerStep, 0)
}

// pathspec compiles a git pathspec: a star matches any text including slashes, and a pattern
// also matches everything below a folder that it matches. An invalid one matches nothing.
func pathspec(pattern string) *regexp.Regexp {
	never := regexp.MustCompile(`[^\s\S]`)
	if pattern == "" || len(pattern) > maxPattern {
		return never
	}
	pattern = path.Clean(strings.TrimPrefix(pattern, "/"))
	if pattern == "." {
		return regexp.MustCompile("")
	}
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '*':
			b.WriteString(".*")
		case c == '?':
			b.WriteByte('.')
		case c == '[' && strings.IndexByte(pattern[i:], ']') > 1:
			end := i + strings.IndexByte(pattern[i:], ']')
			class := strings.ReplaceAll(pattern[i+1:end], `\`, `\\`)
			if rest, not := strings.CutPrefix(class, "!"); not {
				class = "^" + rest
			}
			b.WriteString("[" + class + "]")
			i = end
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	re, err := expression.Compile(`^(?s:` + b.String() + `)(/.*)?$`)
	if err != nil {
		return never
	}
	return re
}
