package render

import (
	"fmt"
	"strings"
	"testing"
)

// ownURL is the address of the tree in what the tests write.
const ownURL = "https://git.example/home.git"

// argoApp writes an Application; more is what else its spec holds.
func argoApp(name, source, more string) string {
	return manifestOf("argoproj.io/v1alpha1", "Application", "argocd", name) +
		"spec:\n  project: default\n" + indented("  ", source) + "  destination: {server: 'https://kubernetes.default.svc', namespace: " + name + "}\n" + indented("  ", more)
}

// argoAt writes an Application that deploys a folder of the tree.
func argoAt(name, path, more string) string { return argoApp(name, sourceAt(path, ""), more) }

// sourceAt is the source of a folder; more is what else it holds.
func sourceAt(path, more string) string {
	return "source:\n  repoURL: " + ownURL + "\n  path: " + path + "\n" + indented("  ", more)
}

// argoTo writes an Application for another cluster.
func argoTo(name, path, destination string) string {
	return strings.Replace(argoAt(name, path, ""), "server: 'https://kubernetes.default.svc'", destination, 1)
}

// argoSet writes an ApplicationSet over folders.
func argoSet(name, pattern string) string {
	return manifestOf("argoproj.io/v1alpha1", "ApplicationSet", "argocd", name) + `spec:
  goTemplate: true
  generators:
    - git:
        repoURL: ` + ownURL + `
        directories: [{path: '` + pattern + `'}]
  template:
    metadata: {name: '{{ .path.basename }}'}
    spec:
      source: {repoURL: '` + ownURL + `', path: '{{ .path.path }}'}
      destination: {name: in-cluster, namespace: '{{ .path.basename }}'}
`
}

func indented(by, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(by + strings.TrimSuffix(line, "\n") + "\n")
	}
	return b.String()
}

func class(name string) string {
	return manifestOf("gateway.networking.k8s.io/v1", "GatewayClass", "", name)
}

