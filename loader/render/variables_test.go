package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/tree"
)

// needless are the options of a caller for which a ConfigMap matters only where
// something takes variables from it.
func needless() Options {
	opts := options()
	opts.Manifest.Relevance = func(group, kind string) manifest.Relevance {
		if tree.IsConfigMap(group, kind) {
			return manifest.Irrelevant
		}
		return relevance(group, kind)
	}
	return opts
}

// configMap writes one; data are lines such as "DOMAIN: example.com".
func configMap(namespace, name string, data ...string) string {
	return manifestOf("v1", "ConfigMap", namespace, name) + "data:\n  " + strings.Join(data, "\n  ") + "\n"
}

// filled writes a Flux Kustomization that takes variables from sources such as
// "ConfigMap/settings" and sets some itself.
func filled(name, path, inline string, from ...string) string {
	text := "  postBuild:\n    substitute: {" + inline + "}\n    substituteFrom:\n"
	for _, f := range from {
		kind, name, _ := strings.Cut(f, "/")
		name, optional := strings.CutSuffix(name, "?")
		text += fmt.Sprintf("    - {kind: %s, name: %s, optional: %v}\n", kind, name, optional)
	}
	return fluxEntry(name, path, text)
}

// classed is a Gateway whose class is the text.
func classed(name, text string) string {
	return gateway("infra", name) + "spec:\n  gatewayClassName: " + text + "\n"
}

// classOf is the class of a Gateway; an unknown one has a mark.
func classOf(t *testing.T, s *loader.Snapshot, name string) string {
	t.Helper()
	v := object(t, s, "Gateway/infra/"+name).Root.Get("spec", "gatewayClassName")
	if v == nil {
		return "absent"
	}
	if v.Opaque {
		return v.Text + " (unknown)"
	}
	return v.Text
}

// TestVariablePrecedence: of the sources the last one wins, and the object itself over
// all of them; a name that one source has is not asked of the others.
func TestVariablePrecedence(t *testing.T) {
	const secret = "stringData: {A: hidden}\n"
	tests := []struct {
		name, inline string
		from         []string
		text, want   string
	}{
		{"a later ConfigMap wins", "", []string{"ConfigMap/one", "ConfigMap/two"}, "${A}", "two"},
		{"in the order of the list, not of names", "", []string{"ConfigMap/two", "ConfigMap/one"}, "${A}", "one"},
		{"what one alone sets stays", "", []string{"ConfigMap/one", "ConfigMap/two"}, "${B}", "b"},
		{"the object wins over all", "A: own", []string{"ConfigMap/one", "ConfigMap/two"}, "${A}", "own"},
		{"the object wins over a Secret", "A: own", []string{"Secret/tokens"}, "${A}", "own"},
		{"a later Secret hides a ConfigMap", "", []string{"ConfigMap/one", "Secret/tokens"}, "${A}", "${A} (unknown)"},
		{"a later ConfigMap shows through a Secret", "", []string{"Secret/tokens", "ConfigMap/one"}, "${A}", "one"},
		{"a default is for what is not set", "", []string{"ConfigMap/one"}, "${C:-c}", "c"},
		{"and not for what is", "", []string{"ConfigMap/one"}, "${A:-c}", "one"},
		{"a Secret in the tree has the keys that it has", "", []string{"Secret/tokens"}, "${C:-c}", "c"},
		{"a Secret elsewhere may have any", "", []string{"Secret/gone"}, "${C:-c}", "${C:-c} (unknown)"},
		{"a ConfigMap elsewhere may have any", "", []string{"ConfigMap/gone"}, "${C:-c}", "${C:-c} (unknown)"},
		{"beside a ConfigMap that is here, too", "", []string{"ConfigMap/one", "ConfigMap/gone"}, "${C:-c}", "${C:-c} (unknown)"},
		{"beside what the object says, too", "D: own", []string{"Secret/gone"}, "${C:-c}", "${C:-c} (unknown)"},
		{"an optional one, too, since it may be there", "", []string{"ConfigMap/gone?"}, "${C:-c}", "${C:-c} (unknown)"},
		{"what is known beside it is filled in", "", []string{"ConfigMap/gone", "ConfigMap/one"}, "${A}-${C}", "one-${C} (unknown)"},
		{"a ConfigMap of another namespace is none", "", []string{"ConfigMap/far"}, "${A}", "${A} (unknown)"},
		{"lines are joined", "", []string{"ConfigMap/one"}, "${LINES}", "xy"},
		{"an empty value is one", "", []string{"ConfigMap/one"}, "a${EMPTY}b", "ab"},
		{"a default is for an empty one, too", "", []string{"ConfigMap/one"}, "${EMPTY:-c}", "c"},
		{"values are not filled in again", "A: '$${B}'", []string{"ConfigMap/one"}, "${A}", "$${B}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := render(t, archive(
				"cluster/ks.yaml", filled("apps", "./apps", tt.inline, tt.from...),
				"cluster/one.yaml", configMap("flux-system", "one", "A: one", "B: b", "EMPTY: ''", "LINES: \"x\\ny\\n\""),
				"cluster/two.yaml", configMap("flux-system", "two", "A: two"),
				"cluster/far.yaml", configMap("elsewhere", "far", "A: far"),
				"cluster/tokens.yaml", manifestOf("v1", "Secret", "flux-system", "tokens")+secret,
				"apps/gw.yaml", classed("gw", tt.text),
			), needless())
			if got := classOf(t, s, "gw"); got != tt.want {
				t.Errorf("%s is %q, want %q\n%s", tt.text, got, tt.want, summary(s))
			}
		})
	}
}

