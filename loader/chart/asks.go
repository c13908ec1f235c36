package chart

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/Masterminds/semver/v3"

	"github.com/gwplan/gwplan/loader/helm"
)

// Ask is something that a template asks the cluster for and that is not known: what depends on it is not rendered.
type Ask struct {
	// API is an API version, or a kind in one, that Capabilities does not have; Function is a function whose result only the
	// cluster, a clock or chance knows. One of the two is set.
	API, Function string
	// Kinds are those that may depend on it: of the group of the API, and those of the templates that ask.
	Kinds []Kind
}

// KubernetesVersion is the API of an Ask for the version of Kubernetes, with the kinds of the templates that ask.
const KubernetesVersion = "KubeVersion"

// EveryAPI is the API of an Ask for the APIs of the cluster in another way than by the name of one.
const EveryAPI = "APIVersions"

// Kind is a kind of object in a template.
type Kind struct{ Group, Name string }

var (
	asked  = regexp.MustCompile(`\.APIVersions\.Has\s+\(?\s*["` + "`" + `]([^"` + "`" + `\s]+)["` + "`" + `]`)
	groups = regexp.MustCompile(`apiVersion:[ ]*["']?(?:([a-z0-9.-]+)/)?v[0-9]`)
	kinds  = regexp.MustCompile(`kind:[ ]*["']?([A-Za-z0-9]+)`)
)

// The longest name of an API group and of a kind: a longer text is none.
const (
	maxGroup = 253
	maxKind  = 63
)

// maxKinds bounds the kinds of one template.
const maxKinds = 4096

// asks returns what the templates of a chart and of its subcharts ask for in vain, each once.
func asks(c *helm.Chart, has helm.Versions) []Ask {
	var named helpers
	if mentions(c, apiVersions) {
		named = definitions(c)
	}
	return asksOf(c, has, named)
}

// asksOf is asks with the named templates of all charts.
func asksOf(c *helm.Chart, has helm.Versions, named helpers) []Ask {
	var out []Ask
	ofChart := sync.OnceValue(func() (all []Kind) {
		for _, f := range c.Templates {
			all = append(all, kindsIn(f.Data)...)
		}
		return all
	})
	for _, f := range c.Templates {
		if bytes.Contains(f.Data, []byte(".Capabilities.KubeVersion")) {
			if found := kindsIn(f.Data); len(found) > 0 {
				out = add(out, Ask{API: KubernetesVersion, Kinds: found})
			}
		}
		if bytes.Contains(f.Data, []byte("HelmVersion")) {
			if found := kindsIn(f.Data); len(found) > 0 {
				out = add(out, Ask{Function: ".Capabilities.HelmVersion", Kinds: found})
			}
		}
		if named == nil {
			continue
		}
		text := named.reachedBy(f.Data)
		if !bytes.Contains(text, apiVersions) {
			continue
		}
		found, literal := kindsIn(f.Data), 0
		for _, m := range asked.FindAllSubmatch(text, -1) {
			literal++
			if api := string(m[1]); len(api) <= maxGroup && !has.Has(api) {
				group, _, _ := strings.Cut(api, "/")
				of := slices.DeleteFunc(slices.Clone(ofChart()), func(k Kind) bool { return k.Group != group })
				out = add(out, Ask{API: api, Kinds: append(of, found...)})
			}
		}
		if len(found) > 0 && bytes.Count(text, apiVersions) > literal {
			out = add(out, Ask{API: EveryAPI, Kinds: found})
		}
	}
	for _, sub := range c.Dependencies() {
		for _, a := range asksOf(sub, has, named) {
			out = add(out, a)
		}
	}
	return out
}

// apiVersions is the field of .Capabilities that has them.
var apiVersions = []byte("APIVersions")

// mentions reports whether a template of a chart or of its subcharts has a text.
func mentions(c *helm.Chart, text []byte) bool {
	return slices.ContainsFunc(c.Templates, func(f helm.File) bool { return bytes.Contains(f.Data, text) }) ||
		slices.ContainsFunc(c.Dependencies(), func(sub *helm.Chart) bool { return mentions(sub, text) })
}

// add adds what is asked for, or its kinds if it is there.
func add(list []Ask, a Ask) []Ask {
	i := slices.IndexFunc(list, func(b Ask) bool { return a.API == b.API && a.Function == b.Function })
	if i < 0 {
		i = len(list)
		list = append(list, Ask{API: a.API, Function: a.Function})
	}
	kinds := slices.Concat(list[i].Kinds, a.Kinds)
	slices.SortFunc(kinds, func(a, b Kind) int { return strings.Compare(a.Group+"/"+a.Name, b.Group+"/"+b.Name) })
	list[i].Kinds = slices.Compact(kinds)
	return list
}

// The versions of Kubernetes between which those in support lie.
const oldestKubernetes = "v1.34.0"

// demands returns an Ask for the version of Kubernetes if the chart refuses to be installed on one that a cluster may have (helm
// pkg/action/action.go, renderResources; chartutil.IsCompatibleRange).
func demands(c *helm.Chart) []Ask {
	if c.Metadata.KubeVersion == "" {
		return nil
	}
	constraint, err := semver.NewConstraint(c.Metadata.KubeVersion)
	if err == nil && constraint.Check(semver.MustParse(oldestKubernetes)) && constraint.Check(semver.MustParse(kubeVersion)) {
		return nil
	}
	return add(nil, Ask{API: KubernetesVersion, Kinds: kindsOf(c)})
}

// kindsOf returns the kinds that a chart and its subcharts write.
func kindsOf(c *helm.Chart) (out []Kind) {
	for _, f := range c.Templates {
		out = append(out, kindsIn(f.Data)...)
	}
	for _, sub := range c.Dependencies() {
		out = append(out, kindsOf(sub)...)
	}
	return out
}

// source returns the text of a template of a chart or one of its subcharts, by the template's path.
func source(c *helm.Chart, template string) []byte {
	for _, f := range c.Templates {
		if path.Join(c.FullPath(), f.Name) == template {
			return f.Data
		}
	}
	for _, sub := range c.Dependencies() {
		if text := source(sub, template); text != nil {
			return text
		}
	}
	return nil
}

// kindsIn returns the kinds that a text may write: what it names as a kind, in each group that it names. Which kind is of which
// group follows from the kinds alone.
func kindsIn(text []byte) []Kind {
	of := func(pattern *regexp.Regexp, longest int) (names []string) {
		for _, m := range pattern.FindAllSubmatch(text, -1) {
			if name := string(m[1]); len(name) <= longest {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
	names := of(kinds, maxKind)
	if len(names) == 0 {
		return nil
	}
	var out []Kind
	for _, group := range of(groups, maxGroup) {
		for _, name := range names {
			if len(out) < maxKinds {
				out = append(out, Kind{group, name})
			}
		}
	}
	return out
}
