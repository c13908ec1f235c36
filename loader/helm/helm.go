// Package helm processes a chart as Helm does: it builds a chart from files, computes the values of
// each subchart, and renders templates to texts. It reimplements Helm, because Helm's packages
// depend on a Kubernetes client for one function, lookup, which is refused here. Each part names
// the function of Helm v4 that it follows. The module internal/parity renders charts with both and
// compares the bytes.
//
// It sets no limits itself: the functions that a caller passes to Render do.
package helm

import (
	"maps"
	"path"
	"strings"
)

// File is a file of a chart. Name is relative to the chart's folder, Path to the folder of the chart that holds it,
// through charts/; Load sets it.
type File struct {
	Name string
	Data []byte
	Path string
}

// Chart is a chart and its subcharts (helm pkg/chart/v2/chart.go).
type Chart struct {
	Metadata  *Metadata
	Templates []File
	// Files are the files that templates may read.
	Files []File
	// Values are the chart's defaults.
	Values map[string]any

	parent *Chart
	subs   []*Chart
}

// Name is the name in Chart.yaml, or the alias under which the parent chart includes it.
func (c *Chart) Name() string { return c.Metadata.Name }

// Dependencies returns the subcharts.
func (c *Chart) Dependencies() []*Chart { return c.subs }

// FullPath is the path of names from the root chart: root/charts/sub.
func (c *Chart) FullPath() string {
	if c.parent == nil {
		return c.Name()
	}
	return c.parent.FullPath() + "/charts/" + c.Name()
}

// CRDs returns the manifests in crds/ of the chart and its subcharts, with their full paths as
// names.
func (c *Chart) CRDs() []File {
	var out []File
	for _, f := range c.Files {
		if strings.HasPrefix(f.Name, "crds/") && isManifest(f.Name) {
			out = append(out, File{path.Join(c.FullPath(), f.Name), f.Data, f.Path})
		}
	}
	for _, sub := range c.subs {
		out = append(out, sub.CRDs()...)
	}
	return out
}

// Paths returns the path of each template of a chart and its subcharts, by the name under which Render returns it. The
// names say how charts are called, the paths where they are.
func (c *Chart) Paths() map[string]string {
	out := map[string]string{}
	for _, f := range c.Templates {
		out[path.Join(c.FullPath(), f.Name)] = f.Path
	}
	for _, sub := range c.subs {
		maps.Copy(out, sub.Paths())
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

// hold sets the subcharts of a chart.
func (c *Chart) hold(subs []*Chart) {
	for _, sub := range subs {
		sub.parent = c
	}
	c.subs = subs
}

// Rewrite replaces the text of each template of a chart and its subcharts.
func (c *Chart) Rewrite(text func(c *Chart, f File) ([]byte, error)) error {
	return c.rewrite(text, map[*Chart]bool{})
}

// rewrite skips charts that are done, because several aliases may share one. It makes a new list of
// templates, because several charts may share the old one.
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
		templates[i] = File{f.Name, data, f.Path}
	}
	c.Templates = templates
	for _, sub := range c.subs {
		if err := sub.rewrite(text, done); err != nil {
			return err
		}
	}
	return nil
}
