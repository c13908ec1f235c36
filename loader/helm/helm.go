// Package helm makes of a chart what Helm makes of it: its files to a chart, values to
// those of each subchart, templates to texts. It is Helm's own way written again, because
// Helm's packages bring a Kubernetes client for one function, lookup, which is refused
// here. Each part names the function of Helm v4 that it follows, and the module
// internal/parity renders charts with both and compares the bytes.
//
// It bounds nothing by itself: the functions that a caller gives to Render do.
package helm

import (
	"path"
	"strings"
)

// File is a file of a chart. Name is relative to the chart's folder.
type File struct {
	Name string
	Data []byte
}

// Chart is a chart and the charts that it holds (helm pkg/chart/v2/chart.go).
type Chart struct {
	Metadata  *Metadata
	Templates []File
	// Files are those that templates may read.
	Files []File
	// Values are the chart's defaults.
	Values map[string]any

	parent *Chart
	subs   []*Chart
}

// Name is the name in Chart.yaml, or the alias by which a parent knows the chart.
func (c *Chart) Name() string { return c.Metadata.Name }

// Dependencies are the charts that the chart holds.
func (c *Chart) Dependencies() []*Chart { return c.subs }

// FullPath is the path of names from the root chart: root/charts/sub.
func (c *Chart) FullPath() string {
	if c.parent == nil {
		return c.Name()
	}
	return c.parent.FullPath() + "/charts/" + c.Name()
}

// CRDs are the manifests in crds/ of the chart and of those that it holds, with their full
// paths as names.
func (c *Chart) CRDs() []File {
	var out []File
	for _, f := range c.Files {
		if strings.HasPrefix(f.Name, "crds/") && isManifest(f.Name) {
			out = append(out, File{path.Join(c.FullPath(), f.Name), f.Data})
		}
	}
	for _, sub := range c.subs {
		out = append(out, sub.CRDs()...)
	}
	return out
}

func isManifest(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// hold makes some charts the ones that a chart holds.
func (c *Chart) hold(subs []*Chart) {
	for _, sub := range subs {
		sub.parent = c
	}
	c.subs = subs
}

// Rewrite replaces the text of each template of a chart and of those that it holds.
func (c *Chart) Rewrite(text func(c *Chart, f File) ([]byte, error)) error {
	return c.rewrite(text, map[*Chart]bool{})
}

// rewrite leaves out the charts that are done: several aliases may share one, and several
// charts the list of their templates.
func (c *Chart) rewrite(text func(c *Chart, f File) ([]byte, error), done map[*Chart]bool) error {
	if done[c] {
		return nil
	}
	done[c] = true
	templates := make([]File, len(c.Templates))
	for i, f := range c.Templates {
		data, err := text(c, f)
		if err != nil {
			return err
		}
		templates[i] = File{f.Name, data}
	}
	c.Templates = templates
	for _, sub := range c.subs {
		if err := sub.rewrite(text, done); err != nil {
			return err
		}
	}
	return nil
}
