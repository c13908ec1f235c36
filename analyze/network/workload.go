package network

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// templates are the paths of the pod templates of the kinds that run pods. A Pod is its own template.
var templates = map[loader.ID][]string{
	{Group: "", Kind: "Pod"}:                   {},
	{Group: "", Kind: "ReplicationController"}: {"spec", "template"},
	{Group: "apps", Kind: "DaemonSet"}:         {"spec", "template"},
	{Group: "apps", Kind: "Deployment"}:        {"spec", "template"},
	{Group: "apps", Kind: "ReplicaSet"}:        {"spec", "template"},
	{Group: "apps", Kind: "StatefulSet"}:       {"spec", "template"},
	{Group: "batch", Kind: "CronJob"}:          {"spec", "jobTemplate", "spec", "template"},
	{Group: "batch", Kind: "Job"}:              {"spec", "template"},
	{Group: "argoproj.io", Kind: "Rollout"}:    {"spec", "template"},
}

// Workload reports whether a kind runs pods from a template that its manifest contains.
func Workload(group, kind string) bool {
	_, known := templates[loader.ID{Group: group, Kind: kind}]
	return known
}

// pod is what the template of a workload says of its pods.
type pod struct {
	labels inventory.Labels
	// account is the name of its ServiceAccount.
	account string
	ports   []containerPort
	// addresses are those in the status of a Pod that was read from a cluster.
	addresses []netip.Addr
	// host means that the pods use the network of their node, where no policy selects them.
	host bool
}

type containerPort struct {
	name     string
	protocol Protocol
	number   int
}

// given are the labels that the controllers of workloads add to their pods, with values that are not in manifests
// (Kubernetes pkg/controller/{statefulset,deployment,daemon,job}; well-known labels).
var given = map[string][]string{
	"Deployment":  {"pod-template-hash"},
	"StatefulSet": {"statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index", "controller-revision-hash"},
	"DaemonSet":   {"controller-revision-hash", "pod-template-generation"},
	"CronJob":     {"job-name", "batch.kubernetes.io/job-name", "controller-uid", "batch.kubernetes.io/controller-uid"},
	"Job":         {"controller-uid", "batch.kubernetes.io/controller-uid"},
}

// podOf reads the template of a workload.
func podOf(o *loader.Object) *pod {
	path := templates[loader.ID{Group: o.ID.Group, Kind: o.ID.Kind}]
	template := o.Root.Get(path...)
	p := &pod{labels: inventory.Labels{Values: map[string]string{}}, account: cmp.Or(template.Str("spec", "serviceAccountName"), "default")}
	for _, f := range template.Get("metadata", "labels").FieldList() {
		p.labels.Values[f.Key] = f.Value.Text
	}
	for _, key := range given[o.ID.Kind] {
		if _, written := p.labels.Values[key]; !written {
			p.labels.Values[key] = "${" + key + "}" // its value is not in manifests
		}
	}
	switch o.ID.Kind {
	case "Job": // the Job controller adds these to its pods
		p.labels.Values["job-name"], p.labels.Values["batch.kubernetes.io/job-name"] = o.ID.Name, o.ID.Name
	case "Rollout":
		// With workloadRef, the template is another workload's.
		p.labels.Partial = template == nil
	}
	if host := template.Get("spec", "hostNetwork"); host != nil {
		p.host = host.Text == "true"
	}
	for _, ip := range template.List("status", "podIPs") {
		if a, err := netip.ParseAddr(ip.Str("ip")); err == nil {
			p.addresses = append(p.addresses, a.Unmap())
		}
	}
	for _, list := range []string{"containers", "initContainers"} {
		for _, c := range template.List("spec", list) {
			for _, port := range c.List("ports") {
				protocol, _ := ParseProtocol(cmp.Or(port.Str("protocol"), "TCP"))
				if n, ok := number(port.Get("containerPort")); ok {
					p.ports = append(p.ports, containerPort{port.Str("name"), protocol, n})
				}
			}
		}
	}
	return p
}

