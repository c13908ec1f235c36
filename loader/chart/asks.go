package chart

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader/helm"
)

// Ask is an API of the cluster that a template asks for and that Capabilities does not have: what depends on it is not
// rendered. Kinds are those of its group that the templates of the same chart write.
type Ask struct {
	API   string
	Kinds []Kind
}

// KubernetesVersion is the API of an Ask for the version of Kubernetes, with the kinds of the templates that ask.
const KubernetesVersion = "KubeVersion"

// Kind is a kind of object in a template.
type Kind struct{ Group, Name string }

var (
	asked   = regexp.MustCompile(`\.APIVersions\.Has\s+\(?\s*["` + "`" + `]([^"` + "`" + `\s]+)["` + "`" + `]`)
	written = regexp.MustCompile(`(?m)^[ -]*apiVersion:[ ]*["']?([a-z0-9.-]+)/[a-z0-9]+["']?[ ]*\r?\n[ ]*kind:[ ]*["']?([A-Za-z0-9]+)`)
)

// The longest name of an API group and of a kind: a longer text is none.
const (
	maxGroup = 253
	maxKind  = 63
)

// asks returns what the templates of a chart and of its subcharts ask for in vain, each once.
func asks(c *helm.Chart, has helm.Versions) []Ask {
	var out []Ask
	add := func(a Ask) {
		if !slices.ContainsFunc(out, func(b Ask) bool { return a.API == b.API }) {
			out = append(out, a)
		}
	}
	var versions []Kind
	for _, f := range c.Templates {
		if bytes.Contains(f.Data, []byte(".Capabilities.KubeVersion")) {
			for _, kinds := range kindsByGroup([]helm.File{f}) {
				versions = append(versions, kinds...)
			}
		}
		if !bytes.Contains(f.Data, []byte(".APIVersions.Has")) {
			continue
		}
		for _, m := range asked.FindAllSubmatch(f.Data, -1) {
			if api := string(m[1]); len(api) <= maxGroup && !has.Has(api) {
				add(Ask{API: api})
			}
		}
	}
	if len(out) > 0 {
		of := kindsByGroup(c.Templates)
		for i := range out {
			group, _, _ := strings.Cut(out[i].API, "/")
			out[i].Kinds = of[group]
		}
	}
	if len(versions) > 0 {
		slices.SortFunc(versions, func(a, b Kind) int { return strings.Compare(a.Group+a.Name, b.Group+b.Name) })
		add(Ask{API: KubernetesVersion, Kinds: slices.Compact(versions)})
	}
	for _, sub := range c.Dependencies() {
		for _, a := range asks(sub, has) {
			add(a)
		}
	}
	return out
}

// kindsByGroup returns the kinds that templates write, by their groups.
func kindsByGroup(templates []helm.File) map[string][]Kind {
	out := map[string][]Kind{}
	for _, f := range templates {
		for _, m := range written.FindAllSubmatch(f.Data, -1) {
			if k := (Kind{string(m[1]), string(m[2])}); len(k.Group) <= maxGroup && len(k.Name) <= maxKind && !slices.Contains(out[k.Group], k) {
				out[k.Group] = append(out[k.Group], k)
			}
		}
	}
	return out
}
