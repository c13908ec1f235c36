package policy

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/yaml"
)

//go:embed catalogue/*.yaml
var catalogueFiles embed.FS

// Catalogue is the built-in knowledge of real policy kinds.
type Catalogue struct {
	// Groups are abbreviations used in `allowed`, Sources those in `source`.
	Groups, Sources map[string]string
	// Systems are the names of the systems that entries belong to, by id.
	Systems map[string]string
	// Entries are sorted by id.
	Entries  []Entry
	profiles map[string]map[string]any
}

// system is one file of the catalogue.
type system struct {
	Name     string                    `json:"system"`
	Groups   map[string]string         `json:"groups"`
	Sources  map[string]string         `json:"sources"`
	Profiles map[string]map[string]any `json:"profiles"`
	Entries  []map[string]any          `json:"entries"`
}

// Builtin is the embedded catalogue. It is parsed once.
var Builtin = sync.OnceValues(func() (*Catalogue, error) {
	c, err := parse(catalogueFiles)
	if err != nil {
		return nil, fmt.Errorf("catalogue: %v", err)
	}
	return c, nil
})

func parse(files fs.FS) (*Catalogue, error) {
	c := &Catalogue{Groups: map[string]string{}, Sources: map[string]string{}, profiles: map[string]map[string]any{}}
	names, err := fs.Glob(files, "catalogue/*.yaml")
	if err != nil {
		return nil, err
	}
	c.Systems = map[string]string{}
	var raws []map[string]any
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		var s system
		if err := yaml.UnmarshalStrict(data, &s); err != nil {
			return nil, fmt.Errorf("%s: %v", name, err)
		}
		maps.Copy(c.Groups, s.Groups)
		maps.Copy(c.Sources, s.Sources)
		maps.Copy(c.profiles, s.Profiles)
		raws = append(raws, s.Entries...)
		for _, raw := range s.Entries {
			c.Systems[fmt.Sprint(raw["id"])] = s.Name
		}
	}
	// An entry may use the profile of any file.
	for _, raw := range raws {
		e, err := c.Entry(raw)
		if err != nil {
			return nil, err
		}
		c.Entries = append(c.Entries, e)
	}
	slices.SortFunc(c.Entries, func(a, b Entry) int { return strings.Compare(a.ID, b.ID) })
	return c, nil
}

// Entry reads one entry as written in YAML: it is laid over its profile (maps
// merge, lists and scalars replace, null removes) and checked against the
// closed sets of words.
func (c *Catalogue) Entry(raw map[string]any) (Entry, error) {
	name := fmt.Sprint(raw["kind"])
	if profile, ok := raw["profile"].(string); ok {
		base, known := c.profiles[profile]
		if !known {
			return Entry{}, fmt.Errorf("kind %s: unknown profile %q; known are %s",
				name, profile, strings.Join(slices.Sorted(maps.Keys(c.profiles)), ", "))
		}
		raw = overlay(base, raw)
	}
	data, err := json.Marshal(raw)
	if err != nil {
		return Entry{}, fmt.Errorf("kind %s: %v", name, err)
	}
	var e Entry
	if err := yaml.UnmarshalStrict(data, &e); err != nil {
		return Entry{}, fmt.Errorf("kind %s: %v", name, err)
	}
	if err := e.check(); err != nil {
		return Entry{}, fmt.Errorf("kind %s: %v", name, err)
	}
	return e, nil
}

func overlay(base, top map[string]any) map[string]any {
	out := maps.Clone(base)
	for k, v := range top {
		below, isMap := out[k].(map[string]any)
		above, overMap := v.(map[string]any)
		switch {
		case v == nil:
			delete(out, k)
		case isMap && overMap:
			out[k] = overlay(below, above)
		default:
			out[k] = v
		}
	}
	return out
}