// named returns the ports that the pod calls by this name.
func (p *pod) named(name string, protocol Protocol) []Range {
	var out []Range
	for _, port := range p.ports {
		if port.name == name && port.protocol == protocol {
			out = append(out, Range{protocol, port.number, port.number})
		}
	}
	return out
}

// matches reports whether a selector selects the pods, by what is known of their labels.
func (p *pod) matches(s Selector) fact.Fact { return s.Matches(p.labels) }

// PodsOf returns what Services look at of a workload: the labels of its pods, their ports as "NAME NUMBER", and whether
// any of them run.
func PodsOf(o *loader.Object) (labels map[string]string, ports []string, run bool) {
	p := podOf(o)
	for _, port := range p.ports {
		ports = append(ports, fmt.Sprintf("%s %d", port.name, port.number))
	}
	slices.Sort(ports)
	replicas := o.Root.Get("spec", "replicas")
	return p.labels.Values, ports, replicas == nil || replicas.Text != "0"
}

// LabelsOf returns the labels of the pods of a workload, and whether these are all. A value may be a placeholder.
func LabelsOf(o *loader.Object) (labels map[string]string, whole bool) {
	of := podOf(o).labels
	return of.Values, !of.Partial
}

// SelectedBy reports whether a Service selects the pods of a workload. It is not known where a label has its value from elsewhere.
func SelectedBy(service, workload *loader.Object) fact.Fact {
	selector := service.Spec().Get("selector").FieldList()
	if len(selector) == 0 || service.ID.Namespace != workload.ID.Namespace {
		return fact.False
	}
	labels, out := podOf(workload).labels, fact.True
	for _, f := range selector {
		value, has := labels.Values[f.Key]
		switch {
		case f.Value.Opaque || loader.Placeholder(value) || !has && labels.Partial:
			out = fact.Unknown
		case !has || value != f.Value.Text:
			return fact.False
		}
	}
	return out
}

// DeclaresPort reports whether one of some ports, as PodsOf returns them, has a name or number.
func DeclaresPort(ports []string, port string) bool {
	return port != "" && slices.ContainsFunc(ports, func(p string) bool {
		name, number, _ := strings.Cut(p, " ")
		return name == port || number == port
	})
}

// PortNumber returns the number of the port of a name among some ports, as PodsOf returns them, "" if there is none or several.
func PortNumber(ports []string, name string) string {
	out := ""
	for _, p := range ports {
		if is, number, _ := strings.Cut(p, " "); is == name {
			if out != "" && out != number {
				return ""
			}
			out = number
		}
	}
	return out
}

// ContainersOf returns the containers of the pods of a workload, the initial ones first.
func ContainersOf(o *loader.Object) []*loader.Value {
	spec := o.Root.Get(templates[loader.ID{Group: o.ID.Group, Kind: o.ID.Kind}]...).Get("spec")
	return slices.Concat(spec.List("initContainers"), spec.List("containers"))
}

// VolumesOf returns the volumes of the pods of a workload.
func VolumesOf(o *loader.Object) []*loader.Value {
	return o.Root.Get(templates[loader.ID{Group: o.ID.Group, Kind: o.ID.Kind}]...).Get("spec").List("volumes")
}

// PodAnnotations returns the annotations of the pods of a workload.
func PodAnnotations(o *loader.Object) map[string]string {
	out := map[string]string{}
	for _, f := range o.Root.Get(templates[loader.ID{Group: o.ID.Group, Kind: o.ID.Kind}]...).Get("metadata", "annotations").FieldList() {
		out[f.Key] = f.Value.Text
	}
	return out
}

// OnHost reports whether the pods of a workload have the network of their node.
func OnHost(o *loader.Object) bool { return podOf(o).host }

// AccountOf returns the name of the ServiceAccount of a workload's pods.
func AccountOf(o *loader.Object) string { return podOf(o).account }

// Endpoints reports whether an object lists endpoints of a Service.
func Endpoints(id loader.ID) bool {
	return id.Group == "discovery.k8s.io" && id.Kind == "EndpointSlice" || id.Group == "" && id.Kind == "Endpoints"
}
