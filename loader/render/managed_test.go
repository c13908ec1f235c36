package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/kustomize"
)

const everywhere = `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: {name: all, namespace: policies}
spec: {}
`

func managedCluster(name string) string {
	return "---\napiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: {name: " + name + "}\nspec: {hubAcceptsClient: true}\n"
}

// distributed is a policy with some templates for objects, bound to all clusters.
func distributed(name string, templates ...string) string {
	return fmt.Sprintf(`---
apiVersion: policy.open-cluster-management.io/v1
kind: Policy
metadata: {name: %[1]s, namespace: policies}
spec:
  remediationAction: enforce
  policy-templates:
  - objectDefinition:
      apiVersion: policy.open-cluster-management.io/v1
      kind: ConfigurationPolicy
      metadata: {name: %[1]s}
      spec:
        object-templates: [%[2]s]
---
apiVersion: policy.open-cluster-management.io/v1
kind: PlacementBinding
metadata: {name: %[1]s, namespace: policies}
placementRef: {apiGroup: cluster.open-cluster-management.io, kind: Placement, name: all}
subjects: [{kind: Policy, apiGroup: policy.open-cluster-management.io, name: %[1]s}]
`, name, strings.Join(templates, ", "))
}

// has is a template for a Gateway with some fields.
func has(compliance, fields string) string {
	return fmt.Sprintf("{%s, objectDefinition: {apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: gw, namespace: infra}, %s}}", compliance, fields)
}

func hub(policies ...string) string {
	return archive("hub/all.yaml", everywhere+managedCluster("east")+strings.Join(policies, ""))
}

// TestEnforced holds how the templates of several policies make one object (config-policy-controller
// controllers/configurationpolicy_controller.go, handleKeys and mergeArrays).
func TestEnforced(t *testing.T) {
	const must, only, not = "complianceType: musthave", "complianceType: mustonlyhave", "complianceType: mustnothave"
	for name, c := range map[string]struct {
		policies []string
		want     string
		doubt    string
	}{
		"keys are added":                        {[]string{has(must, "spec: {a: b}"), has(must, "spec: {c: d}")}, "{a: b, c: d}", ""},
		"of a scalar the later one wins":        {[]string{has(must, "spec: {a: b}"), has(must, "spec: {a: c}")}, "{a: c}", "not certain"},
		"null leaves a map":                     {[]string{has(must, "spec: {a: {b: c}}"), has(must, "spec: {a: null}")}, "{a: {b: c}}", ""},
		"a list grows":                          {[]string{has(must, "spec: {a: [b]}"), has(must, "spec: {a: [c]}")}, "{a: [c, b]}", ""},
		"a list that has the items is left":     {[]string{has(must, "spec: {a: [b, c]}"), has(must, "spec: {a: [c]}")}, "{a: [b, c]}", ""},
		"items of one name are joined":          {[]string{has(must, "spec: {a: [{name: x, b: c}]}"), has(must, "spec: {a: [{name: x, d: e}]}")}, "{a: [{name: x, b: c, d: e}]}", ""},
		"the order of lists within items":       {[]string{has(must, "spec: {a: [{b: [c, d], e: f}]}"), has(must, "spec: {a: [{b: [d]}]}")}, "{a: [{b: [c, d], e: f}]}", ""},
		"an item of the template is taken once": {[]string{has(must, "spec: {a: [{b: c, d: e}, {b: c, d: f}]}"), has(must, "spec: {a: [{b: c}, {b: c, d: f}], g: h}")}, "{a: [{b: c, d: e}, {b: c, d: f}], g: h}", ""},
		"mustonlyhave replaces keys":            {[]string{has(must, "spec: {a: b, c: d}"), has(only, "spec: {a: b}")}, "{a: b}", "not certain"},
		"recreated":                             {[]string{has(must, "spec: {a: b}"), has(must+", recreateOption: Always", "spec: {c: d}")}, "{c: d}", "not certain"},
		"a name from a template":                {[]string{has(must, "spec: {a: b}"), strings.Replace(has(must, "spec: {c: d}"), "name: gw", "name: '{{ .ObjectName }}'", 1)}, "{a: b}", "its name is a template"},
		"skipped in the cluster":                {[]string{has(must, "spec: {a: b}"), has(must, "spec: {c: '{{ skipObject }}'}")}, "{a: b}", "whether it is skipped"},
		"removed":                               {[]string{has(must, "spec: {a: b}"), has(not, "spec: {}")}, "absent", ""},
	} {
		var policies []string
		for i, template := range c.policies {
			policies = append(policies, distributed(fmt.Sprintf("p%d", i), template))
		}
		s := render(t, hub(policies...), options())
		if got := inEast(s, "/spec"); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
		if got := fmt.Sprint(s.Problems); c.doubt == "" && got != "[]" || !strings.Contains(got, c.doubt) {
			t.Errorf("%s: problems %s", name, got)
		}
	}
}

