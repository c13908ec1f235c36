package render

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// configured takes the environments from the config.
func (s *session) configured(views []*tree.View, out []layout) error {
	found := make([][]deploy.Cluster, len(views))
	for i, v := range views {
		var err error
		if found[i], err = s.known(v, &out[i]); err != nil {
			return err
		}
	}
	for _, c := range s.opts.Environments {
		units := make([][]deploy.Unit, len(views))
		hit := false
		for i := range views {
			for _, known := range found[i] {
				if known.By == deploy.ByArgoCD && known.Name == c.ArgoCD || known.By == deploy.ByFlux && slices.Contains(c.Paths, known.Path) {
					hit = true
					units[i] = append(units[i], known.Units...)
					out[i].problems = append(out[i].problems, renamed(known.Problems, c.Name)...)
				}
			}
		}
		if c.ArgoCD != "" && !hit {
			out = missing(out, c.Name, fmt.Sprintf("no Argo CD Application deploys to %s", deploy.Quote(c.ArgoCD)))
		}
		for _, pattern := range c.Paths {
			if len(pattern) > tree.MaxPattern || !doublestar.ValidatePattern(pattern) {
				return fmt.Errorf("environment %q: the path %q is not a valid pattern of at most %d bytes; correct it", c.Name, deploy.Clip(pattern), tree.MaxPattern)
			}
			if isFlux(found, pattern) {
				continue
			}
			if !s.matched(views, pattern, units) {
				out = missing(out, c.Name, fmt.Sprintf("the path %s of the environment matches no file or folder", deploy.Quote(pattern)))
			}
		}
		for i := range views {
			if units[i] == nil {
				continue
			}
			env := deploy.Destination{Name: c.Name, Path: configPath(c), By: "the configuration", Units: unique(units[i])}
			out[i].environments = append(out[i].environments, env)
		}
	}
	return nil
}

// isFlux reports whether a path is the entry folder of a Flux cluster.
func isFlux(found [][]deploy.Cluster, name string) bool {
	return slices.ContainsFunc(found, func(list []deploy.Cluster) bool {
		return slices.ContainsFunc(list, func(c deploy.Cluster) bool { return c.By == deploy.ByFlux && c.Path == name })
	})
}

// renamed returns the problems of a cluster with the environment name from the config.
func renamed(problems []loader.Problem, name string) []loader.Problem {
	out := slices.Clone(problems)
	for i := range out {
		out[i].Environments = []string{name}
	}
	return out
}

// missing adds a problem to every tree: an environment of the config was not found.
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

// unique drops units that more than one pattern matched.
func unique(units []deploy.Unit) []deploy.Unit {
	slices.SortStableFunc(units, deploy.CompareUnits)
	return slices.CompactFunc(units, func(a, b deploy.Unit) bool {
		return a.Place() == b.Place() && a.Build == b.Build && a.Delivery == b.Delivery && a.Release == b.Release && a.Gap == b.Gap
	})
}

// matched adds the units that a pattern matches in each tree. It reports whether the pattern
// matches anything in any tree.
func (s *session) matched(views []*tree.View, pattern string, found [][]deploy.Unit) bool {
	hit := false
	pattern = path.Clean(strings.TrimPrefix(pattern, "/"))
	for i, v := range views {
		for _, name := range v.Match(pattern) {
			hit = true
			found[i] = append(found[i], s.named(v, name)...)
		}
	}
	return hit
}

// named returns the units of one path of the config.
func (s *session) named(v *tree.View, name string) []deploy.Unit {
	switch {
	case !v.Dirs[name] && loader.IsKustomizationFile(name):
		return []deploy.Unit{{Dir: path.Dir(name), Build: true}}
	case !v.Dirs[name]:
		return []deploy.Unit{{Dir: path.Dir(name), Files: []string{name}}}
	case len(v.Kusts[name]) > 0:
		return []deploy.Unit{{Dir: name, Build: true}}
	case v.IDs[path.Join(name, "Chart.yaml")] != "":
		return []deploy.Unit{{Dir: name, Release: deploy.Bare(name)}}
	}
	return s.applier.UnitsBelow(v, name)
}
