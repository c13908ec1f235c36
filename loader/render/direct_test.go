package render

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/kustomize"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/source"
	"github.com/gwplan/gwplan/loader/tree"
)

// TestDirect: what is built without kustomize is what kustomize builds, objects, order and
// namespaces; and what kustomize refuses is left to it.
func TestDirect(t *testing.T) {
	handed := 0
	const trees = 400
	for seed := range uint64(trees) {
		if sameAsKustomize(t, plainTree(rand.New(rand.NewPCG(seed, 0))), []needs{nil, withoutConfigMaps}[seed%2]) {
			handed++
		}
	}
	if handed < trees/6 {
		t.Errorf("%d of %d trees were built without kustomize", handed, trees)
	}
}

// TestDirectPatches: patches of custom resources do what they do in kustomize.
func TestDirectPatches(t *testing.T) {
	handed, trees := 0, 2500
	if testing.Short() {
		trees /= 5
	}
	for seed := range uint64(trees) {
		if sameAsKustomize(t, patchedTree(rand.New(rand.NewPCG(seed, 1))), []needs{nil, withoutDeployments}[seed%2]) {
			handed++
		}
	}
	if handed < trees/20 {
		t.Errorf("%d of %d trees were built without kustomize", handed, trees)
	}
}

// TestDirectWorkloads: strategic-merge patches of workloads and Services do what they do in kustomize, which merges
// their lists by keys.
func TestDirectWorkloads(t *testing.T) {
	handed, trees := 0, 2500
	if testing.Short() {
		trees /= 5
	}
	for seed := range uint64(trees) {
		if sameAsKustomize(t, workloadTree(rand.New(rand.NewPCG(seed, 2))), nil) {
			handed++
		}
	}
	if handed < trees/20 {
		t.Errorf("%d of %d trees were built without kustomize", handed, trees)
	}
}

// needs says which kinds are needed; nil means all.
type needs func(group, kind string) manifest.Relevance

// sameAsKustomize builds the folder top of a tree and compares the objects that are needed with those of kustomize.
// It returns false if they are left to kustomize.
func sameAsKustomize(t *testing.T, text string, needs needs) bool {
	t.Helper()
	s := newSession(t.Context(), Options{Manifest: manifest.Options{Relevance: needs}})
	views, err := tree.Views(t.Context(), []*source.Tree{newMemory().tree(text)})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.store.Read(views); err != nil {
		t.Fatal(err)
	}
	p := s.builds.Pass(views[0], "top", nil)
	if p.Refused || len(p.Gaps) > 0 {
		return false
	}
	ours, ok := s.builds.Direct(p, views[0], kustomize.NewTrace())
	if !ok {
		return false
	}
	fsys := filesys.MakeFsInMemory()
	for _, f := range txtar.Parse([]byte(text)).Files {
		if err := fsys.WriteFile("/"+f.Name, f.Data); err != nil {
			t.Fatal(err)
		}
	}
	m, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(fsys, "/top")
	if err != nil {
		t.Fatalf("kustomize refuses what is built without it: %v\n%s", err, text)
	}
	theirs := slices.DeleteFunc(m.Resources(), func(r *resource.Resource) bool {
		return needs != nil && needs(r.GetGvk().Group, r.GetGvk().Kind) == manifest.Irrelevant
	})
	if len(ours) != len(theirs) {
		t.Fatalf("%d objects, kustomize gives %d\n%s", len(ours), len(theirs), text)
	}
	for i, r := range theirs {
		want, err := r.AsYAML()
		if err != nil {
			t.Fatal(err)
		}
		docs, problems := manifest.Parse(want, manifest.Limits{})
		if len(problems) > 0 || !loader.Equal(docs[0], ours[i].Root) {
			t.Fatalf("object %d differs from\n%s\n%s", i, want, text)
		}
	}
	return true
}

// withoutDeployments needs every kind but Deployment.
func withoutDeployments(_, kind string) manifest.Relevance {
	if kind == "Deployment" {
		return manifest.Irrelevant
	}
	return manifest.Needed
}

// withoutConfigMaps needs every kind but ConfigMap.
func withoutConfigMaps(group, kind string) manifest.Relevance {
	if tree.IsConfigMap(group, kind) {
		return manifest.Irrelevant
	}
	return manifest.Needed
}

