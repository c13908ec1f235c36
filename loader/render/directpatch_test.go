package render

import (
	"cmp"
	"strconv"
	"strings"
	"testing"
)

const releaseAndWidget = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: a, labels: {a: c}}
spec: {text: t, quoted: "t", number: 1, list: [1, 2], map: {x: y}, all: {of: {it: 0}}, some: {of: {it: 0, its: own}}, nothing: null}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: a}
spec: {text: t}
`

// Patches that merge plainly are applied without kustomize, as kustomize applies them. All others are left to it: it
// refuses them, or may have rules of its own for them.
func TestWhichPatchesNeedKustomize(t *testing.T) {
	const plain = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: _}\n"
	for what, c := range map[string]struct {
		// spec is what the usual patch sets, item stands in the entry of the patch; the others replace what is usual.
		target, item, patch, spec, objects string
		inline, direct                     bool
	}{
		"new keys":                       {spec: "{e: f, map: {z: 1}}", direct: true},
		"other scalars and lists":        {spec: "{text: u, number: 2, list: [3]}", direct: true},
		"in the kustomization":           {spec: "{number: 2}", inline: true, direct: true},
		"one of the objects":             {target: "{kind: HelmRelease, group: helm.*, version: v2, name: a}", spec: "{text: u}", direct: true},
		"none of the objects":            {target: "{kind: HelmRelease, name: b}", spec: "{text: u}", direct: true},
		"an empty expression":            {target: "{kind: HelmRelease, name: ''}"},
		"labels and annotations":         {patch: strings.Replace(plain, "name: _", "name: _, namespace: other, labels: {a: b}, annotations: {a: b}", 1), direct: true},
		"options":                        {item: ", options: {allowNameChange: true}"},
		"two documents":                  {patch: plain + "spec: {text: u}\n---\n" + plain + "spec: {number: 2}\n"},
		"no document":                    {patch: "# nothing\n"},
		"another version":                {patch: strings.Replace(plain, "/v2", "/v1", 1) + "spec: {number: 2}\n", direct: true},
		"null":                           {spec: "{number: null}"},
		"null in a new map":              {spec: "{e: {f: null}}"},
		"null in a list":                 {spec: "{list: [null]}"},
		"an empty map":                   {spec: "{map: {}}"},
		"an empty list":                  {spec: "{list: []}"},
		"an empty text":                  {spec: "{text: ''}"},
		"a directive":                    {spec: "{map: {$patch: replace, y: 1}}"},
		"a directive in a new map":       {spec: "{e: {$patch: replace, f: 1}}"},
		"a directive in a list":          {spec: "{list: [{$patch: replace}]}"},
		"no apiVersion":                  {patch: "kind: HelmRelease\nmetadata: {name: _}\nspec: {text: u}\n"},
		"no kind":                        {target: "{name: a}", patch: "apiVersion: helm.toolkit.fluxcd.io/v2\nmetadata: {name: _}\nspec: {text: u}\n"},
		"no name":                        {patch: "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {labels: {a: b}}\nspec: {text: u}\n"},
		"other metadata":                 {patch: strings.Replace(plain, "name: _", "name: _, generateName: x", 1)},
		"a label that is no text":        {patch: strings.Replace(plain, "name: _", "name: _, labels: {b: 1}", 1)},
		"an annotation that is no text":  {patch: strings.Replace(plain, "name: _", "name: _, annotations: {b: true}", 1)},
		"an annotation of kustomize":     {patch: strings.Replace(plain, "name: _", "name: _, annotations: {kustomize.config.k8s.io/behavior: merge}", 1)},
		"an annotation of its functions": {patch: strings.Replace(plain, "name: _", "name: _, annotations: {config.kubernetes.io/index: '7'}", 1)},
		"no target":                      {target: "null", spec: "{text: u}"},
		"neither target nor kind":        {target: "null", patch: "apiVersion: helm.toolkit.fluxcd.io/v2\nmetadata: {name: _}\nspec: {text: u}\n"},
		"a target of another kind":       {target: "{kind: Widget}", spec: "{text: u}"},
		"a target by labels":             {target: "{kind: HelmRelease, labelSelector: a=d}", spec: "{text: u}"},
		"a target by an expression for kinds": {
			target: "{kind: HelmReleas.}", patch: strings.Replace(plain, "kind: HelmRelease", "kind: HelmReleas.", 1) + "spec: {text: u}\n",
		},
		"a target by a number":         {target: "{kind: HelmRelease, name: 1}", spec: "{text: u}"},
		"no expression":                {target: "{kind: HelmRelease, name: '['}", spec: "{text: u}"},
		"a number for a text":          {spec: "{quoted: 1}"},
		"something for null":           {spec: "{nothing: 1}"},
		"a scalar for a list":          {spec: "{list: 1}"},
		"a list for a number":          {spec: "{number: [1]}"},
		"a scalar for a map":           {spec: "{map: 1}"},
		"a map for a number":           {spec: "{number: {a: b}}"},
		"a misfit within maps":         {spec: "{map: {x: {y: 1}}}"},
		"ports, which merge by number": {target: "{kind: Service}", patch: "apiVersion: v1\nkind: Service\nmetadata: {name: _}\nspec: {ports: [{port: 2}]}\n", objects: "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {ports: [{port: 1}]}\n"},
		"drivers, which merge by name": {target: "{kind: CSINode}", patch: "apiVersion: storage.k8s.io/v1\nkind: CSINode\nmetadata: {name: _}\nspec: {drivers: [{name: b, nodeID: b}]}\n", objects: "apiVersion: storage.k8s.io/v1\nkind: CSINode\nmetadata: {name: a}\nspec: {drivers: [{name: a, nodeID: a}]}\n"},
	} {
		t.Run(what, func(t *testing.T) {
			patch := cmp.Or(c.patch, plain)
			if c.spec != "" {
				patch += "spec: " + c.spec + "\n"
			}
			by := "path: p.yaml"
			if c.inline {
				by = "patch: " + strconv.Quote(patch)
			}
			if sameAsKustomize(t, "-- top/kustomization.yaml --\nresources: [o.yaml]\npatches: [{"+by+", target: "+cmp.Or(c.target, "{kind: HelmRelease}")+c.item+"}]\n"+
				"-- top/o.yaml --\n"+cmp.Or(c.objects, releaseAndWidget)+"-- top/p.yaml --\n"+patch) != c.direct {
				t.Errorf("built without kustomize: %t, want %t", !c.direct, c.direct)
			}
		})
	}
}

// A kustomization expects texts, and reads these words as booleans.
func TestTargetsByWordsOfBooleans(t *testing.T) {
	for _, word := range []string{"y", "N", "yes", "no", "On", "off", "true", "False"} {
		if sameAsKustomize(t, "-- top/kustomization.yaml --\nresources: [o.yaml]\npatches: [{path: p.yaml, target: {kind: HelmRelease, name: "+word+"}}]\n"+
			"-- top/o.yaml --\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\n"+
			"-- top/p.yaml --\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\nspec: {a: b}\n") {
			t.Errorf("%s: built without kustomize", word)
		}
	}
}

// An object that does not matter may matter once it is patched.
func TestPatchesMakeObjectsMatter(t *testing.T) {
	s := render(t, archive(
		"kustomization.yaml", "resources: [r.yaml]\npatches: [{path: p.yaml, target: {kind: Retry}}]\n",
		"r.yaml", manifestOf("example.com/v1", "Retry", "infra", "r")+"spec: {retries: 1}\n", "p.yaml", policy("", "_"),
	), options())
	if got := at(object(t, s, "Retry.example.com/infra/r"), "/spec/targetRef/name"); got != "gw p.yaml:6:70" {
		t.Errorf("got %q", got)
	}
}

// A patched value stands where it is written last, and a map where the object has it if something in it is the
// object's, whoever builds: options need kustomize, and these change nothing.
func TestPlacesInPatchedObjects(t *testing.T) {
	for path, spec := range map[string]string{
		"/spec":        "{number: 2}",
		"/spec/number": "{number: 2}",
		"/spec/list/0": "{list: [3]}",
		"/spec/map":    "{map: {z: 1}}",
		"/spec/map/x":  "{map: {z: 1}}",
		"/spec/map/z":  "{map: {z: 1}}",
		"/spec/all":    "{all: {of: {it: 1}}}",
		"/spec/all/of": "{all: {of: {it: 1}}}",
		"/spec/some":   "{some: {of: {it: 1}}}",
		"/spec/e":      "{e: {f: 1}}",
		"/spec/e/f":    "{e: {f: 1}}",
		"/kind":        "{number: 2}",
	} {
		place := func(more string) string {
			return at(object(t, render(t, archive(
				"kustomization.yaml", "resources: [o.yaml]\npatches:\n- target: {kind: HelmRelease}\n  patch: |-\n    apiVersion: helm.toolkit.fluxcd.io/v2\n    kind: HelmRelease\n    metadata: {name: _}\n    spec: "+spec+"\n"+more,
				"o.yaml", releaseAndWidget,
			), options()), "HelmRelease.helm.toolkit.fluxcd.io/default/a"), path)
		}
		if got, want := place(""), place("  options: {allowNameChange: false}\n"); got != want || got == "" {
			t.Errorf("%s of %s: %q, by kustomize %q", path, spec, got, want)
		}
	}
}
