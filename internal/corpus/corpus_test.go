package corpus_test

import (
	"bytes"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/gwplan/gwplan/internal/corpus"
)

// documents splits files; the only document ends at the start of a line are the
// generator's own.
func documents(f corpus.Files) []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(f)) {
		all = append(all, strings.Split(string(f[name]), "\n---\n")...)
	}
	return all
}

// corpora are all of them, in small.
func corpora() map[string]func() corpus.Files {
	const seed = 1
	return map[string]func() corpus.Files{
		"realistic, before":      func() corpus.Files { a, _ := corpus.Realistic(1000, seed); return a },
		"realistic, after":       func() corpus.Files { _, b := corpus.Realistic(1000, seed); return b },
		"adversarial":            func() corpus.Files { return corpus.Adversarial(corpus.Small(), seed) },
		"policy-machinery, few":  func() corpus.Files { return corpus.PolicyMachinery(30, corpus.Few) },
		"policy-machinery, each": func() corpus.Files { return corpus.PolicyMachinery(30, corpus.Each) },
		"egctl":                  func() corpus.Files { return corpus.Egctl(1100) },
	}
}

func TestSameArgumentsSameBytes(t *testing.T) {
	equal := func(a, b corpus.Files) bool { return maps.EqualFunc(a, b, bytes.Equal) }
	for name, generate := range corpora() {
		if !equal(generate(), generate()) {
			t.Errorf("%s differs from itself", name)
		}
	}
	a, _ := corpus.Realistic(1000, 1)
	b, _ := corpus.Realistic(1000, 2)
	if equal(a, b) || equal(corpus.Adversarial(corpus.Small(), 1), corpus.Adversarial(corpus.Small(), 2)) {
		t.Error("two seeds give the same files")
	}
}

// Every document is YAML without duplicate keys and names an object, and no file
// is larger than what gwplan reads.
func TestManifests(t *testing.T) {
	for name, generate := range corpora() {
		files := generate()
		for file, content := range files {
			if len(content) > 2<<20 {
				t.Errorf("%s: %s has %d bytes", name, file, len(content))
			}
		}
		for _, document := range documents(files) {
			var object map[string]any
			if err := yaml.UnmarshalStrict([]byte(document), &object); err != nil {
				t.Errorf("%s: %v\n%s", name, err, document)
				continue
			}
			metadata, _ := object["metadata"].(map[string]any)
			if object["apiVersion"] == nil || object["kind"] == nil || metadata["name"] == nil && object["kind"] != "Kustomization" {
				t.Errorf("%s: no object:\n%s", name, document)
			}
		}
	}
}

// counts are what the project's measured numbers belong to.
type counts struct {
	files, documents, kilobytes, blobs, newBlobs, overlays int
}

func count(a, b corpus.Files) counts {
	c := counts{files: len(a), documents: len(documents(a))}
	blobs := map[string]bool{}
	for name, content := range a {
		c.kilobytes += len(content)
		blobs[string(content)] = true
		if strings.HasPrefix(name, "clusters/") && path.Base(name) == "kustomization.yaml" {
			c.overlays++
		}
	}
	c.kilobytes /= 1000
	c.blobs = len(blobs)
	for _, content := range b {
		if !blobs[string(content)] {
			c.newBlobs++
		}
	}
	return c
}

func TestRealisticCounts(t *testing.T) {
	for docs, want := range map[int]counts{
		1_000:  {718, 1_001, 800, 459, 7, 21},
		10_000: {7_098, 9_381, 7_500, 3_329, 67, 230},
	} {
		got := count(corpus.Realistic(docs, 1))
		for _, n := range [][2]int{
			{got.files, want.files},
			{got.documents, want.documents},
			{got.kilobytes, want.kilobytes},
			{got.blobs, want.blobs},
			{got.newBlobs, want.newBlobs},
			{got.overlays, want.overlays},
		} {
			if math.Abs(float64(n[0]-n[1])) > 0.15*float64(n[1]) {
				t.Errorf("%d documents: %+v, want about %+v", docs, got, want)
				break
			}
		}
	}
}

