package analyze

import (
	"regexp"
	"slices"
	"strings"

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

// chartName returns the name from a text of repository, name and version.
func chartName(chart string) string {
	if words := strings.Split(chart, " "); len(words) > 1 {
		return words[1]
	}
	return ""
}
