package network

import (
	"strconv"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// ServicePort is a port of a Service with the port of its pods behind it, by number or name.
type ServicePort struct {
	Number, Name, Target string
	Protocol             Protocol
}

// TargetPorts returns the ports of a Service (core/v1 ServicePort). Policies decide about the port of the
// pod, after the address of the Service is replaced.
func TargetPorts(service *loader.Object) []ServicePort {
	var out []ServicePort
	for _, v := range service.Spec().List("ports") {
		p := ServicePort{Name: v.Str("name"), Protocol: TCP}
		if n := v.Get("port"); n != nil {
			p.Number = n.Text
		}
		if name := v.Str("protocol"); name != "" {
			p.Protocol, _ = ParseProtocol(name)
		}
		p.Target = p.Number
		if target := v.Get("targetPort"); !target.IsNull() {
			p.Target = target.Text
		}
		out = append(out, p)
	}
	return out
}

// Serving returns the workloads whose pods a Service selects.
func (w *World) Serving(service *loader.Object) []int {
	selector := service.Spec().Get("selector")
	if selector.IsEmpty() {
		return nil
	}
	labels := &loader.Value{Shape: loader.Map, Fields: []loader.Field{{Key: "matchLabels", Value: selector}}}
	var out []int
	for _, i := range w.views.pods[service.ID.Namespace] { // a workload's namespace is known by its name
		if v := w.views.list[i]; v.object != nil && (inventory.Labels{Values: v.pod.labels.Values}).Matches(labels) == fact.True {
			out = append(out, i)
		}
	}
	return out
}

// TargetPort returns the port of an endpoint's pods behind a port of a Service; none if the pods have no
// port of that name.
func (w *World) TargetPort(i int, p ServicePort) []Range {
	if r, ok := ParsePort(p.Target, p.Protocol); ok {
		return []Range{r}
	}
	if r, ok := w.Named(i, p.Target, p.Protocol); ok {
		return []Range{r}
	}
	return nil
}

// ParsePort reads the number of a port.
func ParsePort(text string, protocol Protocol) (Range, bool) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxPort {
		return Range{}, false
	}
	return Range{protocol, n, n}, true
}
