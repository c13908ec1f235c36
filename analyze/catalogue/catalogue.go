package catalogue

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// catalogueJSON is generated from the YAML files in the folder entries, in which entries are
// written; profiles are already merged into the entries. It is JSON because every command reads
// it, and parsing YAML takes ten times as long. `go test ./analyze/catalogue -update` regenerates
// it. A test fails while it is out of date.
//
//go:embed catalogue.json
var catalogueJSON []byte

// Catalogue is the built-in description of existing policy kinds.
type Catalogue struct {
	// Groups are abbreviations used in `allowed`, Sources those in `source`.
	Groups, Sources map[string]string
	// Systems are the names of the systems that entries belong to, by id.
	Systems map[string]string
	// Settings are the words for settings in sentences, by the end of a path or, after a slash, all of it.
	Settings map[string]string
	// Entries are sorted by id.
	Entries  []Entry
	profiles map[string]map[string]any
	// kinds are the entries, ready for the engine: compiled at first use and shared by all tables.
	kinds func() []*Kind
}

// compiled is the form of catalogue.json.
type compiled struct {
	Groups   map[string]string         `json:"groups"`
	Sources  map[string]string         `json:"sources"`
	Systems  map[string]string         `json:"systems"`
	Profiles map[string]map[string]any `json:"profiles"`
	Settings map[string]string         `json:"settings"`
	Entries  []Entry                   `json:"entries"`
}

// Builtin is the embedded catalogue. It is parsed once.
var Builtin = sync.OnceValues(func() (*Catalogue, error) {
	var c compiled
	if err := json.Unmarshal(catalogueJSON, &c); err != nil {
		return nil, fmt.Errorf("catalogue: %v", err)
	}
	out := &Catalogue{Groups: c.Groups, Sources: c.Sources, Systems: c.Systems, Settings: c.Settings, profiles: c.Profiles}
	return out.WithEntries(c.Entries), nil
})

// WithEntries returns the catalogue with other entries, which must not change any more.
func (c *Catalogue) WithEntries(entries []Entry) *Catalogue {
	out := *c
	out.Entries = entries
	out.kinds = sync.OnceValue(func() []*Kind {
		kinds := make([]*Kind, len(entries))
		for i, e := range entries {
			kinds[i] = compile(e, c.Groups, FromCatalogue)
		}
		return kinds
	})
	return &out
}

// WithRoots returns the catalogue with other root namespaces. The keys of roots are systems: the
// part of an entry's ID before the slash. A system of which no entry has a root namespace is an
// error.
func (c *Catalogue) WithRoots(roots map[string]string) (*Catalogue, error) {
	if len(roots) == 0 {
		return c, nil
	}
	entries := slices.Clone(c.Entries)
	used := map[string]bool{}
	var rooted []string
	for i := range entries {
		e := &entries[i]
		system, _, _ := strings.Cut(e.ID, "/")
		if e.Target.Root == "" {
			continue
		}
		rooted = append(rooted, system)
		if root, ok := roots[system]; ok {
			e.Target.Root, used[system] = root, true
		}
	}
	for _, system := range slices.Sorted(maps.Keys(roots)) {
		if !used[system] {
			return nil, fmt.Errorf("roots: %s has no root namespace; use one of %s", system, strings.Join(slices.Compact(rooted), ", "))
		}
	}
	return c.WithEntries(entries), nil
}

// Entry reads one entry as written in YAML. It merges the entry over its profile (maps merge,
// lists and scalars replace, null removes) and checks that its fields use only allowed words.
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
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		return Entry{}, fmt.Errorf("kind %s: %v", name, err)
	}
	if err := e.check(); err != nil {
		return Entry{}, fmt.Errorf("kind %s: %v", name, err)
	}
	for _, text := range e.Target.Allowed {
		group, _, found := strings.Cut(text, "/")
		if _, known := c.Groups[group]; found && !known && !strings.Contains(group, ".") {
			return Entry{}, fmt.Errorf("kind %s: target.allowed: %q has an unknown group; write the full API group, or one of %s",
				name, text, strings.Join(slices.Sorted(maps.Keys(c.Groups)), ", "))
		}
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
