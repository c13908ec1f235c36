package main

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/internal/corpus"
)

// family is a way in which a small input may cost much.
type family struct {
	// files are added to a revision that has a Gateway.
	files func() corpus.Files
	// tree makes the revision in another way.
	tree func(t *testing.T, dir string)
	// args are added to the command.
	args []string
	// says is a part of what is told about it.
	says string
}

func families() map[string]family {
	return map[string]family{
		"aliases of texts": {files: aliases, says: "the aliases of the document expand to more than"},
		"a loop of templates": {
			files: func() corpus.Files {
				return charted(`{{ range until 100000 }}{{ range until 100000 }}{{ . }}{{ end }}{{ end }}`)
			},
			says: "is not rendered: the templates take more than",
		},
		"a list that is printed": {
			files: func() corpus.Files {
				return charted(`{{ $x := repeat 16000000 "a" }}{{ $l := list }}{{ range until 1000 }}{{ $l = append $l $x }}{{ end }}{{ $l }}`)
			},
			says: "when it is printed",
		},
		"parts of a text": {
			files: func() corpus.Files {
				return charted(`{{ $x := repeat 15000000 "a" }}{{ len (regexFindAll "(a)" $x -1) }}`)
			},
			says: "a list has more than 100000 items",
		},
		"values in a text": { // nothing bounds these beforehand
			files: func() corpus.Files {
				return charted(`{{ $x := repeat 5000000 "{}," }}{{ len (fromJson (printf "{\"a\": [%s{}]}" $x)) }}`)
			},
			says: "it alone takes too much of the run",
		},
		// Which of the limits is met first, that of time or that of memory, depends on the machine.
		"copies for many deployers":  {files: copies, says: "has taken"},
		"expressions that join":      {files: expressions, says: "some cost too much, and an API server may reject it"},
		"patterns of long texts":     {files: patterns, says: "some cost too much, and an API server may reject it"},
		"generators of sets":         {files: generators, says: "ApplicationSet"},
		"variables in variables":     {files: substitutions, says: "replacing in texts of this size"},
		"a diamond":                  {files: diamond, says: "would load more than"},
		"replacements that double":   {files: replacements, says: "replacements put texts"},
		"policies for clusters":      {files: policies, says: "Open Cluster Management"},
		"values without a text":      {files: values, says: "lines and commas"},
		"selectors of many objects":  {files: selectors, says: "· 0 problems"},
		"policies of all routes":     {files: matching, args: []string{"-o", "json"}, says: "of the 160000 items in environments[].policyChanges[].after.targets"},
		"findings of all routes":     {files: matching, says: "what the rule ambiguous-order finds beyond the first 10000 was left out: it has 159600 findings"},
		"charts without a release":   {files: idleCharts, says: "charts"},
		"documents of one file":      {files: documents, says: "many.yaml"},
		"values of many files":       {tree: manyValues, says: "the file is not read"},
		"targets beside each other":  {tree: beside, says: "2000 HTTPRoutes of demo may change the request timeout"},
		"matches passed on":          {files: passedOn, says: "limit-requests"},
		"contents that repeat":       {tree: repeating, says: "files that repeat themselves so"},
		"routes that repeat":         {tree: repeatingRoutes, says: "the file is not read"},
		"many paths of one content":  {tree: paths, says: "in one tree"},
		"long names of no file":      {tree: names, says: "have paths of more than 96 MiB"},
		"folders with hardly a file": {tree: folders, says: "endlessly nested folders"},
	}
}

const goodGateway = "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: good, namespace: demo}\n" +
	"spec: {gatewayClassName: gc, listeners: [{name: http, port: 80, protocol: HTTP}]}\n"

func repeated(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}

func aliases() corpus.Files {
	return corpus.Files{"a.yaml": []byte("apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: SecurityPolicy\nmetadata: {name: a, namespace: demo}\nspec:\n  a: &t " +
		strings.Repeat("x", 1<<20) + "\n  b: [" + strings.Repeat("*t, ", 100_000) + "]\n")}
}

// empties is a route with a list of empty lists, each of which takes three bytes.
func empties(name string, n int) []byte {
	return []byte("apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: " + name + ", namespace: demo}\nspec: [" + strings.Repeat("[],", n) + "]\n")
}

