package source

import (
	"slices"
	"strings"
	"testing"
)

// Whatever links a tree holds, resolving ends, gives paths that stay in the
// tree, and gives each link a file or a problem.
func FuzzLinks(f *testing.F) {
	f.Add("a.yaml\nl -> a.yaml\nd/up -> ..\nd/x -> ../l\n")
	f.Add("x/to -> ../y\ny/to -> ../x\nx/f\ny/f\n")
	f.Add("a/b/c/f\na/l -> b/c/../c/.//\nm/l -> ../a/l/f\n")
	f.Add("l -> l\nm -> /etc\nn -> ../x\no -> \n")
	f.Fuzz(func(t *testing.T, text string) {
		var nodes listing
		for line := range strings.Lines(text) {
			path, target, isLink := strings.Cut(strings.TrimSuffix(line, "\n"), " -> ")
			n := node{path: path, id: path, target: target}
			if isLink {
				n.kind = link
			}
			if validPath(path) {
				nodes = append(nodes, n)
			}
		}
		p, err := resolveListing(nodes, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range p.resolver.found {
			if !validPath(f.path) || f.file.kind != regular || !slices.ContainsFunc(nodes, func(n node) bool { return n.path == f.file.path }) {
				t.Errorf("%q gives %q", f.path, f.file.path)
			}
		}
		for path, problem := range p.resolver.problems {
			if problem.Position.File != path || problem.Code == "" || strings.ContainsAny(problem.Message, "\x00\x1b\n") {
				t.Errorf("problem %+v", problem)
			}
		}
	})
}

// Whatever the words are, what becomes a revision is no option and no range.
func FuzzParse(f *testing.F) {
	f.Add("main", "")
	f.Add("main...topic", "-x")
	f.Add("..", "a..-b")
	f.Add(":index", ":worktree..")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, q := range []Request{
			{Revisions: []string{a}},
			{Revisions: []string{a, b}},
			{MergeBase: a},
			{Staged: true, Revisions: []string{b}},
			{Staged: true, Environ: []string{"PRE_COMMIT_FROM_REF=" + a, "PRE_COMMIT_TO_REF=" + b}},
		} {
			p, err := q.parse()
			if err != nil {
				continue
			}
			for _, s := range []side{p.base, p.head} {
				for _, name := range []string{s.name, s.other} {
					if strings.HasPrefix(name, "-") || strings.Contains(name, "..") || strings.ContainsAny(name, "\x00\n") {
						t.Errorf("%q and %q become %+v", a, b, p)
					}
				}
			}
		}
	})
}

// The list of the index is git's, the names in it are anybody's.
func FuzzIndexParser(f *testing.F) {
	const entry = "100644 78981922613b2afb6025042ff6bd878ac1994e85 0\ta.yaml\x00  ctime: 1:2\n  mtime: 3:4\n  dev: 1\tino: 2\n  uid: 0\tgid: 0\n  size: 2\tflags: 0\n"
	f.Add(entry)
	f.Add(entry + entry)
	f.Add("x\x00y")
	f.Fuzz(func(t *testing.T, text string) {
		p := indexParser{}
		err := eachRecord(strings.NewReader(text), func(record []byte) error {
			return p.record(record, func(e indexEntry) error {
				if !isID(e.id) {
					t.Errorf("id %q", e.id)
				}
				return nil
			})
		})
		if text == entry && (err != nil || p.end() != nil) {
			t.Error(err)
		}
	})
}
