package unseen

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/loader"
)

// controllerChart matches the names of charts that install Gateway controllers or their CRDs. What
// they install decides whether any route is served.
var controllerChart = regexp.MustCompile(`(?i)gateway|envoy|istio|cilium|traefik|kong|contour|linkerd|kuadrant|haproxy|apisix|gloo`)

// serving returns the chart of a release that exists on one side only, if a Gateway controller may
// be added or removed with it. The values of the release do not show this.
func serving(g *loader.Gap, other *loader.Environment) []string {
	name := g.ChartName()
	if !controllerChart.MatchString(name) {
		return nil
	}
	if other != nil && slices.ContainsFunc(other.Gaps, func(o loader.Gap) bool { return o.ChartName() == name }) {
		return nil // it is installed on both sides, under another name or elsewhere
	}
	return []string{"chart " + name}
}

// backing returns the missing backends that a release of one side only may install: those in its namespace whose name
// is the release's, or begins with it, as is usual in charts.
func backing(g *loader.Gap, missing []loader.ID) []string {
	var out []string
	for _, id := range missing {
		named := id.Name == g.By.Name || strings.HasPrefix(id.Name, g.By.Name+"-")
		if g.By.Name != "" && named && (g.Namespace == "" || g.Namespace == id.Namespace) {
			out = append(out, "backend "+id.String())
		}
	}
	return out
}

// missingBackends returns the backends that routes of an environment name and that are not in the input, in their order.
func missingBackends(env *loader.Environment) []loader.ID {
	if env == nil {
		return nil
	}
	var out []loader.ID
	have := env.ByID()
	for _, o := range env.Objects {
		if hierarchy.LevelOf(o.ID.Group, o.ID.Kind) != hierarchy.LevelRoute {
			continue
		}
		for _, rule := range o.Spec().List("rules") {
			for _, ref := range rule.List("backendRefs") {
				if id := hierarchy.BackendID(ref, o.ID.Namespace); have[id] == nil {
					out = append(out, id)
				}
			}
		}
	}
	slices.SortFunc(out, loader.ID.Compare)
	return slices.Compact(out)
}
