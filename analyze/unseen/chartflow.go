package unseen

import (
	"cmp"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/gwplan/gwplan/internal/yamltext"
	"github.com/gwplan/gwplan/loader"
)

// chartFlow says which kinds about traffic the values and the changed lines of a chart reach: through what its templates read, and the named
// templates that these include. It reads the text of templates, as no engine runs them where a value that they need is missing.
type chartFlow struct {
	// read are the kinds by the path of a value that is read for them, in by the path of what such a value is in.
	read, in map[string][]string
	// changed are the kinds that a changed named template, or a changed default, reaches.
	changed []string
}

// flowing returns the kinds about traffic that a change reaches in the charts in some folders, by what differs there and in the values of a
// release.
func flowing(s *search, roots []string, before, after *loader.Value) []string {
	values := sync.OnceValue(func() []string { return changedPaths(before.Plain(), after.Plain()) })
	var out []string
	for _, dir := range roots {
		chart := path.Join(dir, "Chart.yaml")
		if s.Base.Below == nil || s.Head.Below == nil || s.Base.Content(chart)+s.Head.Content(chart) == "" {
			continue
		}
		f, known := s.flows[dir]
		if !known {
			f = flowOf(s, dir)
			s.flows[dir] = f
		}
		out = append(append(out, f.changed...), f.reachedBy(values())...)
	}
	return out
}

// flowOf reads the chart in a folder as both revisions have it.
func flowOf(s *search, dir string) *chartFlow {
	f := &chartFlow{read: map[string][]string{}, in: map[string][]string{}}
	edited := s.files.changedBelow([]string{dir})
	for i, side := range []*loader.Snapshot{s.Base, s.Head} {
		var blocks []*block
		inFile := map[string][]*block{}
		for _, file := range side.Below(dir) {
			if _, ok := subchart(dir, file, "templates/"); !ok {
				continue
			}
			inFile[file] = blocksOf(file, string(side.Text(file)), s.files.bearing)
			blocks = append(blocks, inFile[file]...)
		}
		inheritKinds(blocks)
		for _, b := range blocks {
			below, _ := subchart(dir, b.file, "templates/")
			f.add(b, below)
		}
		for _, file := range edited {
			if inFile[file] == nil {
				continue
			}
			for line := range s.files.marked(file)[i] {
				if b := around(inFile[file], line); b != nil && b.name != "" {
					f.changed = append(f.changed, b.kinds...)
				}
			}
		}
	}
	for _, file := range edited {
		below, ok := subchart(dir, file, "values.yaml")
		if !ok {
			continue
		}
		for _, at := range changedPaths(valuesFile(s.Base, file), valuesFile(s.Head, file)) {
			f.changed = append(f.changed, f.reachedBy([]string{inWhole(below, at)})...)
		}
	}
	slices.Sort(f.changed)
	f.changed = slices.Compact(f.changed)
	return f
}

// add adds what a block reads. below is where the values of its chart are among those of the whole.
func (f *chartFlow) add(b *block, below string) {
	if len(b.kinds) == 0 {
		return
	}
	join := func(m map[string][]string, at string) {
		for _, kind := range b.kinds {
			if !slices.Contains(m[at], kind) {
				m[at] = append(m[at], kind)
			}
		}
	}
	for _, read := range readsOf(b.text) {
		whole := inWhole(below, read)
		join(f.read, whole)
		for at := whole; at != ""; at = parent(at) {
			join(f.in, at)
		}
	}
}

