// Package gwplan_test guards what holds for every package: where it may import
// from, and the habits that no compiler checks.
package gwplan_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// file is one Go file of the module.
type file struct {
	// dir is the package's folder, "." for the root of the module.
	dir, name string
	text      string
	syntax    *ast.File
}

func (f file) path() string { return path.Join(f.dir, f.name) }

func (f file) test() bool { return strings.HasSuffix(f.name, "_test.go") }

// imports are the paths that the file imports.
func (f file) imports() []string {
	var paths []string
	for _, spec := range f.syntax.Imports {
		paths = append(paths, strings.Trim(spec.Path.Value, `"`))
	}
	return paths
}

// parse reads one file from its text.
func parse(t *testing.T, name, text string) file {
	t.Helper()
	syntax, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return file{dir: path.Dir(name), name: path.Base(name), text: text, syntax: syntax}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// module reads all Go files of the module, without those of modules inside it.
func module(t *testing.T) []file {
	t.Helper()
	var files []file
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		hidden := strings.HasPrefix(entry.Name(), ".") && name != "."
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (hidden || entry.Name() == "testdata" || name != "." && exists(path.Join(name, "go.mod"))):
			return fs.SkipDir
		case entry.IsDir() || hidden || filepath.Ext(name) != ".go":
			return nil
		}
		text, err := os.ReadFile(name)
		if err == nil {
			files = append(files, parse(t, filepath.ToSlash(name), string(text)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// guard runs a check over the module, and over samples that it must notice.
func guard(t *testing.T, check func([]file) []string, samples map[string]string) {
	t.Helper()
	for _, complaint := range check(module(t)) {
		t.Error(complaint)
	}
	for name, text := range samples {
		if len(check([]file{parse(t, name, text)})) == 0 {
			t.Errorf("the guard does not notice %s:\n%s", name, text)
		}
	}
}

// An init runs in every command and test, in an order that nobody reads.
func TestNoInit(t *testing.T) {
	check := func(files []file) (complaints []string) {
		for _, f := range files {
			for _, declaration := range f.syntax.Decls {
				fn, ok := declaration.(*ast.FuncDecl)
				if ok && fn.Recv == nil && fn.Name.Name == "init" {
					complaints = append(complaints, f.path()+": has an init; make a table or a constructor")
				}
			}
		}
		return complaints
	}
	guard(t, check, map[string]string{"report/text.go": "package report\n\nfunc init() {}\n"})
}

// Names that gather anything, marks of unfinished work, tests that do not run.
func TestTidyWords(t *testing.T) {
	catchAll := []string{"util", "utils", "common", "helper", "helpers", "manager", "misc", "types"}
	// Put together here, so that this file does not complain about itself.
	unfinished := []string{"TO" + "DO", "FIX" + "ME", "X" + "XX", ".Skip" + "(", ".Skipf" + "(", ".SkipNow" + "("}
	check := func(files []file) (complaints []string) {
		for _, f := range files {
			if slices.Contains(catchAll, strings.TrimSuffix(f.syntax.Name.Name, "_test")) {
				complaints = append(complaints, f.path()+": package "+f.syntax.Name.Name+" says nothing; name what it does")
			}
			for _, word := range unfinished {
				if strings.Contains(f.text, word) {
					complaints = append(complaints, f.path()+": holds "+word+"; finish it")
				}
			}
		}
		return complaints
	}
	guard(t, check, map[string]string{
		"a/a.go":      "package util\n",
		"b/b_test.go": "package helpers_test\n",
		"c/c.go":      "package c\n\n// TO" + "DO: later\n",
		"d/d_test.go": "package d\n\nfunc f(t T) { t.Skip" + "(\"later\") }\n",
	})
}

// A package says what it is for.
func TestEveryPackageHasDoc(t *testing.T) {
	check := func(files []file) (complaints []string) {
		documented := map[string]bool{}
		for _, f := range files {
			if f.test() {
				continue
			}
			doc := f.syntax.Doc.Text()
			begins := strings.HasPrefix(doc, "Package "+f.syntax.Name.Name+" ") || f.syntax.Name.Name == "main" && doc != ""
			documented[f.dir] = documented[f.dir] || begins
		}
		for _, dir := range slices.Sorted(maps.Keys(documented)) {
			if !documented[dir] {
				complaints = append(complaints, dir+": has no package comment that begins with its name")
			}
		}
		return complaints
	}
	guard(t, check, map[string]string{
		"loader/a.go":     "package loader\n",
		"report/a.go":     "// Formats.\npackage report\n",
		"cmd/gwplan/a.go": "package main\n",
	})
}

// declares says whether the file has a function, a type, or a method by its TYPE.NAME.
func (f file) declares(name string) bool {
	return slices.ContainsFunc(f.syntax.Decls, func(declaration ast.Decl) bool {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			return f.function(d) == name
		case *ast.GenDecl:
			return slices.ContainsFunc(d.Specs, func(spec ast.Spec) bool {
				typed, ok := spec.(*ast.TypeSpec)
				return ok && typed.Name.Name == name
			})
		}
		return false
	})
}

// function is the name of a function, with its type where it is a method.
func (f file) function(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	of := d.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	switch generic := of.(type) {
	case *ast.IndexExpr:
		of = generic.X
	case *ast.IndexListExpr:
		of = generic.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name + "." + d.Name.Name
	}
	return ""
}
