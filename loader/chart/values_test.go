package chart_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
)

// places writes the scalars below a value with the file and line that their marks
// mean, where they have one; from is what the number of the first file is.
func places(v *loader.Value, files []string, from uint32) string {
	var lines []string
	var walk func(path string, v *loader.Value)
	walk = func(path string, v *loader.Value) {
		for _, f := range v.Fields {
			walk(path+"/"+f.Key, f.Value)
		}
		for i, item := range v.Items {
			walk(fmt.Sprintf("%s/%d", path, i), item)
		}
		if len(v.Fields)+len(v.Items) > 0 {
			return
		}
		line := path + " " + show(v)
		if v.Mark.Line > 0 {
			line += fmt.Sprintf(" %s:%d:%d", files[v.Mark.File-from], v.Mark.Line, v.Mark.Column)
		}
		lines = append(lines, line)
	}
	walk("", v)
	return strings.Join(lines, "\n")
}

// TestOver: maps are merged, everything else replaces, and each value keeps the
// place that it came from.
func TestOver(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		want  string
	}{
		{"maps are merged", []string{"{a: {b: 1, c: 2}}", "{a: {c: 3, d: 4}, e: 5}"}, "/a/b 1 0.yaml:1:9\n/a/c 3 1.yaml:1:9\n/a/d 4 1.yaml:1:15\n/e 5 1.yaml:1:22"},
		{"lists are replaced", []string{"a: [1, 2]", "a: [3]"}, "/a/0 3 1.yaml:1:5"},
		{"a map gives way to a text", []string{"a: {b: 1}", "a: x"}, `/a "x" 1.yaml:1:4`},
		{"a text gives way to a map", []string{"a: x", "a: {b: 1}"}, "/a/b 1 1.yaml:1:8"},
		{"a null stays, to take a default away", []string{"a: {b: 1}", "a: {b: null}"}, "/a/b null 1.yaml:1:8"},
		{"a value comes back", []string{"a: 1", "a: null", "a: 2"}, "/a 2 2.yaml:1:4"},
		{"an empty map changes nothing", []string{"a: {b: 1}", "a: {}"}, "/a/b 1 0.yaml:1:8"},
		{"the last of three", []string{"a: 1\nb: 1\nc: 1", "b: 2\nc: 2", "c: 3"}, "/a 1 0.yaml:1:4\n/b 2 1.yaml:1:4\n/c 3 2.yaml:1:4"},
		{"nothing before", []string{"", "a: 1"}, "/a 1 1.yaml:1:4"},
		{"nothing after", []string{"a: 1", ""}, "/a 1 0.yaml:1:4"},
		{"a list is no values", []string{"a: 1", "[a]"}, "/a 1 0.yaml:1:4"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var v chart.Values
			var before []string
			for i, text := range tt.files {
				before = append(before, show(v.Root))
				v = v.Over(values(t, fmt.Sprintf("%d.yaml", i), text))
			}
			if got := places(v.Root, v.Files, 0); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			// What is laid over it changes nothing below.
			var again chart.Values
			for i, text := range tt.files {
				if got := show(again.Root); got != before[i] {
					t.Errorf("before file %d: %s, then %s", i, before[i], got)
				}
				again = again.Over(values(t, fmt.Sprintf("%d.yaml", i), text))
			}
		})
	}
}

// TestOverShares: values that are used twice stay as they are.
func TestOverShares(t *testing.T) {
	base := values(t, "base.yaml", "{a: {b: 1}, l: [{c: 1}]}")
	const want = "/a/b 1 base.yaml:1:9\n/l/0/c 1 base.yaml:1:21"
	one := base.Over(values(t, "one.yaml", "{a: {b: 2}}"))
	two := base.Over(values(t, "two.yaml", "{a: {b: 3}, l: []}"))
	over := values(t, "over.yaml", "x: {z: 1}")
	three := one.Over(over).Over(over)
	if got := places(base.Root, base.Files, 0); got != want {
		t.Errorf("the base became\n%s", got)
	}
	if got := places(one.Root, one.Files, 0); got != "/a/b 2 one.yaml:1:9\n/l/0/c 1 base.yaml:1:21" {
		t.Error(got)
	}
	if got := places(two.Root, two.Files, 0); got != "/a/b 3 two.yaml:1:9\n/l [] two.yaml:1:13" {
		t.Error(got)
	}
	if got := places(three.Root, three.Files, 0); !strings.HasSuffix(got, "/x/z 1 over.yaml:1:8") || over.Root.Get("x", "z").Mark.File != 0 {
		t.Error(got)
	}
}

func TestSet(t *testing.T) {
	scalar := func(text string) *loader.Value {
		return &loader.Value{Shape: loader.String, Text: text, Mark: loader.Mark{Line: 7, Column: 3}}
	}
	var none chart.Values
	base := values(t, "base.yaml", "{a: {b: u, c: w}}")
	tests := []struct {
		name string
		got  chart.Values
		want string
	}{
		{"over a value", base.Set([]string{"a", "b"}, scalar("z"), "set.yaml"), "/a/b \"z\" set.yaml:7:3\n/a/c \"w\" base.yaml:1:15"},
		{"beside others", base.Set([]string{"a", "d", "e"}, scalar("z"), "set.yaml"), "/a/b \"u\" base.yaml:1:9\n/a/c \"w\" base.yaml:1:15\n/a/d/e \"z\" set.yaml:7:3"},
		{"where there was nothing", none.Set([]string{"a"}, scalar("z"), "set.yaml"), "/a \"z\" set.yaml:7:3"},
		{"in place of a map", base.Set([]string{"a"}, scalar("z"), "set.yaml"), "/a \"z\" set.yaml:7:3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := places(tt.got.Root, tt.got.Files, 0); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			if !slices.Contains(tt.got.Files, "set.yaml") {
				t.Error(tt.got.Files)
			}
		})
	}
}
