package catalogue_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/analyze/catalogue"
)

// An entry that nobody can check, or that no script shows at work, is no
// knowledge. Words outside the closed sets do not even load.
func TestEveryEntryIsGrounded(t *testing.T) {
	c, err := catalogue.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	place := regexp.MustCompile(`^([A-Z0-9]+) .+$`)
	seen := map[string]bool{}
	for i := range c.Entries {
		e := &c.Entries[i]
		if seen[e.ID] || e.ID == "" {
			t.Errorf("%s %s: the id %q is not unique", e.Group, e.Kind, e.ID)
		}
		seen[e.ID] = true
		if c.Systems[e.ID] == "" {
			t.Errorf("%s belongs to no system", e.ID)
		}
		if len(e.Source) == 0 {
			t.Errorf("%s has no source", e.ID)
		}
		for _, text := range e.Source {
			if m := place.FindStringSubmatch(text); m == nil || c.Sources[m[1]] == "" {
				t.Errorf("%s: the source %q begins with no tag that `sources` explains", e.ID, text)
			}
		}
		if !slices.Contains([]string{"code", "types", "doc", "none"}, e.Verified) {
			t.Errorf("%s: verified is %q", e.ID, e.Verified)
		}
		if e.Verified != "code" && e.Note == "" && e.Departs == "" && len(e.NotFollowed) == 0 {
			t.Errorf("%s does not say what is assumed", e.ID)
		}
		if e.Merge.Levels.Algorithm == "" || e.Merge.Same.Algorithm == "" {
			t.Errorf("%s does not say how it merges", e.ID)
		}
		script := filepath.Join("..", "..", "testdata", "script", "policy_"+e.Kind+"."+e.Group+".txtar")
		text, err := os.ReadFile(script)
		if err != nil {
			t.Errorf("%s: %v", e.ID, err)
			continue
		}
		for _, command := range []string{"gwplan effective", "gwplan kinds"} {
			if !strings.Contains(string(text), command) {
				t.Errorf("%s runs no %s", script, command)
			}
		}
	}
}

// A typo in an entry is an error, not a policy that silently merges in another
// way.
func TestEntriesRefuseUnknownWords(t *testing.T) {
	c, err := catalogue.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	merge := func(levels, same map[string]any) map[string]any {
		return map[string]any{"merge": map[string]any{"levels": levels, "same": same}}
	}
	for name, raw := range map[string]map[string]any{
		"an algorithm between levels": merge(map[string]any{"algorithm": "deep"}, nil),
		"an algorithm at one target":  merge(nil, map[string]any{"algorithm": "newest"}),
		"a direction":                 merge(map[string]any{"direction": "up"}, nil),
		"hops":                        merge(map[string]any{"hops": "two"}, nil),
		"a tie":                       merge(nil, map[string]any{"tie": "youngest"}),
		"a scope of rejection":        merge(nil, map[string]any{"rejectScope": "all"}),
		"a mode that is missing":      merge(map[string]any{"direction": "from-mode"}, nil),
		"a mode's direction":          merge(map[string]any{"mode": map[string]any{"field": "x", "values": map[string]any{"a": "sideways"}}}, nil),
		"what is inherited":           merge(map[string]any{"inherit": map[string]any{"annotation": "x", "values": map[string]any{"a": "atomic"}}}, nil),
		"a level":                     {"levels": []any{"Pod"}},
		"a form":                      {"target": map[string]any{"refs": []any{map[string]any{"path": "x", "form": "regex"}}}},
		"what no target means":        {"target": map[string]any{"none": "cluster"}},
		"a default that is a list":    {"spec": map[string]any{"defaults": map[string]any{"a.b": []any{}}}},
		"braces in braces":            {"public": []any{"{a.{b,c}}"}},
		"a draw from no kind":         {"draws": []any{map[string]any{"path": "a.b", "kinds": []any{"Limit"}}}},
		"protection outside fields":   {"draws": []any{map[string]any{"path": "a.b", "kinds": []any{"a/B"}, "protects": []any{map[string]any{"path": "b", "what": "tls", "loosens": "gone"}}}}},
		"a field that yields to none": {"merge": map[string]any{"yields": []any{map[string]any{"path": "a"}}}},
		"a draw without kinds":        {"draws": []any{map[string]any{"path": "a.b"}}},
		"a field":                     {"mergee": map[string]any{}},
	} {
		raw["group"], raw["kind"] = "acme.io", "AcmePolicy"
		if _, err := c.Entry(raw); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

// Specs are printed as they are written, too, where what is in force stands at other
// paths: by the policy that it is of, by phase.
func TestSecretsAreNamedAsTheyAreWritten(t *testing.T) {
	c, err := catalogue.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for i := range c.Entries {
		e := &c.Entries[i]
		inForce := map[string]string{"traffic.{PreRouting,PostRouting}.": "traffic."}
		for _, b := range e.Merge.Levels.Beside {
			inForce[b.Path+".*."] = b.Path + "."
		}
		for _, path := range slices.Concat(e.Secret, e.Public) {
			for from, to := range inForce {
				if rest, moved := strings.CutPrefix(path, from); moved {
					named++
					if !slices.Contains(slices.Concat(e.Secret, e.Public), to+rest) {
						t.Errorf("%s: %s is not named as it is written, %s", e.ID, path, to+rest)
					}
				}
			}
		}
	}
	if named < 8 {
		t.Errorf("only %d paths stand elsewhere in force", named)
	}
}
