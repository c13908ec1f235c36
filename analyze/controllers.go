package analyze

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
	name := chartName(g.Chart)
	if !controllerChart.MatchString(name) {
		return nil
	}
	if other != nil && slices.ContainsFunc(other.Gaps, func(o loader.Gap) bool { return chartName(o.Chart) == name }) {
		return nil // it is installed on both sides, under another name or elsewhere
	}
	return []string{"chart " + name}
}

// backing returns the backends that routes of the other side name and that only a release can give which exists on one
// side: they are not in the input, and bear its name, as charts name their Services.
func backing(g *loader.Gap, other *loader.Environment) []string {
	if other == nil || g.By.Name == "" {
		return nil
	}
	var out []string
	have := byID(other)
	for _, o := range other.Objects {
		for _, rule := range o.Spec().List("rules") {
			for _, ref := range rule.List("backendRefs") {
				id := hierarchy.BackendID(ref, o.ID.Namespace)
				named := id.Name == g.By.Name || strings.HasPrefix(id.Name, g.By.Name+"-")
				if hierarchy.LevelOf(o.ID.Group, o.ID.Kind) == hierarchy.LevelRoute && named && (g.Namespace == "" || g.Namespace == id.Namespace) && have[id] == nil {
					out = append(out, "backend "+id.String())
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// chartName returns the name from a text of repository, name and version.
func chartName(chart string) string {
	if words := strings.Split(chart, " "); len(words) > 1 {
		return words[1]
	}
	return ""
}