// values are random fields of a spec, few enough that a patch meets them.
func values(r *rand.Rand, depth int) string {
	var out strings.Builder
	for _, key := range []string{"a", "b", "c", "d"} {
		switch n := r.IntN(20); {
		case n < 6 && depth > 0:
			fmt.Fprintf(&out, "%s:\n%s", key, indented("  ", values(r, depth-1)))
		case n < 11:
			fmt.Fprintf(&out, "%s: %s\n", key, []string{"1", "text", "'2'", "true", "1.5", "yes", "\"a: b\"", "${X}"}[r.IntN(8)])
		case n < 13:
			fmt.Fprintf(&out, "%s:\n- name: %d\n  value: x\n- name: z\n", key, r.IntN(3))
		case n < 14:
			fmt.Fprintf(&out, "%s: [1, %d]\n", key, r.IntN(9))
		case n == 14 && r.IntN(2) == 0:
			fmt.Fprintf(&out, "%s: %s\n", key, []string{"null", "''", "{}", "[]", "{$patch: delete}", "{$patch: replace, a: b}", "", "", "~"}[r.IntN(9)])
		}
	}
	if out.Len() == 0 {
		return "e: f\n"
	}
	return out.String()
}

// patchable are kinds of objects that are patched.
var patchable = [][2]string{
	{"helm.toolkit.fluxcd.io/v2", "HelmRelease"},
	{"helm.toolkit.fluxcd.io/v2", "HelmRelease"},
	{"example.com/v1", "Widget"},
	{"v1", "Service"},
	{"gateway.networking.k8s.io/v1", "HTTPRoute"},
	{"apps/v1", "Deployment"},
}

// edits are operations of a JSON6902 patch, some of which cannot be applied.
func edits(r *rand.Rand) string {
	var out strings.Builder
	for range 1 + r.IntN(2) {
		steps := []string{"a", "b", "c", "d", "0", "1", "-", "-1", "01", "~1", "a~0b"}
		where := "/spec"
		for range 1 + r.IntN(3) {
			where += "/" + steps[r.IntN(4+7*(r.IntN(6)/4))]
		}
		if r.IntN(10) == 0 {
			where = []string{"/metadata/labels/a", "/metadata/name", "/metadata/annotations", "/kind", "/spec", "spec/a", "", "/x", "/spec/"}[r.IntN(9)]
		}
		op := []string{"add", "add", "add", "replace", "replace", "remove", "test", "copy", "none"}[r.IntN(9)]
		fmt.Fprintf(&out, "- op: %s\n  path: %q\n", op, where)
		if op != "remove" || r.IntN(4) == 0 {
			fmt.Fprintf(&out, "  value: %s\n", []string{"1", "text", "'2'", "true", "1.5", "1e3", "12345678", "yes", "'no'", "2024-01-02", "null", "{}", "[]", "{a: [b, {c: 1}]}", "{a: null}", "[1, text]"}[r.IntN(16)])
		}
		if r.IntN(30) == 0 {
			out.WriteString("  from: /spec/a\n")
		}
	}
	return out.String()
}

