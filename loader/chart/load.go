package chart

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
	helm "helm.sh/helm/v4/pkg/chart/v2"
	helmloader "helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/ignore"

	"github.com/gwplan/gwplan/loader/gotemplate"
)

// File is a file of a chart. Name is relative to the chart's folder.
type File struct {
	Name string
	Data []byte
}

// The limits of one chart, its archives unpacked.
const (
	maxChart    = 32 << 20
	maxFiles    = 20_000
	maxArchives = 100
	maxNesting  = 8
)

// Chart is a chart that can be rendered.
type Chart struct {
	files []*archive.BufferedFile
	// Name and Version are those of Chart.yaml.
	Name, Version string
	// Missing are the dependencies that Chart.yaml names and the chart does not
	// bring.
	Missing []Dependency
}

// Dependency is a chart that another one needs.
type Dependency struct{ Name, Version, Repository, Alias, Condition string }

// Load reads a chart from its files: templates, values, and the charts inside
// charts/, folders or archives.
func Load(files []File) (*Chart, error) {
	kept, err := unpacked(visible(files))
	if err != nil {
		return nil, err
	}
	c := &Chart{files: kept}
	loaded, err := c.load()
	if err != nil {
		return nil, err
	}
	if loaded.Metadata == nil {
		return nil, fmt.Errorf("the chart has no Chart.yaml")
	}
	if err := loaded.Validate(); err != nil {
		return nil, fmt.Errorf("the chart is not valid: %v", err)
	}
	c.Name, c.Version = loaded.Name(), loaded.Metadata.Version
	for _, d := range loaded.Metadata.Dependencies {
		have := func(sub *helm.Chart) bool { return sub.Name() == d.Name }
		if d != nil && !slices.ContainsFunc(loaded.Dependencies(), have) {
			c.Missing = append(c.Missing, Dependency{d.Name, d.Version, d.Repository, d.Alias, d.Condition})
		}
	}
	return c, nil
}

// With adds the chart of a dependency, as if it stood in charts/.
func (c *Chart) With(sub *Chart) *Chart {
	out := *c
	out.files = slices.Clone(c.files)
	for _, f := range sub.files {
		out.files = append(out.files, &archive.BufferedFile{Name: path.Join("charts", sub.Name, f.Name), Data: f.Data, ModTime: f.ModTime})
	}
	out.Missing = slices.DeleteFunc(slices.Clone(c.Missing), func(d Dependency) bool { return d.Name == sub.Name })
	out.Missing = append(out.Missing, sub.Missing...)
	return &out
}

// load gives a fresh chart: rendering changes it. Helm's loader is not ours and
// the files are anyone's, so a panic costs this chart alone.
func (c *Chart) load() (out *helm.Chart, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("the chart cannot be read: %v", r)
		}
	}()
	out, err = helmloader.LoadFiles(c.files)
	if err != nil {
		return nil, fmt.Errorf("the chart cannot be read: %v", err)
	}
	sortDependencies(out)
	return out, nil
}

// sortDependencies orders subcharts, which the loader takes from a map.
func sortDependencies(c *helm.Chart) {
	subs := slices.Clone(c.Dependencies())
	slices.SortFunc(subs, func(a, b *helm.Chart) int {
		return strings.Compare(a.Name()+" "+a.Metadata.Version, b.Name()+" "+b.Metadata.Version)
	})
	for _, sub := range subs {
		sortDependencies(sub)
	}
	c.SetDependencies(subs...)
}

// visible leaves out what .helmignore names (helm pkg/ignore; the loader of
// folders does the same, that of files does not).
func visible(files []File) []File {
	i := slices.IndexFunc(files, func(f File) bool { return f.Name == ".helmignore" })
	rules := ignore.Empty()
	if i >= 0 {
		if own, err := ignore.Parse(bytes.NewReader(files[i].Data)); err == nil {
			rules = own
		}
	}
	rules.AddDefaults()
	return slices.DeleteFunc(slices.Clone(files), func(f File) bool {
		for dir := path.Dir(f.Name); dir != "."; dir = path.Dir(dir) {
			if rules.Ignore(dir, info{path.Base(dir), true}) {
				return true
			}
		}
		return rules.Ignore(f.Name, info{path.Base(f.Name), false})
	})
}

