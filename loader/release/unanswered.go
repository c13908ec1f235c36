package release

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/tree"
)

// asking is a chart whose templates may ask about facts of the cluster that are not known, with the output that it has
// if every answer is no.
type asking struct {
	chart   *chart.Chart
	release chart.Release
	out     chart.Output
}

// otherwise returns the objects that the chart gives only where the cluster has the further APIs of the release. It is nil if
// there are none, and if the chart cannot be rendered for such a cluster.
func (a asking) otherwise(c *Charts) (out []loader.Conditional) {
	if len(a.release.APIs) == 0 {
		return nil
	}
	done := c.once(a.chart, a.release)
	given := map[loader.Conditional]bool{}
	for _, d := range a.out.Documents {
		given[conditional(d, a.release.Namespace)] = true
	}
	for _, d := range done.Out.Documents {
		if o := conditional(d, a.release.Namespace); !given[o] && c.decides(d) {
			out = append(out, o)
		}
	}
	return out
}

// decides reports whether an object decides about requests by itself: no definition of a kind, no data for others, and no workload.
func (c *Charts) decides(d chart.Document) bool {
	group, _ := tree.SplitVersion(d.Root.Str("apiVersion"))
	switch kind := d.Root.Str("kind"); kind {
	case tree.CrdKind, "ConfigMap", "Secret":
		return false
	default:
		return c.matters(d) && !c.store.Companion(group, kind)
	}
}

// conditional identifies an object. Its labels and annotations do not count, in which charts write their version.
func conditional(d chart.Document, namespace string) loader.Conditional {
	group, _ := tree.SplitVersion(d.Root.Str("apiVersion"))
	id := loader.ID{Group: group, Kind: d.Root.Str("kind"), Namespace: cmp.Or(d.Root.Str("metadata", "namespace"), namespace), Name: d.Root.Str("metadata", "name")}
	body := &loader.Value{Shape: loader.Map}
	for _, f := range d.Root.Fields {
		if f.Key != "metadata" || id.Kind == "Namespace" {
			body.Fields = append(body.Fields, f)
		}
	}
	return loader.Conditional{ID: id, Content: loader.Digest(id, body)}
}

// unanswered records for a release that templates of relevant objects ask about facts that are not known: the objects
// that depend on the answers may exist or not, and may differ.
func unanswered(c *Charts, got *Installed, r *deploy.Release, in asking) {
	var apis, functions []string
	version := false
	for _, a := range in.out.Asks {
		switch {
		case !slices.ContainsFunc(a.Kinds, func(k chart.Kind) bool { return c.store.Relevance(k.Group, k.Name) == manifest.Needed }):
		case a.Function != "":
			functions = append(functions, a.Function)
		case a.API == chart.KubernetesVersion:
			version = true
		case a.API == chart.EveryAPI:
			apis = append(apis, "certain APIs")
		default:
			apis, in.release.APIs = append(apis, deploy.Clip(a.API)), append(in.release.APIs, a.API)
		}
	}
	note := func(code, text string, gap loader.Gap) {
		p := deploy.Complain(code, fmt.Sprintf("templates of the chart of %s %s, and what depends on it is unknown", deploy.Quote(r.Name), text), "").Problem(r.At)
		p.Severity, p.Release = loader.Note, r.Name
		got.Problems = append(got.Problems, p)
		got.Gaps, got.Whole = append(got.Gaps, gap), false
	}
	rest := r.Gap()
	rest.Rest, rest.Otherwise = true, in.otherwise(c)
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
