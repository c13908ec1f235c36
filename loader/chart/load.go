package chart

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"helm.sh/helm/v4/pkg/chart/loader/archive"
	"helm.sh/helm/v4/pkg/ignore"

	"github.com/gwplan/gwplan/internal/yamltext"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/gotemplate"
	"github.com/gwplan/gwplan/loader/helm"
	"github.com/gwplan/gwplan/loader/manifest"
)

// File is a file of a chart. Name is relative to the chart's folder.
type File = helm.File

// The limits of one chart, including its unpacked archives.
const (
	maxChart    = 32 << 20
	maxFiles    = 20_000
	maxArchives = 100
	maxNesting  = 8
)

// Chart is a chart that can be rendered.
type Chart struct {
	files []File
	// Name and Version are those of Chart.yaml.
	Name, Version string
	// elsewhere are the folders below charts/ that are not there: they are in archives, or other folders.
	elsewhere []elsewhere
	// Missing are the dependencies that Chart.yaml names and the chart does not contain.
	Missing []Dependency
}

// Dependency is a chart that another one needs.
type Dependency struct{ Name, Version, Repository, Alias, Condition string }

// Load reads a chart from its files: templates, values, and the charts in charts/, as folders or
// archives.
func Load(files []File) (*Chart, error) {
	kept, archives, err := unpacked(visible(files))
	if err != nil {
		return nil, err
	}
	c := &Chart{files: kept, elsewhere: archives}
	loaded, err := c.load()
	if err != nil {
		return nil, err
	}
	c.Name, c.Version = loaded.Name(), loaded.Metadata.Version
	for _, d := range loaded.Metadata.Dependencies {
		have := func(sub *helm.Chart) bool { return sub.Name() == d.Name }
		if !slices.ContainsFunc(loaded.Dependencies(), have) {
			c.Missing = append(c.Missing, Dependency{d.Name, d.Version, d.Repository, d.Alias, d.Condition})
		}
	}
	return c, nil
}

// With adds the chart of a dependency as if it were in charts/. dir is the folder of the dependency, relative to that
// of the chart, or empty if the dependency is in no tree.
func (c *Chart) With(sub *Chart, dir string) *Chart {
	out := *c
	out.files = slices.Clone(c.files)
	below := path.Join("charts", sub.Name)
	for _, f := range sub.files {
		out.files = append(out.files, File{Name: path.Join(below, f.Name), Data: f.Data})
	}
	out.elsewhere = append(slices.Clone(c.elsewhere), sub.as(below, dir)...)
	out.Missing = slices.DeleteFunc(slices.Clone(c.Missing), func(d Dependency) bool { return d.Name == sub.Name })
	out.Missing = append(out.Missing, sub.Missing...)
	return &out
}

// load returns a new copy of the chart, because rendering modifies it. The files are untrusted, so
// a panic while reading them fails only this chart.
func (c *Chart) load() (out *helm.Chart, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("the chart cannot be read: %v", r)
		}
	}()
	out, err = helm.Load(c.files)
	if errors.Is(err, yamltext.ErrTooLong) {
		return nil, loader.Limit("the chart cannot be read: " + manifest.Unquoted(err.Error()))
	}
	if err != nil {
		return nil, fmt.Errorf("the chart cannot be read: %s", manifest.Unquoted(err.Error()))
	}
	return out, nil
}

// visible omits the files that .helmignore excludes (helm pkg/ignore). Helm's folder loader does
// the same, its file loader does not.
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

// info is the fs.FileInfo that the rules need for a file.
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

// limitArchives sets the size limit of Helm's archive reader, which is a global variable of the
// process.
var limitArchives = sync.OnceFunc(func() {
	archive.MaxDecompressedChartSize = maxChart
})

// unpacked replaces the archives in charts/ by their files. One limit applies to all of them,
// whereas Helm's loader limits each archive separately.
func unpacked(files []File) ([]File, []elsewhere, error) {
	limitArchives()
	u := unpacking{}
	if err := u.add("", files, 0); err != nil {
		return nil, nil, err
	}
	return u.out, u.packed, nil
}

type unpacking struct {
	out             []File
	bytes, archives int
	packed          []elsewhere
}

func (u *unpacking) add(prefix string, files []File, depth int) error {
	for _, f := range files {
		if u.bytes += len(f.Data); u.bytes > maxChart || len(u.out) >= maxFiles {
			return loader.Limit(fmt.Sprintf("the chart contains more than %d files or %d bytes", maxFiles, maxChart))
		}
		if !isArchive(f.Name) {
			u.out = append(u.out, File{Name: path.Join(prefix, f.Name), Data: f.Data})
			continue
		}
		if u.archives++; u.archives > maxArchives || depth == maxNesting {
			return loader.Limit(fmt.Sprintf("the chart contains more than %d archives, or archives nested deeper than %d levels", maxArchives, maxNesting))
		}
		inner, err := Unpack(f.Data)
		if err != nil {
			return fmt.Errorf("%s: %v", f.Name, err)
		}
		below := path.Join(prefix, strings.TrimSuffix(f.Name, ".tgz"))
		if depth == 0 {
			u.packed = append(u.packed, elsewhere{below: below, at: f.Name, file: true})
		}
		if err := u.add(below, inner, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// isArchive reports whether a file is a packed chart in charts/.
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
		out = append(out, File{Name: f.Name, Data: f.Data})
	}
	return out, nil
}

// instrument rewrites every template of a chart and its subcharts.
func (r *Renderer) instrument(c *helm.Chart) error {
	return c.Rewrite(func(c *helm.Chart, f File) ([]byte, error) {
		safe, err := r.safe(string(f.Data))
		if err != nil {
			return nil, fmt.Errorf("%s/%s:%v", c.FullPath(), f.Name, err)
		}
		return []byte(safe), nil
	})
}

// safe rewrites a template with limits, once for all charts that contain it.
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