// TestVariablesInAnyOrder: a Kustomization waits for the ConfigMap that another one
// applies, wherever the two are written, so names of files mean nothing.
func TestVariablesInAnyOrder(t *testing.T) {
	docs := []string{
		filled("apps", "./apps", "", "ConfigMap/settings", "ConfigMap/made"),
		filled("settings", "./settings", "", "ConfigMap/first"),
		filled("stage", "./stage", "", "ConfigMap/settings"),
		configMap("flux-system", "first", "ZONE: eu"),
	}
	rest := archive(
		"settings/kustomization.yaml", "configMapGenerator: [{name: made, namespace: flux-system, literals: [MADE=made]}]\n"+
			"generatorOptions: {disableNameSuffixHash: true}\nresources: [cm.yaml]\n",
		"settings/cm.yaml", configMap("flux-system", "settings", "CLASS: ${ZONE}-class", "PART: a"),
		"stage/ks.yaml", filled("more", "./more/${PART}", "", "ConfigMap/settings"),
		"apps/gw.yaml", classed("gw", "${CLASS}-${MADE}"), "more/a/gw.yaml", classed("more", "${CLASS}"),
	)
	for _, order := range permutations(len(docs)) {
		files := rest
		for i, n := range order {
			files += archive(fmt.Sprintf("cluster/%d.yaml", i), docs[n])
		}
		s := render(t, files, needless())
		equalText(t, summary(s), "cluster\n  Gateway/infra/gw apps/gw.yaml:1:1\n  Gateway/infra/more more/a/gw.yaml:1:1")
		if gw, more := classOf(t, s, "gw"), classOf(t, s, "more"); gw != "eu-class-made" || more != "eu-class" {
			t.Errorf("%v: %s, %s", order, gw, more)
		}
	}
}

// permutations are all orders of n things.
func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var out [][]int
	for _, rest := range permutations(n - 1) {
		for i := range n {
			out = append(out, slices.Insert(slices.Clone(rest), i, n-1))
		}
	}
	return out
}

// withVariables is a tree with everything that variables may come from.
func withVariables() string {
	return archive(
		"clusters/eu/ks.yaml", filled("apps", "./apps", "OWN: own", "ConfigMap/settings", "Secret/tokens", "ConfigMap/gone?"),
		"clusters/eu/settings.yaml", configMap("flux-system", "settings", "CLASS: eu"),
		"clusters/us/ks.yaml", filled("apps", "./apps", "OWN: own", "ConfigMap/settings", "Secret/tokens", "ConfigMap/gone?"),
		"clusters/us/settings.yaml", configMap("flux-system", "settings", "CLASS: us"),
		"apps/known.yaml", classed("known", "${CLASS}-${OWN}"), "apps/secret.yaml", classed("secret", "${TOKEN}"),
		"apps/${DIR}.yaml", classed("${NAME}", "x"), "apps/wrong.yaml", classed("wrong", "${CLASS"), "apps/unset.yaml", classed("unset", "${UNSET:-${CLASS}}"),
	)
}

// TestVariablesOfEqualTrees: what is unknown in both trees is the same in both, and two
// clusters share nothing but the base.
func TestVariablesOfEqualTrees(t *testing.T) {
	out := renderAll(t, needless(), withVariables(), withVariables())
	equalText(t, full(out[0]), full(out[1]))
	for i, name := range []string{"clusters/eu", "clusters/us"} {
		e := out[0].Environments[i]
		if e.Name != name {
			t.Fatalf("environment %s, want %s", e.Name, name)
		}
		for _, o := range e.Objects {
			if o.ID.Name == "known" && o.Root.Str("spec", "gatewayClassName") != strings.TrimPrefix(name, "clusters/")+"-own" {
				t.Errorf("%s: %s", name, every(o))
			}
		}
	}
}

// TestVariableOrderAndWorkers: neither the order of entries nor the number of workers
// changes anything.
func TestVariableOrderAndWorkers(t *testing.T) {
	opts := needless()
	orderIsNothing(t, withVariables(), opts)
}

