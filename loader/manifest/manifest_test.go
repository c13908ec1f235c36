package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gwplan/gwplan/loader/manifest"
)

// outline writes what a file yields, one fact a line.
func outline(f *manifest.File) []string {
	var out []string
	for _, d := range f.Documents {
		out = append(out, fmt.Sprintf("%d %s/%s %s %s/%s", d.Line, d.Group, d.Version, d.Kind, d.Namespace, d.Name))
	}
	var skipped []string
	for key, n := range f.Skipped {
		skipped = append(skipped, fmt.Sprintf("skipped %s %d", key, n))
	}
	if len(skipped) > 1 {
		skipped = []string{strings.Join(sorted(skipped), ", ")}
	}
	out = append(append(out, skipped...), problems(f.Problems)...)
	if !f.Manifest {
		out = append(out, "no manifest")
	}
	return out
}

func sorted(s []string) []string {
	for i := range s {
		for j := i; j > 0 && s[j] < s[j-1]; j-- {
			s[j], s[j-1] = s[j-1], s[j]
		}
	}
	return s
}

const head = "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n"

func TestDecode(t *testing.T) {
	for name, tc := range map[string]struct {
		in   string
		want []string
	}{
		"kept and skipped": {
			"---\n" + deployment + "---\n" + route + "---\n" + deployment,
			[]string{"20 gateway.networking.k8s.io/v1 HTTPRoute shop/pay", "skipped apps/Deployment 2"},
		},
		"core": {
			"apiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n",
			[]string{"1 /v1 Namespace /a"},
		},
		"unknown kind with a target":   {"apiVersion: x.io/v1\nkind: P\nmetadata: {name: a}\nspec: {targetRef: {}}\n", []string{"1 x.io/v1 P /a"}},
		"unknown kind, escaped target": {"apiVersion: x.io/v1\nkind: P\nmetadata: {name: a}\nspec: {\"target\\x52ef\": {}}\n", []string{"1 x.io/v1 P /a"}},
		"unknown kind, alias":          {"apiVersion: x.io/v1\nkind: P\nmetadata: {name: a}\nspec: &x {}\n", []string{"1 x.io/v1 P /a"}},
		"unknown kind without":         {"apiVersion: x.io/v1\nkind: P\nmetadata: {name: a}\nspec: {}\n", []string{"skipped x.io/P 1"}},
		"unknown kind, flow":           {"{apiVersion: x.io/v1, kind: P, metadata: {name: a}}\n", []string{"skipped x.io/P 1"}},
		"a List is opened": {
			"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Service\n  metadata: {name: a}\n- apiVersion: apps/v1\n  kind: Deployment\n" +
				"- apiVersion: v1\n  kind: List\n  items:\n  - {apiVersion: v1, kind: Secret, metadata: {name: b}}\n",
			[]string{"4 /v1 Service /a", "12 /v1 Secret /b", "skipped apps/Deployment 1"},
		},
		"a typed list implies the kind": {
			"apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRouteList\nmetadata: {}\nitems:\n- metadata: {name: a}\n- metadata: {name: b}\n",
			[]string{"5 gateway.networking.k8s.io/v1 HTTPRoute /a", "6 gateway.networking.k8s.io/v1 HTTPRoute /b"},
		},
		"a kind that only ends in List": {
			"apiVersion: v1\nkind: AllowList\nmetadata: {name: a}\nitems: {}\n", []string{"1 /v1 AllowList /a"},
		},
		"an empty list":       {"apiVersion: v1\nkind: List\nitems: []\n", nil},
		"no manifest":         {"a: 1\n---\nb: [\n", []string{"no manifest"}},
		"no manifest, values": {"replicas: 1\nkind: x\n", []string{"no manifest"}},
		"escaped words":       {"\"api\\x56ersion\": v1\n\"kin\\x64\": Service\nmetadata: {name: a}\n", []string{"1 /v1 Service /a"}},
		"words in a comment, broken": {
			"# apiVersion and kind\na: [\n", []string{"error yaml-syntax 2: did not find expected node content"},
		},
		"other documents beside":         {"a: 1\n---\n" + head, []string{"3 /v1 Service /s"}},
		"no name":                        {"apiVersion: v1\nkind: Service\nmetadata:\n  namespace: a\n", []string{"error missing-name 3:1: the Service has no metadata.name"}},
		"no metadata":                    {"apiVersion: v1\nkind: Service\n", []string{"error missing-name 1:1: the Service has no metadata.name"}},
		"empty name":                     {"apiVersion: v1\nkind: Service\nmetadata: {name: ''}\n", []string{"error missing-name 3:1: the Service has no metadata.name"}},
		"a name that is not a text":      {"apiVersion: v1\nkind: Service\nmetadata:\n  name: y\n", []string{"error missing-name 4:9: the name of the Service is not a string"}},
		"a namespace that is not a text": {"apiVersion: v1\nkind: Service\nmetadata: {name: a, namespace: no}\n", []string{"error bad-namespace 3:32: the namespace of the Service is not a string"}},
		"an empty namespace":             {"apiVersion: v1\nkind: Service\nmetadata: {name: a, namespace: }\n", []string{"1 /v1 Service /a"}},
		"generateName":                   {"apiVersion: v1\nkind: Service\nmetadata:\n  generateName: y-\n", []string{"1 /v1 Service /"}},
		"no apiVersion": {
			"kind: HTTPRoute\nmetadata: {name: a}\nspec: {parentRefs: [{name: g}]}\n", []string{"error missing-api-version 1:1: the HTTPRoute \"a\" has no apiVersion"},
		},
		"no kind": {
			"apiVersion: gateway.networking.k8s.io/v1\nmetadata: {name: a}\nspec: {listeners: []}\n",
			[]string{"error missing-kind 1:1: the object \"a\" of gateway.networking.k8s.io/v1 has no kind"},
		},
		"no apiVersion, of no concern": {"kind: Pipeline\nmetadata: {name: a}\nspec: {steps: []}\n", []string{"no manifest"}},
		"no apiVersion, values":        {"kind: HTTPRoute\nmetadata: {name: a}\nparentRefs: []\n", []string{"no manifest"}},
		"no name, skipped":             {"apiVersion: apps/v1\nkind: Deployment\n", []string{"skipped apps/Deployment 1"}},
		"broken and good": {
			"apiVersion: v1\nkind: Service\nmetadata: {name: [}\n---\n" + head,
			[]string{"5 /v1 Service /s", "error yaml-syntax 3: did not find expected node content"},
		},
		"template among manifests": {
			head + "---\n{{- if .x }}\n" + head + "{{- end }}\n",
			[]string{"1 /v1 Service /s", "warning template 5:1: the document is an unrendered template, not a manifest"},
		},
		"a template of a kind that cannot matter": {
			"apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {{ .x }}\n", []string{"skipped apps/Deployment 1"},
		},
		"pointer": {
			"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
			[]string{"warning lfs-pointer 1:1: the file is a Git LFS pointer, its content is not in the repository", "no manifest"},
		},
		"UTF-16":              {wide(head), []string{"error wide-encoding 1:1: the file is UTF-16, not UTF-8"}},
		"UTF-16, no manifest": {wide("a: 1\n"), []string{"no manifest"}},
		"BOM":                 {"\ufeff" + head, []string{"1 /v1 Service /s"}},
		"BOM before a mark":   {"\ufeff---\n" + head, []string{"2 /v1 Service /s"}},
		"CRLF":                {strings.ReplaceAll("---\n"+head+"---\n"+route, "\n", "\r\n"), []string{"2 /v1 Service /s", "6 gateway.networking.k8s.io/v1 HTTPRoute shop/pay"}},
		"not marks":           {head + "data:\n  a: |\n    ---\n    x\n  b: ----\n", []string{"1 /v1 Service /s"}},
		"mark at the end":     {head + "---", []string{"1 /v1 Service /s"}},
		"JSON":                {`{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}}`, []string{"1 /v1 Service /s"}},
		"directive":           {"%YAML 1.1\n---\n" + head, []string{"3 /v1 Service /s", "warning document-mark 1:1: a directive stands before a document: deployers do not agree on what the document is"}},
		"directive of today":  {"%YAML 1.2\n---\n" + head, []string{"3 /v1 Service /s", "warning document-mark 1:1: a directive stands before a document: deployers do not agree on what the document is"}},
		// A lone CR ends the comment for the parser alone.
		"a mark with a line break": {"a: b\n--- #\r" + strings.ReplaceAll("{apiVersion: v1, kind: Service, metadata: {name: s}}", "\n", ""), []string{"2 /v1 Service /s", "warning document-mark 2:1: the line of a document mark has a line break other than LF: deployers do not agree on what the document is"}},
		"a mark with a document":   {"--- {apiVersion: v1, kind: Service, metadata: {name: s}}\n", []string{"1 /v1 Service /s", "warning document-mark 1:1: the line of a document mark has content: deployers do not agree on what the document is"}},
		"a mark with a comment":    {"--- # Source: a\n" + head, []string{"2 /v1 Service /s"}},
		"a merge after its key": {
			"apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {type: NodePort, <<: {type: ClusterIP}}\n",
			[]string{"1 /v1 Service /s", "warning merge-key 4:28: the merge brings \"type\", which stands before it with another value: deployers do not agree on which counts"},
		},
		"a merge after its key that says the same": {"apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {type: NodePort, <<: {type: NodePort}}\n", []string{"1 /v1 Service /s"}},
		"SOPS, a Secret": {
			"apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {b: \"ENC[AES256_GCM,data:x]\"}\nsops: {mac: x, version: 3}\n",
			[]string{"1 /v1 Secret /a", "note sops 5:1: the Secret is encrypted with SOPS, its encrypted values are unknown"},
		},
		"SOPS, a route": {
			"apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: a}\nspec: {hostnames: [\"ENC[AES256_GCM,data:x]\"]}\n",
			[]string{"1 gateway.networking.k8s.io/v1 HTTPRoute /a", "warning sops 1:1: the HTTPRoute is encrypted with SOPS, its encrypted values are unknown"},
		},
		"SOPS, all of it": {
			"apiVersion: v1\nkind: ENC[AES256_GCM,data:x]\nmetadata: {name: \"ENC[AES256_GCM,data:x]\"}\nsops: {mac: x}\n",
			[]string{"warning sops 4:1: the <encrypted> is encrypted with SOPS, including its metadata, so gwplan cannot identify it"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, all := range []bool{false, true} {
				got := outline(manifest.Decode([]byte(tc.in), manifest.Options{Relevance: appsOnly, ParseAll: all}))
				want := tc.want
				if all && strings.HasPrefix(name, "a template of") {
					want = []string{"warning template 4:10: the document is an unrendered template, not a manifest"}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("parse all %v: -want +got:\n%s", all, diff)
				}
			}
		})
	}
}

