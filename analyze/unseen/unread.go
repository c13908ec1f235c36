package unseen

import (
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/catalogue"
	"github.com/gwplan/gwplan/analyze/hierarchy"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/analyze/network"
	"github.com/gwplan/gwplan/loader"
)

// bearing is what objects of a kind have to do with traffic. What a controller of which nothing is known does with a hostname in a spec, such
// as making a route, does not show in the manifests.
func bearing(t *catalogue.Table, group, kind string) loader.Bearing {
	selects, _ := network.Selects(group, kind)
	switch {
	case t.Kind(group, kind) != nil, Unattached(group, kind):
		return loader.Deciding
	case catalogue.Describes(group, kind):
		return loader.Describing
	case selects, hierarchy.Needs(group, kind), inventory.Makes(group, kind), network.Workload(group, kind),
		slices.ContainsFunc(elsewhere, func(own string) bool { return group == own || strings.HasSuffix(group, "."+own) }):
		return loader.OtherwiseRead
	}
	return loader.Unread
}

// elsewhere are groups of controllers of which something else tells what their objects do, or that serve no requests with them: deployers,
// certificates and secrets, monitoring and logs, databases, virtual machines, pipelines, names in DNS.
var elsewhere = []string{
	"fluxcd.io", "argoproj.io", "open-cluster-management.io", "config.k8s.io", "cert-manager.io", "external-secrets.io", "bitnami.com",
	"isindir.github.com", "secrets.hashicorp.com", "monitoring.coreos.com", "monitoring.googleapis.com", "victoriametrics.com",
	"grafana.integreatly.org", "grafana.com", "clickhouse.altinity.com", "k8s.mariadb.com", "mysql.oracle.com", "percona.com", "zalan.do", "mongodbcommunity.mongodb.com",
	"redis.opstreelabs.in", "strimzi.io", "velero.io", "rook.io", "cnpg.io", "banzaicloud.io", "fluent.io", "kubevirt.io", "rabbitmq.com", "opentelemetry.io", "tekton.dev", "externaldns.k8s.io", "kyverno.io", "gatekeeper.sh",
}

// deploys reports whether objects of a kind apply others.
func deploys(group, kind string) bool {
	return slices.Contains(map[string][]string{
		"argoproj.io": {"Application", "ApplicationSet"}, "kustomize.toolkit.fluxcd.io": {"Kustomization"}, "helm.toolkit.fluxcd.io": {"HelmRelease"},
		"fluxcd.controlplane.io": {"ResourceSet"},
	}[group], kind)
}
