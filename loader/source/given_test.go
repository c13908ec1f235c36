package source_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader/source"
)

func TestGivenFiles(t *testing.T) {
	r := &repo{t: t, dir: t.TempDir()}
	in := filepath.Join(r.dir, "in")
	r.write("in/a.yaml", "a\n")
	r.write("in/base/b.yaml", "b\n")
	r.write("in/base/c.txt", "c\n")
	r.write("in/.git/config", "token\n")
	r.link("in/prod/base", "../base")
	r.link("in/l.yaml", "a.yaml")
	r.link("in/out.yaml", "../elsewhere/e.yaml")
	r.link("in/current", "base")
	r.write("elsewhere/e.yaml", "e\n")
	r.write("third/e.yaml", "third\n")
	base := map[string]string{"base/b.yaml": "b\n", "base/c.txt": "c\n"}
	stdin := "from stdin\n"
	tests := map[string]struct {
		names []string
		want  map[string]string
	}{
		"default": {nil, map[string]string{
			"a.yaml": "a\n", "l.yaml": "a\n", "base/b.yaml": "b\n", "base/c.txt": "c\n",
			"prod/base/b.yaml": "b\n", "prod/base/c.txt": "c\n", "current/b.yaml": "b\n", "current/c.txt": "c\n",
		}},
		"folder":           {[]string{"base"}, base},
		"folder, untidy":   {[]string{"./base/../base/"}, base},
		"absolute":         {[]string{filepath.Join(in, "base")}, base},
		"twice":            {[]string{"base", "base/b.yaml", "./base"}, base},
		"file":             {[]string{"a.yaml"}, map[string]string{"a.yaml": "a\n"}},
		"link":             {[]string{"l.yaml"}, map[string]string{"l.yaml": "a\n"}},
		"link to a folder": {[]string{"current"}, map[string]string{"current/b.yaml": "b\n", "current/c.txt": "c\n"}},
		"over a link":      {[]string{"current/b.yaml"}, map[string]string{"current/b.yaml": "b\n"}},
		"links out of -f":  {[]string{"prod"}, map[string]string{"prod/base/b.yaml": "b\n", "prod/base/c.txt": "c\n"}},
		"elsewhere":        {[]string{"../elsewhere"}, map[string]string{"elsewhere/e.yaml": "e\n"}},
		"file elsewhere":   {[]string{"../elsewhere/e.yaml"}, map[string]string{"e.yaml": "e\n"}},
		"stdin":            {[]string{"-"}, map[string]string{"stdin.yaml": stdin}},
		"all": {[]string{"-", "a.yaml", "../elsewhere", "../third"}, map[string]string{
			"stdin.yaml": stdin, "a.yaml": "a\n", "elsewhere/e.yaml": "e\n", "third/e.yaml": "third\n",
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			tree, err := source.OpenOne(context.Background(), source.OneRequest{Dir: in, Filenames: test.names, Stdin: strings.NewReader(stdin)})
			if err != nil {
				t.Fatal(err)
			}
			defer closeTree(t, tree)
			if got := contents(t, tree); !maps.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
			if tree.Commit != "" || name == "stdin" && tree.Revision != "standard input" {
				t.Errorf("revision %q, commit %q", tree.Revision, tree.Commit)
			}
		})
	}
	bad := map[string]struct {
		names []string
		usage bool
		text  string
	}{
		"missing":       {[]string{"no.yaml"}, false, `cannot open "no.yaml": no such file or folder; check the path`},
		"missing there": {[]string{"../no"}, false, "no such file or directory; check the path"},
		"a link out":    {[]string{"out.yaml"}, false, `cannot open "out.yaml": it leads outside the tree`},
		"git's own":     {[]string{".git/config"}, false, "no such file or folder"},
		"one name":      {[]string{"../elsewhere/e.yaml", "../third/e.yaml"}, true, `two of the files given have the path "e.yaml"`},
	}
	for name, test := range bad {
		t.Run(name, func(t *testing.T) {
			_, err := source.OpenOne(context.Background(), source.OneRequest{Dir: in, Filenames: test.names})
			wantError(t, err, test.usage, test.text)
		})
	}
}

func TestTwoFolders(t *testing.T) {
	r := &repo{t: t, dir: t.TempDir()}
	r.write("base/a.yaml", "a\n")
	r.write("base/notes.txt", "old\n")
	r.write("head/a.yaml", "a\n")
	r.write("head/notes.txt", "new\n")
	base, head := openPair(t, source.Request{Dir: r.dir, BaseDir: "base", HeadDir: filepath.Join(r.dir, "head")})
	if got := contents(t, base)["notes.txt"] + contents(t, head)["notes.txt"]; got != "old\nnew\n" {
		t.Errorf("notes = %q", got)
	}
	if base.Entries[0] != head.Entries[0] || base.Entries[0].ID != "78981922613b2afb6025042ff6bd878ac1994e85" {
		t.Errorf("a.yaml is %v in base and %v in head, want git's blob id", base.Entries[0], head.Entries[0])
	}
	if base.Revision != "base" || base.Commit != "" {
		t.Errorf("base is %q %q", base.Revision, base.Commit)
	}
}

func TestDeepFolders(t *testing.T) {
	r := &repo{t: t, dir: t.TempDir()}
	deep := strings.Repeat("d/", 210)
	if err := os.MkdirAll(filepath.Join(r.dir, deep), 0o755); err != nil {
		t.Fatal(err)
	}
	r.write(deep+"x.yaml", "x\n")
	r.write("a.yaml", "a\n")
	tree, err := source.OpenDirectory(context.Background(), r.dir, source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer closeTree(t, tree)
	if !slices.Equal(paths(tree), []string{"a.yaml"}) || len(tree.Problems) != 1 || tree.Problems[0].Code != "limit-folder-depth" {
		t.Errorf("%q %v", paths(tree), tree.Problems)
	}
}