func wide(s string) string {
	var b strings.Builder
	b.WriteString("\xff\xfe")
	for i := range len(s) {
		b.WriteByte(s[i])
		b.WriteByte(0)
	}
	return b.String()
}

func TestParseAllFindsBrokenDocuments(t *testing.T) {
	in := []byte("apiVersion: apps/v1\nkind: Deployment\nmetadata: [\n---\n" + head)
	if got := outline(manifest.Decode(in, manifest.Options{Relevance: appsOnly})); !cmp.Equal(got, []string{"5 /v1 Service /s", "skipped apps/Deployment 1"}) {
		t.Errorf("by bytes: %v", got)
	}
	got := outline(manifest.Decode(in, manifest.Options{Relevance: appsOnly, ParseAll: true}))
	if !cmp.Equal(got, []string{"5 /v1 Service /s", "error yaml-syntax 3: did not find expected node content"}) {
		t.Errorf("all: %v", got)
	}
}

func TestDocumentsLimit(t *testing.T) {
	in := repeat(3, deployment, route)
	f := manifest.Decode(in, manifest.Options{Relevance: appsOnly, Limits: manifest.Limits{Documents: 4}})
	if len(f.Documents) != 2 || f.Skipped["apps/Deployment"] != 2 || len(f.Problems) != 1 || f.Problems[0].Code != "limit-documents" {
		t.Errorf("%v", outline(f))
	}
}

