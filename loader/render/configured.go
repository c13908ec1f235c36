package render

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/gwplan/gwplan/loader"
)

// maxPattern bounds a path of the config, since patterns can be made to cost
// much.
const maxPattern = 1024

// configured takes the environments from the config.
func (s *session) configured(views []*view, out []layout) error {
	found := make([][]cluster, len(views))
	for i, v := range views {
		var err error
		if found[i], err = s.known(v, &out[i]); err != nil {
			return err
		}
	}
	for _, c := range s.opts.Environments {
		units := make([][]unit, len(views))
		hit := false
		for i := range views {
			for _, known := range found[i] {
				if known.by == byArgoCD && known.name == c.ArgoCD || known.by == byFlux && slices.Contains(c.Paths, known.path) {
					hit = true
					units[i] = append(units[i], known.units...)
					out[i].problems = append(out[i].problems, renamed(known.problems, c.Name)...)
				}
			}
		}
		if c.ArgoCD != "" && !hit {
			out = missing(out, c.Name, fmt.Sprintf("no Application of Argo CD deploys to %s", quote(c.ArgoCD)))
		}
		for _, pattern := range c.Paths {
			if len(pattern) > maxPattern || !doublestar.ValidatePattern(pattern) {
				return fmt.Errorf("environment %q: the path %q is no valid pattern of at most %d bytes; correct it", c.Name, clip(pattern), maxPattern)
			}
			if isFlux(found, pattern) {
				continue
			}
			if !s.matched(views, pattern, units) {
				out = missing(out, c.Name, fmt.Sprintf("the path %s of the environment matches nothing", quote(pattern)))
			}
		}
		for i := range views {
			if units[i] == nil {
				continue
			}
			env := environment{name: c.Name, path: configPath(c), by: "the configuration", units: unique(units[i])}
			out[i].environments = append(out[i].environments, env)
		}
	}
	return nil
}

// isFlux says whether a path is the entry folder of a Flux cluster.
func isFlux(found [][]cluster, name string) bool {
	return slices.ContainsFunc(found, func(list []cluster) bool {
		return slices.ContainsFunc(list, func(c cluster) bool { return c.by == byFlux && c.path == name })
	})
}

// renamed gives problems of a cluster the name that it has in the config.
func renamed(problems []loader.Problem, name string) []loader.Problem {
	out := slices.Clone(problems)
	for i := range out {
		out[i].Environments = []string{name}
	}
	return out
}

// missing says in every tree that an environment of the config is not found.
func missing(out []layout, name, message string) []layout {
	p := loader.Problem{
		Severity: loader.Warning, Code: "environment-path", Environments: []string{name},
		Message: message, Hint: "correct environments in the config",
	}
	for i := range out {
		out[i].problems = append(out[i].problems, p)
	}
	return out
}

func configPath(c EnvironmentConfig) string {
	if c.ArgoCD != "" {
		return c.ArgoCD
	}
	if len(c.Paths) == 1 {
		return c.Paths[0]
	}
	return "."
}

// unique drops units that several patterns have found.
func unique(units []unit) []unit {
	slices.SortStableFunc(units, compareUnits)
	return slices.CompactFunc(units, func(a, b unit) bool {
		return a.place() == b.place() && a.build == b.build && a.delivery == b.delivery && a.release == b.release && a.gap == b.gap
	})
}

// matched adds what a pattern means in each tree and says whether it means
// anything in any.
func (s *session) matched(views []*view, pattern string, found [][]unit) bool {
	hit := false
	pattern = path.Clean(strings.TrimPrefix(pattern, "/"))
	for i, v := range views {
		for _, name := range v.match(pattern) {
			hit = true
			found[i] = append(found[i], s.named(v, name)...)
		}
	}
	return hit
}

// match lists the folders and files that a pattern means, without what lies in
// a folder that it means as well.
func (v *view) match(pattern string) []string {
	var out []string
	for _, dir := range sorted(v.dirs) {
		if doublestar.MatchUnvalidated(pattern, dir) && !below(out, dir) {
			out = append(out, dir)
		}
	}
	for _, file := range v.manifests {
		if doublestar.MatchUnvalidated(pattern, file) && !below(out, file) {
			out = append(out, file)
		}
	}
	return out
}

// bare is a chart as it is without any values.
func bare(dir string) *release {
	return &release{name: path.Base(dir), namespace: defaultNamespace, dir: dir, crds: true, at: loader.Position{File: path.Join(dir, "Chart.yaml")}}
}

// named gives the units of one path of the config.
func (s *session) named(v *view, name string) []unit {
	switch {
	case !v.dirs[name] && isKustomizationFile(name):
		return []unit{{dir: path.Dir(name), build: true}}
	case !v.dirs[name]:
		return []unit{{dir: path.Dir(name), files: []string{name}}}
	case len(v.kusts[name]) > 0:
		return []unit{{dir: name, build: true}}
	case v.ids[path.Join(name, "Chart.yaml")] != "":
		return []unit{{dir: name, release: bare(name)}}
	}
	return s.applier.unitsBelow(v, name)
}