// selectors are as many policies as routes, each of which may select each.
func selectors() corpus.Files {
	return corpus.Files{"a.yaml": []byte(repeated(5000, func(i int) string {
		return fmt.Sprintf("---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r%d, namespace: demo, labels: {app: a%[1]d}}\nspec: {parentRefs: [{name: good}]}\n"+
			"---\napiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {name: p%[1]d, namespace: demo}\n"+
			"spec: {targetSelectors: [{kind: HTTPRoute, matchLabels: {app: a%[1]d}}], retry: {numRetries: 3}}\n", i)
	}))}
}

// matching are as many policies as routes, each of which selects each.
func matching() corpus.Files {
	return corpus.Files{"a.yaml": []byte(repeated(400, func(i int) string {
		return fmt.Sprintf("---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r%d, namespace: demo, labels: {app: a}}\nspec: {parentRefs: [{name: good}], hostnames: [r%[1]d.example], rules: [{backendRefs: [{name: s, port: 80}]}]}\n"+
			"---\napiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {name: p%[1]d, namespace: demo}\n"+
			"spec: {targetSelectors: [{kind: HTTPRoute, matchLabels: {app: a}}], retry: {numRetries: 3}}\n", i)
	}))}
}

// idleCharts are charts that nothing installs, each with a template that asks for an API.
func idleCharts() corpus.Files {
	out := corpus.Files{}
	for i := range 3000 {
		out[fmt.Sprintf("c%d/Chart.yaml", i)] = fmt.Appendf(nil, "{apiVersion: v2, name: c%d, version: 0.1.0}\n", i)
		out[fmt.Sprintf("c%d/templates/p.yaml", i)] = []byte("{{ if .Capabilities.APIVersions.Has \"security.istio.io/v1\" }}\n" +
			"{apiVersion: security.istio.io/v1, kind: AuthorizationPolicy, metadata: {name: p}}\n{{ end }}\n")
	}
	return out
}

// documents are those of kinds that nobody knows beside releases in one file.
func documents() corpus.Files {
	return corpus.Files{"many.yaml": []byte(repeated(15_000, func(i int) string {
		return fmt.Sprintf("---\n{apiVersion: x.example/v1, kind: XRoute, metadata: {name: r%d}}\n", i)
	}) + repeated(2000, func(i int) string {
		return fmt.Sprintf("---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: r%d, namespace: demo}\nspec: {chart: {spec: {chart: c}}}\n", i)
	}))}
}

func values() corpus.Files { return corpus.Files{"values.yaml": empties("values", 600_000)} }

// manyValues are files that each may be as they are, and that Git stores in a few kilobytes.
func manyValues(t *testing.T, dir string) {
	files := corpus.Files{}
	for i := range 20 {
		files[fmt.Sprintf("values%d.yaml", i)] = empties(fmt.Sprint("values", i), 470_000)
	}
	folder(t, dir, files)
	git(t, dir, "checkout", "-q", "-b", "hostile")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "hostile")
}

// repeating are comments of 320 MB that Git stores in 300 kB.
func repeating(t *testing.T, dir string) {
	stored(t, dir, 80, func(i int) string { return fmt.Sprintf("# %d %s\n", i, strings.Repeat("x", 4_000_000)) })
}

// repeatingRoutes are routes of 10 MB that Git stores in 200 kB.
func repeatingRoutes(t *testing.T, dir string) {
	stored(t, dir, 8, func(i int) string {
		return repeated(10_000, func(j int) string {
			return fmt.Sprintf("---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r%d, namespace: demo%d}\nspec: {parentRefs: [{name: good}], rules: [{backendRefs: [{name: s, port: 80}]}]}\n", j, i)
		})
	})
}

// stored makes a revision of some files that are in the repository alone.
func stored(t *testing.T, dir string, n int, content func(i int) string) {
	t.Helper()
	file := written(t, dir, "", "hash-object", "-w", "gateway.yaml")
	names := fmt.Sprintf("100644 blob %s\tgateway.yaml\n", file)
	for i := range n {
		names += fmt.Sprintf("100644 blob %s\tf%d.yaml\n", written(t, dir, content(i), "hash-object", "-w", "--stdin"), i)
	}
	checkedOut(t, dir, written(t, dir, names, "mktree"))
}

// charted is a chart with one template, which an Application installs.
func charted(template string) corpus.Files {
	return corpus.Files{
		"app.yaml": []byte("apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: app, namespace: argocd}\nspec:\n  project: x\n" +
			"  source: {repoURL: 'https://git.example/r.git', path: chart, targetRevision: HEAD}\n  destination: {server: 'https://kubernetes.default.svc', namespace: demo}\n" +
			"---\napiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: good, namespace: argocd}\nspec:\n  project: x\n" +
			"  source: {repoURL: 'https://git.example/r.git', path: good, targetRevision: HEAD}\n  destination: {server: 'https://kubernetes.default.svc', namespace: demo}\n"),
		"chart/Chart.yaml":       []byte("{apiVersion: v2, name: c, version: 0.1.0}\n"),
		"chart/templates/r.yaml": []byte(template),
	}
}