// TestEnforcedMetadata holds that of metadata only labels and annotations are changed, and that templates of
// one policy are followed in their order.
func TestEnforcedMetadata(t *testing.T) {
	labelled := strings.Replace(has("complianceType: musthave", "spec: {a: b}"), "namespace: infra", "namespace: infra, labels: {a: b, c: d}", 1)
	only := strings.Replace(has("complianceType: musthave, metadataComplianceType: mustonlyhave", "spec: {a: b}"), "namespace: infra", "namespace: infra, labels: {a: b}, finalizers: [x]", 1)
	if got := inEast(render(t, hub(distributed("p", labelled, only)), options()), "/metadata"); got != "{name: gw, namespace: infra, labels: {a: b}}" {
		t.Error(got)
	}
	again := distributed("p", labelled, has("complianceType: mustnothave", "spec: {}"), has("complianceType: musthave", "spec: {e: f}"))
	if got := inEast(render(t, hub(again), options()), "/spec"); got != "{e: f}" {
		t.Error(got)
	}
}

// inEast returns one value of the Gateway in the cluster east.
func inEast(s *loader.Snapshot, path string) string {
	for _, e := range s.Environments {
		for _, o := range e.Objects {
			if e.Name == "east" && o.ID.Kind == "Gateway" {
				return flow(kustomize.Lookup(o.Root, kustomize.Pointer(path)))
			}
		}
	}
	return "absent"
}

// flow writes a value as YAML in flow style.
func flow(v *loader.Value) string {
	var parts []string
	switch v.Shape {
	case loader.Map:
		for _, f := range v.Fields {
			parts = append(parts, f.Key+": "+flow(f.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case loader.List:
		for _, item := range v.Items {
			parts = append(parts, flow(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	default:
		return v.Text
	}
}

// TestManyManagedClusters holds that what policies bring to clusters is bounded in all, by the number of objects, by
// what is copied and by what is compared, and that each cluster says that its objects are not all known.
func TestManyManagedClusters(t *testing.T) {
	long := "spec: {a: ['{{hub .ManagedClusterName hub}}'" + strings.Repeat(", b", 20_000) + "]}"
	apart := func(c string) string {
		var items []string
		for i := range 4_000 {
			items = append(items, fmt.Sprintf("{%s%d: x}", c, i))
		}
		return "spec: {a: [" + strings.Join(items, ", ") + "]}"
	}
	for name, c := range map[string]struct {
		clusters int
		policies []string
	}{
		"objects":  {1_000, slices.Repeat([]string{has("complianceType: musthave", "spec: {}")}, 1_500)},
		"copies":   {1_000, []string{has("complianceType: musthave", long)}},
		"compared": {10, []string{has("complianceType: musthave", apart("a")), has("complianceType: musthave", apart("b"))}},
	} {
		if testing.Short() {
			continue // each takes seconds
		}
		var b strings.Builder
		b.WriteString(everywhere)
		for i := range c.clusters {
			b.WriteString(managedCluster(fmt.Sprintf("c%d", i)))
		}
		b.WriteString(distributed("p", c.policies...))
		s := render(t, archive("hub/all.yaml", b.String()), options())
		if got := fmt.Sprint(s.Problems); !strings.Contains(got, fmt.Sprintf("what Open Cluster Management brings to %d managed clusters is too much to follow", c.clusters)) {
			t.Errorf("%s: problems %.300s", name, got)
		}
		if again := render(t, archive("hub/all.yaml", b.String()), options()); summary(again) != summary(s) {
			t.Errorf("%s: two runs differ", name)
		}
		for _, e := range s.Environments {
			if strings.HasPrefix(e.Name, "c") && e.By == loader.ByOCM && len(e.Gaps) == 0 {
				t.Errorf("%s: the environment %s has no gap", name, e.Name)
			}
		}
	}
}

// TestNotesOnWhatClustersKeep holds that the objects that clusters keep are named up to a bound, for all clusters of a
// hub together, and that the others are counted.
func TestNotesOnWhatClustersKeep(t *testing.T) {
	for n, more := range map[int]string{
		1:           "",
		maxKept / 2: "",
		maxKept:     "managed clusters keep 20 more objects, or parts of them",
	} {
		var templates []string
		for i := range n {
			templates = append(templates, strings.Replace(has("complianceType: musthave", "spec: {}"), "name: gw", fmt.Sprint("name: gw", i), 1))
		}
		clusters := managedCluster("east") + managedCluster("west")
		base := archive("hub/all.yaml", everywhere+clusters+distributed("p", templates...))
		head := archive("hub/all.yaml", everywhere+clusters+distributed("p", has("complianceType: musthave", "spec: {}")))
		s := renderAll(t, options(), base, head)[1]
		var kept []string
		for _, note := range s.Notes {
			if strings.Contains(note.Text, " keep") {
				kept = append(kept, note.Text)
			}
		}
		last := ""
		if len(kept) == maxKept+1 {
			last, kept = kept[maxKept], kept[:maxKept]
		}
		if len(kept) != min(2*n, maxKept) || last != more {
			t.Errorf("%d objects each: %d are named, then %q: %q", n, len(kept), last, s.Notes)
		}
		for _, e := range s.Environments {
			if e.By == loader.ByOCM && len(e.Objects) != n+1 {
				t.Errorf("%d objects: %s has %d", n, e.Name, len(e.Objects))
			}
		}
	}
}
