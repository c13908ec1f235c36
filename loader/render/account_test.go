package render

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/account"
)

// TestAccountSpent: behind the first line of the account nothing more is rendered. Each part that
// asked is a problem at its own place, and files without a renderer are read as before.
func TestAccountSpent(t *testing.T) {
	const built = "the run has taken two fifths of its 0s of CPU time, and needs the rest for what is read and built"
	tests := []struct {
		name, files string
		want        string // the file and the start of the message
	}{
		{"a chart", archive("app.yaml", argoAt("web", "chart", "")+"---\n"+argoAt("plain", "plain", ""),
			"chart/Chart.yaml", "apiVersion: v2\nname: c\nversion: 1.0.0\n", "chart/templates/gw.yaml", gateway("shop", "web"),
		), `app.yaml the chart of "web" is not rendered: ` + built},
		{
			"a kustomization", archive("kustomization.yaml", "namePrefix: a-\nresources: [gw.yaml]\n", "gw.yaml", gateway("shop", "web")),
			"kustomization.yaml the kustomization is not built: " + built,
		},
		{"variables", archive(
			"flux/ks.yaml", fluxEntry("web", "./web", "  postBuild:\n    substitute: {A: b}\n")+"---\n"+fluxEntry("plain", "./plain", ""), "web/gw.yaml", gateway("shop", "web-${A}"),
		), `flux/ks.yaml what it applies of "web/gw.yaml" is left out: ` + built},
		{
			"files that two deployers apply", archive("flux/ks.yaml", fluxEntry("one", "./web", "")+"---\n"+fluxEntry("two", "./web", "  targetNamespace: other\n")+"---\n"+fluxEntry("plain", "./plain", ""), "web/gw.yaml", gateway("shop", "web")),
			`flux/ks.yaml what it applies of "web/gw.yaml" is left out: ` + built,
		},
		{
			"managed clusters", hub(distributed("p", has("complianceType: musthave", "spec: {}"))),
			"hub/all.yaml what Open Cluster Management brings to managed clusters is not known: " + built,
		},
		{"a policy generator", archive(
			"policies/kustomization.yaml", "generators: [generator.yaml]\n", "policies/gw.yaml", gateway("shop", "web"),
			"policies/generator.yaml", "apiVersion: policy.open-cluster-management.io/v1\nkind: PolicyGenerator\nmetadata: {name: g}\n"+
				"policyDefaults: {namespace: policies}\npolicies: [{name: p, manifests: [{path: gw.yaml}]}]\n",
		), "policies/generator.yaml the PolicyGenerator is not followed: " + built},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := tt.files + archive("plain/gw.yaml", gateway("plain", "plain"))
			if got := limitRun(t, files, account.New(0, time.Nanosecond)); !slices.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if got := limitRun(t, files, account.New(0, 0)); len(got) > 0 {
				t.Errorf("got %q without limits", got)
			}
		})
	}
}

// limitRun renders an archive with an account and returns the problems that name it.
func limitRun(t *testing.T, files string, a *account.Account) (got []string) {
	t.Helper()
	opts := options()
	opts.Account = a
	s := render(t, files, opts)
	if !strings.Contains(summary(s), "Gateway/plain/plain plain/gw.yaml:1:1") {
		t.Errorf("a file that nothing renders is lost:\n%s", summary(s))
	}
	for _, p := range s.Problems {
		if p.Code == loader.LimitRun {
			got = append(got, p.Position.File+" "+p.Message)
		}
	}
	return got
}

// TestUnaffordableClusters: the clusters of a hub that a run cannot afford are there, with what is not known.
// Beside a revision that could afford them, nothing would seem to be removed.
func TestUnaffordableClusters(t *testing.T) {
	opts := options()
	opts.Account = account.New(0, time.Nanosecond)
	s := render(t, hub(distributed("p", has("complianceType: musthave", "spec: {}"))), opts)
	i := slices.IndexFunc(s.Environments, func(e *loader.Environment) bool { return e.Name == "east" })
	if i < 0 {
		t.Fatalf("no environment east:\n%s", summary(s))
	}
	if gaps := s.Environments[i].Gaps; len(gaps) != 1 || gaps[0].String() != "ManagedCluster east" || !s.Environments[i].Incomplete {
		t.Errorf("got the gaps %v", gaps)
	}
}