// One file in a hundred is edited in place; no file comes or goes.
func TestRealisticEdits(t *testing.T) {
	a, b := corpus.Realistic(10_000, 1)
	if !slices.Equal(slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b))) {
		t.Fatal("files came or went")
	}
	edited, weights := 0, 0
	for name := range a {
		before, after := string(a[name]), string(b[name])
		if before == after {
			continue
		}
		edited++
		if path.Base(name) == "kustomization.yaml" {
			t.Errorf("%s is edited", name)
		}
		if strings.Contains(before, " weight: ") {
			weights++
		}
	}
	if want := len(a) / 100; edited < want*9/10 || edited > want || weights == 0 {
		t.Errorf("%d of %d files edited, %d with weights", edited, len(a), weights)
	}
}

// Every path that a kustomization names is in the tree.
func TestRealisticKustomizations(t *testing.T) {
	a, _ := corpus.Realistic(1000, 1)
	kustomizations := 0
	for name, content := range a {
		if path.Base(name) != "kustomization.yaml" {
			continue
		}
		kustomizations++
		var k struct {
			Resources []string
			Patches   []struct{ Path string }
		}
		if err := yaml.Unmarshal(content, &k); err != nil {
			t.Fatal(err)
		}
		for _, patch := range k.Patches {
			k.Resources = append(k.Resources, patch.Path)
		}
		for _, resource := range k.Resources {
			target := path.Join(path.Dir(name), resource)
			_, file := a[target]
			if _, base := a[target+"/kustomization.yaml"]; !file && !base {
				t.Errorf("%s names %s, which is not there", name, target)
			}
		}
	}
	if kustomizations == 0 {
		t.Error("no kustomizations")
	}
}

// kinds counts documents by kind.
func kinds(f corpus.Files) map[string]int {
	n := map[string]int{}
	for _, document := range documents(f) {
		_, rest, _ := strings.Cut(document, "kind: ")
		kind, _, _ := strings.Cut(rest, "\n")
		n[kind]++
	}
	return n
}

func TestKinds(t *testing.T) {
	for name, tt := range map[string]struct {
		files corpus.Files
		want  map[string]int
	}{
		"adversarial": {
			corpus.Adversarial(corpus.Small(), 1),
			map[string]int{"GatewayClass": 1, "Namespace": 1, "Gateway": 5, "HTTPRoute": 100, "Service": 20, "TimeoutPolicy": 150},
		},
		"policy-machinery, few": {
			corpus.PolicyMachinery(1000, corpus.Few),
			map[string]int{"GatewayClass": 1, "Gateway": 3, "HTTPRoute": 1000, "Service": 1000, "ColorPolicy": 12},
		},
		"policy-machinery, each": {
			corpus.PolicyMachinery(1000, corpus.Each),
			map[string]int{"GatewayClass": 1, "Gateway": 3, "HTTPRoute": 1000, "Service": 1000, "ColorPolicy": 4008},
		},
		"egctl": {
			corpus.Egctl(1000),
			map[string]int{
				"GatewayClass": 1, "Namespace": 1, "Gateway": 3, "SecurityPolicy": 3,
				"HTTPRoute": 1000, "Service": 1000, "BackendTrafficPolicy": 103,
			},
		},
	} {
		if diff := cmp.Diff(tt.want, kinds(tt.files)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The adversarial repository is as wide as it says.
func TestAdversarialWidth(t *testing.T) {
	f := corpus.Adversarial(corpus.Small(), 1)
	for _, tt := range []struct {
		file, text string
		want       int
	}{
		{"gateways/gw-0.yaml", "\n    - name: l-", 64},
		{"routes/r-99.yaml", "{name: gw-", 5},
		{"routes/r-99.yaml", "{name: s-", 4 * 4},
		{"policies/gateway-49.yaml", "kind: Gateway,", 16},
		{"policies/service-0.yaml", "    field", 20},
	} {
		if got := strings.Count(string(f[tt.file]), tt.text); got != tt.want {
			t.Errorf("%s: %d times %q, want %d", tt.file, got, tt.text, tt.want)
		}
	}
}