func TestArgoDiscovery(t *testing.T) {
	tests := []struct{ name, archive, want string }{
		{"a folder is not read recursively; its namespace is for objects without one", archive(
			"app.yaml", argoAt("web", "web", ""),
			"web/gw.yaml", gateway("", "gw")+"---\n"+gateway("infra", "own")+"---\n"+class("c"), "web/deep/gw.yaml", gateway("", "deep"),
		), `
in-cluster
  Gateway/infra/own web/gw.yaml:6:1
  Gateway/web/gw web/gw.yaml:1:1
  GatewayClass/c web/gw.yaml:12:1
`},
		{"recursively, where the source says so", archive(
			"app.yaml", argoApp("web", sourceAt("web", "directory: {recurse: true}"), ""),
			"web/gw.yaml", gateway("", "gw"), "web/deep/gw.yml", gateway("", "deep"), "web/deep/er/gw.json", `{"apiVersion": "gateway.networking.k8s.io/v1", "kind": "Gateway", "metadata": {"name": "json"}}`,
		), `
in-cluster
  Gateway/web/deep web/deep/gw.yml:1:1
  Gateway/web/gw web/gw.yaml:1:1
  Gateway/web/json web/deep/er/gw.json:1:1
`},
		{"a star of include crosses folders, braces are alternatives, exclude comes first", archive(
			"app.yaml", argoApp("web", sourceAt("web", "directory: {recurse: true, include: '{gw*,deep/*}.yaml', exclude: '*secret*'}"), ""),
			"web/gw.yaml", gateway("", "gw"), "web/other.yaml", gateway("", "other"), "web/deep/er/gw.yaml", gateway("", "deep"), "web/deep/secret/gw.yaml", gateway("", "secret"),
		), `
in-cluster
  Gateway/web/deep web/deep/er/gw.yaml:1:1
  Gateway/web/gw web/gw.yaml:1:1
`},
		{"a kustomization counts more than a chart, and options without content say nothing", archive(
			"app.yaml", argoApp("web", sourceAt("web", "directory: {}\nhelm: {}\nkustomize: {}"), ""),
			"web/kustomization.yaml", "resources: [gw.yaml]\nnamespace: from-kustomize\n", "web/gw.yaml", gateway("infra", "gw"), "web/spare.yaml", gateway("infra", "spare"), "web/Chart.yaml", "name: c\nversion: 1.0.0\n",
		), `
in-cluster
  Gateway/from-kustomize/gw web/gw.yaml:1:1
note unlisted-manifest web/spare.yaml []
`},
		{"an option with content says what the folder is", archive(
			"app.yaml", argoApp("web", sourceAt("web", "directory: {recurse: true}"), ""),
			"web/kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nmetadata: {name: k}\nnamespace: from-kustomize\n", "web/gw.yaml", gateway("", "gw"),
		), `
in-cluster
  Gateway/web/gw web/gw.yaml:1:1
`},
		{"kustomize options for a folder without a kustomization", archive(
			"app.yaml", argoApp("web", sourceAt("web", "kustomize: {namePrefix: a-}"), "")+"---\n"+argoAt("ok", "ok", ""),
			"web/gw.yaml", gateway("", "gw"), "ok/gw.yaml", gateway("", "gw"),
		), `
in-cluster incomplete
  Gateway/ok/gw ok/gw.yaml:1:1
  gap Application web app.yaml:11:5
warning kustomize-missing app.yaml:11:5 [in-cluster]
`},
		{"the hydrator's source before sources before source", archive(
			"a.yaml", argoApp("one", sourceAt("one", ""), ""),
			"b.yaml", argoApp("two", sourceAt("one", "")+"sources:\n- {repoURL: '"+ownURL+"', path: two}\n- {repoURL: '"+ownURL+"', path: more}\n- {repoURL: '"+ownURL+"', ref: values}\n", ""),
			"c.yaml", argoApp("three", sourceAt("one", "")+"sources:\n- {repoURL: '"+ownURL+"', path: two}\nsourceHydrator:\n  drySource: {repoURL: '"+ownURL+"', path: three}\n  syncSource: {path: one}\n", ""),
			"one/gw.yaml", gateway("", "gw"), "two/gw.yaml", gateway("", "gw"), "more/gw.yaml", gateway("", "more"), "three/gw.yaml", gateway("", "gw"),
		), `
in-cluster
  Gateway/one/gw one/gw.yaml:1:1
  Gateway/three/gw three/gw.yaml:1:1
  Gateway/two/gw two/gw.yaml:1:1
  Gateway/two/more more/gw.yaml:1:1
`},
		{"templates and folders with a dot hold no Applications", archive(
			"app.yaml", argoAt("web", "web", ""), "web/gw.yaml", gateway("", "gw"), "off/gw.yaml", manifestOf("v1", "ConfigMap", "", "off"),
			"chart/Chart.yaml", "name: c\nversion: 1.0.0\n", "chart/templates/app.yaml", argoAt("templated", "off", ""), ".drafts/app.yaml", argoAt("draft", "off", ""), ".github/app.yaml", argoAt("hidden", "off", ""),
		), `
in-cluster
  Gateway/web/gw web/gw.yaml:1:1
`},
		{"what lies among the folders or elsewhere is left out", archive(
			"app.yaml", argoAt("web", "apps/web", "")+"---\n"+argoAt("db", "apps/db", ""),
			"apps/web/gw.yaml", gateway("", "gw"), "apps/db/gw.yaml", gateway("", "gw"), "apps/web/off/gw.yaml", gateway("", "left-out"), "other/gw.yaml", gateway("", "elsewhere"),
		), `
in-cluster
  Gateway/db/gw apps/db/gw.yaml:1:1
  Gateway/web/gw apps/web/gw.yaml:1:1
`},
		{"without Applications nothing changes", archive("argo/project.yaml", manifestOf("argoproj.io/v1alpha1", "AppProject", "argocd", "p"), "gw.yaml", gateway("", "gw")), `
.
  Gateway/default/gw gw.yaml:1:1 assumed
`},
		{"Flux and Argo CD side by side", archive(
			"clusters/prod/ks.yaml", fluxEntry("infra", "./infra", ""), "argo/app.yaml", argoAt("web", "web", ""),
			"infra/gw.yaml", gateway("infra", "flux"), "web/gw.yaml", gateway("", "argo"),
		), `
clusters/prod
  Gateway/infra/flux infra/gw.yaml:1:1
in-cluster
  Gateway/web/argo web/gw.yaml:1:1
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { equalText(t, summary(render(t, tt.archive, options())), tt.want) })
	}
}

func TestArgoAppOfApps(t *testing.T) {
	tests := []struct{ name, archive, want string }{
		{"a root gives Applications, which give more", archive(
			"bootstrap/root.yaml", argoAt("root", "argo", ""),
			"argo/apps.yaml", argoAt("web", "web", "")+"---\n"+argoAt("nested", "argo/nested", ""), "argo/nested/db.yaml", argoAt("db", "db", ""), "argo/gw.yaml", gateway("", "of-root"),
			"web/gw.yaml", gateway("", "gw"), "db/gw.yaml", gateway("", "gw"),
		), `
in-cluster
  Gateway/db/gw db/gw.yaml:1:1
  Gateway/root/of-root argo/gw.yaml:1:1
  Gateway/web/gw web/gw.yaml:1:1
`},
		{"one that a kustomization gives is as it leaves the build, and its file is no root", archive(
			"root.yaml", argoAt("root", "argo", ""),
			"argo/kustomization.yaml", "resources: [web.yaml]\npatches:\n- target: {kind: Application}\n  patch: '[{\"op\": \"replace\", \"path\": \"/spec/destination/namespace\", \"value\": \"patched\"}, {\"op\": \"replace\", \"path\": \"/spec/source/path\", \"value\": \"other\"}]'\n",
			"argo/web.yaml", argoAt("web", "web", ""), "web/gw.yaml", gateway("", "never"), "other/gw.yaml", gateway("", "gw"),
		), `
in-cluster
  Gateway/patched/gw other/gw.yaml:1:1
`},
		{"one that is excluded from the root's folder is a root of its own", archive(
			"root.yaml", argoApp("root", sourceAt("argo", "directory: {exclude: 'b.yaml'}"), ""),
			"argo/a.yaml", argoAt("a", "a", ""), "argo/b.yaml", argoAt("b", "b", ""), "a/gw.yaml", gateway("", "gw"), "b/gw.yaml", gateway("", "gw"),
		), `
in-cluster
  Gateway/a/gw a/gw.yaml:1:1
  Gateway/b/gw b/gw.yaml:1:1
`},
		{"an ApplicationSet of folders", archive(
			"root.yaml", argoAt("root", "argo", ""), "argo/set.yaml", argoSet("apps", "apps/*"),
			"apps/web/gw.yaml", gateway("", "gw"), "apps/db/kustomization.yaml", "resources: [gw.yaml]\n", "apps/db/gw.yaml", gateway("", "gw"), "apps/.off/gw.yaml", gateway("", "off"),
		), `
in-cluster
  Gateway/db/gw apps/db/gw.yaml:1:1
  Gateway/web/gw apps/web/gw.yaml:1:1
`},
		{"an Application that deploys itself", archive("argo/app.yaml", argoAt("self", "argo", ""), "argo/gw.yaml", gateway("", "gw")), `
in-cluster
  Gateway/self/gw argo/gw.yaml:1:1
`},
		{"two Applications that deploy each other", archive(
			"a/app.yaml", argoAt("one", "b", ""), "b/app.yaml", argoAt("two", "a", ""), "a/gw.yaml", gateway("", "a"), "b/gw.yaml", gateway("", "b"),
		), `
in-cluster
  Gateway/one/b b/gw.yaml:1:1
  Gateway/two/a a/gw.yaml:1:1
`},
		{"a set that makes the Application of its own file", archive(
			"apps/argocd/set.yaml", argoSet("apps", "apps/*"), "apps/argocd/gw.yaml", gateway("", "gw"), "apps/web/gw.yaml", gateway("", "gw"),
		), `
in-cluster
  Gateway/argocd/gw apps/argocd/gw.yaml:1:1
  Gateway/web/gw apps/web/gw.yaml:1:1
`},
		{"a set whose own file a root deploys, and which deploys the root", archive(
			"apps/argocd/root.yaml", argoAt("root", "apps/argocd", ""), "apps/argocd/set.yaml", argoSet("apps", "apps/*"), "apps/web/gw.yaml", gateway("", "gw"),
		), `
in-cluster
  Gateway/web/gw apps/web/gw.yaml:1:1
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { equalText(t, summary(render(t, tt.archive, options())), tt.want) })
	}
}

