package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
)

// Folders are environments of their own where they give a cluster the same object of Gateway API, or the same policy,
// twice. What is in none of these folders is in all of these environments.
func TestWhatSplitsEnvironments(t *testing.T) {
	const release, prefixed = "helm.toolkit.fluxcd.io/v2", "resources: [../base]\nnamePrefix: "
	generated := strings.Replace(gateway("infra", "gw-"), "name:", "generateName:", 1)
	class := func(namespace string) string {
		return manifestOf("gateway.networking.k8s.io/v1", "GatewayClass", namespace, "c")
	}
	for what, c := range map[string]struct{ files, want string }{
		"an object twice":          {archive("a/gw.yaml", gateway("infra", "gw"), "b/gw.yaml", gateway("infra", "gw")), "a[gw.yaml] b[gw.yaml]"},
		"in many folders":          {archive("a/gw.yaml", gateway("infra", "gw"), "b/gw.yaml", gateway("infra", "gw"), "c/gw.yaml", gateway("infra", "gw"), "d/gw.yaml", gateway("infra", "gw")), "a[gw.yaml] b[gw.yaml] c[gw.yaml] d[gw.yaml]"},
		"a policy":                 {archive("a/p.yaml", policy("infra", "p"), "b/p.yaml", policy("infra", "p")), "a[p.yaml] b[p.yaml]"},
		"another namespace":        {archive("a/gw.yaml", gateway("infra", "gw"), "b/gw.yaml", gateway("shop", "gw")), ".[a/gw.yaml b/gw.yaml]"},
		"no namespace":             {archive("a/gw.yaml", gateway("", "gw"), "b/gw.yaml", gateway("", "gw")), ".[b/gw.yaml]"},
		"no namespace, and routes": {archive("a/gw.yaml", gateway("", "gw"), "a/r.yaml", routeTo("gw"), "b/gw.yaml", gateway("", "gw"), "b/r.yaml", routeTo("gw")), "a[gw.yaml r.yaml] b[gw.yaml r.yaml]"},
		"a route, no namespace":    {archive("a/r.yaml", manifestOf("gateway.networking.k8s.io/v1", "HTTPRoute", "", "r"), "b/r.yaml", manifestOf("gateway.networking.k8s.io/v1", "HTTPRoute", "", "r")), ".[b/r.yaml]"},
		"no name":                  {archive("a/gw.yaml", generated, "b/gw.yaml", generated), ".[]"},
		"another name":             {archive("a/gw.yaml", gateway("infra", "a"), "b/gw.yaml", gateway("infra", "b")), ".[a/gw.yaml b/gw.yaml]"},
		"another kind":             {archive("a/gw.yaml", gateway("infra", "gw"), "b/r.yaml", manifestOf("gateway.networking.k8s.io/v1", "HTTPRoute", "infra", "gw")), ".[a/gw.yaml b/r.yaml]"},
		"another group":            {archive("a/gw.yaml", gateway("infra", "gw"), "b/gw.yaml", manifestOf("gateway.networking.x-k8s.io/v1", "Gateway", "infra", "gw")), ".[a/gw.yaml b/gw.yaml]"},
		"no object of traffic":     {archive("a/r.yaml", manifestOf(release, "HelmRelease", "infra", "r"), "b/r.yaml", manifestOf(release, "HelmRelease", "infra", "r")), ".[b/r.yaml]"},
		"an object of no cluster":  {archive("a/c.yaml", class("infra"), "b/c.yaml", class("infra")), ".[b/c.yaml]"},
		"one folder":               {archive("a/1.yaml", gateway("infra", "gw"), "a/2.yaml", gateway("infra", "gw")), ".[a/2.yaml]"},
		"a folder in another":      {archive("a/gw.yaml", gateway("infra", "gw"), "a/b/gw.yaml", gateway("infra", "gw")), ".[a/gw.yaml]"},
		"a folder around another":  {archive("a/b/gw.yaml", gateway("infra", "gw"), "gw.yaml", gateway("infra", "gw")), ".[gw.yaml]"},
		"folders beside a file":    {archive("a/b/gw.yaml", gateway("infra", "gw"), "a/c.yaml", gateway("infra", "gw"), "a/d/gw.yaml", gateway("infra", "gw")), "a/b[a/c.yaml] a/d[gw.yaml]"},
		"a document twice": {
			archive("base/kustomization.yaml", "resources: [gw.yaml]\n", "base/gw.yaml", gateway("infra", "gw"), "x/kustomization.yaml", prefixed+"x-\n", "y/kustomization.yaml", prefixed+"y-\n"),
			"x[base/gw.yaml] y[base/gw.yaml]",
		},
		"a document that is not an object of traffic": {
			archive("base/kustomization.yaml", "resources: [r.yaml]\n", "base/r.yaml", manifestOf(release, "HelmRelease", "infra", "r"), "x/kustomization.yaml", prefixed+"x-\n", "y/kustomization.yaml", prefixed+"y-\n"),
			".[base/r.yaml base/r.yaml]",
		},
		"folders in folders": {
			archive("a/x/gw.yaml", gateway("infra", "gw"), "a/y/gw.yaml", gateway("infra", "gw"), "a/s.yaml", gateway("infra", "s"), "b/gw.yaml", gateway("infra", "gw"), "z.yaml", gateway("infra", "z")),
			"a/x[gw.yaml a/s.yaml z.yaml] a/y[gw.yaml a/s.yaml z.yaml] b[gw.yaml z.yaml]",
		},
		"folders of one name": {
			archive("a/prod/gw.yaml", gateway("infra", "a"), "a/test/gw.yaml", gateway("infra", "a"), "b/prod/gw.yaml", gateway("infra", "b"), "b/test/gw.yaml", gateway("infra", "b")),
			"prod[a/prod/gw.yaml b/prod/gw.yaml] test[a/test/gw.yaml b/test/gw.yaml]",
		},
		"folders of one name in different areas": {
			archive("prod/gw.yaml", gateway("infra", "m"), "a/m/prod/gw.yaml", gateway("infra", "m"), "a/m/test/gw.yaml", gateway("infra", "m"), "a/k/prod/gw.yaml", gateway("infra", "k"), "a/k/test/gw.yaml", gateway("infra", "k")),
			"a/prod[a/k/prod/gw.yaml a/m/prod/gw.yaml] prod[gw.yaml] test[a/k/test/gw.yaml a/m/test/gw.yaml]",
		},
		"what all have comes in its place": {
			archive("0.yaml", class(""), "a/c.yaml", class(""), "a/gw.yaml", gateway("infra", "gw"), "b/gw.yaml", gateway("infra", "gw"), "z.yaml", gateway("infra", "z")),
			"a[gw.yaml z.yaml c.yaml] b[gw.yaml z.yaml 0.yaml]",
		},
	} {
		if got := environmentsOf(render(t, c.files, options())); got != c.want {
			t.Errorf("%s: got %s, want %s", what, got, c.want)
		}
	}
}

