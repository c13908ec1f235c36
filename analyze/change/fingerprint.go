package change

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// Fingerprint returns a stable id. Its parts must be identities, never counts, lines or prose, so
// that the id stays the same after the next push.
func Fingerprint(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return "sha256:" + hex.EncodeToString(sum[:16])
}

// fingerprint returns the id of a change from: environment, policy kind, kind of change, policies
// or causing objects, target kinds and namespaces, field paths.
func (c *Compared) fingerprint(environment string) string {
	parts := []string{environment, c.sortKey()}
	parts = append(parts, c.Policies...)
	if len(c.Policies) == 0 {
		for _, cause := range c.Causes {
			parts = append(parts, cause.Object)
		}
	}
	var targets, fields []string
	for _, t := range c.Targets {
		targets = append(targets, t.Target.Group+"/"+t.Target.Kind+"/"+t.Target.Namespace)
	}
	for _, f := range c.Fields {
		fields = append(fields, f.Path)
	}
	slices.Sort(targets)
	slices.Sort(fields)
	parts = append(append(parts, slices.Compact(targets)...), slices.Compact(fields)...)
	return Fingerprint(parts...)
}

// tellApart gives distinct ids to changes that differ only in values or rules. It numbers them in
// their sorted order.
func tellApart(changes []Compared) {
	seen := map[string]int{}
	for i := range changes {
		name := changes[i].Fingerprint
		if n := seen[name]; n > 0 {
			changes[i].Fingerprint = Fingerprint(name, strconv.Itoa(n))
		}
		seen[name]++
	}
}
