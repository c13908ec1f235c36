package schema

import (
	"slices"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/internal/spelling"
)

// builtinKinds are the kinds that some release of Kubernetes has, by group (kubernetes staging/src/k8s.io/api), and those of deployers
// (fluxcd source-controller, kustomize-controller and helm-controller; argoproj argo-cd and argo-rollouts).
var builtinKinds = map[string][]string{
	"": {
		"Binding", "ComponentStatus", "ConfigMap", "Endpoints", "Event", "LimitRange", "List", "Namespace", "Node", "PersistentVolume",
		"PersistentVolumeClaim", "Pod", "PodTemplate", "ReplicationController", "ResourceQuota", "Secret", "Service", "ServiceAccount",
		"ConfigMapList", "EndpointsList", "NamespaceList", "NodeList", "PodList", "SecretList", "ServiceList", "ServiceAccountList",
	},
	"apps":                        {"ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSetList", "DeploymentList", "ReplicaSetList", "StatefulSetList"},
	"batch":                       {"CronJob", "Job", "CronJobList", "JobList"},
	"networking.k8s.io":           {"IPAddress", "Ingress", "IngressClass", "NetworkPolicy", "ServiceCIDR", "IngressList", "IngressClassList", "NetworkPolicyList"},
	"policy":                      {"Eviction", "PodDisruptionBudget", "PodSecurityPolicy", "PodDisruptionBudgetList"},
	"source.toolkit.fluxcd.io":    {"Bucket", "ExternalArtifact", "GitRepository", "HelmChart", "HelmRepository", "OCIRepository"},
	"kustomize.toolkit.fluxcd.io": {"Kustomization"},
	"helm.toolkit.fluxcd.io":      {"HelmRelease"},
	"argoproj.io":                 {"AnalysisRun", "AnalysisTemplate", "AppProject", "Application", "ApplicationSet", "ClusterAnalysisTemplate", "Experiment", "Rollout"},
}

// knownKinds are those of the groups of which all kinds are known here.
var knownKinds = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for group, kinds := range builtinKinds {
		out[group] = slices.Clone(kinds)
	}
	for k := range embedded() {
		out[k.group] = append(out[k.group], k.kind)
	}
	for name := range kindVocabularies() {
		group, kind, _ := strings.Cut(name, "/")
		out[group] = append(out[group], kind)
	}
	for group, kinds := range out {
		slices.Sort(kinds)
		out[group] = slices.Compact(kinds)
	}
	return out
})

// MeantKind returns the kind that was probably meant by one that its group does not have, or "".
func MeantKind(group, kind string) string {
	known := knownKinds()[group]
	if kind == "" || slices.Contains(known, kind) {
		return ""
	}
	best, closest := "", 3
	for _, name := range known {
		if strings.EqualFold(name, kind) {
			return name
		}
		if len(name) < minKind || !alikeInLength(name, kind, 2) || strings.HasSuffix(name, "List") {
			continue
		}
		if d := spelling.Distance(name, kind); d < closest {
			best, closest = name, d
		}
	}
	return best
}

// minKind is the length in bytes from which a kind is taken for what was meant by one that differs by two letters.
const minKind = 6

// Misspelt returns the kind that was probably meant by one that neither its group nor a CRD in the input has, or "".
func (s *Set) Misspelt(group, kind string) string {
	for ; s != nil; s = s.below {
		if s.served[kindOf{group, kind}] != nil {
			return ""
		}
	}
	return MeantKind(group, kind)
}
