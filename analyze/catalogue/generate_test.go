package catalogue

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "write catalogue.json anew from the files in entries")

// system is one file of the catalogue.
type system struct {
	Name     string                    `json:"system"`
	Groups   map[string]string         `json:"groups"`
	Sources  map[string]string         `json:"sources"`
	Profiles map[string]map[string]any `json:"profiles"`
	Entries  []map[string]any          `json:"entries"`
	Settings map[string]string         `json:"settings"`
}

// compiledFiles is the catalogue as its files have it.
func compiledFiles(t *testing.T) *compiled {
	t.Helper()
	out := &compiled{Groups: map[string]string{}, Sources: map[string]string{}, Systems: map[string]string{}, Profiles: map[string]map[string]any{}, Settings: map[string]string{}}
	files, err := filepath.Glob("entries/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var raws []map[string]any
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var s system
		if err := yaml.UnmarshalStrict(data, &s); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for name := range s.Profiles {
			if out.Profiles[name] != nil {
				t.Errorf("%s: there is a profile %s already", file, name)
			}
		}
		for name, source := range s.Sources {
			if was := out.Sources[name]; was != "" && was != source {
				t.Errorf("%s: %s is %s already", file, name, was)
			}
		}
		maps.Copy(out.Groups, s.Groups)
		maps.Copy(out.Sources, s.Sources)
		maps.Copy(out.Profiles, s.Profiles)
		maps.Copy(out.Settings, s.Settings)
		raws = append(raws, s.Entries...)
		for _, raw := range s.Entries {
			out.Systems[fmt.Sprint(raw["id"])] = s.Name
		}
	}
	// An entry may use the profile of any file.
	c := &Catalogue{Groups: out.Groups, profiles: out.Profiles}
	for _, raw := range raws {
		e, err := c.Entry(raw)
		if err != nil {
			t.Fatal(err)
		}
		out.Entries = append(out.Entries, e)
	}
	slices.SortFunc(out.Entries, func(a, b Entry) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// What commands read is what the files say.
func TestCatalogueIsCompiled(t *testing.T) {
	want := compiledFiles(t)
	text := lines(t, want)
	if *update {
		if err := os.WriteFile("catalogue.json", text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(text.Bytes(), catalogueJSON) {
		t.Fatal("catalogue.json is not what the files in entries say; run go test ./analyze/catalogue -update")
	}
	got, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Entries) != len(want.Entries) {
		t.Errorf("%d of %d entries are there", len(got.Entries), len(want.Entries))
	}
}

// lines writes a compiled catalogue with one entry on each line, so that two additions do not
// meet in one.
func lines(t *testing.T, c *compiled) *bytes.Buffer {
	t.Helper()
	var out bytes.Buffer
	write := func(before string, v any) {
		out.WriteString(before)
		e := json.NewEncoder(&out)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
		out.Truncate(out.Len() - 1)
	}
	write(`{"groups":`, c.Groups)
	write(",\n"+`"sources":`, c.Sources)
	write(",\n"+`"systems":`, c.Systems)
	write(",\n"+`"profiles":`, c.Profiles)
	write(",\n"+`"settings":`, c.Settings)
	out.WriteString(",\n\"entries\":[\n")
	for i, entry := range c.Entries {
		if i > 0 {
			out.WriteString(",\n")
		}
		write("", entry)
	}
	out.WriteString("\n]}\n")
	return &out
}

func BenchmarkBuiltin(b *testing.B) {
	for b.Loop() {
		var c compiled
		if err := json.Unmarshal(catalogueJSON, &c); err != nil {
			b.Fatal(err)
		}
	}
}
