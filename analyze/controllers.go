package analyze

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// controllerChart is how the charts of controllers of Gateways are called, and those that
// bring their CRDs: what they install decides whether any route is served.
var controllerChart = regexp.MustCompile(`(?i)gateway|envoy|istio|cilium|traefik|kong|contour|linkerd|kuadrant|haproxy|apisix|gloo`)

// serving names the chart of a release that is there on one side alone, if a controller of
// Gateways may come or go with it. The values say nothing of that.
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

// chartName is the name in a repository, a name and a version.
func chartName(chart string) string {
	if words := strings.Split(chart, " "); len(words) > 1 {
		return words[1]
	}
	return ""
}
