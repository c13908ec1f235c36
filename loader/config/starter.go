package config

import (
	"strconv"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

const starterHead = `# yaml-language-server: $schema=https://raw.githubusercontent.com/gwplan/gwplan/main/loader/config/schema.json
#
# What gwplan cannot see in the manifests. Every key is optional: without this file all is discovered.
# In a diff this file is read from the base revision. Check it with: gwplan config verify

# The environments. Each one is the set of objects that is deployed to one cluster. A path is a folder, the folder of a kustomization or of a chart, or a
# file, relative to the root of the repository; ** stands for any number of folders. The entry folder of a Flux cluster
# stands for all that Flux applies from there; argocd: NAME stands for all that Argo CD deploys to that cluster.
`

const starterExample = `#environments:
#- name: prod
#  paths: [clusters/prod]
`

const starterTail = `
# Policy kinds that the built-in catalogue does not have; see: gwplan kinds
#kinds:
#- group: example.com
#  kind: RetryPolicy
#  profile: gep                   # the rules of GEP-713

# Nothing exists that is not in this repository: a missing Secret or Service is an error, not unknown.
#complete: true

# Creation times of objects in the cluster. Between policies of one level the older wins.
#ages:
#  HTTPRoute/shop/pay: 2024-01-02T03:04:05Z
#  RetryPolicy.example.com/shop/retries: 2024-01-02T03:04:05Z

# Labels of Namespaces that no manifest declares.
#namespaces:
#  shop:
#    labels: {team: payments}

# The Namespaces whose routes may serve a hostname: routes of others are reported.
#owners:
#  pay.example.com: [payments]
#  "*.shop.example.com": [shop, shop-preview]

# Controllers of GatewayClasses that no manifest declares, or that behave as another's: their controllerNames.
#controllers:
#  public: gateway.envoyproxy.io/gatewayclass-controller

# Releases of controllers that this repository does not install: what raising one changes is reported.
#versions:
#  envoy-gateway: "1.8"

# Root namespaces of systems that have one; istio-system for istio.
#roots:
#  istio: istio-config

# Objects that exist but are not in this repository.
#external:
#- Service/shop/pay
#- GatewayClass/public

# Severities of rules, see: gwplan rules. One of error, warning, note, off.
#rules:
#  unattached-policy: warning

# Findings that do not count, each with the reason why. Targets are globs over KIND/NAMESPACE/NAME.
#ignore:
#- rule: unattached-policy
#  target: RetryPolicy.example.com/shop/*
#  reason: the routes of the shop come from another repository
#  expires: 2030-12-31
`

// Starter returns a first config file: the given environments, and every other key as a
// commented example.
func Starter(environments []Environment) []byte {
	var b strings.Builder
	b.WriteString(starterHead)
	if len(environments) == 0 {
		b.WriteString(starterExample)
	} else {
		b.WriteString("environments:\n")
	}
	for _, e := range environments {
		b.WriteString("- name: " + scalar(e.Name) + "\n")
		if e.ArgoCD != "" {
			b.WriteString("  argocd: " + scalar(e.ArgoCD) + "\n")
			continue
		}
		b.WriteString("  paths:\n")
		for _, p := range e.Paths {
			b.WriteString("  - " + scalar(p) + "\n")
		}
	}
	b.WriteString(starterTail)
	return []byte(b.String())
}

// scalar writes a text as YAML, quoted unless the unquoted form parses to the same string.
func scalar(s string) string {
	roots, problems := manifest.Parse([]byte("- "+s+"\n"), manifest.Limits{})
	if len(problems) == 0 && len(roots) == 1 && len(roots[0].ItemList()) == 1 && !strings.Contains(s, "\n") {
		if v := roots[0].Items[0]; v.Shape == loader.String && v.Text == s {
			return s
		}
	}
	// All escapes of Go are valid in YAML double quotes (YAML 1.2.2, 5.7).
	return strconv.Quote(s)
}
