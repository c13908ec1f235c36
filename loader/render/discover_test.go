package render

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/source"
	"github.com/gwplan/gwplan/loader/tree"
)

// gateway and its kind write small manifests.
func gateway(namespace, name string) string {
	return manifestOf("gateway.networking.k8s.io/v1", "Gateway", namespace, name)
}

func policy(namespace, name string) string {
	return manifestOf("example.com/v1", "Retry", namespace, name) + "spec:\n  targetRef: {group: gateway.networking.k8s.io, kind: Gateway, name: gw}\n"
}

func manifestOf(apiVersion, kind, namespace, name string) string {
	text := fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata:\n  name: %s\n", apiVersion, kind, name)
	if namespace != "" {
		text += "  namespace: " + namespace + "\n"
	}
	return text
}

// flux writes a Flux Kustomization.
func fluxEntry(name, path, more string) string {
	return manifestOf("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "flux-system", name) +
		"spec:\n  path: " + path + "\n  sourceRef: {kind: GitRepository, name: flux-system}\n" + more
}

func archive(files ...string) string {
	var b strings.Builder
	for i := 0; i < len(files); i += 2 {
		fmt.Fprintf(&b, "-- %s --\n%s\n", files[i], strings.TrimSuffix(files[i+1], "\n"))
	}
	return b.String()
}

func homeOps() string {
	return archive(
		"kubernetes/flux/cluster/ks.yaml", fluxEntry("cluster-apps", "./kubernetes/apps", ""),
		"kubernetes/apps/network/kustomization.yaml", "namespace: network\nresources: [./envoy/ks.yaml]\n",
		"kubernetes/apps/network/envoy/ks.yaml", fluxEntry("envoy", "./kubernetes/apps/network/envoy/app", "  targetNamespace: network\n")+"---\n"+
			fluxEntry("envoy-config", "./kubernetes/apps/network/envoy/config", `  targetNamespace: network
  suspend: true
  patches:
  - target: {kind: Retry}
    patch: |
      - op: add
        path: /spec/retries
        value: 3
`),
		"kubernetes/apps/network/envoy/app/kustomization.yaml", "resources: [./helmrelease.yaml, ./gateway.yaml]\n",
		"kubernetes/apps/network/envoy/app/helmrelease.yaml", manifestOf("helm.toolkit.fluxcd.io/v2", "HelmRelease", "", "envoy"),
		"kubernetes/apps/network/envoy/app/gateway.yaml", gateway("", "gw"),
		"kubernetes/apps/network/envoy/config/retry.yaml", policy("", "retry"),
		"kubernetes/apps/network/envoy/config/values.yaml", "just: values\n",
		"bootstrap/talos.yaml", manifestOf("v1", "ConfigMap", "", "talos"),
		".github/workflows/x.yaml", gateway("x", "hidden"),
	)
}

func TestDiscovery(t *testing.T) {
	tests := []struct{ name, archive, want string }{
		{"plain", archive(
			"a/gw.yaml", gateway("infra", "gw"), "b/retry.yaml", policy("", "retry"),
			"b/deploy.yaml", manifestOf("apps/v1", "Deployment", "", "d"), "class.yaml", manifestOf("gateway.networking.k8s.io/v1", "GatewayClass", "", "c"),
			".git/x.yaml", gateway("infra", "hidden"),
		), `
.
  Retry.example.com/default/retry b/retry.yaml:1:1 assumed
  Gateway/infra/gw a/gw.yaml:1:1
  GatewayClass/c class.yaml:1:1
`},
		{"overlays of one base", archive(
			"base/kustomization.yaml", "resources: [gw.yaml]\n", "base/gw.yaml", gateway("infra", "gw"),
			"overlays/staging/kustomization.yaml", "resources: [../../base]\n",
			"overlays/prod/kustomization.yaml", "resources: [../../base]\n",
			"shared/class.yaml", manifestOf("gateway.networking.k8s.io/v1", "GatewayClass", "", "c"),
		), `
overlays/prod
  Gateway/infra/gw base/gw.yaml:1:1
  GatewayClass/c shared/class.yaml:1:1
overlays/staging
  Gateway/infra/gw base/gw.yaml:1:1
  GatewayClass/c shared/class.yaml:1:1
`},
		{"two applications with overlays", archive(
			"apps/a/base/kustomization.yaml", "resources: [gw.yaml]\n", "apps/a/base/gw.yaml", gateway("infra", "a"),
			"apps/b/base/kustomization.yaml", "resources: [gw.yaml]\n", "apps/b/base/gw.yaml", gateway("infra", "b"),
			"apps/a/overlays/staging/kustomization.yaml", "resources: [../../base]\n",
			"apps/a/overlays/prod/kustomization.yaml", "resources: [../../base]\n",
			"apps/b/overlays/staging/kustomization.yaml", "resources: [../../base]\n",
			"apps/b/overlays/prod/kustomization.yaml", "resources: [../../base]\n",
		), `
prod
  Gateway/infra/a apps/a/base/gw.yaml:1:1
  Gateway/infra/b apps/b/base/gw.yaml:1:1
staging
  Gateway/infra/a apps/a/base/gw.yaml:1:1
  Gateway/infra/b apps/b/base/gw.yaml:1:1
`},
		{"clusters of plain files", archive(
			"clusters/eu/gw.yaml", gateway("infra", "gw"), "clusters/us/gw.yaml", gateway("infra", "gw"),
			"clusters/us/two.yaml", gateway("infra", "two"),
		), `
clusters/eu
  Gateway/infra/gw clusters/eu/gw.yaml:1:1
clusters/us
  Gateway/infra/gw clusters/us/gw.yaml:1:1
  Gateway/infra/two clusters/us/two.yaml:1:1
`},
		{"duplicates in one folder, and an assumed namespace", archive(
			"a/1.yaml", gateway("infra", "gw"), "a/2.yaml", gateway("infra", "gw"),
			"b/r.yaml", manifestOf("gateway.networking.k8s.io/v1", "HTTPRoute", "", "same"), "c/r.yaml", manifestOf("gateway.networking.k8s.io/v1", "HTTPRoute", "", "same"),
		), `
.
  Gateway/infra/gw a/2.yaml:1:1
  HTTPRoute/default/same c/r.yaml:1:1 assumed
  duplicate Gateway/infra/gw a/1.yaml:1:1, kept a/2.yaml:1:1
  duplicate HTTPRoute/default/same b/r.yaml:1:1, kept c/r.yaml:1:1
`},
		{"flux, an application per folder", homeOps(), `
kubernetes/flux/cluster
  Retry.example.com/network/retry kubernetes/apps/network/envoy/config/retry.yaml:1:1
  Gateway/network/gw kubernetes/apps/network/envoy/app/gateway.yaml:1:1
  HelmRelease.helm.toolkit.fluxcd.io/network/envoy kubernetes/apps/network/envoy/app/helmrelease.yaml:1:1
  gap HelmRelease envoy kubernetes/apps/network/envoy/app/helmrelease.yaml:1:1
note flux-suspended kubernetes/apps/network/envoy/ks.yaml:11:1 [kubernetes/flux/cluster]
`},
		{"flux, a cluster per folder", archive(
			"clusters/prod/flux-system/sync.yaml", fluxEntry("flux-system", "./clusters/prod", ""),
			"clusters/prod/flux-system/kustomization.yaml", "resources: [sync.yaml]\n",
			"clusters/prod/apps.yaml", fluxEntry("apps", "./apps/prod", ""),
			"clusters/staging/apps.yaml", fluxEntry("apps", "./apps/staging", "")+"---\n"+fluxEntry("gone", "./nowhere", ""),
			"clusters/staging/other.yaml", strings.Replace(fluxEntry("foreign", "./apps/prod", ""), "GitRepository, name: flux-system", "OCIRepository, name: charts", 1),
			"apps/base/kustomization.yaml", "resources: [gw.yaml]\n", "apps/base/gw.yaml", gateway("infra", "gw"),
			"apps/prod/kustomization.yaml", "resources: [../base]\n",
			"apps/staging/kustomization.yaml", "resources: [../base]\nnamePrefix: st-\n",
			"docs/note.yaml", manifestOf("v1", "ConfigMap", "", "note"),
		), `
clusters/prod
  Gateway/infra/gw apps/base/gw.yaml:1:1
clusters/staging incomplete
  Gateway/infra/st-gw apps/base/gw.yaml:1:1
  gap Flux Kustomization gone clusters/staging/apps.yaml:10:1
  gap Flux Kustomization foreign clusters/staging/other.yaml:1:1
warning flux-path-missing clusters/staging/apps.yaml:10:1 [clusters/staging]
note foreign-source clusters/staging/other.yaml:1:1 [clusters/staging]
`},
		{"flux entries in several folders, and files beside them", archive(
			"a/ks.yaml", fluxEntry("a", "./deploy/a", ""), "b/ks.yaml", fluxEntry("b", "./deploy/b", ""),
			"deploy/a/gw.yaml", gateway("infra", "a"), "deploy/b/x/gw.yaml", gateway("infra", "b"), "other/gw.yaml", gateway("infra", "c"),
		), `
.
  Gateway/infra/a deploy/a/gw.yaml:1:1
  Gateway/infra/b deploy/b/x/gw.yaml:1:1
`},
		{"a chart, argo and a file that is not listed", archive(
			"chart/Chart.yaml", "name: c\n", "chart/templates/gw.yaml", "{{ if }}\napiVersion: v1\nkind: X\n", "chart/charts/sub/Chart.yaml", "name: s\n",
			"app.yaml", manifestOf("argoproj.io/v1alpha1", "Application", "argocd", "a"),
			"k/kustomization.yaml", "resources: [gw.yaml]\n", "k/gw.yaml", gateway("infra", "gw"), "k/off.yaml", gateway("infra", "spare"),
		), `
.
  Gateway/infra/gw k/gw.yaml:1:1
  gap chart chart chart/Chart.yaml
note helm-chart-not-rendered chart/Chart.yaml []
note unlisted-manifest k/off.yaml []
`},
		{"a broken file costs nothing else", archive(
			"a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: [\n", "b.yaml", gateway("infra", "gw"), "c.json", "{not json", "d.yaml", "a: [",
		), `
. incomplete
  Gateway/infra/gw b.yaml:1:1
error yaml-syntax a.yaml:3 [.]
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			equalText(t, summary(render(t, tt.archive, options())), tt.want)
		})
	}
}

func TestFluxPatchesAndPlaces(t *testing.T) {
	s := render(t, homeOps(), options())
	o := object(t, s, "Retry.example.com/network/retry")
	for path, want := range map[string]string{
		"/spec/retries":        "3 kubernetes/apps/network/envoy/ks.yaml:26:16",
		"/metadata/namespace":  "network kubernetes/apps/network/envoy/ks.yaml:19:20",
		"/spec/targetRef/name": "gw kubernetes/apps/network/envoy/config/retry.yaml:6:70",
	} {
		if got := at(o, path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

func TestSplitIsDecidedTogether(t *testing.T) {
	base := archive("overlays/prod/gw.yaml", gateway("infra", "gw"))
	head := archive("overlays/prod/gw.yaml", gateway("infra", "gw"), "overlays/staging/gw.yaml", gateway("infra", "gw"))
	out := renderAll(t, options(), base, head)
	equalText(t, summary(out[0]), "overlays/prod\n  Gateway/infra/gw overlays/prod/gw.yaml:1:1")
	if len(out[1].Environments) != 2 {
		t.Error(summary(out[1]))
	}
}

func TestConfiguredEnvironments(t *testing.T) {
	files := archive(
		"base/kustomization.yaml", "resources: [gw.yaml]\n", "base/gw.yaml", gateway("infra", "gw"),
		"over/eu/prod/kustomization.yaml", "resources: [../../../base]\n",
		"over/us/prod/kustomization.yaml", "resources: [../../../base]\nnamePrefix: us-\n",
		"one.yaml", gateway("infra", "one"), "two.yaml", gateway("infra", "two"),
	)
	opts := options()
	opts.Environments = []EnvironmentConfig{{Name: "prod", Paths: []string{"over/**/prod", "one.yaml"}}, {Name: "base", Paths: []string{"base"}}, {Name: "none", Paths: []string{"nowhere"}}}
	equalText(t, summary(render(t, files, opts)), `
base
  Gateway/infra/gw base/gw.yaml:1:1
prod
  Gateway/infra/gw base/gw.yaml:1:1
  Gateway/infra/one one.yaml:1:1
  Gateway/infra/us-gw base/gw.yaml:1:1
warning environment-path  [none]
`)
	for _, bad := range []string{"[", strings.Repeat("a", 2000), strings.Repeat("**/", 400) + "*.yaml"} {
		opts.Environments = []EnvironmentConfig{{Name: "bad", Paths: []string{bad}}}
		m := newMemory()
		if _, err := Snapshots(context.Background(), []*source.Tree{m.tree(files)}, opts); err == nil {
			t.Errorf("a bad pattern was taken: %.20s", bad)
		}
	}
}

func TestContextObjects(t *testing.T) {
	m := newMemory()
	opts := options()
	opts.Context = []*source.Tree{m.tree(archive("x/gw.yaml", gateway("infra", "gw"), "x/far.yaml", gateway("infra", "far")))}
	out, err := Snapshots(context.Background(), []*source.Tree{m.tree(archive("gw.yaml", gateway("infra", "gw")))}, opts)
	if err != nil {
		t.Fatal(err)
	}
	equalText(t, summary(out[0]), ".\n  Gateway/infra/far x/far.yaml:1:1 context\n  Gateway/infra/gw gw.yaml:1:1")
}

func TestScopeFromCRD(t *testing.T) {
	crd := manifestOf("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "retries.example.com") +
		"spec:\n  group: example.com\n  names: {kind: Retry}\n  scope: Cluster\n"
	s := render(t, archive("crd.yaml", crd, "p.yaml", policy("", "retry")), options())
	object(t, s, "Retry.example.com/retry")
}

func TestMaxObjects(t *testing.T) {
	m := newMemory()
	opts := options()
	opts.MaxObjects = 1
	_, err := Snapshots(context.Background(), []*source.Tree{m.tree(archive("a.yaml", gateway("", "a"), "b.yaml", gateway("", "b")))}, opts)
	if err == nil || !strings.Contains(err.Error(), "limit of 1") {
		t.Errorf("error %v", err)
	}
}

// TestOrderAndWorkers holds that neither the order of entries nor the number of
// workers changes anything.
func TestOrderAndWorkers(t *testing.T) {
	files := homeOps() + archive("x/1.yaml", gateway("infra", "gw"), "y/1.yaml", gateway("infra", "gw"), "z/broken.yaml", "apiVersion: v1\nkind: [\n")
	opts := options()
	orderIsNothing(t, files, opts)
}

// orderIsNothing holds that neither the order of files nor the number of workers
// changes what is rendered.
func orderIsNothing(t *testing.T, files string, opts Options) {
	t.Helper()
	opts.Workers = 1
	want := full(render(t, files, opts))
	opts.Workers = 8
	for i := range uint64(8) {
		tree := newMemory().tree(files)
		rand.New(rand.NewPCG(i, 1)).Shuffle(len(tree.Entries), func(a, b int) {
			tree.Entries[a], tree.Entries[b] = tree.Entries[b], tree.Entries[a]
		})
		out, err := Snapshots(context.Background(), []*source.Tree{tree}, opts)
		if err != nil {
			t.Fatal(err)
		}
		equalText(t, full(out[0]), want)
	}
}

func full(s *loader.Snapshot) string {
	var b strings.Builder
	b.WriteString(summary(s))
	for _, e := range s.Environments {
		for _, o := range e.Objects {
			fmt.Fprintf(&b, "%s %x\n%s", o.ID, o.Digest, every(o))
		}
	}
	fmt.Fprintf(&b, "%d %d %v", s.Files, s.Unread, s.Skipped)
	return b.String()
}

// TestSharedWork holds that two trees with equal inputs read, decode and build
// once, and share what they hold.
func TestSharedWork(t *testing.T) {
	base := route + archive("over/kustomization.yaml", "resources: [../base]\n", "plain.yaml", gateway("infra", "gw"))
	head := base + archive("new.yaml", gateway("infra", "new"))
	m := newMemory()
	s := newSession(t.Context(), options())
	trees := []*source.Tree{m.tree(base), m.tree(head)}
	views, err := tree.Views(t.Context(), trees)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.store.Read(views); err != nil {
		t.Fatal(err)
	}
	layouts, err := s.layouts(views)
	if err != nil {
		t.Fatal(err)
	}
	var out []*loader.Snapshot
	for i, v := range views {
		snap, err := s.snapshot(v, layouts[i], nil)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, snap)
	}
	if s.builds.Runs != 1 {
		t.Errorf("%d builds", s.builds.Runs)
	}
	for _, node := range []string{"HTTPRoute/default/oven", "Gateway/infra/gw"} {
		if object(t, out[0], node).Root != object(t, out[1], node).Root {
			t.Errorf("%s is not shared", node)
		}
	}
	plain := trees[0].Entries[slices.IndexFunc(trees[0].Entries, func(e source.Entry) bool { return e.Path == "plain.yaml" })]
	if n := m.read[plain.ID]; n != 1 {
		t.Errorf("a manifest was read %d times", n)
	}
}

func TestCounts(t *testing.T) {
	s := render(t, archive("a.yaml", manifestOf("apps/v1", "Deployment", "", "d")+"---\n"+gateway("", "gw"), "values.yaml", "a: b\n", "x.json", "{}", "README.md", "x"), options())
	if s.Files != 3 || s.Unread != 2 || s.Skipped["apps/Deployment"] != 1 {
		t.Errorf("files %d, unread %d, skipped %v", s.Files, s.Unread, s.Skipped)
	}
}

func TestLostBlob(t *testing.T) {
	m := newMemory()
	tree := m.tree(archive("gw.yaml", gateway("infra", "gw"), "big.yaml", gateway("infra", "big"), "k/kustomization.yaml", "resources: [r.yaml, ok.yaml]\n", "k/r.yaml", gateway("infra", "r"), "k/ok.yaml", gateway("infra", "ok")))
	for _, e := range tree.Entries {
		if e.Path == "big.yaml" || e.Path == "k/r.yaml" {
			delete(m.data, e.ID)
		}
	}
	out, err := Snapshots(context.Background(), []*source.Tree{tree}, options())
	if err != nil {
		t.Fatal(err)
	}
	equalText(t, summary(out[0]), `
. incomplete
  Gateway/infra/gw gw.yaml:1:1
  Gateway/infra/ok k/ok.yaml:1:1
  gap r.yaml k/kustomization.yaml:1:13
warning limit-size big.yaml [.]
warning limit-size k/r.yaml [.]
`)
}

// A deployer that cannot be read beside one that can is told of, whether there is one tree or two.
func TestDeployersThatCannotBeRead(t *testing.T) {
	for name, good := range map[string]string{"Flux": fluxEntry("good", "./web", ""), "Argo CD": argoAt("good", "web", "")} {
		files := archive("deployers.yaml", "a: [\n---\n"+good, "web/gw.yaml", gateway("shop", "web"))
		for i, s := range append(renderAll(t, options(), files), renderAll(t, options(), files, files)...) {
			if len(s.Problems) != 1 || s.Problems[0].Code != "yaml-syntax" || s.Problems[0].Position.File != "deployers.yaml" {
				t.Errorf("%s, tree %d: the problems are %v", name, i, s.Problems)
			}
			object(t, s, "Gateway/shop/web")
		}
	}
}