func TestArgoDestinations(t *testing.T) {
	tests := []struct{ name, archive, want string }{
		{"a cluster is one environment, by whatever name", archive(
			"apps.yaml", strings.Join([]string{
				argoTo("a", "web", "name: in-cluster"), argoTo("b", "web", "server: 'https://kubernetes.default.svc/'"), argoTo("c", "web", "name: east"),
				argoTo("d", "web", "server: 'https://10.0.0.1:6443'"), argoTo("e", "web", "server: 'https://10.0.0.1:6443/'"), strings.Replace(argoAt("f", "web", ""), "server: 'https://kubernetes.default.svc', ", "", 1),
			}, "---\n"),
			"web/gw.yaml", gateway("", "gw")), `
10.0.0.1:6443
  Gateway/d/gw web/gw.yaml:1:1
  Gateway/e/gw web/gw.yaml:1:1
east
  Gateway/c/gw web/gw.yaml:1:1
in-cluster
  Gateway/a/gw web/gw.yaml:1:1
  Gateway/b/gw web/gw.yaml:1:1
  Gateway/f/gw web/gw.yaml:1:1
`},
		{"Applications go on through the cluster that they are deployed to", archive(
			"root.yaml", argoAt("root", "argo", ""), "argo/east.yaml", argoTo("web", "web", "name: east"), "argo/west.yaml", argoTo("web2", "web", "name: west"), "web/gw.yaml", gateway("", "gw"),
		), `
east
  Gateway/web/gw web/gw.yaml:1:1
in-cluster
west
  Gateway/web2/gw web/gw.yaml:1:1
`},
		{"roots of one name are installations of their own, by folder", archive(
			"clusters/eu/root.yaml", argoAt("root", "apps/eu", ""), "clusters/us/root.yaml", argoAt("root", "apps/us", ""),
			"apps/eu/web.yaml", argoAt("web", "web", ""), "apps/us/web.yaml", argoAt("web", "web", "")+"---\n"+argoTo("far", "web", "name: far"), "web/gw.yaml", gateway("", "gw"),
		), `
clusters/eu/in-cluster
  Gateway/web/gw web/gw.yaml:1:1
clusters/us/far
  Gateway/far/gw web/gw.yaml:1:1
clusters/us/in-cluster
  Gateway/web/gw web/gw.yaml:1:1
`},
		{"roots of several names are one installation", archive(
			"clusters/eu/root.yaml", argoAt("eu", "apps/eu", ""), "clusters/us/root.yaml", argoAt("us", "apps/us", ""),
			"apps/eu/gw.yaml", gateway("", "gw"), "apps/us/gw.yaml", gateway("", "gw"),
		), `
in-cluster
  Gateway/eu/gw apps/eu/gw.yaml:1:1
  Gateway/us/gw apps/us/gw.yaml:1:1
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { equalText(t, summary(render(t, tt.archive, options())), tt.want) })
	}
}

func TestArgoMissing(t *testing.T) {
	tests := []struct{ name, archive, want string }{
		{"a folder that is not there costs one Application", archive(
			"apps.yaml", argoAt("gone", "nowhere", "")+"---\n"+argoAt("web", "web", ""), "web/gw.yaml", gateway("", "gw"),
		), `
in-cluster incomplete
  Gateway/web/gw web/gw.yaml:1:1
  gap Application gone apps.yaml:10:11
warning argocd-path-missing apps.yaml:10:11 [in-cluster]
`},
		{"a path out of the tree", archive("apps.yaml", argoAt("gone", "../../etc", "")+"---\n"+argoAt("web", "web", ""), "web/gw.yaml", gateway("", "gw")), `
in-cluster incomplete
  Gateway/web/gw web/gw.yaml:1:1
  gap Application gone apps.yaml:10:11
warning argocd-path-missing apps.yaml:10:11 [in-cluster]
`},
		{"another repository is said once, and each of its Applications is a gap", archive(
			"apps.yaml", argoAt("web", "web", "")+"---\n"+
				strings.ReplaceAll(argoAt("b", "x", "")+"---\n"+argoAt("c", "y", ""), ownURL, "git@other.example:x/y.git"), "web/gw.yaml", gateway("", "gw"),
		), `
in-cluster
  Gateway/web/gw web/gw.yaml:1:1
  gap Application b apps.yaml:21:14
  gap Application c apps.yaml:32:3
note foreign-source apps.yaml:21:14 [in-cluster]
`},
		{"one repository in several spellings", archive(
			"apps.yaml", argoAt("a", "web", "")+"---\n"+strings.ReplaceAll(argoAt("b", "web", ""), ownURL, "git@git.example:home.git")+"---\n"+
				strings.ReplaceAll(argoAt("c", "web", ""), ownURL, "https://git.example/home")+"---\n"+strings.ReplaceAll(argoAt("d", "web", ""), ownURL, "https://Git.Example/home.git/"),
			"web/gw.yaml", gateway("", "gw"),
		), `
in-cluster
  Gateway/a/gw web/gw.yaml:1:1
  Gateway/b/gw web/gw.yaml:1:1
  Gateway/c/gw web/gw.yaml:1:1
  Gateway/d/gw web/gw.yaml:1:1
`},
		{"a chart of a registry could give anything", archive(
			"apps.yaml", argoAt("web", "web", "")+"---\n"+argoApp("chart", "source: {repoURL: 'https://charts.example', chart: web, targetRevision: 1.0.0}\n", ""), "web/gw.yaml", gateway("", "gw"),
		), `
in-cluster
  Gateway/web/gw web/gw.yaml:1:1
  gap Application chart apps.yaml:20:3
`},
		{"a plugin and Jsonnet", archive(
			"apps.yaml", argoApp("cmp", sourceAt("web", "plugin: {name: x}"), "")+"---\n"+argoAt("web", "web", ""), "web/gw.yaml", gateway("", "gw"), "web/gw.jsonnet", "{}",
		), `
in-cluster incomplete
  Gateway/web/gw web/gw.yaml:1:1
  gap Application cmp apps.yaml:11:5
  gap Application web apps.yaml:21:3
warning argocd-plugin apps.yaml:11:5 [in-cluster]
warning argocd-jsonnet apps.yaml:21:3 [in-cluster]
`},
		{"a set that fails makes nothing, and others do", archive(
			"apps.yaml", argoAt("web", "web", "")+"---\n"+strings.Replace(argoSet("bad", "web/*"), "{{ .path.basename }}", "{{ fail `no` }}", 1)+"---\n"+
				strings.Replace(argoSet("clusters", "web"), "- git:", "- clusters: {}\n    - git:", 1), "web/gw.yaml", gateway("", "gw"), "web/x/gw.yaml", gateway("", "x"),
		), `
in-cluster incomplete
  Gateway/web/gw web/gw.yaml:1:1
  gap ApplicationSet bad apps.yaml:24:3
  gap ApplicationSet clusters apps.yaml:38:7
warning argocd-template apps.yaml:24:3 []
warning argocd-generator apps.yaml:38:7 []
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { equalText(t, summary(render(t, tt.archive, options())), tt.want) })
	}
}

