package chart

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/gwplan/gwplan/loader"
)

// Directory is a folder of charts as `helm pull` creates them: NAME-VERSION.tgz, or a folder NAME
// with --untar.
type Directory struct {
	root *os.Root
	// charts are the charts read so far, by name and version; nil if there is none.
	charts map[string]*Chart
}

// OpenDirectory opens a folder given by the caller. Nothing outside it is read.
func OpenDirectory(dir string) (*Directory, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot open the charts folder: %v", err)
	}
	return &Directory{root, map[string]*Chart{}}, nil
}

// Close closes the folder.
func (d *Directory) Close() error { return d.root.Close() }

// Find returns the chart with this name and version, or the newest in a version range. It returns
// nil if there is none, and an error if the chart cannot be read.
func (d *Directory) Find(name, version string) (*Chart, error) {
	if d == nil || name == "" || strings.ContainsAny(name, `/\`) {
		return nil, nil
	}
	key := name + " " + version
	if c, ok := d.charts[key]; ok {
		return c, nil
	}
	c, err := d.find(name, version)
	if err != nil {
		return nil, fmt.Errorf("cannot read the chart %s from the charts folder: %w", name, err)
	}
	d.charts[key] = c
	return c, nil
}

func (d *Directory) find(name, version string) (*Chart, error) {
	entries, err := fs.ReadDir(d.root.FS(), ".")
	if err != nil {
		return nil, err
	}
	best, newest := "", (*semver.Version)(nil)
	for _, e := range entries {
		own, packed := strings.CutSuffix(e.Name(), ".tgz")
		rest, mine := strings.CutPrefix(own, name+"-")
		if !packed || !mine || !wanted(version, rest) {
			continue
		}
		v, err := semver.NewVersion(rest)
		if err == nil && (newest == nil || v.GreaterThan(newest)) {
			best, newest = e.Name(), v
		}
	}
	if best != "" {
		data, err := d.root.ReadFile(best)
		if err != nil {
			return nil, err
		}
		files, err := Unpack(data)
		if err != nil {
			return nil, err
		}
		return Load(files)
	}
	c, err := d.folder(name)
	if c == nil || err != nil || !wanted(version, c.Version) {
		return nil, err
	}
	return c, nil
}

// folder reads an unpacked chart.
func (d *Directory) folder(name string) (*Chart, error) {
	if _, err := d.root.Stat(path.Join(name, "Chart.yaml")); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var files []File
	total := 0
	err := fs.WalkDir(d.root.FS(), name, func(p string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := d.root.ReadFile(p)
		if err != nil {
			return err
		}
		if total += len(data); total > maxChart {
			return loader.Limit(fmt.Sprintf("it holds more than %d bytes", maxChart))
		}
		files = append(files, File{Name: strings.TrimPrefix(p, name+"/"), Data: data})
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return Load(files)
}

// wanted reports whether a version is the requested one or in its range. An empty request accepts
// any but a pre-release (helm pull without --version).
func wanted(want, have string) bool {
	v, err := semver.NewVersion(have)
	if err != nil {
		return want == have
	}
	if want == "" || want == have {
		return want != "" || v.Prerelease() == ""
	}
	if exact, err := semver.NewVersion(want); err == nil && exact.Equal(v) {
		return true
	}
	c, err := semver.NewConstraint(want)
	return err == nil && c.Check(v)
}
