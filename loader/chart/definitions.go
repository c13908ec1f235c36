package chart

import (
	"bytes"
	"maps"
	"regexp"
	"slices"

	"github.com/gwplan/gwplan/loader/helm"
)

// helpers are the texts of the named templates of a chart and of its subcharts, by name. A text that two definitions have the
// name of is both.
type helpers map[string][]byte

var (
	defined  = regexp.MustCompile(`\{\{-?\s*define\s+["` + "`" + `]([^"` + "`" + `]+)["` + "`" + `]`)
	included = regexp.MustCompile(`\b(?:include|template)\s+(?:["` + "`" + `]([^"` + "`" + `]+)["` + "`" + `])?`)
)

// maxReached bounds the text of the named templates that one template reaches.
const maxReached = 1 << 20

// definitions returns the named templates of a chart and of the charts below it.
func definitions(c *helm.Chart) helpers {
	out := helpers{}
	for _, f := range c.Templates {
		found := defined.FindAllSubmatchIndex(f.Data, -1)
		for i, at := range found {
			end := len(f.Data)
			if i+1 < len(found) {
				end = found[i+1][0]
			}
			name := string(f.Data[at[2]:at[3]])
			out[name] = append(out[name], f.Data[at[1]:end]...)
		}
	}
	for _, sub := range c.Dependencies() {
		for name, text := range definitions(sub) {
			out[name] = append(out[name], text...)
		}
	}
	return out
}

// reachedBy returns the text of a template with that of the named templates that it includes, directly or through others. One
// that it includes by a name which is not written there may be any.
func (h helpers) reachedBy(text []byte) []byte {
	out, seen := bytes.Clone(text), map[string]bool{}
	take := func(name string) {
		if !seen[name] && len(out)+len(h[name]) <= maxReached {
			seen[name] = true
			out = append(out, h[name]...)
		}
	}
	for from := 0; from < len(out); {
		to := len(out)
		for _, m := range included.FindAllSubmatch(out[from:to], -1) {
			if len(m[1]) > 0 {
				take(string(m[1]))
				continue
			}
			for _, name := range slices.Sorted(maps.Keys(h)) {
				take(name)
			}
		}
		from = to
	}
	return out
}
