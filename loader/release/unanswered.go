package release

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/manifest"
)

// unanswered adds to what a release gives that templates of objects that matter ask what is not known: the objects that depend
// on the answers may be there or not, and differ.
func unanswered(c *Charts, got *Installed, r *deploy.Release, asks []chart.Ask) {
	var apis, functions []string
	version := false
	for _, a := range asks {
		switch {
		case !slices.ContainsFunc(a.Kinds, func(k chart.Kind) bool { return c.store.Relevance(k.Group, k.Name) == manifest.Needed }):
		case a.Function != "":
			functions = append(functions, a.Function)
		case a.API == chart.KubernetesVersion:
			version = true
		case a.API == chart.EveryAPI:
			apis = append(apis, "certain APIs")
		default:
			apis = append(apis, deploy.Clip(a.API))
		}
	}
	note := func(code, text string, gap loader.Gap) {
		p := deploy.Complain(code, fmt.Sprintf("templates of the chart of %s %s, and what depends on it is unknown", deploy.Quote(r.Name), text), "").Problem(r.At)
		p.Severity, p.Release = loader.Note, r.Name
		got.Problems = append(got.Problems, p)
		got.Gaps, got.Whole = append(got.Gaps, gap), false
	}
	rest := r.Gap()
	rest.Rest = true
	if version {
		note("helm-capabilities", "ask which version of Kubernetes the cluster has; gwplan renders them for "+chart.KubeVersion(), rest)
	}
	if len(functions) > 0 {
		note("helm-lookup", "use "+strings.Join(functions, ", ")+": gwplan has no cluster, clock or chance to answer", rest)
	}
	if len(apis) > 0 {
		note("helm-capabilities", "ask whether the cluster has "+strings.Join(apis, ", ")+"; gwplan answers that it does not", rest)
	}
}