// info is what the rules ask of a file.
type info struct {
	name string
	dir  bool
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return 0 }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.dir }
func (i info) Sys() any           { return nil }
func (i info) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir
	}
	return 0
}

// limitArchives makes Helm's reader of archives refuse large ones. Its limit is a
// variable of the process.
var limitArchives = sync.OnceFunc(func() {
	archive.MaxDecompressedChartSize = maxChart
})

// unpacked puts the files of archives in charts/ in their place, within one limit
// for all: the loader would grant each of them its own.
func unpacked(files []File) ([]*archive.BufferedFile, error) {
	limitArchives()
	u := unpacking{}
	if err := u.add("", files, 0); err != nil {
		return nil, err
	}
	return u.out, nil
}

type unpacking struct {
	out             []*archive.BufferedFile
	bytes, archives int
}

func (u *unpacking) add(prefix string, files []File, depth int) error {
	for _, f := range files {
		if u.bytes += len(f.Data); u.bytes > maxChart || len(u.out) >= maxFiles {
			return fmt.Errorf("the chart holds more than %d files or %d bytes", maxFiles, maxChart)
		}
		if !isArchive(f.Name) {
			u.out = append(u.out, &archive.BufferedFile{Name: path.Join(prefix, f.Name), Data: f.Data})
			continue
		}
		if u.archives++; u.archives > maxArchives || depth == maxNesting {
			return fmt.Errorf("the chart holds more than %d archives, or archives in archives", maxArchives)
		}
		inner, err := Unpack(f.Data)
		if err != nil {
			return fmt.Errorf("%s: %v", f.Name, err)
		}
		if err := u.add(path.Join(prefix, strings.TrimSuffix(f.Name, ".tgz")), inner, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// isArchive knows a chart in charts/ that is packed.
func isArchive(name string) bool {
	dir, base := path.Split(name)
	return path.Base(dir) == "charts" && path.Ext(base) == ".tgz" && !strings.HasPrefix(base, "_") && !strings.HasPrefix(base, ".")
}

// Unpack reads the files of a packed chart.
func Unpack(data []byte) (out []File, err error) {
	limitArchives()
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("the archive cannot be read: %v", r)
		}
	}()
	files, err := archive.LoadArchiveFiles(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("the archive cannot be read: %v", err)
	}
	for _, f := range files {
		out = append(out, File{f.Name, f.Data})
	}
	return out, nil
}

// instrument rewrites every template of a chart and those inside it. Charts under
// several aliases share their files, so the files stay as they are.
func (r *Renderer) instrument(c *helm.Chart) error {
	return r.instrumented(c, map[*helm.Chart]bool{})
}

func (r *Renderer) instrumented(c *helm.Chart, done map[*helm.Chart]bool) error {
	if done[c] {
		return nil
	}
	done[c] = true
	templates := make([]*common.File, len(c.Templates))
	for i, t := range c.Templates {
		// What is no template by its name is never parsed.
		safe, err := r.safe(string(t.Data))
		if err != nil {
			return fmt.Errorf("%s/%s:%v", c.ChartFullPath(), t.Name, err)
		}
		own := *t
		own.Data = []byte(safe)
		templates[i] = &own
	}
	c.Templates = templates
	for _, sub := range c.Dependencies() {
		if err := r.instrumented(sub, done); err != nil {
			return err
		}
	}
	return nil
}

// safe rewrites a template, once for all charts that have it.
func (r *Renderer) safe(text string) (string, error) {
	if out, ok := r.rewritten[text]; ok {
		return out, nil
	}
	out, err := gotemplate.Instrument(text)
	if err == nil {
		r.rewritten[text] = out
	}
	return out, err
}
