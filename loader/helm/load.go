package helm

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/yaml"
)

// Load makes a chart of its files, and of those below charts/ the charts that it holds;
// archives there are to be unpacked before (helm pkg/chart/v2/loader/load.go, LoadFiles).
// The charts that it holds are ordered by name and version, where Helm takes them from a
// map. Requirements, as in Helm, may stand in a file of their own.
func Load(files []File) (*Chart, error) {
	c := &Chart{}
	if err := c.metadata(files); err != nil {
		return nil, err
	}
	held := map[string][]File{}
	for _, f := range files {
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

// metadata reads Chart.yaml, which other files need to be read.
func (c *Chart) metadata(files []File) error {
	for _, f := range files {
		if f.Name != "Chart.yaml" {
			continue
		}
		if c.Metadata == nil {
			c.Metadata = &Metadata{}
		}
		if err := yaml.Unmarshal(f.Data, c.Metadata); err != nil {
			return fmt.Errorf("cannot load Chart.yaml: %w", err)
		}
		if c.Metadata.APIVersion == "" {
			c.Metadata.APIVersion = apiVersion1
		}
	}
	return nil
}

// take puts a file where it belongs; those below charts/ by the name of their folder.
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
		} else if err := yaml.Unmarshal(f.Data, c.Metadata); err != nil {
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
			inside = append(inside, File{name, f.Data})
		}
		held[folder] = inside // of a file that is no chart nothing, which fails
	default:
		c.Files = append(c.Files, f)
	}
	return nil
}

// readLock checks that a lock can be read; nothing of it is needed.
func readLock(f File) error {
	var lock struct {
		Generated    time.Time     `json:"generated"`
		Digest       string        `json:"digest"`
		Dependencies []*Dependency `json:"dependencies"`
	}
	if err := yaml.Unmarshal(f.Data, &lock); err != nil {
		return fmt.Errorf("cannot load %s: %w", f.Name, err)
	}
	return nil
}

// readValues reads values from documents, the later over the earlier (load.go, LoadValues).
func readValues(data []byte) (map[string]any, error) {
	values := map[string]any{}
	read := func(doc []byte) error {
		own := map[string]any{}
		if err := yaml.Unmarshal(doc, &own); err != nil {
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
				return nil, fmt.Errorf("error reading yaml document: invalid Yaml document separator: %s", rest)
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

// over lays one map over another (load.go, MergeMaps).
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
