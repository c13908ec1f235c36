package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
)

func ociFlux(name, path, source string) string {
	return strings.Replace(fluxEntry(name, path, ""), "GitRepository, name: flux-system", "OCIRepository, name: "+source, 1)
}

func fluxSource(kind, name, url string) string {
	return manifestOf("source.toolkit.fluxcd.io/v1", kind, "flux-system", name) + "spec: {url: " + url + "}\n"
}

func list(entries ...string) string { return "resources: [" + strings.Join(entries, ", ") + "]\n" }

// appOf is an application as many repositories keep it: a Flux Kustomization
// beside the folder that it applies.
func appOf(dir, name string) string {
	return archive(dir+"/ks.yaml", fluxEntry(name, "./"+dir+"/app", "  targetNamespace: shop\n"),
		dir+"/app/kustomization.yaml", list("./gw.yaml"), dir+"/app/gw.yaml", gateway("", name))
}

func TestFluxLabels(t *testing.T) {
	files := archive(
		"cluster/ks.yaml", fluxEntry("apps", "./apps", "  commonMetadata:\n    labels:\n      team: shop\n"),
		"apps/kustomization.yaml", "labels:\n- pairs: {tier: edge}\nresources: [gw.yaml]\n", "apps/gw.yaml", gateway("shop", "gw"),
	)
	s := render(t, files, options())
	o := object(t, s, "Gateway/shop/gw")
	for path, want := range map[string]string{
		"/metadata/labels/team": "shop cluster/ks.yaml:11:13", "/metadata/labels/tier": "edge apps/kustomization.yaml:2:17",
	} {
		if got := at(o, path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

// disabled is a cluster with one application taken out of the kustomization that
// lists them, one out of a folder that is scanned, and one with its whole folder.
func disabled(listed ...string) string {
	return archive(
		"k8s/flux/cluster/ks.yaml", fluxEntry("cluster-apps", "./k8s/apps", ""),
		"k8s/apps/shop/kustomization.yaml", list(listed...),
		"k8s/apps/scanned/kustomization.yaml", list("live.yaml"),
		"k8s/apps/scanned/live.yaml", fluxEntry("live", "./base/live", ""), "k8s/apps/scanned/spare.yaml", fluxEntry("spare", "./base/spare", ""),
		"base/live/kustomization.yaml", list("gw.yaml"), "base/live/gw.yaml", gateway("shop", "live"),
		"base/spare/kustomization.yaml", list("gw.yaml"), "base/spare/gw.yaml", gateway("shop", "spare"),
	) + appOf("k8s/apps/shop/cart", "cart") + appOf("k8s/apps/shop/pay", "pay")
}

func TestDisabledApplications(t *testing.T) {
	out := renderAll(t, options(), disabled("./cart/ks.yaml", "./pay/ks.yaml"), disabled("./cart/ks.yaml"))
	equalText(t, summary(out[0]), `
k8s/flux/cluster
  Gateway/shop/cart k8s/apps/shop/cart/app/gw.yaml:1:1
  Gateway/shop/live base/live/gw.yaml:1:1
  Gateway/shop/pay k8s/apps/shop/pay/app/gw.yaml:1:1
note unlisted-manifest k8s/apps/scanned/spare.yaml:1:1 []
`)
	equalText(t, summary(out[1]), `
k8s/flux/cluster
  Gateway/shop/cart k8s/apps/shop/cart/app/gw.yaml:1:1
  Gateway/shop/live base/live/gw.yaml:1:1
note unlisted-manifest k8s/apps/scanned/spare.yaml:1:1 []
note unlisted-manifest k8s/apps/shop/pay/ks.yaml:1:1 []
`)
	hasNote(t, out[1], "3 files and kustomizations are ignored because no known deployer applies them")
}

func hasNote(t *testing.T, s *loader.Snapshot, want string) {
	t.Helper()
	if !slices.ContainsFunc(s.Notes, func(n loader.Assumption) bool { return n.Text == want }) {
		t.Errorf("no note %q among %q", want, s.Notes)
	}
}

func TestFluxEntries(t *testing.T) {
	tests := []struct{ name, archive, want string }{
		{"one of a cluster's own folder is commented out", archive(
			"clusters/a/kustomization.yaml", list("apps.yaml"), "clusters/a/apps.yaml", fluxEntry("apps", "./apps", ""),
			"clusters/a/tools.yaml", fluxEntry("tools", "./tools", ""),
			"apps/gw.yaml", gateway("shop", "gw"), "tools/gw.yaml", gateway("tools", "gw"),
		), `
clusters/a
  Gateway/shop/gw apps/gw.yaml:1:1
note unlisted-manifest clusters/a/tools.yaml:1:1 []
`},
		{"the folder of a namespace is taken out, an archive is put away", archive(
			"cluster/ks.yaml", fluxEntry("apps", "./over", ""), "over/kustomization.yaml", list("../base/a", "../base/b", "../base/c"),
			"base/a/kustomization.yaml", list("ks.yaml"), "base/a/ks.yaml", fluxEntry("a", "./run/a", ""), "run/a/gw.yaml", gateway("shop", "a"),
			"base/b/kustomization.yaml", list("ks.yaml"), "base/b/ks.yaml", fluxEntry("b", "./run/b", ""), "run/b/gw.yaml", gateway("shop", "b"),
			"base/c/kustomization.yaml", list("ks.yaml"), "base/c/ks.yaml", fluxEntry("c", "./run/c", ""), "run/c/gw.yaml", gateway("shop", "c"),
			"base/d/kustomization.yaml", list("ks.yaml"), "base/d/ks.yaml", fluxEntry("d", "./run/d", ""), "run/d/gw.yaml", gateway("shop", "d"),
			".archive/e/ks.yaml", fluxEntry("e", "./run/e", ""), ".archive/e/gw.yaml", gateway("shop", "e"), "run/e/gw.yaml", gateway("shop", "e"),
		), `
cluster
  Gateway/shop/a run/a/gw.yaml:1:1
  Gateway/shop/b run/b/gw.yaml:1:1
  Gateway/shop/c run/c/gw.yaml:1:1
note unlisted-manifest .archive/e/ks.yaml:1:1 []
note unlisted-manifest base/d/ks.yaml:1:1 []
`},
		{"a foreign source without a path", archive(
			"flux/cluster/ks.yaml", fluxEntry("apps", "./apps", ""), "apps/gw.yaml", gateway("shop", "gw"),
			"flux/config/flux.yaml", fluxSource("OCIRepository", "manifests", "oci://example.com/manifests")+"---\n"+ociFlux("flux", "./", "manifests"),
			"other/gw.yaml", gateway("other", "gw"),
		), `
flux/cluster
  Gateway/shop/gw apps/gw.yaml:1:1
  gap Flux Kustomization flux flux/config/flux.yaml:8:1
note foreign-source flux/config/flux.yaml:8:1 [flux/cluster]
`},
		{"two names of one repository", archive(
			"a/ks.yaml", fluxEntry("apps", "./apps", "")+"---\n"+
				strings.Replace(fluxEntry("infra", "./infra", ""), "name: flux-system}", "name: again}", 1)+"---\n"+
				strings.Replace(fluxEntry("crds", "./crds", ""), "name: flux-system}", "name: upstream}", 1),
			"a/sources.yaml", fluxSource("GitRepository", "flux-system", "ssh://git@example.com/me/home")+"---\n"+
				fluxSource("GitRepository", "again", "https://example.com/me/home.git")+"---\n"+
				fluxSource("GitRepository", "upstream", "https://example.com/them/crds"),
			"apps/gw.yaml", gateway("shop", "gw"), "infra/gw.yaml", gateway("infra", "gw"), "crds/gw.yaml", gateway("crds", "gw"),
		), `
a
  Gateway/infra/gw infra/gw.yaml:1:1
  Gateway/shop/gw apps/gw.yaml:1:1
  gap Flux Kustomization crds a/ks.yaml:19:1
note foreign-source a/ks.yaml:19:1 [a]
`},
		{"a file outside of the folder of its kustomization", archive(
			"clusters/a/kustomization.yaml", list("../shared.yaml"), "clusters/shared.yaml", fluxEntry("apps", "./over", ""),
			"over/kustomization.yaml", list("../base/gw.yaml"), "base/gw.yaml", gateway("shop", "gw"),
			"clusters/a/ks.yaml", fluxEntry("a", "./clusters/a", ""),
		), `
clusters/a
  Gateway/shop/gw base/gw.yaml:1:1
`},
		{"clusters beside each other, with folders of their own", archive(
			"clusters/a/ks.yaml", fluxEntry("apps", "./apps/a", ""), "clusters/a/tools/ks.yaml", fluxEntry("tools", "./tools/a", ""),
			"clusters/b/ks.yaml", fluxEntry("apps", "./apps/b", ""),
			"apps/a/gw.yaml", gateway("shop", "gw"), "apps/b/gw.yaml", gateway("shop", "gw"), "tools/a/gw.yaml", gateway("tools", "gw"),
		), `
clusters/a
  Gateway/shop/gw apps/a/gw.yaml:1:1
  Gateway/tools/gw tools/a/gw.yaml:1:1
clusters/b
  Gateway/shop/gw apps/b/gw.yaml:1:1
`},
		{"nothing but paths that are missing", archive(
			"a/ks.yaml", fluxEntry("a", "./gone/a", ""), "gw.yaml", gateway("shop", "gw"),
		), `
. incomplete
  Gateway/shop/gw gw.yaml:1:1
warning flux-path-missing a/ks.yaml:1:1 []
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			equalText(t, summary(render(t, tt.archive, options())), tt.want)
		})
	}
}

// TestArtefactRoot reads paths that are relative to the folder which an artefact
// is made of.
func TestArtefactRoot(t *testing.T) {
	files := archive(
		"kubernetes/clusters/one/ks.yaml", ociFlux("cluster", "./apps/overlays/one", "flux-system"),
		"kubernetes/clusters/one/flux-system/operator/ks.yaml", ociFlux("operator", "./clusters/one/flux-system/operator/app", "flux-system"),
		"kubernetes/clusters/one/flux-system/operator/app/kustomization.yaml", list("gw.yaml"),
		"kubernetes/clusters/one/flux-system/operator/app/gw.yaml", gateway("flux-system", "operator"),
		"kubernetes/apps/overlays/one/kustomization.yaml", list("../../base/shop", "../../base/cart/ks.yaml"),
		"kubernetes/apps/base/shop/kustomization.yaml", list("namespace.yaml"),
		"kubernetes/apps/base/shop/namespace.yaml", manifestOf("v1", "Namespace", "", "shop"),
		"kubernetes/apps/base/shop/pay/ks.yaml", ociFlux("pay", "./apps/base/shop/pay/app", "flux-system"),
		"kubernetes/apps/base/shop/pay/app/gw.yaml", gateway("shop", "pay"),
		"kubernetes/apps/base/cart/ks.yaml", strings.Replace(ociFlux("cart", "./apps/base/cart/app", "cart"), "OCIRepository", "ExternalArtifact", 1),
		"kubernetes/apps/base/cart/app/gw.yaml", gateway("shop", "cart"),
		".archive/old/ks.yaml", ociFlux("old", "./apps/base/old", "flux-system"),
		"compose/gw.yaml", gateway("flux-system", "operator"),
	)
	s := render(t, files, options())
	equalText(t, summary(s), `
kubernetes/clusters/one
  Namespace/shop kubernetes/apps/base/shop/namespace.yaml:1:1
  Gateway/flux-system/operator kubernetes/clusters/one/flux-system/operator/app/gw.yaml:1:1
  Gateway/shop/cart kubernetes/apps/base/cart/app/gw.yaml:1:1
note unlisted-manifest .archive/old/ks.yaml:1:1 []
note unlisted-manifest kubernetes/apps/base/shop/pay/ks.yaml:1:1 []
`)
	hasNote(t, s, `gwplan assumes that the paths of Flux Kustomizations are relative to the folder "kubernetes", which contains 4 of 4 of them`)
}

func TestArtefactRootIsNotGuessed(t *testing.T) {
	tests := []struct{ name, archive, want string }{
		{"two folders fit", archive(
			"c/ks.yaml", fluxEntry("a", "./app", ""), "x/app/gw.yaml", gateway("x", "gw"), "y/app/gw.yaml", gateway("y", "gw"),
		), "warning flux-path-missing c/ks.yaml:1:1 []"},
		{"most paths are right", archive(
			"c/ks.yaml", fluxEntry("a", "./a", "")+"---\n"+fluxEntry("b", "./b", ""), "a/gw.yaml", gateway("a", "gw"), "x/b/gw.yaml", gateway("b", "gw"),
		), "warning flux-path-missing c/ks.yaml:10:1 [c]"},
		{"a path that leads out of the folder", archive(
			"c/ks.yaml", fluxEntry("a", "../d", ""), "c/gw.yaml", gateway("a", "gw"),
		), "warning flux-path-missing c/ks.yaml:1:1 []"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := summary(render(t, tt.archive, options())); !strings.Contains(got, tt.want) {
				t.Errorf("no %q in\n%s", tt.want, got)
			}
		})
	}
}

func TestManyMissingPathsAreOneProblem(t *testing.T) {
	files := archive("c/ks.yaml", fluxEntry("here", "./here", ""), "here/gw.yaml", gateway("shop", "gw"))
	for i := range 11 {
		files += archive(fmt.Sprintf("c/gone%02d.yaml", i), fluxEntry(fmt.Sprintf("gone-%d", i), "./gone/${NAME}", ""))
	}
	s := render(t, files, options())
	if len(s.Problems) != 1 {
		t.Fatal(summary(s))
	}
	want := `the folders that 11 Flux Kustomizations apply are not in the tree; the first: the folder "gone/${NAME}" that the Flux Kustomization "gone-0" applies is not in the tree`
	if p := s.Problems[0]; p.Message != want || p.Code != "flux-path-missing" || p.Severity != loader.Warning || p.Position.File != "c/gone00.yaml" {
		t.Errorf("got %+v", p)
	}
	if gaps := s.Environments[0].Gaps; len(gaps) != 11 {
		t.Errorf("%d gaps", len(gaps))
	}
}

func TestUnresolvedNames(t *testing.T) {
	files := archive(
		"a.yaml", gateway("shop", "${APP}"), "b.yaml", gateway("shop", "${APP}"), "c.yaml", gateway("${NS}", "gw"), "d.yaml", gateway("${NS}", "gw"),
		"e.yaml", manifestOf("v1", "ConfigMap", "shop", "${APP}"), "f.yaml", manifestOf("v1", "ConfigMap", "shop", "${APP}"),
		"g.yaml", manifestOf("v1", "ConfigMap", "shop", "plain"), "h.yaml", manifestOf("v1", "ConfigMap", "shop", "plain"),
	)
	equalText(t, summary(render(t, files, options())), `
.
  ConfigMap/shop/${APP} e.yaml:1:1
  ConfigMap/shop/plain h.yaml:1:1
  Gateway/${NS}/gw c.yaml:1:1
  Gateway/shop/${APP} a.yaml:1:1
  gap Gateway/shop/${APP} b.yaml:1:1
  gap Gateway/${NS}/gw d.yaml:1:1
note unresolved-name b.yaml:1:1 [.]
note unresolved-name d.yaml:1:1 [.]
`)
}

func TestDuplicatesThatMatter(t *testing.T) {
	var files string
	for _, dir := range []string{"a", "a2"} {
		files += archive(
			dir+"/policy.yaml", policy("shop", "retry"), dir+"/service.yaml", manifestOf("v1", "Service", "shop", "pay"),
			dir+"/release.yaml", manifestOf("helm.toolkit.fluxcd.io/v2", "HelmRelease", "shop", "pay"),
			dir+"/secret.yaml", manifestOf("external-secrets.io/v1", "ExternalSecret", "shop", "pay"),
			dir+"/source.yaml", fluxSource("OCIRepository", "pay", "oci://example.com/pay"),
		)
	}
	opts := options()
	opts.Environments = []EnvironmentConfig{{Name: "all", Paths: []string{"."}}}
	s := render(t, files, opts)
	equalText(t, summary(s), `
all
  Service/shop/pay a2/service.yaml:1:1
  Retry.example.com/shop/retry a2/policy.yaml:1:1
  HelmRelease.helm.toolkit.fluxcd.io/shop/pay a2/release.yaml:1:1
  duplicate Service/shop/pay a/service.yaml:1:1, kept a2/service.yaml:1:1
  duplicate Retry.example.com/shop/retry a/policy.yaml:1:1, kept a2/policy.yaml:1:1
  gap HelmRelease pay a/release.yaml:1:1
  gap HelmRelease pay a2/release.yaml:1:1
`)
	hasNote(t, s, "HelmRelease shop/pay is not rendered: the objects of its chart (routes, Services, network policies) are unknown")
}