// patchedTree is a folder with custom resources and patches of them, some of which kustomize refuses.
func patchedTree(r *rand.Rand) string {
	var objects, text, files strings.Builder
	for i := range 2 + r.IntN(3) {
		if r.IntN(5) == 0 {
			i = 0 // of several kinds
		}
		kind := patchable[r.IntN(len(patchable))]
		meta := []string{"", "", "  labels: {a: b}\n", "  annotations: {a: b}\n", "  namespace: written\n"}[r.IntN(5)]
		fmt.Fprintf(&objects, "---\napiVersion: %s\nkind: %s\nmetadata:\n  name: n%d\n%sspec:\n%s", kind[0], kind[1], i, meta, indented("  ", values(r, 2)))
	}
	text.WriteString("resources: [o.yaml]\npatches:\n")
	for i := range 1 + r.IntN(2) {
		if r.IntN(4) == 0 { // patches that select by their own identity
			fmt.Fprintf(&text, "- path: own%d.yaml\n", i)
			fmt.Fprintf(&files, "-- top/own%d.yaml --\n", i)
			for range 1 + r.IntN(2) {
				of := patchable[r.IntN(len(patchable))]
				fmt.Fprintf(&files, "---\napiVersion: %s\nkind: %s\nmetadata:\n  name: n%d\n%sspec:\n%s", of[0], of[1], r.IntN(3),
					[]string{"", "", "  namespace: written\n", "  namespace: inner\n", "  namespace: default\n"}[r.IntN(5)], indented("  ", values(r, 1)))
			}
			continue
		}
		if r.IntN(3) == 0 {
			fmt.Fprintf(&text, "- target: {%s}\n  patch: |-\n%s", []string{
				"kind: HelmRelease", "kind: HelmRelease", "kind: Helm.*", "kind: Widget, name: n.*", "kind: Service", "name: n1", "group: example.com", "kind: Widget, version: v2", "kind: Gadget", "labelSelector: a=b",
			}[r.IntN(10)], indented("    ", edits(r)))
			continue
		}
		of := [][2]string{{"helm.toolkit.fluxcd.io/v2", "HelmRelease"}, {"helm.toolkit.fluxcd.io/v2beta2", "HelmRelease"}, {"example.com/v1", "Widget"}, {"v1", "Service"}}[min(r.IntN(12), 3)%4]
		if r.IntN(3) > 0 {
			of = [2]string{"helm.toolkit.fluxcd.io/v2", "HelmRelease"}
		}
		meta := []string{"", "", "", "  labels: {a: c, d: e}\n", "  annotations: {a: 'true'}\n", "  namespace: other\n", "  finalizers: [a]\n"}[r.IntN(7)]
		patch := fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata:\n  name: _\n%sspec:\n%s", of[0], of[1], meta, indented("  ", values(r, 2)))
		if r.IntN(30) == 0 {
			patch += "---\n" + patch
		}
		more := []string{"", "", "", ", group: helm.toolkit.fluxcd.io", ", group: example.com", ", name: n.*", ", name: '.*[0-1]'", ", name: n", ", version: v1", ", version: v2", ", labelSelector: a=b", ", namespace: written"}
		fmt.Fprintf(&text, "- target: {kind: %s%s}\n", of[1], more[r.IntN(len(more))])
		if r.IntN(2) == 0 {
			fmt.Fprintf(&text, "  patch: |-\n%s", indented("    ", patch))
			continue
		}
		fmt.Fprintf(&text, "  path: p%d.yaml\n", i)
		fmt.Fprintf(&files, "-- top/p%d.yaml --\n%s", i, patch)
	}
	if r.IntN(2) == 0 {
		text.WriteString("namespace: ns\n")
	}
	if r.IntN(4) == 0 {
		fmt.Fprintf(&files, "-- top/sm.yaml --\napiVersion: %s\nkind: %s\nmetadata: {name: n%d}\nspec:\n%s", patchable[0][0], patchable[0][1], r.IntN(3), indented("  ", values(r, 1)))
		text.WriteString([]string{"patchesStrategicMerge: [sm.yaml]\n", "patchesStrategicMerge:\n- |-\n  apiVersion: example.com/v1\n  kind: Widget\n  metadata: {name: n1}\n  spec: {a: {b: 1}}\n"}[r.IntN(2)])
	}
	if r.IntN(3) == 0 {
		text.WriteString("labels:\n" + []string{"- pairs: {a: z}\n", "- pairs: {a: b, c: d}\n  includeSelectors: false\n- pairs: {c: e}\n", "- pairs: {a: z}\n  includeSelectors: true\n", "- pairs: {a: 1}\n", "- pairs: {}\n"}[r.IntN(5)])
	}
	if r.IntN(3) == 0 { // the objects have been in another namespace
		below := []string{"namespace: inner\n", "namespace: inner\nlabels: [{pairs: {a: b}}]\n", ""}[r.IntN(3)]
		return "-- top/kustomization.yaml --\n" + strings.Replace(text.String(), "o.yaml", "below", 1) + "-- top/below/kustomization.yaml --\nresources: [o.yaml]\n" + below +
			"-- top/below/o.yaml --\n" + objects.String() + files.String()
	}
	if r.IntN(3) == 0 { // a component patches the objects of the folder that lists it
		part := strings.TrimPrefix(text.String(), "resources: [o.yaml]\n")
		return "-- top/kustomization.yaml --\nresources: [o.yaml]\ncomponents: [part]\n-- top/o.yaml --\n" + objects.String() +
			"-- top/part/kustomization.yaml --\napiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n" + part + strings.ReplaceAll(files.String(), "-- top/", "-- top/part/")
	}
	return "-- top/kustomization.yaml --\n" + text.String() + "-- top/o.yaml --\n" + objects.String() + files.String()
}

