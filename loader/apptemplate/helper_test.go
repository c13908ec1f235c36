package apptemplate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/manifest"
)

// show writes a value on one line.
func show(v *loader.Value) string {
	if v == nil {
		return "nothing"
	}
	var parts []string
	switch v.Shape {
	case loader.Map:
		for _, f := range v.Fields {
			parts = append(parts, f.Key+": "+show(f.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case loader.List:
		for _, item := range v.Items {
			parts = append(parts, show(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case loader.Null:
		return "null"
	case loader.String:
		if v.Opaque {
			return "unknown"
		}
		return fmt.Sprintf("%q", v.Text)
	case loader.Bool, loader.Int, loader.Float:
	}
	return v.Text
}

// values reads values as they stand in a file.
func values(t *testing.T, file, text string) chart.Values {
	t.Helper()
	docs, problems := manifest.Parse([]byte(text), manifest.Limits{})
	if len(problems) > 0 || len(docs) > 1 {
		t.Fatalf("%s: %d documents, %v", file, len(docs), problems)
	}
	if len(docs) == 0 {
		return chart.Values{}
	}
	return chart.Values{Root: docs[0], Files: []string{file}}
}

// released is the chart's release in the namespace bakery.
func released(v chart.Values) chart.Release {
	return chart.Release{Name: "web", Namespace: "bakery", Values: v}
}

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