// Both revisions are split by what one of them has. An environment that a revision has nothing of is not there, although
// it would have what all have.
func TestSplitOfTwoRevisions(t *testing.T) {
	class := manifestOf("gateway.networking.k8s.io/v1", "GatewayClass", "", "c")
	prod := []string{"class.yaml", class, "prod/gw.yaml", gateway("infra", "gw")}
	both := append(prod[:len(prod):len(prod)], "test/gw.yaml", gateway("infra", "gw"))
	const ofProd, ofBoth = "prod[gw.yaml class.yaml]", "prod[gw.yaml class.yaml] test[gw.yaml class.yaml]"
	for what, c := range map[string]struct {
		base, head []string
		want       [2]string
	}{
		"one of two":  {prod, both, [2]string{ofProd, ofBoth}},
		"two of one":  {both, prod, [2]string{ofBoth, ofProd}},
		"the same":    {both, both, [2]string{ofBoth, ofBoth}},
		"one of none": {nil, prod, [2]string{"", ".[prod/gw.yaml class.yaml]"}},
	} {
		out := renderAll(t, options(), archive(c.base...), archive(c.head...))
		if got := [2]string{environmentsOf(out[0]), environmentsOf(out[1])}; got != c.want {
			t.Errorf("%s: got %q, want %q", what, got, c.want)
		}
	}
}

// environmentsOf writes each environment with the files of its objects, in a folder of its name without this.
func environmentsOf(s *loader.Snapshot) string {
	var out []string
	for _, e := range s.Environments {
		var files []string
		for _, o := range e.Objects {
			files = append(files, strings.TrimPrefix(o.First().File, e.Name+"/"))
		}
		out = append(out, fmt.Sprintf("%s%s", e.Name, files))
	}
	return strings.Join(out, " ")
}

// Environments are split again up to a bound, and the rest is one of them.
func TestSplitsAreBounded(t *testing.T) {
	var files []string
	for i := range maxSplits + 3 {
		files = append(files, strings.Repeat("d/", i)+"x/gw.yaml", gateway("infra", "gw"))
	}
	s := render(t, archive(files...), options())
	if len(s.Environments) != maxSplits+1 {
		t.Error(environmentsOf(s))
	}
}

// routeTo is a route of no namespace to a Gateway.
func routeTo(gateway string) string {
	return manifestOf("gateway.networking.k8s.io/v1", "HTTPRoute", "", "r") + "spec: {parentRefs: [{name: " + gateway + "}]}\n"
}