// listedItems are up to three items of a list, each of which one of the texts gives.
func listedItems(r *rand.Rand, texts ...string) string {
	var out []string
	for range 1 + r.IntN(3) - r.IntN(10)/9 {
		out = append(out, texts[r.IntN(len(texts))])
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// podSpec is a random spec of pods in YAML's flow style, in which each field is one of several times. What is odd in it,
// kustomize may refuse or change.
func podSpec(r *rand.Rand, times int) string {
	container := func(name string) string {
		fields := []string{"name: " + name}
		for _, f := range []func() string{
			func() string {
				return "image: " + []string{"i", "j:1", "reg.example:80/i:1@sha256:ab", "i@sha256:ab", "reg/i", "~", ""}[r.IntN(7)]
			},
			func() string { return "args: " + listedItems(r, "x", "y", "'1'") },
			func() string { return "resources: {limits: {cpu: " + strconv.Itoa(r.IntN(3)) + "}}" },
			func() string {
				return "env: " + listedItems(r, "{name: A, value: '1'}", "{name: B, value: '2'}", "{name: A, valueFrom: {fieldRef: {fieldPath: x}}}", "{name: C}", "{value: d}")
			},
			func() string {
				return "ports: " + listedItems(r, "{containerPort: 80}", "{containerPort: 81, name: http}", "{containerPort: 80, protocol: UDP}", "{containerPort: 81, protocol: TCP}")
			},
			func() string {
				return "volumeMounts: " + listedItems(r, "{name: v, mountPath: /v}", "{name: v, mountPath: /w, subPath: w}", "{name: w, mountPath: /v}", "{name: x, mountPath: ~}")
			},
			func() string {
				return "livenessProbe: {httpGet: {path: /, port: 80, httpHeaders: [{name: a, value: b}]}}"
			},
		} {
			if r.IntN(times) == 0 {
				fields = append(fields, f())
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	var fields []string
	for _, f := range []func() string{
		func() string { return "containers: " + listedItems(r, container("a"), container("b"), container("c")) },
		func() string { return "containers: [" + container("a") + ", " + container("b") + "]" },
		func() string { return "initContainers: [" + container("i") + "]" },
		func() string {
			return "volumes: " + listedItems(r, "{name: v, emptyDir: {}}", "{name: w, configMap: {name: c, items: [{key: k, path: p}]}}", "{name: v, secret: {secretName: s}}", "{name: x, image: {reference: 'i:2'}}")
		},
		func() string {
			return "tolerations: " + listedItems(r, "{key: a, operator: Exists}", "{key: a, effect: NoSchedule}")
		},
		func() string {
			return "topologySpreadConstraints: " + listedItems(r, "{topologyKey: z, whenUnsatisfiable: DoNotSchedule, maxSkew: 1}", "{topologyKey: h, maxSkew: 2}")
		},
		func() string {
			return "hostAliases: " + listedItems(r, "{ip: 10.0.0.1, hostnames: [a]}", "{ip: 10.0.0.2, hostnames: [b]}")
		},
		func() string { return "imagePullSecrets: " + listedItems(r, "{name: s}", "{name: t}") },
		func() string { return "serviceAccountName: " + []string{"x", "~", "1", ""}[r.IntN(4)] },
		func() string { return "nodeSelector: {a: b}" },
	} {
		field := f()
		name, _, _ := strings.Cut(field, ":")
		if r.IntN(times) == 0 && !slices.ContainsFunc(fields, func(other string) bool { return strings.HasPrefix(other, name+":") }) {
			fields = append(fields, field)
		}
	}
	return "{" + strings.Join(append(fields, "restartPolicy: Always"), ", ") + "}"
}

// images are entries of a kustomization that set images, or nothing.
func images(r *rand.Rand) string {
	if r.IntN(2) == 0 {
		return ""
	}
	return "images: " + listedItems(r, "{name: i, newTag: '3'}", "{name: i, newName: other/k}", "{name: reg.example:80/i, newTag: v2}", "{name: .*, digest: 'sha256:cd'}",
		"{name: i, newTag: 'on'}", "{name: j, newTag: 2}", "{name: i, tagSuffix: -x}", "{name: '['}", "{name: i, newName: 'yes'}", "{name: reg/i, newName: i, newTag: '4', digest: 'sha256:ef'}") + "\n"
}

// workloadTree is a folder with an object of one of Kubernetes' own kinds and a strategic-merge patch of it.
func workloadTree(r *rand.Rand) string {
	meta := []string{"name: a", "name: a", "name: a, labels: {a: b}", "name: a, finalizers: [f, f]"}
	kind := r.IntN(4)
	document := func(meta string, times int) string {
		metadata := "metadata: {" + meta + "}\n"
		labels := []string{"", "metadata: {labels: {a: b}}, ", "metadata: {annotations: {c: d}}, "}[r.IntN(3)]
		switch kind {
		case 0:
			return "apiVersion: v1\nkind: Service\n" + metadata + "spec: {ports: " + listedItems(r, "{port: 80}", "{port: 81, protocol: TCP}", "{port: 80, protocol: UDP}") +
				", selector: {a: " + strconv.Itoa(r.IntN(2)) + "x}, externalIPs: " + listedItems(r, "192.0.2.1", "192.0.2.2") + "}\n"
		case 1:
			return "apiVersion: batch/v1\nkind: CronJob\n" + metadata + "spec: {schedule: '@daily', jobTemplate: {spec: {template: {" + labels + "spec: " + podSpec(r, times) + "}}}}\n"
		case 2:
			return "apiVersion: v1\nkind: Pod\n" + metadata + "spec: " + podSpec(r, times) + "\n"
		}
		return "apiVersion: apps/v1\nkind: Deployment\n" + metadata + "spec: {replicas: " + strconv.Itoa(r.IntN(3)) + ", template: {" + labels + "spec: " + podSpec(r, times) + "}}\n"
	}
	var out strings.Builder
	out.WriteString("-- top/kustomization.yaml --\nresources: [o.yaml]\npatches: [{path: p0.yaml}, {path: p1.yaml}]\n" + images(r) + "-- top/o.yaml --\n" + document(meta[max(0, r.IntN(12)-8)], 4))
	for i := range 2 {
		fmt.Fprintf(&out, "-- top/p%d.yaml --\n%s", i, document(meta[r.IntN(3)], 8))
	}
	return out.String()
}

// plainTree is a tree of kustomizations, some of which kustomize refuses.
func plainTree(r *rand.Rand) string {
	var out strings.Builder
	number := 0
	objects := func() string {
		var docs []string
		for range 1 + r.IntN(3) {
			number++
			kinds := [][2]string{
				{"v1", "Namespace"},
				{"v1", "ConfigMap"},
				{"v1", "ConfigMap"},
				{"v1", "Service"},
				{"gateway.networking.k8s.io/v1", "HTTPRoute"},
				{"gateway.networking.k8s.io/v1", "Gateway"},
				{"gateway.networking.k8s.io/v1", "GatewayClass"},
				{"rbac.authorization.k8s.io/v1", "ClusterRole"},
				{"apiextensions.k8s.io/v1", "CustomResourceDefinition"},
				{"example.com/v1", "Namespace"},
			}
			kind := kinds[r.IntN(len(kinds))]
			name := fmt.Sprint("n", number)
			if r.IntN(25) == 0 {
				name = "n1" // in another namespace or, as kustomize sees it, twice
			}
			doc := fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata:\n  name: %s\n", kind[0], kind[1], name)
			for _, lines := range [][]string{
				{"  namespace: written\n"},
				{"  labels: {a: b}\n", "  labels: {a: 1}\n"},
				{"  generateName: x\n"},
				{"  annotations: {a: 'true', b: \"1\"}\n", "  annotations: {}\n", "  annotations: {config.kubernetes.io/local-config: 'true'}\n"},
			} {
				if r.IntN(7) == 0 {
					doc += lines[r.IntN(len(lines))]
				}
			}
			if r.IntN(3) == 0 {
				doc += "spec: {a: [1, '2', {b: null}], c: \"a: b\", d: ~, e: 1.50, f: '', g: \"${X}\"}\n"
			}
			if r.IntN(100) == 0 {
				doc += "data: [a, null]\n"
			}
			if r.IntN(150) == 0 {
				doc = fmt.Sprintf("apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: Service, metadata: {name: %s}}]\n", name)
			}
			docs = append(docs, doc)
		}
		return strings.Join(docs, "---\n")
	}
	var folder func(dir, kind string, depth int)
	folder = func(dir, kind string, depth int) {
		var text strings.Builder
		switch {
		case kind == "Component":
			text.WriteString("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n")
		case r.IntN(2) == 0:
			text.WriteString("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n")
		}
		text.WriteString("resources:\n")
		for i := range 1 + r.IntN(3) {
			if depth > 0 && r.IntN(3) == 0 {
				name := fmt.Sprint("f", i)
				fmt.Fprintf(&text, "- ./%s\n", name)
				folder(path.Join(dir, name), "Kustomization", depth-1)
				continue
			}
			fmt.Fprintf(&text, "- o%d.yaml\n", i)
			fmt.Fprintf(&out, "-- %s/o%d.yaml --\n%s", dir, i, objects())
		}
		if r.IntN(6) == 0 {
			fmt.Fprintf(&text, "configMapGenerator:\n- name: g%d\n  %s\n", r.IntN(4), []string{
				"files: [a.txt]", "files: [b=a.txt, a.txt]", "files: [a.txt, a.txt]", "files: ['b c=a.txt']", "literals: [a=b, c='d']", "literals: [a=b, c]",
				"literals: [a=b]", "literals: [a=]", "files: [a.txt]\n  literals: [a.txt=c]", "files: [a.txt]\n  behavior: merge", "envs: [a.txt]", "namespace: other", "files: null",
				"options: {disableNameSuffixHash: true, labels: {a: b}}", "options: {labels: {a: yes}}", "literals: []",
			}[r.IntN(16)])
			fmt.Fprintf(&out, "-- %s/a.txt --\n%s", dir, []string{"a: [\n", "1", "yes\n\n", "  a\n", "\"x\" # y \n\tz: {\n", "2024-01-02", "é\u00a0", "a\r\nb"}[r.IntN(8)])
			text.WriteString([]string{"", "", "", "generatorOptions: {disableNameSuffixHash: true}\n", "generatorOptions: {annotations: {a: b}, immutable: true}\n", "generatorOptions: {labels: b}\n"}[r.IntN(6)])
		}
		if depth > 0 && r.IntN(3) == 0 {
			text.WriteString("components: [part]\n")
			folder(path.Join(dir, "part"), []string{"Component", "Component", "Component", "Kustomization"}[r.IntN(4)], depth-1)
		}
		if r.IntN(2) == 0 {
			fmt.Fprintf(&text, "namespace: ns%d\n", r.IntN(3))
		}
		fmt.Fprintf(&out, "-- %s/kustomization.yaml --\n%s", dir, text.String())
	}
	folder("top", "Kustomization", 2)
	return out.String()
}

// The positions of texts and numbers in what is built directly are those of a build by kustomize, which an order of
// objects needs.
func TestDirectPlaces(t *testing.T) {
	trees := 400
	if testing.Short() {
		trees /= 5
	}
	const top = "-- top/kustomization.yaml --\n"
	for seed := range uint64(trees) {
		text := []func(*rand.Rand) string{plainTree, patchedTree}[seed%2](rand.New(rand.NewPCG(seed, 2)))
		before, after, _ := strings.Cut(text, top)
		content, rest, more := strings.Cut(after, "-- ")
		ordered := before + top + content + "sortOptions: {order: fifo}\n"
		if more {
			ordered += "-- " + rest
		}
		if got, want := leafPlaces(render(t, text, Options{})), leafPlaces(render(t, ordered, Options{})); got != want {
			t.Fatalf("seed %d:\n%s\nby kustomize:\n%s\n%s", seed, got, want, text)
		}
	}
}

// leafPlaces are the scalars of a snapshot with their positions, and its problems.
func leafPlaces(s *loader.Snapshot) string {
	var out []string
	for _, e := range s.Environments {
		for _, o := range e.Objects {
			var walk func(v *loader.Value, path string)
			walk = func(v *loader.Value, path string) {
				if !tree.Nested(v) {
					out = append(out, fmt.Sprint(o.ID, path, "=", v.Text, " ", o.Position(v)))
				}
				for _, f := range v.Fields {
					walk(f.Value, path+"/"+f.Key)
				}
				for i, item := range v.Items {
					walk(item, fmt.Sprint(path, "/", i))
				}
			}
			walk(o.Root, "")
		}
	}
	for _, p := range s.Problems {
		out = append(out, p.Code+" "+p.Message)
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}
