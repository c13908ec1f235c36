package unseen

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// enforcing matches the names of further charts that install what serves, checks or filters requests and connections.
var enforcing = regexp.MustCompile(`^(istiod|cni|ztunnel|opa.*|authorino.*|limitador.*|oauth2-proxy|authelia|authentik|pomerium|tigera-operator|calico|antrea|` +
	`ingress-nginx|nginx-.*|emissary.*|aws-vpc-cni|kube-router|ovn-kubernetes|gatekeeper|kyverno.*|coraza.*)$`)

// upkeeping matches keys of values with which such charts are run, and that decide nothing about requests: how many pods
// there are and where, what they may use, how they are watched.
var upkeeping = regexp.MustCompile(`(?i)^(affinity|.*nodeselector|tolerations|topologyspreadconstraints|resources|replicas|.*replicacount|.*autoscal.*|hpa|pdb|` +
	`poddisruptionbudget.*|priorityclassname|.*images?|.*imagepullsecrets|imagepullpolicy|pullpolicy|tag|digest|repository|registry|hub|.*annotations|commonlabels|` +
	`securitycontext|podsecuritycontext|containersecuritycontext|.*servicemonitor|.*podmonitor|prometheus.*|metrics|dashboards?|grafana.*|.*loglevel|loglevels|` +
	`updatestrategy|strategy|deploymentstrategy|rollout.*|termination.*|hubble|operator|debug|.*probe|serviceaccount|persistence|extravolumes?|extravolumemounts|` +
	`volumes|volumemounts|crds|fullnameoverride|nameoverride|revisionhistorylimit|min(imum)?readyseconds)$`)

// maxConfigured is how many values of one release are named.
const maxConfigured = 20

// configured returns the values that differ between two gaps of a release whose chart installs what serves, checks or filters
// requests: each may decide about them, whatever its name is. Values at or below keys that are known words are not named again.
func configured(before, after *loader.Gap, known []string) (keys []string) {
	name := cmp.Or(after.ChartName(), before.ChartName())
	if !controllerChart.MatchString(name) && !enforcing.MatchString(name) {
		return nil
	}
	eachDiffering(before.Values, after.Values, "", func(path string) {
		if len(keys) < maxConfigured && !slices.ContainsFunc(strings.Split(path, "."), func(key string) bool { return slices.Contains(known, key) }) {
			keys = append(keys, path)
		}
	})
	return keys
}

// eachDiffering visits the paths of the values that differ, without those of the upkeep. A map that only one side has counts as
// a whole.
func eachDiffering(before, after *loader.Value, path string, visit func(path string)) {
	if loader.Equal(before, after) {
		return
	}
	isMap := func(v *loader.Value) bool { return v != nil && v.Shape == loader.Map }
	if path != "" && (!isMap(before) || !isMap(after)) {
		visit(path)
		return
	}
	seen := map[string]bool{}
	for _, side := range []*loader.Value{before, after} {
		for _, f := range side.FieldList() {
			if seen[f.Key] || upkeeping.MatchString(f.Key) {
				continue
			}
			seen[f.Key] = true
			below := f.Key
			if path != "" {
				below = path + "." + f.Key
			}
			eachDiffering(before.Get(f.Key), after.Get(f.Key), below, visit)
		}
	}
}
