package loader

import (
	"regexp"
	"slices"
	"strings"
)

// ServingAt returns what the changed lines of a file say about the objects behind routes and below policies: Services
// and endpoints, labels and annotations of Namespaces, and the fields of workloads that decide which Services and
// policies select their pods. Like TrafficAt, it reads lines and not YAML, and its work is proportional to the length
// of the text.
func ServingAt(text []byte, changed func(line int) bool) []string {
	var s servingScan
	scanLines(text, s.end, func(number int, line string) {
		s.enter(line)
		if changed(number) {
			s.change(line)
		}
	})
	slices.Sort(s.found)
	return slices.Compact(s.found)
}

// servingScan is a walk over the lines of a file. Of the current document it knows the kind, the keys around the line, and the keys
// that the change has touched.
type servingScan struct {
	found   []string
	kind    string
	open    []openKey
	touched map[string]bool
}

func (s *servingScan) enter(line string) {
	s.open = left(s.open, line)
	l, isKey := keyLine(line)
	if !isKey {
		return
	}
	if l.before == "" && l.key == "kind" {
		kind, _, _ := strings.Cut(l.value, " #")
		s.kind = strings.Trim(kind, `"' `)
	}
	s.open = append(s.open, openKey{indent: len(l.before), key: l.key})
}

// change notes the keys of a changed line and those around it. What a map in flow style has on the line counts as touched as a
// whole, as its parts are not compared.
func (s *servingScan) change(line string) {
	if s.touched == nil {
		s.touched = map[string]bool{}
	}
	inPods := false
	touch := func(key string) {
		inPods = inPods || key == podTemplate
		s.touched[key] = true
		if inPods {
			s.touched[podTemplate+"."+key] = true
		}
	}
	for _, k := range s.open {
		touch(k.key)
	}
	if strings.ContainsAny(line, "{,") {
		for _, key := range flowKey.FindAllStringSubmatch(line, maxFlowKeys) {
			touch(key[1])
		}
	}
	if stopped.MatchString(line) {
		s.touched[noReplicas] = true
	}
}

// end adds what the touched keys of a document mean in an object of its kind, and begins the next one.
func (s *servingScan) end() {
	counts := servingKeys[s.kind]
	if RunsPods(s.kind) {
		counts = podKeys
	}
	for _, key := range counts {
		if s.touched[key] || key == anyKey && len(s.touched) > 0 {
			if key == anyKey || key == "kind" {
				key = ""
			}
			s.found = append(s.found, wordOf(s.kind, key))
		}
	}
	*s = servingScan{found: s.found}
}

const (
	// anyKey stands for every key of an object.
	anyKey = "*"
	// podTemplate is the key of a workload below which its pods are described.
	podTemplate = "template"
	noReplicas  = "replicas: 0"
)

// stopped matches a workload that has no pods.
var stopped = regexp.MustCompile(`\breplicas["']?\s*:\s*0\b`)

// servingKeys are the keys of objects, by kind, that decide what routes and policies meet. Where the line of the kind is changed,
// the object comes or goes.
var servingKeys = map[string][]string{
	"Namespace":     {"kind", "labels", "annotations"},
	"Service":       {anyKey},
	"Endpoints":     {anyKey},
	"EndpointSlice": {anyKey},
	"Pod":           {anyKey},
}

// podKeys are those of workloads. Annotations of pods inject proxies.
var podKeys = []string{
	"kind", noReplicas, "selector", "template.annotations", "template.hostNetwork", "template.labels", "template.ports",
	"template.serviceAccountName",
}

// RunsPods reports whether objects of a kind of Kubernetes or Argo Rollouts run pods.
func RunsPods(kind string) bool { return slices.Contains(workloadKinds, kind) }

// workloadKinds are the kinds of Kubernetes and Argo Rollouts that run pods.
var workloadKinds = []string{"CronJob", "DaemonSet", "Deployment", "Job", "ReplicaSet", "Rollout", "StatefulSet"}