// fluxOf is a Kustomization of Flux.
func fluxOf(name, path, more string) string {
	return "---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: " + name + ", namespace: flux-system}\n" +
		"spec:\n  interval: 1m\n  prune: true\n  sourceRef: {kind: GitRepository, name: flux-system}\n  path: " + path + "\n" + more
}

func copies() corpus.Files {
	return corpus.Files{
		"flux/k.yaml": []byte(fluxOf("good", "./good", "") + repeated(1000, func(i int) string {
			return fluxOf(fmt.Sprint("k", i), "./app", fmt.Sprintf("  targetNamespace: n%d\n  postBuild: {substitute: {A: a%[1]d}}\n", i))
		})),
		"app/services.yaml": []byte(repeated(500, func(i int) string {
			return fmt.Sprintf("---\napiVersion: v1\nkind: Service\nmetadata: {name: 's%d-${A}', annotations: {a: '${A}%s'}}\nspec: {ports: [{port: 80}]}\n", i, strings.Repeat("x", 3000))
		})),
	}
}

// checked is a policy with a list of texts, again and again, and a CRD that says how its spec is checked.
func checked(properties, rules string, text, items int) corpus.Files {
	return corpus.Files{
		"crd.yaml": []byte("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: acmepolicies.acme.io, labels: {gateway.networking.k8s.io/policy: Direct}}\n" +
			"spec:\n  group: acme.io\n  scope: Namespaced\n  names: {kind: AcmePolicy, plural: acmepolicies}\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n" +
			"        type: object\n        properties:\n          spec:\n            type: object\n            properties:\n              targetRef: {type: object, x-kubernetes-preserve-unknown-fields: true}\n" +
			properties + "            x-kubernetes-validations: [" + rules + "]\n"),
		"p.yaml": []byte(repeated(200, func(i int) string {
			return fmt.Sprintf("---\napiVersion: acme.io/v1\nkind: AcmePolicy\nmetadata: {name: p%d, namespace: demo}\nspec: {targetRef: {group: gateway.networking.k8s.io, kind: Gateway, name: good}, t: %s, l: [%s]}\n",
				i, strings.Repeat("x", text), repeated(items, func(j int) string { return fmt.Sprintf("xxxxxxxx%d, ", j) }))
		})),
	}
}

func expressions() corpus.Files {
	return checked("              t: {type: string}\n              l: {type: array, items: {type: string}}\n",
		`{rule: "self.l.all(a, self.l.all(b, self.l.all(c, (self.t + a + b + c).replace('x', self.t) != a)))", message: wrong}`+
			repeated(20, func(i int) string {
				return fmt.Sprintf(`, {rule: "self.l.map(a, self.l.map(b, self.l.join(self.t + a + b))).size() != %d", message: wrong}`, i)
			}), 4000, 300)
}

func patterns() corpus.Files {
	return checked("              t: {type: string, pattern: '^("+strings.Repeat("(x?x*){50}", 20)+")*x$'}\n              l: {type: array, items: {type: string, pattern: '^(x*x*x*)*.{400}|x'}}\n", "", 6000, 200)
}

func generators() corpus.Files {
	list := "{list: {elements: [" + repeated(2000, func(i int) string { return fmt.Sprintf("{a: '%d'}, ", i) }) + "]}}"
	matrix := "{matrix: {generators: [" + list + ", " + strings.ReplaceAll(list, "{a:", "{b:") + "]}}"
	return corpus.Files{"set.yaml": []byte("apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s, namespace: argocd}\nspec:\n  goTemplate: true\n  generators:\n" +
		"  - matrix:\n      generators:\n      - " + matrix + "\n      - " + strings.ReplaceAll(list, "{a:", "{c:") + "\n" +
		"  template:\n    metadata: {name: 'x-{{ .a }}-{{ .b }}-{{ .c }}'}\n    spec: {project: x, source: {repoURL: 'https://git.example/r.git', path: good}, destination: {name: '{{ .c }}', namespace: demo}}\n")}
}

