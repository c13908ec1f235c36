package network

import (
	"maps"
	"slices"
)

// naming are the keys of labels that usually name an application, the most telling first.
var naming = []string{"app", "app.kubernetes.io/name", "app.kubernetes.io/instance", "k8s-app", "name"}

// findDistinctiveLabels finds for pods with several labels the one that tells them apart in their namespace, so that
// descriptions need not repeat all.
func (u *universe) findDistinctiveLabels(known []knownPod) {
	type label struct{ namespace, text string }
	owners := map[label]int{}
	count := func(namespace string, labels map[string]string) {
		for key, value := range labels {
			owners[label{namespace, key + "=" + value}]++
		}
	}
	for _, k := range known {
		count(k.namespace, k.pod.labels.Values)
	}
	for _, e := range u.endpoints {
		if e.presumed() {
			count(e.Namespace, e.labels)
		}
	}
	for _, e := range u.endpoints {
		if !e.presumed() || len(e.labels) < 2 {
			continue
		}
		for _, key := range slices.Concat(naming, slices.Sorted(maps.Keys(e.labels))) {
			value, has := e.labels[key]
			if text := key + "=" + value; has && value != "" && owners[label{e.Namespace, text}] == 1 {
				e.distinctiveLabel = text
				break
			}
		}
	}
}