// TestArgoManyMissing: many folders that are not there are said in one problem; each
// of their Applications is a gap.
func TestArgoManyMissing(t *testing.T) {
	apps := argoAt("web", "web", "")
	for i := range 20 {
		apps += "---\n" + argoAt(fmt.Sprintf("gone%d", i), fmt.Sprintf("gone/%d", i), "")
	}
	s := render(t, archive("apps.yaml", apps, "web/gw.yaml", gateway("", "gw")), options())
	object(t, s, "Gateway/web/gw")
	if len(s.Problems) != 1 || !strings.HasPrefix(s.Problems[0].Message, "the folders that 20 Applications deploy are not in the tree; the first: ") || len(s.Environments[0].Gaps) != 20 {
		t.Errorf("%v\n%s", s.Problems, summary(s))
	}
}

// TestArgoOverrides: files in the folder change a source, but not where it is.
func TestArgoOverrides(t *testing.T) {
	files := func(more ...string) string {
		return archive(append([]string{
			"app.yaml", argoApp("web", sourceAt("web", "kustomize: {namePrefix: a-, namespace: ns}"), ""),
			"web/kustomization.yaml", "resources: [gw.yaml]\n", "web/gw.yaml", gateway("", "gw"), "off/gw.yaml", manifestOf("v1", "ConfigMap", "", "off"),
		}, more...)...)
	}
	tests := []struct{ name, archive, want string }{
		{"none", files(), "in-cluster\n  Gateway/ns/a-gw web/gw.yaml:1:1"},
		{"for all", files("web/.argocd-source.yaml", "kustomize: {namePrefix: b-}\npath: off\nrepoURL: 'https://other.example'\n"), "in-cluster\n  Gateway/ns/b-gw web/gw.yaml:1:1"},
		{"for one, over that for all", files("web/.argocd-source.yaml", "kustomize: {namePrefix: b-, nameSuffix: -z}\n", "web/.argocd-source-web.yaml", "kustomize: {namePrefix: c-}\n"), "in-cluster\n  Gateway/ns/c-gw-z web/gw.yaml:1:1"},
		{"for another one", files("web/.argocd-source-other.yaml", "kustomize: {namePrefix: c-}\n"), "in-cluster\n  Gateway/ns/a-gw web/gw.yaml:1:1"},
		{"null takes away", files("web/.argocd-source.yaml", "kustomize: null\n"), "in-cluster\n  Gateway/web/gw web/gw.yaml:1:1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { equalText(t, summary(render(t, tt.archive, options())), tt.want) })
	}
}

func TestArgoKustomize(t *testing.T) {
	s := render(t, archive(
		"app.yaml", argoApp("web", sourceAt("web", `kustomize:
  namePrefix: pre-
  nameSuffix: -suf
  namespace: over
  commonLabels: {team: a}
  commonAnnotations: {note: b}
  components: [../comp, ../gone]
  ignoreMissingComponents: true
  patches:
    - target: {kind: Gateway}
      patch: |
        - op: add
          path: /spec/last
          value: application
    - patch: |
        apiVersion: gateway.networking.k8s.io/v1
        kind: Gateway
        metadata: {name: gw}
        spec: {merged: true}
`), ""),
		"web/kustomization.yaml", "resources: [gw.yaml]\nnamePrefix: own-\nnamespace: own\npatches:\n- target: {kind: Gateway}\n  patch: '[{\"op\": \"add\", \"path\": \"/spec/last\", \"value\": \"kustomization\"}]'\n",
		"web/gw.yaml", gateway("", "gw")+"spec: {gatewayClassName: c}\n",
		"comp/kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [more.yaml]\n", "comp/more.yaml", gateway("", "more")+"spec: {gatewayClassName: c}\n",
	), options())
	equalText(t, summary(s), `
in-cluster
  Gateway/over/pre-gw-suf web/gw.yaml:1:1
  Gateway/over/pre-more-suf comp/more.yaml:1:1
`)
	o := object(t, s, "Gateway/over/pre-gw-suf")
	for path, want := range map[string]string{
		"/spec/last":                 "application app.yaml:",
		"/spec/merged":               "true app.yaml:",
		"/spec/gatewayClassName":     "c web/gw.yaml:5:26",
		"/metadata/namespace":        "over app.yaml:14:18",
		"/metadata/labels/team":      "a app.yaml:15:28",
		"/metadata/annotations/note": "b app.yaml:16:33",
	} {
		if got := at(o, path); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

// TestArgoDeployer: who deploys an object, and whether it stays in the cluster when
// it leaves Git.
func TestArgoDeployer(t *testing.T) {
	for _, tt := range []struct {
		name, policy, object string
		keeps                bool
	}{
		{"no policy", "", "", true},
		{"automated, without prune", "syncPolicy: {automated: {}}", "", true},
		{"automated, with prune", "syncPolicy: {automated: {prune: true}}", "", false},
		{"automated, but off", "syncPolicy: {automated: {enabled: false, prune: true}}", "", true},
		{"an object that asks to stay", "syncPolicy: {automated: {prune: true}}", "  annotations: {argocd.argoproj.io/sync-options: 'Validate=false,Prune=false'}\n", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := render(t, archive("app.yaml", argoAt("web", "web", tt.policy), "web/gw.yaml", gateway("", "gw")+tt.object), options())
			by := object(t, s, "Gateway/web/gw").Deployer
			if by == nil || by.ID.Name != "web" || by.At.String() != "app.yaml:1:1" || (by.Keeps || by.Asked) != tt.keeps {
				t.Errorf("%+v, want keeps to be %v", by, tt.keeps)
			}
		})
	}
}

// TestArgoHelm: values of a chart in the tree lie over each other in the order of
// Argo CD.
func TestArgoHelm(t *testing.T) {
	chart := []string{
		"chart/Chart.yaml", "apiVersion: v2\nname: c\nversion: 1.0.0\n", "chart/values.yaml", "a: chart\n", "chart/own.yaml", "a: own\n", "values/shared.yaml", "a: shared\n",
		"chart/templates/gw.yaml", "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: {{ .Release.Name }}}\nspec: {a: {{ .Values.a }}, ns: {{ .Release.Namespace }}}\n",
	}
	for _, tt := range []struct{ name, helm, want string }{
		{"none", "", "chart"},
		{"a file of the chart", "valueFiles: [own.yaml]", "own"},
		{"the last file wins", "valueFiles: [own.yaml, ../values/shared.yaml]", "shared"},
		{"a file of the tree", "valueFiles: [/values/shared.yaml]", "shared"},
		{"a file of another source", "valueFiles: [$lent/values/shared.yaml]", "shared"},
		{"a file that is not there, and may be", "valueFiles: [own.yaml, gone.yaml]\nignoreMissingValueFiles: true", "own"},
		{"a pattern of files", "valueFiles: [ow*.yaml]", "own"},
		{"values over files", "valueFiles: [own.yaml]\nvalues: 'a: values'", "values"},
		{"valuesObject in place of values", "values: 'a: values'\nvaluesObject: {a: object}", "object"},
		{"parameters over all", "valuesObject: {a: object}\nparameters: [{name: a, value: parameter}]", "parameter"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sources := "sources:\n- repoURL: " + ownURL + "\n  path: chart\n"
			if tt.helm != "" {
				sources += "  helm:\n" + indented("    ", tt.helm)
			}
			s := render(t, archive(append([]string{"app.yaml", argoApp("web", sources+"- {repoURL: '"+ownURL+"', ref: lent}\n", "")}, chart...)...), options())
			o := object(t, s, "Gateway/web/web")
			if got := o.Root.Str("spec", "a"); got != tt.want || o.Root.Str("spec", "ns") != "web" || len(s.Problems) > 0 {
				t.Errorf("got %q, want %q\n%s", got, tt.want, summary(s))
			}
		})
	}
}

// TestArgoOrderAndWorkers holds that neither the order of entries nor the number of
// workers changes anything.
func TestArgoOrderAndWorkers(t *testing.T) {
	files := archive(
		"clusters/eu/root.yaml", argoAt("root", "argo", ""), "clusters/us/root.yaml", argoAt("root", "argo", ""), "argo/set.yaml", argoSet("apps", "apps/*"),
		"argo/far.yaml", argoTo("far", "apps/web", "name: far"), "argo/gone.yaml", argoAt("gone", "gone", ""), "argo/set2.yaml", argoSet("twice", "apps/*"),
		"apps/web/gw.yaml", gateway("", "gw"), "apps/db/kustomization.yaml", "resources: [gw.yaml]\n", "apps/db/gw.yaml", gateway("", "gw"), "apps/argo/set.yaml", argoSet("inner", "apps/w*"),
	)
	opts := options()
	orderIsNothing(t, files, opts)
}

// TestArgoNames: the names of environments are those of both trees, so that what is
// moved between clusters is seen to move.
func TestArgoNames(t *testing.T) {
	base := archive("app.yaml", argoAt("web", "web", ""), "web/gw.yaml", gateway("", "gw"))
	head := archive("app.yaml", argoTo("web", "web", "name: east"), "web/gw.yaml", gateway("", "gw"))
	out := renderAll(t, options(), base, head)
	equalText(t, summary(out[0]), "in-cluster\n  Gateway/web/gw web/gw.yaml:1:1")
	equalText(t, summary(out[1]), "east\n  Gateway/web/gw web/gw.yaml:1:1")
	hasNote(t, out[1], `the environment "east" contains the objects that the Applications of Argo CD deploy to that cluster`)
}

// TestArgoLongPattern: a pattern of value files over the limit takes none, and that is said.
func TestArgoLongPattern(t *testing.T) {
	for pattern, want := range map[string]string{
		strings.Repeat("*", 1000): "own", strings.Repeat("*", 1100): "chart",
		"*{n,m}": "own", "*" + strings.Repeat("{n,n}", 40): "chart",
	} {
		s := render(t, archive("app.yaml", argoApp("web", sourceAt("chart", "helm: {valueFiles: ['ow"+pattern+".yaml']}"), ""),
			"chart/Chart.yaml", "apiVersion: v2\nname: c\nversion: 1.0.0\n", "chart/values.yaml", "a: chart\n", "chart/own.yaml", "a: own\n",
			"chart/templates/gw.yaml", gateway("", "gw")+"spec: {a: {{ .Values.a }}}\n"), options())
		if got := object(t, s, "Gateway/web/gw").Root.Str("spec", "a"); got != want || s.Environments[0].Incomplete != (want == "chart") {
			t.Errorf("%s: got %q, want %q\n%s", pattern, got, want, summary(s))
		}
	}
}

// TestArgoHostile: Applications that make Applications without end, and globs that
// cost much, end in time.
func TestArgoHostile(t *testing.T) {
	var many strings.Builder
	for i := range 300 {
		fmt.Fprintf(&many, "%s---\n", argoAt(fmt.Sprintf("a%d", i), "argo", ""))
	}
	s := render(t, archive("argo/apps.yaml", many.String(), "argo/gw.yaml", gateway("infra", "gw")), options())
	object(t, s, "Gateway/infra/gw")
	for _, glob := range []string{strings.Repeat("*a", 400), "{" + strings.Repeat("a,", 400) + "}", strings.Repeat("{a,", 300) + strings.Repeat("}", 300), "[", "[!", "{", "\\", "[^a-", strings.Repeat("x", 5000), strings.Repeat("*", 5000)} {
		s := render(t, archive("app.yaml", argoApp("web", sourceAt("web", "directory: {exclude: '"+glob+"'}"), ""), "web/gw.yaml", gateway("", "gw")), options())
		object(t, s, "Gateway/web/gw")
	}
}