func substitutions() corpus.Files {
	return corpus.Files{
		"flux/k.yaml": []byte(fluxOf("good", "./good", "") + fluxOf("f", "./app", "  postBuild: {substitute: {A: "+strings.Repeat("x", 100_000)+", B: "+strings.Repeat("y", 100_000)+"}}\n")),
		"app/gw.yaml": []byte(repeated(500, func(i int) string {
			return fmt.Sprintf("---\napiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: g%d, namespace: demo, annotations: {x: '${A//x/${B}}', y: '${A}${B}${A}${B}'}}\nspec: {gatewayClassName: gc}\n", i)
		})),
	}
}

func diamond() corpus.Files {
	files := corpus.Files{}
	const levels = 20
	for i := range levels {
		for _, side := range []string{"a", "b"} {
			files[fmt.Sprintf("d/%d%s/kustomization.yaml", i, side)] = fmt.Appendf(nil, "namePrefix: %s-\nresources: [../%d%[1]s, ../%[2]db]\n", side, i+1)
		}
	}
	for _, side := range []string{"a", "b"} {
		files[fmt.Sprintf("d/%d%s/kustomization.yaml", levels, side)] = []byte("resources: [s.yaml]\n")
		files[fmt.Sprintf("d/%d%s/s.yaml", levels, side)] = []byte(goodGateway)
	}
	return files
}

func replacements() corpus.Files {
	const double = "- {source: {kind: Gateway, name: a, fieldPath: metadata.annotations.a}, targets: [{select: {kind: Gateway, name: a}, fieldPaths: [metadata.annotations.a], options: {delimiter: '-', index: 99}}]}\n"
	return corpus.Files{
		"k/kustomization.yaml": []byte("resources: [gw.yaml]\nreplacements:\n" + strings.Repeat(double, 40)),
		"k/gw.yaml":            []byte("apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: a, annotations: {a: " + strings.Repeat("x", 1000) + "}}\nspec: {gatewayClassName: gc}\n"),
	}
}

func policies() corpus.Files {
	const n = 600
	policy := func(i int) string {
		return fmt.Sprintf("---\napiVersion: policy.open-cluster-management.io/v1\nkind: Policy\nmetadata: {name: p%d, namespace: p}\nspec:\n  remediationAction: enforce\n  disabled: false\n  policy-templates:\n"+
			"  - objectDefinition: {apiVersion: policy.open-cluster-management.io/v1, kind: ConfigurationPolicy, metadata: {name: p%[1]d}, spec: {object-templates: [{complianceType: musthave, "+
			"objectDefinition: {apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: g%[1]d, namespace: demo}, spec: {gatewayClassName: '{{hub .ManagedClusterName hub}}', a: [%s]}}}]}}\n"+
			"---\napiVersion: policy.open-cluster-management.io/v1\nkind: PlacementBinding\nmetadata: {name: p%[1]d, namespace: p}\nplacementRef: {apiGroup: cluster.open-cluster-management.io, kind: Placement, name: all}\n"+
			"subjects: [{kind: Policy, apiGroup: policy.open-cluster-management.io, name: p%[1]d}]\n", i, strings.Repeat("x, ", 500))
	}
	return corpus.Files{"hub.yaml": []byte("apiVersion: cluster.open-cluster-management.io/v1beta1\nkind: Placement\nmetadata: {name: all, namespace: p}\nspec: {}\n" +
		repeated(n, func(i int) string {
			return fmt.Sprintf("---\napiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: {name: c%d}\nspec: {hubAcceptsClient: true}\n", i)
		}) + repeated(n, policy))}
}

// beside makes an edit of a policy that half of the routes below a Gateway follow, and that the others have one of their own against.
func beside(t *testing.T, dir string) {
	t.Helper()
	timeout := func(name, kind, target string, seconds int) string {
		return fmt.Sprintf("---\napiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {name: %s, namespace: demo}\nspec:\n  targetRefs: [{group: gateway.networking.k8s.io, kind: %s, name: %s}]\n  timeout: {http: {requestTimeout: %ds}}\n", name, kind, target, seconds)
	}
	routes := []byte(repeated(4000, func(i int) string {
		route := fmt.Sprintf("---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: r%d, namespace: demo}\nspec: {parentRefs: [{name: gw}], hostnames: [r%d.example], rules: [{backendRefs: [{name: s, port: 80}]}]}\n", i, i)
		if i%2 == 0 {
			return route
		}
		return route + timeout(fmt.Sprintf("p%d", i), "HTTPRoute", fmt.Sprintf("r%d", i), 1)
	}))
	folder(t, dir, corpus.Files{"routes.yaml": routes, "policy.yaml": []byte(timeout("all", "Gateway", "gw", 5))})
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "routes")
	git(t, dir, "checkout", "-q", "-b", "hostile")
	folder(t, dir, corpus.Files{"policy.yaml": []byte(timeout("all", "Gateway", "gw", 6))})
	git(t, dir, "commit", "-q", "-a", "-m", "hostile")
}