// TestVariableCycles: Kustomizations that apply each other, or wait for each other, are
// applied once each.
func TestVariableCycles(t *testing.T) {
	tests := []struct{ name, archive, class string }{
		{"two below an entry apply each other", archive(
			"c/ks.yaml", filled("a", "./a", "A: one"), "a/ks.yaml", filled("b", "./b", "A: two"), "b/ks.yaml", filled("a", "./a", "A: one"), "b/gw.yaml", classed("gw", "${A}"),
		), "two"},
		{"one applies itself", archive("a/ks.yaml", filled("a", "./a", "A: one"), "a/gw.yaml", classed("gw", "${A}")), "one"},
		{"one applies itself, through a path with a variable", archive(
			"c/ks.yaml", filled("c", "./a", "A: a"), "a/ks.yaml", filled("a", "./${A}", "A: '${A}'"), "a/gw.yaml", classed("gw", "${A}"),
		), "a"},
		{"each waits for a ConfigMap of the other", archive(
			"c/a.yaml", filled("a", "./a", "", "ConfigMap/b"), "c/b.yaml", filled("b", "./b", "", "ConfigMap/a"),
			"a/cm.yaml", configMap("flux-system", "a", "A: one"), "b/cm.yaml", configMap("flux-system", "b", "B: two"),
			"a/gw.yaml", classed("gw", "${B}"), "b/gw.yaml", classed("other", "${A}"),
		), "${B} (unknown)"},
		{"one waits for its own ConfigMap", archive(
			"c/a.yaml", filled("a", "./a", "", "ConfigMap/a"), "a/cm.yaml", configMap("flux-system", "a", "A: one"), "a/gw.yaml", classed("gw", "${A}"),
		), "one"},
		{"a variable of itself", archive("c/a.yaml", filled("a", "./a", "A: '${A}'"), "a/gw.yaml", classed("gw", "${A}")), "${A} (unknown)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := render(t, tt.archive, needless())
			if got := classOf(t, s, "gw"); got != tt.class {
				t.Errorf("the class is %q, want %q\n%s", got, tt.class, summary(s))
			}
			if len(s.Environments) != 1 {
				t.Error(summary(s))
			}
		})
	}
}

// TestVariablesAreBounded: variables inside of variables, values that grow, and
// Kustomizations that make the next one come to an end, long before the tests'
// own time is up.
func TestVariablesAreBounded(t *testing.T) {
	n := 500
	if testing.Short() {
		n = 150
	}
	var nested, chain, many strings.Builder
	for i := range n {
		fmt.Fprintf(&nested, "${V%d:-", i)
		fmt.Fprintf(&chain, "%s---\n", filled(fmt.Sprintf("k%d", i), fmt.Sprintf("./deep/%d", i), "", fmt.Sprintf("ConfigMap/c%d", i)))
		fmt.Fprintf(&many, "${A%d}", i)
	}
	text := nested.String() + "end" + strings.Repeat("}", n)
	next := ""
	for i := range n {
		next += archive(fmt.Sprintf("deep/%d/cm.yaml", i), configMap("flux-system", fmt.Sprintf("c%d", i+1), fmt.Sprintf("V: v%d", i+1)))
	}
	values := make([]string, n)
	for i := range values {
		values[i] = fmt.Sprintf("A%d: '${A%d}${A%d}'", i, i+1, i+1)
	}
	docs := strings.Split(chain.String(), "---\n")
	slices.Reverse(docs)
	tests := []struct{ name, archive, class string }{
		{"defaults inside of each other", archive("c/a.yaml", filled("a", "./a", "A: one"), "a/gw.yaml", classed("gw", "'"+text+"'")), ""},
		{"each waits for the one before", archive("c/a.yaml", chain.String()+configMap("flux-system", "c0", "V: v0")) + next +
			archive(fmt.Sprintf("deep/%d/gw.yaml", n-1), classed("gw", "${V}")), fmt.Sprintf("v%d", n-1)},
		{"each waits for the one after", archive("c/a.yaml", strings.Join(docs[1:], "---\n")+"---\n"+configMap("flux-system", "c0", "V: v0")) + next +
			archive(fmt.Sprintf("deep/%d/gw.yaml", n-1), classed("gw", "${V}")), fmt.Sprintf("v%d", n-1)},
		{"each names the next one twice", archive("c/a.yaml", filled("a", "./a", "", "ConfigMap/all"), "c/all.yaml", configMap("flux-system", "all", values...), "a/gw.yaml", classed("gw", "${A0}")), ""},
		{"many in one text", archive("c/a.yaml", filled("a", "./a", "A: one"), "a/gw.yaml", classed("gw", "'"+many.String()+"'")), many.String() + " (unknown)"},
		{"each makes the next one, with a longer name", archive("c/a.yaml", filled("a", "./a", "TEXT: x"), "a/ks.yaml", filled("k${TEXT}", "./a", "TEXT: 'x${TEXT}'"), "a/gw.yaml", classed("gw", "one")), "one"},
		{"each makes the next one, with a name twice as long", archive("c/a.yaml", filled("a", "./a", "TEXT: x"), "a/ks.yaml", filled("k${TEXT}", "./a", "TEXT: '${TEXT}${TEXT}'"), "a/gw.yaml", classed("gw", "one")), "one"},
	}
	for i, tt := range tests {
		if testing.Short() && i >= 5 {
			continue // their bounds take long under the race detector
		}
		t.Run(tt.name, func(t *testing.T) {
			s := render(t, tt.archive, needless())
			if got := classOf(t, s, "gw"); tt.class != "" && got != tt.class {
				t.Errorf("the class is %q, want %q", got, tt.class)
			}
		})
	}
}