// TestProblemsAreClamped, with the number of those left out.
func TestProblemsAreClamped(t *testing.T) {
	in := strings.Repeat("---\napiVersion: v1\nkind: [\n", 250)
	for _, in := range []string{in, in + "...\n"} {
		f := manifest.Decode([]byte(in), manifest.Options{})
		last := f.Problems[len(f.Problems)-1]
		if len(f.Problems) != 101 || last.Code != "limit-problems" || !strings.Contains(last.Message, "150 more") {
			t.Errorf("%d problems, the last: %v", len(f.Problems), last)
		}
	}
}

// TestSecretsAreForgotten: the marker stands wherever a Secret keeps secrets.
func TestSecretsAreForgotten(t *testing.T) {
	const secret = `kind: Secret
apiVersion: v1
metadata:
  name: a
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"data":{"k":"MARKER"}}'
    keep: this
data:
  k: MARKER
stringData: {k: MARKER, l: [MARKER]}
type: Opaque
`
	list := "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(secret), "\n", "\n  ") + "\n"
	for _, in := range []string{secret, list} {
		f := manifest.Decode([]byte(in), manifest.Options{})
		if len(f.Documents) != 1 {
			t.Fatal(outline(f))
		}
		root := f.Documents[0].Root
		if got := leaves(root); strings.Contains(got, "MARKER") {
			t.Errorf("the body is there:\n%s", got)
		}
		// The names of the entries say which variables a Secret sets.
		if k := root.Get("data", "k"); k == nil || k.Text != "" || !k.Opaque {
			t.Errorf("data.k is %+v, want an unknown text", k)
		}
		if root.Str("type") != "Opaque" || root.Str("metadata", "annotations", "keep") != "this" || root.Str("metadata", "name") != "a" {
			t.Errorf("the rest is gone:\n%s", leaves(root))
		}
	}
	other := manifest.Decode([]byte(strings.Replace(secret, "apiVersion: v1", "apiVersion: x.io/v1", 1)), manifest.Options{})
	if other.Documents[0].Root.Get("data") == nil {
		t.Error("a Secret of another group lost its data")
	}
}

