package render

import (
	"cmp"
	"strconv"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader/kustomize"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/source"
	"github.com/gwplan/gwplan/loader/tree"
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
		"new keys":                         {spec: "{e: f, map: {z: 1}}", direct: true},
		"other scalars and lists":          {spec: "{text: u, number: 2, list: [3]}", direct: true},
		"in the kustomization":             {spec: "{number: 2}", inline: true, direct: true},
		"one of the objects":               {target: "{kind: HelmRelease, group: helm.*, version: v2, name: a}", spec: "{text: u}", direct: true},
		"none of the objects":              {target: "{kind: HelmRelease, name: b}", spec: "{text: u}", direct: true},
		"an empty expression":              {target: "{kind: HelmRelease, name: ''}"},
		"labels and annotations":           {patch: strings.Replace(plain, "name: _", "name: _, namespace: other, labels: {a: b}, annotations: {a: b}", 1), direct: true},
		"options":                          {item: ", options: {allowNameChange: true}"},
		"two documents":                    {patch: plain + "spec: {text: u}\n---\n" + plain + "spec: {number: 2}\n"},
		"no document":                      {patch: "# nothing\n"},
		"another version":                  {patch: strings.Replace(plain, "/v2", "/v1", 1) + "spec: {number: 2}\n", direct: true},
		"null":                             {spec: "{number: null}"},
		"null in a new map":                {spec: "{e: {f: null}}"},
		"null in a list":                   {spec: "{list: [null]}"},
		"an empty map":                     {spec: "{map: {}}"},
		"an empty list":                    {spec: "{list: []}"},
		"an empty text":                    {spec: "{text: ''}"},
		"a directive":                      {spec: "{map: {$patch: replace, y: 1}}"},
		"a directive in a new map":         {spec: "{e: {$patch: replace, f: 1}}"},
		"a directive in a list":            {spec: "{list: [{$patch: replace}]}"},
		"no apiVersion":                    {patch: "kind: HelmRelease\nmetadata: {name: _}\nspec: {text: u}\n"},
		"no kind":                          {target: "{name: a}", patch: "apiVersion: helm.toolkit.fluxcd.io/v2\nmetadata: {name: _}\nspec: {text: u}\n"},
		"no name":                          {patch: "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {labels: {a: b}}\nspec: {text: u}\n"},
		"other metadata":                   {patch: strings.Replace(plain, "name: _", "name: _, generateName: x", 1)},
		"a label that is not a text":       {patch: strings.Replace(plain, "name: _", "name: _, labels: {b: 1}", 1)},
		"an annotation that is not a text": {patch: strings.Replace(plain, "name: _", "name: _, annotations: {b: true}", 1)},
		"an annotation of kustomize":       {patch: strings.Replace(plain, "name: _", "name: _, annotations: {kustomize.config.k8s.io/behavior: merge}", 1)},
		"an annotation of its functions":   {patch: strings.Replace(plain, "name: _", "name: _, annotations: {config.kubernetes.io/index: '7'}", 1)},
		"an empty namespace":               {spec: "{number: 2}", objects: strings.Replace(releaseAndWidget, "{name: a, labels: {a: c}}", "{name: a, namespace: ''}", 1)},
		"a quoted key of merges":           {spec: "{number: 2}", objects: strings.Replace(releaseAndWidget, "{text: t, quoted", "{'<<': {a: b}, text: t, quoted", 1)},
		"an empty key":                     {spec: "{number: 2}", objects: strings.Replace(releaseAndWidget, "{text: t, quoted", "{'': b, text: t, quoted", 1)},
		"an annotation of ids":             {spec: "{number: 2}", objects: strings.Replace(releaseAndWidget, "labels: {a: c}", "annotations: {config.k8s.io/id: '1'}", 1)},
		"a kind of lists":                  {target: "{kind: WidgetList}", patch: "apiVersion: example.com/v1\nkind: WidgetList\nmetadata: {name: a}\nitems: text\n"},
		"an object with a blank":           {spec: "{number: 2}", objects: "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\nspec:\n  values:\n    a:\n    b: ~\n    c:\n    - d:\n  list:\n", direct: true},
		"a text at its end":                {patch: plain + "spec:\n  text: |\n    u\n", inline: true, direct: true},
		"a text at the end of a file":      {patch: plain + "spec:\n  text: |\n    u\n", direct: true},
		"no target":                        {target: "null", patch: strings.Replace(plain, "name: _", "name: a", 1) + "spec: {text: u}\n", direct: true},
		"no target, of no object":          {target: "null", spec: "{text: u}"},
		"no target, of another version":    {target: "null", patch: strings.Replace(strings.Replace(plain, "name: _", "name: a", 1), "/v2", "/v1", 1) + "spec: {text: u}\n"},
		"no target, of a namespace":        {target: "null", patch: strings.Replace(plain, "name: _", "name: a, namespace: other", 1) + "spec: {text: u}\n"},
		"no target, of the default one":    {target: "null", patch: strings.Replace(plain, "name: _", "name: a, namespace: default", 1) + "spec: {text: u}\n", direct: true},
		"no target, two documents": {
			target: "null", direct: true,
			patch: strings.Replace(plain, "name: _", "name: a", 1) + "spec: {text: u}\n---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {text: u}\n",
		},
		"a route": {
			target: "null", patch: "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: a}\nspec: {hostnames: [b]}\n", direct: true,
			objects: "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: a}\nspec: {hostnames: [a], rules: [{backendRefs: [{name: a}]}]}\n",
		},
		"neither target nor kind":  {target: "null", patch: "apiVersion: helm.toolkit.fluxcd.io/v2\nmetadata: {name: _}\nspec: {text: u}\n"},
		"a target of another kind": {target: "{kind: Widget}", spec: "{text: u}"},
		"a target by labels":       {target: "{kind: HelmRelease, labelSelector: a=d}", spec: "{text: u}", direct: true},
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
			of := ", target: " + cmp.Or(c.target, "{kind: HelmRelease}")
			if c.target == "null" {
				of = ""
			}
			if sameAsKustomize(t, "-- top/kustomization.yaml --\nresources: [o.yaml]\npatches: [{"+by+of+c.item+"}]\n"+
				"-- top/o.yaml --\n"+cmp.Or(c.objects, releaseAndWidget)+"-- top/p.yaml --\n"+patch, nil) != c.direct {
				t.Errorf("built without kustomize: %t, want %t", !c.direct, c.direct)
			}
		})
	}
}

