package render

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
)

// randomTree is a repository with three Flux clusters: files of each, some shared, with a base that all patch and
// variables in texts.
type randomTree map[string]string

func newRandomTree(r *rand.Rand) randomTree {
	out := randomTree{}
	for _, cluster := range []string{"one", "two", "three"} {
		out["clusters/"+cluster+"/ks.yaml"] = fluxEntry("apps", "./apps/"+cluster, fmt.Sprintf("  postBuild: {substitute: {CLASS: c%d}}\n", r.IntN(3))+pick(r, "", "  ignoreMissingComponents: true\n  components: [part]\n")+pick(r, "", "  targetNamespace: a\n", "  targetNamespace: b\n"))
		out["clusters/"+cluster+"/plain.yaml"] = fluxEntry("plain", "./plain/"+cluster, pick(r, "", "  targetNamespace: a\n", "  targetNamespace: b\n"))
		out["plain/"+cluster+"/all.yaml"] = "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: plain}\nspec: {gatewayClassName: " + pick(r, "a", "b") + "}\n"
		out["apps/"+cluster+"/kustomization.yaml"] = "resources: [../base, own.yaml]\nnamespace: " + pick(r, "infra", "shop") + "\n" +
			pick(r, "", "patches: [{target: {kind: Gateway}, patch: '[{\"op\": \"add\", \"path\": \"/spec/x\", \"value\": \""+pick(r, "a", "b")+"\"}]'}]\n", "commonLabels: {a: "+pick(r, "b", "c")+"}\n", "components: [part]\n")
		out["apps/"+cluster+"/own.yaml"] = classed("own", pick(r, "a", "b", "${CLASS}")) + pick(r, "", "---\n"+classed("twice", "a")+"---\n"+classed("twice", "b"))
		out["clusters/"+cluster+"/direct.yaml"] = classed("direct", pick(r, "a", "b"))
	}
	out["apps/base/kustomization.yaml"] = "resources: [gw.yaml]\n"
	out["apps/base/gw.yaml"] = classed("base", pick(r, "a", "${CLASS}", "${NONE}"))
	return out
}

func pick(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }

// edited returns the tree after an edit or none: another text, lines before it, a file less.
func (t randomTree) edited(r *rand.Rand) randomTree {
	out := maps.Clone(t)
	other := newRandomTree(r)
	names := slices.Sorted(maps.Keys(out))
	for range r.IntN(4) {
		name := names[r.IntN(len(names))]
		if out[name] == "" {
			continue
		}
		switch r.IntN(5) {
		case 4:
			dir := pick(r, "apps/base/", "apps/one/", "apps/two/")
			out[dir+pick(r, "kustomization.yml", "gwplan-inline-0.yaml", "unlisted.yaml", "part/kustomization.yaml")] = pick(r, "resources: [own.yaml]\n", "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnamespace: part\n")
		case 0:
			out[name] = "# a comment\n" + out[name]
		case 1:
			if before, direct := strings.CutSuffix(name, "direct.yaml"); direct {
				if r.IntN(2) == 0 {
					out[before+"moved.yaml"] = out[name]
				}
				delete(out, name)
			}
		default:
			out[name] = other[name]
		}
	}
	return out
}

func (t randomTree) archive() string {
	var files []string
	for _, name := range slices.Sorted(maps.Keys(t)) {
		files = append(files, name, t[name])
	}
	return archive(files...)
}

// whole is everything of a snapshot: objects with the place of each value, what is not there, problems, notes.
func whole(s *loader.Snapshot) string {
	var b strings.Builder
	for _, e := range s.Environments {
		fmt.Fprintf(&b, "environment %s at %s by %s\n", e.Name, e.Path, e.By)
		for _, o := range slices.Concat(e.Objects, e.Workloads) {
			fmt.Fprintf(&b, "%s %s %x %v %v\n", o.ID, o.Version, o.Digest, o.Files, o.Inputs)
			places(&b, o, o.Root)
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%v %v %+v\n", e.Duplicates, e.Incomplete, e.Gaps)
	}
	fmt.Fprintf(&b, "%+v\n%v\n", s.Problems, s.Notes)
	return b.String()
}

func places(b *strings.Builder, o *loader.Object, v *loader.Value) {
	fmt.Fprintf(b, " %s=%s", o.Position(v), v.Text)
	for _, f := range v.Fields {
		b.WriteString(" " + f.Key)
		places(b, o, f.Value)
	}
	for _, item := range v.Items {
		places(b, o, item)
	}
}

// Two trees share environments that declare the same. Each is as if it were rendered alone.
func TestTreesTogether(t *testing.T) {
	n := 200
	if testing.Short() {
		n = 40
	}
	shared := 0
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 17))
		base := newRandomTree(r)
		head := base.edited(r)
		together := renderAll(t, options(), base.archive(), head.archive())
		for i, alone := range []string{base.archive(), head.archive()} {
			if got, want := whole(together[i]), whole(render(t, alone, options())); got != want {
				t.Fatalf("seed %d, tree %d: together\n%s\nalone\n%s", seed, i, got, want)
			}
		}
		for i, e := range together[1].Environments {
			if was := together[0].Environments[i]; len(e.Objects) > 0 && len(was.Objects) > 0 && e.Objects[0] == was.Objects[0] {
				shared++
			}
		}
	}
	if shared < n/2 {
		t.Errorf("%d environments of %d trees share their objects: the test shows nothing", shared, n)
	}
}

// What a plugin reads in a tree is read in each of them.
func TestPluginsInTwoTrees(t *testing.T) {
	base := []string{
		"kustomization.yaml", "generators: [generator.yaml]\n",
		"generator.yaml", "apiVersion: policy.open-cluster-management.io/v1\nkind: PolicyGenerator\nmetadata: {name: g}\npolicyDefaults: {namespace: policies}\npolicies: [{name: p, manifests: [{path: m}]}]\n",
		"m/a.yaml", manifestOf("gateway.networking.k8s.io/v1", "Gateway", "infra", "a"),
	}
	head := append(slices.Clone(base), "m/b.yaml", manifestOf("gateway.networking.k8s.io/v1", "Gateway", "infra", "b"))
	together := renderAll(t, Options{}, archive(base...), archive(head...))
	for i, alone := range []string{archive(base...), archive(head...)} {
		if got, want := whole(together[i]), whole(render(t, alone, Options{})); got != want {
			t.Errorf("tree %d: together\n%s\nalone\n%s", i, got, want)
		}
	}
	if whole(together[0]) == whole(together[1]) {
		t.Error("the trees do not differ: the test shows nothing")
	}
}