func TestSOPSValuesAreOpaque(t *testing.T) {
	f := manifest.Decode([]byte("apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {x: \"ENC[AES256_GCM,data:x]\", w: z}\nsops: {mac: m, version: 3}\n"), manifest.Options{})
	root := f.Documents[0].Root
	if !root.Get("spec", "x").Opaque || root.Get("spec", "w").Opaque {
		t.Error("what is encrypted is not what is opaque")
	}
	if root.Get("sops") != nil {
		t.Error("the metadata of SOPS is kept")
	}
}

// TestImpliedKindIsInTheObject, so that the object can be printed as one.
func TestImpliedKindIsInTheObject(t *testing.T) {
	f := manifest.Decode([]byte("apiVersion: v1\nkind: ServiceList\nitems:\n- metadata: {name: a}\n"), manifest.Options{})
	want := "={}@4:3\n/apiVersion=\"v1\"@1:13\n/kind=\"Service\"@2:7\n/metadata={}@4:3\n/metadata/name=\"a\"@4:20\n"
	if got := leaves(f.Documents[0].Root); got != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestRelevanceIsAskedOncePerKind(t *testing.T) {
	asked := map[string]int{}
	manifest.Decode(repeat(5, route, policy, deployment), manifest.Options{Relevance: func(group, kind string) manifest.Relevance {
		asked[group+"/"+kind]++
		return manifest.Needed
	}})
	want := map[string]int{"gateway.networking.k8s.io/HTTPRoute": 1, "gateway.envoyproxy.io/BackendTrafficPolicy": 1, "apps/Deployment": 1}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Error(diff)
	}
}

func TestNothingOfTheBytesIsKept(t *testing.T) {
	data := []byte(route)
	f := manifest.Decode(data, manifest.Options{})
	before := leaves(f.Documents[0].Root)
	for i := range data {
		data[i] = 'x'
	}
	if leaves(f.Documents[0].Root) != before || f.Documents[0].Kind != "HTTPRoute" {
		t.Error("the document changes with the caller's buffer")
	}
}
