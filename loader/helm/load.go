package helm

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gwplan/gwplan/internal/yamltext"
)

// Load builds a chart from its files, and its subcharts from the files below charts/. The caller
// must unpack archives there first (helm pkg/chart/v2/loader/load.go, LoadFiles). Subcharts are
// sorted by name and version, because Helm takes them from a map in random order. As in Helm,
// requirements may be in a separate file.
func Load(files []File) (*Chart, error) {
	c := &Chart{}
	if err := c.metadata(files); err != nil {
		return nil, err
	}
	held := map[string][]File{}
	for _, f := range files {
		f.Path = cmp.Or(f.Path, f.Name)
		if err := c.take(f, held); err != nil {
			return nil, err
		}
	}
	if c.Metadata == nil {
		return nil, errors.New("Chart.yaml file is missing") //nolint:staticcheck // it begins with a file's name
	}
	if err := c.Metadata.validate(); err != nil {
		return nil, err
	}
	var subs []*Chart
	for _, name := range slices.Sorted(maps.Keys(held)) {
		if strings.IndexAny(name, "_.") == 0 {
			continue
		}
		if path.Ext(name) == ".tgz" {
			return nil, fmt.Errorf("error unpacking subchart tar in %s: %s is a folder", c.Name(), name)
		}
		sub, err := Load(held[name])
		if err != nil {
			return nil, fmt.Errorf("error unpacking subchart %s in %s: %w", name, c.Name(), err)
		}
		subs = append(subs, sub)
	}
	slices.SortStableFunc(subs, func(a, b *Chart) int {
		return strings.Compare(a.Name()+" "+a.Metadata.Version, b.Name()+" "+b.Metadata.Version)
	})
	c.hold(subs)
	return c, nil
}

// metadata reads Chart.yaml first, because reading other files depends on it.
func (c *Chart) metadata(files []File) error {
	for _, f := range files {
		if f.Name != "Chart.yaml" {
			continue
		}
		if c.Metadata == nil {
			c.Metadata = &Metadata{}
		}
		if err := yamltext.Unmarshal(f.Data, c.Metadata); err != nil {
			return fmt.Errorf("cannot load Chart.yaml: %w", err)
		}
		if c.Metadata.APIVersion == "" {
			c.Metadata.APIVersion = apiVersion1
		}
	}
	return nil
}

// take stores a file by its kind. It adds the files below charts/ to held, by the name of their
// folder.
func (c *Chart) take(f File, held map[string][]File) error {
	switch {
	case f.Name == "Chart.yaml", f.Name == "values.schema.json":
	case f.Name == "Chart.lock":
		return readLock(f)
	case f.Name == "values.yaml":
		values, err := readValues(f.Data)
		if err != nil {
			return fmt.Errorf("cannot load values.yaml: %w", err)
		}
		c.Values = values
	case f.Name == "requirements.yaml", f.Name == "requirements.lock":
		if c.Metadata == nil {
			c.Metadata = &Metadata{}
		}
		if f.Name == "requirements.lock" {
			if err := readLock(f); err != nil {
				return err
			}
		} else if err := yamltext.Unmarshal(f.Data, c.Metadata); err != nil {
			return fmt.Errorf("cannot load requirements.yaml: %w", err)
		}
		if c.Metadata.APIVersion == apiVersion1 {
			c.Files = append(c.Files, f)
		}
	case strings.HasPrefix(f.Name, "templates/"):
		c.Templates = append(c.Templates, f)
	case strings.HasPrefix(f.Name, "charts/") && path.Ext(f.Name) != ".prov":
		folder, name, below := strings.Cut(strings.TrimPrefix(f.Name, "charts/"), "/")
		inside := held[folder]
		if below {
			inside = append(inside, File{name, f.Data, f.Path})
		}
		held[folder] = inside // empty for a file that is not a chart, so that loading it fails
	default:
		c.Files = append(c.Files, f)
	}
	return nil
}

// readLock checks that a lock file can be parsed; its content is not used.
func readLock(f File) error {
	var lock struct {
		Generated    time.Time     `json:"generated"`
		Digest       string        `json:"digest"`
		Dependencies []*Dependency `json:"dependencies"`
	}
	if err := yamltext.Unmarshal(f.Data, &lock); err != nil {
		return fmt.Errorf("cannot load %s: %w", f.Name, err)
	}
	return nil
}

// readValues reads values from YAML documents; later ones override earlier ones (load.go,
// LoadValues).
func readValues(data []byte) (map[string]any, error) {
	values := map[string]any{}
	read := func(doc []byte) error {
		own := map[string]any{}
		if err := yamltext.Unmarshal(doc, &own); err != nil {
			return fmt.Errorf("cannot unmarshal yaml document: %w", err)
		}
		values = over(values, own)
		return nil
	}
	var doc []byte
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for lines.Scan() {
		rest, separator := bytes.CutPrefix(lines.Bytes(), []byte("---"))
		if separator {
			if rest = bytes.TrimSpace(rest); len(rest) > 0 && rest[0] != '#' {
				return nil, errors.New("error reading yaml document: invalid Yaml document separator")
			}
			if err := read(doc); err != nil {
				return nil, err
			}
			doc = nil
			continue
		}
		doc = append(append(doc, lines.Bytes()...), '\n')
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if err := read(doc); err != nil {
		return nil, err
	}
	return values, nil
}

// over returns base with the entries of own merged over it (load.go, MergeMaps).
func over(base, own map[string]any) map[string]any {
	out := maps.Clone(base)
	for key, v := range own {
		upper, a := v.(map[string]any)
		lower, b := out[key].(map[string]any)
		if a && b {
			v = over(lower, upper)
		}
		out[key] = v
	}
	return out
}