// JSON6902 operations are applied without kustomize where it applies them, and leaves the rest of the object alone.
func TestWhichOperationsNeedKustomize(t *testing.T) {
	const object = "apiVersion: v1\nkind: Service\nmetadata: {name: a, labels: {a: b}}\nspec: {text: t, list: [1, 2], map: {x: y, a/b: 1}, nothing: null}\n"
	for what, c := range map[string]struct {
		ops, target, objects string
		direct               bool
	}{
		"a new key":                       {ops: "{op: add, path: /spec/e, value: {f: [1, x]}}", direct: true},
		"another value":                   {ops: "{op: replace, path: /spec/text, value: u}", direct: true},
		"a key that is not there":         {ops: "{op: replace, path: /spec/e, value: u}", direct: true},
		"a key with a slash":              {ops: "{op: replace, path: /spec/map/a~1b, value: 2}", direct: true},
		"a key less":                      {ops: "{op: remove, path: /spec/map/x}", direct: true},
		"an item before":                  {ops: "{op: add, path: /spec/list/0, value: 0}", direct: true},
		"an item at the end":              {ops: "{op: add, path: /spec/list/-, value: 3}, {op: add, path: /spec/list/3, value: 4}", direct: true},
		"an item less":                    {ops: "{op: remove, path: /spec/list/1}", direct: true},
		"another item":                    {ops: "{op: replace, path: /spec/list/1, value: '2'}", direct: true},
		"in what was added":               {ops: "{op: add, path: /spec/e, value: {}}, {op: add, path: /spec/e/f, value: 1}", direct: true},
		"no object":                       {ops: "{op: remove, path: /spec/e}", target: "{kind: Gateway}", direct: true},
		"every kind":                      {ops: "{op: add, path: /spec/e, value: 1}", target: "{name: a}", direct: true},
		"a kind by an expression":         {ops: "{op: add, path: /spec/e, value: 1}", target: "{kind: Serv.*}", direct: true},
		"a label":                         {ops: "{op: add, path: /metadata/labels/c, value: d}", direct: true},
		"all labels":                      {ops: "{op: replace, path: /metadata/labels, value: {c: d}}", direct: true},
		"the first annotations":           {ops: "{op: add, path: /metadata/annotations, value: {c: d}}", direct: true},
		"the first annotation":            {ops: "{op: add, path: /metadata/annotations/c, value: d}"},
		"a label that is not a text":      {ops: "{op: add, path: /metadata/labels/c, value: 1}"},
		"labels that are none":            {ops: "{op: replace, path: /metadata/labels, value: {}}"},
		"a label less":                    {ops: "{op: remove, path: /metadata/labels/a}"},
		"an annotation of kustomize":      {ops: "{op: add, path: /metadata/annotations, value: {kustomize.config.k8s.io/behavior: merge}}"},
		"within a label":                  {ops: "{op: add, path: /metadata/labels/a/b, value: d}"},
		"nothing to remove":               {ops: "{op: remove, path: /spec/e}"},
		"no item to remove":               {ops: "{op: remove, path: /spec/list/2}"},
		"no item to replace":              {ops: "{op: replace, path: /spec/list/2, value: 1}"},
		"beyond the end":                  {ops: "{op: add, path: /spec/list/3, value: 1}"},
		"a negative index":                {ops: "{op: replace, path: /spec/list/-1, value: 1}"},
		"an index with a zero":            {ops: "{op: replace, path: /spec/list/01, value: 1}"},
		"below nothing":                   {ops: "{op: add, path: /spec/e/f, value: 1}"},
		"below a text":                    {ops: "{op: add, path: /spec/text/f, value: 1}"},
		"below null":                      {ops: "{op: add, path: /spec/nothing/f, value: 1}"},
		"no value":                        {ops: "{op: add, path: /spec/e}"},
		"null":                            {ops: "{op: add, path: /spec/e, value: null}"},
		"null in a value":                 {ops: "{op: add, path: /spec/e, value: {f: null}}"},
		"a word for a boolean":            {ops: "{op: add, path: /spec/e, value: [yes]}"},
		"a test":                          {ops: "{op: test, path: /spec/text, value: t}"},
		"a copy":                          {ops: "{op: copy, path: /spec/e, from: /spec/text}"},
		"the name":                        {ops: "{op: replace, path: /metadata/name, value: b}"},
		"the kind":                        {ops: "{op: replace, path: /kind, value: Secret}"},
		"everything":                      {ops: "{op: replace, path: '', value: {}}"},
		"no slash":                        {ops: "{op: replace, path: spec/text, value: u}"},
		"no operations":                   {},
		"no target":                       {ops: "{op: add, path: /spec/e, value: 1}", target: "null"},
		"a target by labels":              {ops: "{op: add, path: /spec/e, value: 1}", target: "{labelSelector: 'a in (b, c),!d'}", direct: true},
		"a target by other labels":        {ops: "{op: remove, path: /spec/e}", target: "{labelSelector: a!=b}", direct: true},
		"no selector":                     {ops: "{op: add, path: /spec/e, value: 1}", target: "{labelSelector: 'a in'}"},
		"a target by annotations":         {ops: "{op: add, path: /spec/e, value: 1}", target: "{annotationSelector: a=b}"},
		"an object with a large number":   {ops: "{op: add, path: /spec/e, value: 1}", objects: "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {n: 1234567}\n"},
		"an object with a long fraction":  {ops: "{op: add, path: /spec/e, value: 1}", objects: "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {n: 0.00001}\n"},
		"an object with a tab":            {ops: "{op: add, path: /spec/e, value: 1}", objects: "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {n: \"\\ta\\nb\"}\n"},
		"a tab in a value":                {ops: "{op: add, path: /spec/e, value: \"\\ta\\nb\"}"},
		"a name with a comma":             {ops: "{op: add, path: /spec/e, value: 1}", objects: "apiVersion: v1\nkind: Service\nmetadata: {name: 'a,b'}\nspec: {}\n"},
		"an object with a date":           {ops: "{op: add, path: /spec/e, value: 1}", objects: "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {n: 2024-01-02}\n"},
		"a large number in a value":       {ops: "{op: add, path: /spec/e, value: [1000000]}"},
		"a Namespace by its former name":  {ops: "{op: add, path: /spec, value: {e: 1}}", target: "{kind: Namespace, name: a}", objects: "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n", direct: true},
		"one object of two with a misfit": {ops: "{op: remove, path: /spec/text}", objects: object + "---\napiVersion: v1\nkind: Service\nmetadata: {name: b}\nspec: {}\n"},
	} {
		t.Run(what, func(t *testing.T) {
			if sameAsKustomize(t, "-- top/kustomization.yaml --\nresources: [below]\npatches: [{path: p.yaml, target: "+cmp.Or(c.target, "{kind: Service}")+"}]\n"+
				"-- top/below/kustomization.yaml --\nnamespace: ns\nresources: [o.yaml]\n-- top/below/o.yaml --\n"+cmp.Or(c.objects, object)+"-- top/p.yaml --\n"+listed(c.ops), nil) != c.direct {
				t.Errorf("built without kustomize: %t, want %t", !c.direct, c.direct)
			}
		})
	}
}