// passedOn makes routes that pass requests on to each other and add up what they match.
func passedOn() corpus.Files {
	matches := repeated(64, func(i int) string { return fmt.Sprintf("    - path: {type: PathPrefix, value: /p%d}\n", i) })
	const depth = 8
	return corpus.Files{"routes.yaml": []byte("apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: kgateway}\nspec: {controllerName: kgateway.dev/kgateway}\n" +
		"---\napiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: kgw, namespace: demo}\nspec: {gatewayClassName: kgateway, listeners: [{name: http, port: 80, protocol: HTTP}]}\n" +
		repeated(depth, func(i int) string {
			parent, backend := "{name: kgw}", fmt.Sprintf("{group: gateway.networking.k8s.io, kind: HTTPRoute, name: d%d, namespace: demo}", i+1)
			if i > 0 {
				parent = fmt.Sprintf("{group: gateway.networking.k8s.io, kind: HTTPRoute, name: d%d}", i-1)
			}
			if i == depth-1 {
				backend = "{name: s, port: 80}"
			}
			return fmt.Sprintf("---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: d%d, namespace: demo, annotations: {delegation.kgateway.dev/inherit-parent-matcher: \"true\"}}\nspec:\n  parentRefs: [%s]\n  rules:\n  - backendRefs: [%s]\n    matches:\n%s", i, parent, backend, matches)
		}))}
}

// paths makes a tree of folders that are all the same, and hold one file very often.
func paths(t *testing.T, dir string) {
	t.Helper()
	file := written(t, dir, "", "hash-object", "-w", "gateway.yaml")
	folder := written(t, dir, repeated(1000, func(i int) string { return fmt.Sprintf("100644 blob %s\t%d.yaml\n", file, i) }), "mktree")
	checkedOut(t, dir, nested(t, dir, folder, 7))
}

// names makes a tree of a million files whose paths are long.
func names(t *testing.T, dir string) {
	t.Helper()
	file := written(t, dir, "", "hash-object", "-w", "gateway.yaml")
	folder := written(t, dir, repeated(1000, func(i int) string {
		return fmt.Sprintf("100644 blob %s\t%d%s.txt\n", file, i, strings.Repeat("x", 200))
	}), "mktree")
	for range 3 {
		folder = written(t, dir, repeated(10, func(i int) string { return fmt.Sprintf("040000 tree %s\t%d%s\n", folder, i, strings.Repeat("y", 200)) }), "mktree")
	}
	checkedOut(t, dir, folder)
}

// folders makes a tree of empty folders, which take git days. Now and then it has a file, whose name is so long that git
// passes it on at once.
func folders(t *testing.T, dir string) {
	t.Helper()
	file := written(t, dir, "", "hash-object", "-w", "gateway.yaml")
	empty := nested(t, dir, written(t, dir, "", "mktree"), 8)
	folder := written(t, dir, fmt.Sprintf("100644 blob %s\t%s.yaml\n040000 tree %s\tz\n", file, strings.Repeat("x", 9000), empty), "mktree")
	checkedOut(t, dir, nested(t, dir, folder, 4))
}

// nested makes a folder with ten times the same one, and so on for some levels.
func nested(t *testing.T, dir, folder string, levels int) string {
	t.Helper()
	for range levels {
		folder = written(t, dir, repeated(10, func(i int) string { return fmt.Sprintf("040000 tree %s\t%d\n", folder, i) }), "mktree")
	}
	return folder
}

// checkedOut makes HEAD a commit of a tree.
func checkedOut(t *testing.T, dir, tree string) {
	t.Helper()
	git(t, dir, "update-ref", "refs/heads/hostile", written(t, dir, "", "commit-tree", "-m", "hostile", tree))
	git(t, dir, "symbolic-ref", "HEAD", "refs/heads/hostile")
}

// written is the id of the object that a command of git writes.
func written(t *testing.T, dir, in string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(in)
	cmd.Env = append(cmd.Environ(), "GIT_AUTHOR_NAME=Ana", "GIT_AUTHOR_EMAIL=ana@cupcakes.example", "GIT_COMMITTER_NAME=Ana", "GIT_COMMITTER_EMAIL=ana@cupcakes.example")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