// reachedBy returns the kinds for which a changed value, something in it or what it is in is read.
func (f *chartFlow) reachedBy(values []string) []string {
	var out []string
	for _, changed := range values {
		out = append(append(out, f.in[changed]...), f.read[""]...)
		for at := changed; at != ""; at = parent(at) {
			out = append(out, f.read[at]...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// inWhole returns the path among the values of a whole chart of a value of the chart whose values are below one.
func inWhole(below, at string) string {
	if first, _, _ := strings.Cut(at, "."); below == "" || first == "global" {
		return at
	}
	return strings.TrimSuffix(below+"."+at, ".")
}

// parent returns the path of what a value is in.
func parent(at string) string { return at[:max(strings.LastIndexByte(at, '.'), 0)] }

// block is a named template, or what a file has beside these.
type block struct {
	file, name string
	// line is the first one of the block in its file.
	line int
	text string
	// kinds are the kinds about traffic in it, and in what includes it.
	kinds []string
}

var (
	definition = regexp.MustCompile("\\{\\{-?\\s*define\\s+[\"`]([^\"`]+)[\"`]")
	inclusion  = regexp.MustCompile("\\b(?:include|template)\\s+[\"`]([^\"`]+)[\"`]")
	// valueRead matches a value by its path, by the keys of index, or all values.
	valueRead = regexp.MustCompile(`\.Values\b(?:((?:\.\w+)+)|((?:\s+"[^"]+")+))?`)
)

// readsOf returns the paths of the values that a text reads; "" stands for all of them.
func readsOf(text string) []string {
	var out []string
	for _, m := range valueRead.FindAllStringSubmatch(text, -1) {
		keys := strings.Split(strings.TrimPrefix(m[1], "."), ".")
		if m[2] != "" {
			keys = strings.Fields(strings.ReplaceAll(m[2], `"`, ""))
		}
		keys = keys[:min(len(keys), maxSteps)]
		out = append(out, strings.Join(keys, "."))
	}
	return out
}

const (
	// maxChartKinds limits how many kinds of one chart are named.
	maxChartKinds = 16
	// maxSteps limits the steps of a path that count: what is deeper counts as the whole of what it is in.
	maxSteps = 20
)

// blocksOf splits a file. A named template is taken to reach up to the next one, as in the files of helpers that charts have.
func blocksOf(file, text string, bearing func(group, kind string) loader.Bearing) []*block {
	out := []*block{{file: file, line: 1}}
	var lines []string
	end := func() {
		b := out[len(out)-1]
		b.text, lines = strings.Join(lines, "\n"), nil
		for _, word := range loader.TrafficAt([]byte(b.text), func(int) bool { return true }, bearing) {
			if kind, _ := loader.PartsOfWord(word); unicode.IsUpper(rune(kind[0])) && len(b.kinds) < maxChartKinds {
				b.kinds = append(b.kinds, kind)
			}
		}
	}
	for i, line := range strings.Split(text, "\n") {
		for n, m := range definition.FindAllStringSubmatch(line, -1) {
			if n > 0 {
				lines = append(lines, line)
			}
			end()
			out = append(out, &block{file: file, name: m[1], line: i + 1})
		}
		lines = append(lines, line)
	}
	end()
	return out
}

// inheritKinds gives named templates the kinds of what includes them.
func inheritKinds(blocks []*block) {
	named, all := map[string]*block{}, map[string][]*block{}
	for _, b := range blocks {
		if b.name != "" {
			named[b.name] = b
		}
		for _, kind := range b.kinds {
			all[kind] = append(all[kind], b)
		}
	}
	includes := map[*block][]*block{}
	for _, b := range blocks {
		for _, m := range inclusion.FindAllStringSubmatch(b.text, -1) {
			if to := named[m[1]]; to != nil {
				includes[b] = append(includes[b], to)
			}
		}
	}
	kinds := slices.Sorted(maps.Keys(all))
	for _, kind := range kinds[:min(len(kinds), maxChartKinds)] {
		open := slices.Clone(all[kind])
		seen := map[*block]bool{}
		for len(open) > 0 {
			b := open[len(open)-1]
			open = open[:len(open)-1]
			for _, to := range includes[b] {
				if !seen[to] {
					seen[to] = true
					to.kinds = append(to.kinds, kind)
					open = append(open, to)
				}
			}
		}
	}
}

// around returns the block of a line of a file, or nil.
func around(blocks []*block, line int) *block {
	i, _ := slices.BinarySearchFunc(blocks, line+1, func(b *block, after int) int { return cmp.Compare(b.line, after) })
	if i == 0 {
		return nil
	}
	return blocks[i-1]
}

// subchart says where the values of the chart that has a file are among those of a chart in a folder: at the names of the folders of
// subcharts. ok is false if what follows these in the name of the file does not begin with a text.
func subchart(dir, file, begin string) (below string, ok bool) {
	rest := strings.TrimPrefix(file, dir+"/")
	for {
		name, inside := strings.CutPrefix(rest, "charts/")
		if !inside {
			return below, strings.HasPrefix(rest, begin)
		}
		name, rest, ok = strings.Cut(name, "/")
		if !ok {
			return below, false
		}
		below = strings.TrimPrefix(below+"."+name, ".")
	}
}

// valuesFile returns the values in a file, nil where they cannot be read.
func valuesFile(side *loader.Snapshot, file string) any {
	var out any
	if yamltext.Unmarshal(side.Text(file), &out) != nil {
		return nil
	}
	return out
}

// changedPaths returns the paths of what differs between two values of a chart, separated by dots.
func changedPaths(before, after any) []string {
	var out []string
	var visit func(at string, steps int, before, after any)
	visit = func(at string, steps int, before, after any) {
		b, isMap := before.(map[string]any)
		a, isToo := after.(map[string]any)
		switch {
		case !isMap && !isToo || steps == maxSteps:
			if !reflect.DeepEqual(before, after) {
				out = append(out, at)
			}
		default:
			if isMap != isToo {
				out = append(out, at)
			}
			keys := map[string]bool{}
			for _, m := range []map[string]any{b, a} {
				for key := range m {
					keys[key] = true
				}
			}
			for key := range keys {
				visit(strings.TrimPrefix(at+"."+key, "."), steps+1, b[key], a[key])
			}
		}
	}
	visit("", 0, before, after)
	return out
}