// listed are operations, an item of a list each: kustomize refuses a flow list that is no JSON.
func listed(ops string) string {
	if ops == "" {
		return "[]\n"
	}
	return "- " + strings.ReplaceAll(ops, "}, {op", "}\n- {op") + "\n"
}

// Labels are set without kustomize, unless they are set in selectors, too.
func TestDirectLabels(t *testing.T) {
	for what, c := range map[string]struct {
		labels string
		direct bool
	}{
		"of all":                  {"[{pairs: {a: z, c: d}}]", true},
		"of all, and said":        {"[{pairs: {a: z}, includeSelectors: false, includeTemplates: false}]", true},
		"twice":                   {"[{pairs: {a: x}}, {pairs: {a: z}}]", true},
		"in selectors":            {"[{pairs: {a: z}, includeSelectors: true}]", false},
		"in templates":            {"[{pairs: {a: z}, includeTemplates: true}]", false},
		"in fields":               {"[{pairs: {a: z}, fields: [{path: spec/a, create: true}]}]", false},
		"that are no texts":       {"[{pairs: {a: 1}}]", false},
		"that are words":          {"[{pairs: {a: yes}}]", false},
		"of none":                 {"[{pairs: {}}]", false},
		"that are empty":          {"[{pairs: {a: '', f: ''}}]", true},
		"that are no list":        {"{pairs: {a: b}}", false},
		"by which patches select": {"[{pairs: {a: z}}]\npatches: [{path: p.yaml, target: {labelSelector: a=b}}]", true},
	} {
		t.Run(what, func(t *testing.T) {
			if sameAsKustomize(t, "-- top/kustomization.yaml --\nresources: [below]\nnamespace: ns\nlabels: "+c.labels+"\n"+
				"-- top/p.yaml --\n- {op: add, path: /spec, value: {e: 1}}\n-- top/below/kustomization.yaml --\nresources: [o.yaml]\nlabels: [{pairs: {a: b}}]\n"+
				"-- top/below/o.yaml --\napiVersion: v1\nkind: Service\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: b, labels: {a: c, e: f}}\nspec: {selector: {a: b}}\n", nil) != c.direct {
				t.Errorf("built without kustomize: %t, want %t", !c.direct, c.direct)
			}
		})
	}
}

// Objects of one kind and name are left to kustomize where they are one, in the namespaces that they end up in.
func TestIdentitiesNeedKustomize(t *testing.T) {
	const route, namespace = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\n", "apiVersion: v1\nkind: Namespace\nmetadata: {name: _}\n"
	for what, c := range map[string]struct {
		top, x, y, object string
		direct            bool
	}{
		"in two namespaces":          {x: "namespace: x\n", y: "namespace: z\n", object: route, direct: true},
		"in one":                     {x: "namespace: x\n", y: "namespace: x\n", object: route},
		"in none":                    {object: route},
		"in the default one":         {x: "namespace: default\n", object: route},
		"moved to one":               {top: "namespace: ns\n", x: "namespace: x\n", y: "namespace: z\n", object: route},
		"empty fields":               {x: "namespace: x\nnamePrefix: ''\ncommonLabels: {}\nimages: []\nvars:\n", y: "namespace: z\n", object: route, direct: true},
		"a field of another form":    {x: "namespace: x\nimages: {}\n", y: "namespace: z\n", object: route},
		"a prefix of another form":   {x: "namespace: x\nnamePrefix: []\n", y: "namespace: z\n", object: route},
		"labels of another form":     {x: "namespace: x\ncommonLabels: []\n", y: "namespace: z\n", object: route},
		"an order of another form":   {x: "namespace: x\nsortOptions: {}\n", y: "namespace: z\n", object: route},
		"Namespaces, renamed apart":  {x: "namespace: x\n", y: "namespace: z\n", object: namespace, direct: true},
		"Namespaces, renamed as one": {top: "namespace: ns\n", x: "namespace: x\n", y: "namespace: z\n", object: namespace},
	} {
		t.Run(what, func(t *testing.T) {
			if sameAsKustomize(t, "-- top/kustomization.yaml --\nresources: [v, w]\n"+c.top+"-- top/v/kustomization.yaml --\nresources: [o.yaml]\n"+c.x+
				"-- top/v/o.yaml --\n"+c.object+"-- top/w/kustomization.yaml --\nresources: [o.yaml]\n"+c.y+"-- top/w/o.yaml --\n"+c.object, nil) != c.direct {
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
			"-- top/p.yaml --\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\nspec: {a: b}\n", nil) {
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

// Objects that do not matter are patched, too: an operation that fails on one of them fails the build.
func TestPatchesOfOmittedObjects(t *testing.T) {
	build := func(ops string) string {
		s := render(t, archive(
			"kustomization.yaml", "resources: [r.yaml, s.yaml]\npatches: [{path: p.yaml, target: {kind: Retry|Gateway}}]\n", "p.yaml", listed(ops),
			"r.yaml", manifestOf("example.com/v1", "Retry", "infra", "r")+"spec: {retries: 1}\n", "s.yaml", manifestOf("gateway.networking.k8s.io/v1", "Gateway", "infra", "g")+"spec: {}\n",
		), options())
		if len(s.Problems) > 0 {
			return s.Problems[0].Code
		}
		return at(object(t, s, "Retry.example.com/infra/r"), "/spec/targetRef/name")
	}
	if got := build("{op: add, path: /spec/targetRef, value: {name: gw}}"); got != "gw p.yaml:1:50" {
		t.Errorf("got %q", got)
	}
	if got := build("{op: remove, path: /spec/targetRef}"); got != "kustomize-build" {
		t.Errorf("got %q, want a build that fails", got)
	}
}

// What generators make of files needs no kustomize, unless names of it are written into objects.
func TestDirectGenerators(t *testing.T) {
	for what, c := range map[string]struct {
		generator, object string
		direct            bool
	}{
		"a name that nothing needs":     {generator: "files: [a.txt]", object: "Gateway", direct: true},
		"a name in a workload":          {generator: "files: [a.txt]", object: "Deployment"},
		"a name that stays":             {generator: "files: [a.txt], options: {disableNameSuffixHash: true}", object: "Deployment", direct: true},
		"a name that is there already":  {generator: "files: [a.txt]", object: "ConfigMap"},
		"two keys":                      {generator: "files: [a.txt, b=a.txt], literals: [c=d]", object: "Gateway", direct: true},
		"one key twice":                 {generator: "files: [a.txt, a.txt=a.txt]", object: "Gateway"},
		"a merge":                       {generator: "files: [a.txt], behavior: merge", object: "Gateway"},
		"a file that begins with a tab": {generator: "files: [tab.txt]", object: "Gateway"},
		"labels that a patch selects":   {generator: "files: [a.txt], options: {labels: {x: z}}}]\npatches: [{path: p.yaml, target: {labelSelector: x=z}", object: "Gateway"},
	} {
		t.Run(what, func(t *testing.T) {
			s := newSession(t.Context(), Options{Manifest: manifest.Options{Relevance: withoutConfigMaps}})
			views, err := tree.Views(t.Context(), []*source.Tree{newMemory().tree("-- kustomization.yaml --\nresources: [o.yaml]\nconfigMapGenerator: [{name: n, " + c.generator + "}]\n-- a.txt --\n{{\n-- tab.txt --\n\ta\nb\n-- p.yaml --\n- {op: remove, path: /spec/x}\n" +
				"-- o.yaml --\napiVersion: v1\nkind: " + c.object + "\nmetadata: {name: n}\n")})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.store.Read(views); err != nil {
				t.Fatal(err)
			}
			p := s.builds.Pass(views[0], ".", nil)
			if _, direct := s.builds.Direct(p, views[0], kustomize.NewTrace()); direct != c.direct {
				t.Errorf("built without kustomize: %t, want %t", direct, c.direct)
			}
		})
	}
}

// ConfigMaps that something needs are generated as kustomize does, with the hash of their content.
func TestGeneratedConfigMaps(t *testing.T) {
	for what, c := range map[string]struct {
		text, more, common string
		direct             bool
	}{
		"a text":                     {text: "a: [\n", direct: true},
		"no text":                    {direct: true},
		"a number":                   {text: "1", direct: true},
		"a word":                     {text: "yes", direct: true},
		"a date":                     {text: "2024-01-02", direct: true},
		"a null":                     {text: "~", direct: true},
		"lines at the end":           {text: "a\n\n\n", direct: true},
		"spaces at the end":          {text: "a \n  \nb", direct: true},
		"comments and quotes":        {text: "\"x\" # y\n\t'z': |\n", direct: true},
		"letters":                    {text: "é ü 東\n", direct: true},
		"spaces before":              {text: "  a\nb\n", direct: true},
		"a line before":              {text: "\n a\n", direct: true},
		"a tab before":               {text: "\ta\nb\n"},
		"a tab before, and no hash":  {text: "\ta\nb\n", common: "{disableNameSuffixHash: true}"},
		"carriage returns":           {text: "a\r\nb\r\n", direct: true},
		"a byte order mark":          {text: "\ufeffa\n", direct: true},
		"a line separator":           {text: "a\u2028b\nc", direct: true},
		"a control character":        {text: "a\x01b", direct: true},
		"no text in UTF-8":           {text: "a\xffb"},
		"options of its own":         {more: ", options: {labels: {a: b}, annotations: {c: d}, immutable: true}", direct: true},
		"options of all":             {common: "{labels: {a: b}, disableNameSuffixHash: true, immutable: false}", direct: true},
		"options of both":            {more: ", options: {labels: {a: b}}", common: "{labels: {a: c, d: e}, annotations: {f: g}}", direct: true},
		"a label that is not a text": {more: ", options: {labels: {a: 1}}"},
		"a label that is a word":     {more: ", options: {labels: {a: yes}}"},
		"labels that are no map":     {common: "{labels: [a]}"},
		"a switch that is no switch": {common: "{immutable: 'true'}"},
		"an unknown option":          {common: "{a: b}"},
		"a literal":                  {more: ", literals: [b=c=d, e=1]", direct: true},
		"a quoted literal":           {more: ", literals: [b='c']"},
		"a literal without a value":  {more: ", literals: [b]"},
		"a key that is none":         {more: ", literals: ['b c=d']"},
		"a namespace":                {more: ", namespace: other"},
		"an environment":             {more: ", env: a.txt"},
	} {
		t.Run(what, func(t *testing.T) {
			common := ""
			if c.common != "" {
				common = "generatorOptions: " + c.common + "\n"
			}
			if sameAsKustomize(t, "-- top/kustomization.yaml --\nconfigMapGenerator: [{name: g, files: [a.txt]"+c.more+"}]\nnamespace: ns\n"+common+"-- top/a.txt --\n"+c.text, nil) != c.direct {
				t.Errorf("built without kustomize: %t, want %t", !c.direct, c.direct)
			}
		})
	}
}

// A generated ConfigMap is refused where an object had its identity before its namespace changed, and a number in its data
// changes its hash.
func TestGeneratorsOfFormerIdentities(t *testing.T) {
	const generator = "configMapGenerator: [{name: g, literals: [a=b]}]\n"
	for what, c := range map[string]struct {
		top, below string
		direct     bool
	}{
		"one identity":             {top: generator, below: generator},
		"a former identity":        {top: generator, below: generator + "namespace: q\n"},
		"another":                  {top: strings.Replace(generator, "g,", "h,", 1), below: generator + "namespace: q\n", direct: true},
		"moved later":              {top: "namespace: p\n", below: generator + "namespace: q\n", direct: true},
		"a number in what is made": {top: "patches: [{path: n.yaml, target: {kind: ConfigMap}}]\n", below: generator},
	} {
		t.Run(what, func(t *testing.T) {
			if sameAsKustomize(t, "-- top/kustomization.yaml --\nresources: [below]\n"+c.top+"-- top/n.yaml --\n- {op: add, path: /data/c, value: 1}\n-- top/below/kustomization.yaml --\n"+c.below, nil) != c.direct {
				t.Errorf("built without kustomize: %t, want %t", !c.direct, c.direct)
			}
		})
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
		samePlace(t, path, "HelmRelease", "apiVersion: helm.toolkit.fluxcd.io/v2\n    kind: HelmRelease\n    metadata: {name: _}\n    spec: "+spec, releaseAndWidget)
	}
}

// The same of lists whose items are merged by their names.
func TestPlacesInPatchedWorkloads(t *testing.T) {
	const container = "/spec/template/spec/containers/"
	for path, spec := range map[string]string{
		"/spec/replicas":            "{replicas: 2}",
		"/spec/template/spec":       "{replicas: 2}",
		"/spec/template":            "{template: {spec: {containers: [{name: b, image: c}]}}}",
		container:                   "{template: {spec: {containers: [{name: b, image: c}]}}}",
		container + "0":             "{template: {spec: {containers: [{name: b, image: c}]}}}",
		container + "0/image":       "{template: {spec: {containers: [{name: b, image: c}]}}}",
		container + "0/name":        "{template: {spec: {containers: [{name: b, image: c}]}}}",
		container + "1/image":       "{template: {spec: {containers: [{name: b, image: c}]}}}",
		container + "0/env/0":       "{template: {spec: {containers: [{name: a, env: [{name: N, value: m}]}]}}}",
		container + "0/env/0/value": "{template: {spec: {containers: [{name: a, env: [{name: N, value: m}]}]}}}",
		container + "0/env/1/value": "{template: {spec: {containers: [{name: a, env: [{name: N, value: m}]}]}}}",
		container + "0/args/0":      "{template: {spec: {containers: [{name: a, args: [z]}]}}}",
	} {
		samePlace(t, strings.TrimSuffix(path, "/"), "Deployment", "apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: a}\n    spec: "+spec,
			"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n  replicas: 1\n  template:\n    spec:\n      containers:\n"+
				"      - name: a\n        image: a\n        env: [{name: M, value: n}, {name: N, value: n}]\n        args: [x]\n      - name: b\n        image: b\n")
	}
}

// samePlace compares the position of a value in a patched object with that of a build by kustomize.
func samePlace(t *testing.T, path, kind, patch, objects string) {
	t.Helper()
	all := options()
	all.Manifest.Relevance = nil
	place := func(more string) string {
		return at(object(t, render(t, archive(
			"kustomization.yaml", "resources: [o.yaml]\npatches:\n- target: {kind: "+kind+"}\n  patch: |-\n    "+patch+"\n"+more, "o.yaml", objects,
		), all), map[string]string{"HelmRelease": "HelmRelease.helm.toolkit.fluxcd.io/default/a", "Deployment": "Deployment.apps/default/a"}[kind]), path)
	}
	if got, want := place(""), place("  options: {allowNameChange: false}\n"); got != want || got == "" {
		t.Errorf("%s of %s: %q, by kustomize %q", path, patch, got, want)
	}
}

// The positions in objects that JSON6902 operations edit are those of a build by kustomize.
func TestPlacesInEditedObjects(t *testing.T) {
	for path, op := range map[string]string{
		"/spec":        "{op: replace, path: /spec/number, value: 2}",
		"/spec/number": "{op: replace, path: /spec/number, value: 2}",
		"/spec/list":   "{op: add, path: /spec/list/-, value: 3}",
		"/spec/list/0": "{op: add, path: /spec/list/0, value: 0}",
		"/spec/list/1": "{op: add, path: /spec/list/0, value: 0}",
		"/spec/map":    "{op: add, path: /spec/map/z, value: {a: b}}",
		"/spec/map/x":  "{op: add, path: /spec/map/z, value: {a: b}}",
		"/spec/map/z":  "{op: add, path: /spec/map/z, value: {a: b}}",
		"/spec/z":      "{op: add, path: /spec/z, value: {a: b}}",
		"/spec/z/a":    "{op: add, path: /spec/z, value: {a: b}}",
		"/spec/some":   "{op: remove, path: /spec/some/of/it}",
		"/kind":        "{op: replace, path: /spec/number, value: 2}",
	} {
		samePlace(t, path, "HelmRelease", "- "+op, strings.Replace(releaseAndWidget, ", nothing: null", "", 1))
	}
}

// A key with nothing after it goes with a patch that is merged, whoever builds, and stays without one.
func TestBlanksInPatchedObjects(t *testing.T) {
	for more, want := range map[string]bool{"": false, "  options: {allowNameChange: false}\n": false, "none": true} {
		patches := "patches:\n- target: {kind: HelmRelease}\n  patch: '{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: _}, spec: {number: 2}}'\n" + more
		if more == "none" {
			patches = ""
		}
		s := render(t, archive("kustomization.yaml", "resources: [o.yaml]\n"+patches, "o.yaml", "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\nspec:\n  blank:\n  written: null\n"), options())
		spec := object(t, s, "HelmRelease.helm.toolkit.fluxcd.io/default/a").Root.Get("spec")
		if got := spec.Get("blank") != nil; got != want || spec.Get("written") == nil {
			t.Errorf("%q: blank %t, want %t; written %t", more, got, want, spec.Get("written") != nil)
		}
	}
}

// A patch that Flux adds is read without the line break at its end, as in a kustomization.
func TestTextsAtTheEndOfPatches(t *testing.T) {
	s := render(t, archive(
		"clusters/a/ks.yaml", fluxEntry("apps", "./apps", "  patches:\n  - target: {kind: Gateway}\n    patch: |\n      - op: add\n        path: /spec/x\n        value: |\n          text\n"),
		"apps/gw.yaml", classed("gw", "a"),
	), options())
	for _, o := range s.Environments[0].Objects {
		if o.ID.Kind == "Gateway" && o.Root.Str("spec", "x") != "text" {
			t.Errorf("got %q", o.Root.Str("spec", "x"))
		}
	}
}

// Images are set without kustomize where it sets them: in containers of any object but a CustomResourceDefinition, and in
// volumes of pods.
func TestWhichImagesNeedKustomize(t *testing.T) {
	pod := func(spec string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: " + spec + "\n"
	}
	usual := pod("{containers: [{name: c, image: 'i:1'}], initContainers: [{name: d, image: i}], volumes: [{name: v, image: {reference: 'i:1'}}]}")
	for what, c := range map[string]struct {
		images, object string
		direct         bool
	}{
		"a tag":                            {images: "[{name: i, newTag: '2'}]", direct: true},
		"a tag, then a name":               {images: "[{name: i, newTag: '2'}, {name: i, newName: reg/k}]", direct: true},
		"a digest":                         {images: "[{name: i, digest: 'sha256:ab'}]", direct: true},
		"a port":                           {images: "[{name: 'reg:80/i', newTag: '2'}]", object: pod("{containers: [{name: c, image: 'reg:80/i'}]}"), direct: true},
		"containers of a custom resource":  {images: "[{name: i, newTag: '2'}]", object: "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {deep: [{containers: [{image: i}], volumes: [{image: {reference: i}}]}]}\n", direct: true},
		"a schema":                         {images: "[{name: i, newTag: '2'}]", object: "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.example.com}\nspec: {containers: [{image: i}]}\n", direct: true},
		"none":                             {images: "[]", direct: true},
		"null":                             {images: "null", direct: true},
		"no list":                          {images: "{name: i}"},
		"no name":                          {images: "[{newTag: '2'}]"},
		"a suffix":                         {images: "[{name: i, tagSuffix: -x}]"},
		"a number as tag":                  {images: "[{name: i, newTag: 2}]"},
		"a word of booleans as tag":        {images: "[{name: i, newTag: on}]"},
		"no expression":                    {images: "[{name: '['}]"},
		"a name that may be a number":      {images: "[{name: i, newName: '12'}]", object: pod("{containers: [{name: c, image: i}]}")},
		"a container that is no map":       {images: "[{name: i, newTag: '2'}]", object: pod("{containers: [i]}")},
		"an image that is a number":        {images: "[{name: i, newTag: '2'}]", object: pod("{containers: [{name: c, image: 1}]}")},
		"a volume with a reference as map": {images: "[{name: i, newTag: '2'}]", object: pod("{volumes: [{name: v, image: {reference: {a: b}}}]}")},
	} {
		t.Run(what, func(t *testing.T) {
			if sameAsKustomize(t, "-- top/kustomization.yaml --\nresources: [o.yaml]\nimages: "+c.images+"\n-- top/o.yaml --\n"+cmp.Or(c.object, usual), nil) != c.direct {
				t.Errorf("built without kustomize: %t, want %t", !c.direct, c.direct)
			}
		})
	}
}

// The position of an image that a kustomization sets is the same whoever builds.
func TestPlacesOfImages(t *testing.T) {
	all := options()
	all.Manifest.Relevance = nil
	place := func(more, path string) string {
		return at(object(t, render(t, archive(
			"kustomization.yaml", "resources: [o.yaml]\nimages:\n- name: i\n  newTag: '2'\n"+more,
			"o.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: c\n    image: i:1\n  - name: d\n    image: j:1\n",
		), all), "Pod/default/a"), path)
	}
	for _, path := range []string{"/spec/containers", "/spec/containers/0", "/spec/containers/0/image", "/spec/containers/1/image"} {
		if got, want := place("", path), place("sortOptions: {order: fifo}\n", path); got != want || got == "" {
			t.Errorf("%s: %q, by kustomize %q", path, got, want)
		}
	}
}
