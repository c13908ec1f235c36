package apptemplate

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/chart"
)

// codeServer returns the Service of the code-server add-on of 1.x (addons/code-server/_addon.tpl).
func (a *serving) codeServer() []appEntry {
	addon := a.values.Get("addons", "codeserver")
	service := addon.Get("service")
	if !a.rules.codeServer || !a.is(addon.Get("enabled")) || !a.is(service.Get("enabled")) {
		return nil
	}
	b := build{service.Mark}
	return []appEntry{{"addon-codeserver", chart.Overlaid(service, b.object("nameOverride", "addon-codeserver"))}}
}

// service makes one Service (classes/_service.tpl).
func (a *serving) service(e appEntry) {
	ports := a.portsOf(e.values)
	if err := a.checkService(e, ports); err != nil {
		a.problem("service.%s: %v", e.id, err)
		return
	}
	// Probes of containers need the primary port (lib/container/fields/_probes.tpl).
	a.unsure(len(ports) == 0 && a.rules.needsPorts)
	b := build{e.values.Mark}
	kind := a.orElse(e.values.Get("type"), b.text("ClusterIP"))
	var external *loader.Value
	if a.rules.externalName && kind.Text == "ExternalName" {
		external = a.orElse(e.values.Get("externalName"), nil)
	}
	name := a.serviceName(e)
	meta := a.metadata(b, name, e.values, b.object(serviceLabel, name), a.scheme(b, ports))
	a.add(b.object("apiVersion", "v1", "kind", "Service", "metadata", meta,
		"spec", b.object("type", kind, "ports", a.servicePorts(b, ports), "externalName", external, "selector", a.selector(b, e.values))))
}

// selector returns the labels of a Service's pods: those of the release, and since 2.0 those of one
// of its controllers.
func (a *serving) selector(b build, service *loader.Value) *loader.Value {
	labels := b.object("app.kubernetes.io/instance", a.release.Name, "app.kubernetes.io/name", a.names.own)
	if key := a.rules.controllerLabel; key != "" {
		controller := a.word(service.Get("controller"))
		if controller == "" {
			for only := range a.controllers {
				controller = only
			}
		}
		labels = chart.Overlaid(labels, b.object(key, controller))
	}
	if more := service.Get("extraSelectorLabels"); !more.IsNull() {
		return chart.Overlaid(labels, more)
	}
	return labels
}

// checkService returns an error if the chart refuses a Service (lib/service/_validate.tpl; in 1.x
// lib/service/_primary_port.tpl and lib/container/_ports.tpl fail).
func (a *serving) checkService(e appEntry, ports []appEntry) error {
	kind := a.word(e.values.Get("type"))
	if a.rules.controllers != noController {
		if err := a.checkController(a.word(e.values.Get("controller"))); err != nil {
			return err
		}
		if kind != "" && !slices.Contains(serviceTypes(), kind) {
			return fmt.Errorf("%q is not a Service type", kind)
		}
		if kind == "ExternalName" {
			return nil
		}
	}
	if len(ports) == 0 {
		return errors.New("the chart refuses a Service without an enabled port")
	}
	for _, p := range ports {
		if a.rules.controllers != noController && !a.rules.portRanges && !truthy(p.values.Get("port")) {
			return fmt.Errorf("the port %q has no number, which the chart requires", p.id)
		}
		if a.rules.containerPorts && a.services[e.id] != nil && p.values.Str("targetPort") != "" && a.is(a.values.Get("controller", "enabled")) {
			return fmt.Errorf("the chart does not accept the port %q: its targetPort is a name, not a number", p.id)
		}
	}
	return nil
}

func serviceTypes() []string {
	return []string{"ClusterIP", "LoadBalancer", "NodePort", "ExternalName", "ExternalIP"}
}

// checkController returns an error if the chart refuses the controller of a Service.
func (a *serving) checkController(name string) error {
	need := a.rules.controllers
	if name == "" {
		if need == foundController && len(a.controllers) == 1 {
			return nil
		}
		return errors.New("the chart refuses a Service without a controller")
	}
	of := a.controllers[name]
	if need != namedController && (of == nil || need == knownController && len(of.Fields) == 0) {
		return fmt.Errorf("the chart finds no enabled controller %q for a Service", name)
	}
	return nil
}

// portsOf returns the enabled ports of a service, sorted by name (lib/service/_enabled_ports.tpl).
func (a *serving) portsOf(service *loader.Value) []appEntry {
	return a.switched(entries(service.Get("ports")), a.rules.ports)
}

func (a *serving) servicePorts(b build, ports []appEntry) *loader.Value {
	if len(ports) == 0 {
		return nil
	}
	out := b.list()
	for _, p := range ports {
		at := build{p.values.Mark}
		port, span := p.values.Get("port"), p.values.Get("portRange")
		switch {
		case !a.rules.portRanges || truthy(port):
			out.Items = append(out.Items, a.port(at, p))
		case truthy(span):
			out.Items = append(out.Items, a.span(at, p, span)...)
		default:
			a.partial = true
		}
	}
	return out
}

func (a *serving) port(at build, p appEntry) *loader.Value {
	port, name := a.bare(p.values.Get("port")), a.bare(at.text(p.id))
	target := port
	if a.rules.namedTargets {
		target = name
	}
	return at.object("port", port, "targetPort", a.orElse(p.values.Get("targetPort"), target),
		"protocol", a.protocol(at, p.values), "name", name, "appProtocol", a.appProtocol(p.values))
}

func (a *serving) appProtocol(port *loader.Value) *loader.Value {
	if !a.rules.appProtocol {
		return nil
	}
	return a.orElse(port.Get("appProtocol"), nil)
}

// protocol returns the network protocol of a port: HTTP and HTTPS are TCP.
func (a *serving) protocol(at build, port *loader.Value) *loader.Value {
	switch a.word(port.Get("protocol")) {
	case "", "HTTP", "HTTPS", "TCP":
		return at.text("TCP")
	}
	return a.bare(port.Get("protocol"))
}

// scheme returns the annotation of a Service of 1.x whose primary port is HTTPS, else nil.
func (a *serving) scheme(b build, ports []appEntry) *loader.Value {
	secure := func(p appEntry) bool { return a.word(p.values.Get("protocol")) == "HTTPS" }
	if !a.rules.schemeAnnotation || !slices.ContainsFunc(ports, secure) {
		return nil
	}
	first := a.choose(ports)
	a.unsure(first.chance)
	if !secure(first.appEntry) {
		return nil
	}
	return b.object(schemeAnnotation, "https")
}

// maxSpan limits the size of one port range.
const maxSpan = 1000

// span makes the ports of a range. Each name ends with the port's number.
func (a *serving) span(at build, p appEntry, span *loader.Value) []*loader.Value {
	first, err := strconv.Atoi(textOf(span.Get("start")))
	last, err2 := strconv.Atoi(textOf(span.Get("end")))
	if err != nil || err2 != nil || first < 1 || last > 65535 || last < first || last-first > maxSpan || a.budget.Spend(last-first+1, 0) != nil {
		a.partial = true
		return nil
	}
	var out []*loader.Value
	for n := first; n <= last; n++ {
		port := at.number(strconv.Itoa(n))
		out = append(out, at.object("port", port, "targetPort", port, "protocol", a.protocol(at, p.values), "name", p.id+"-"+port.Text, "appProtocol", a.appProtocol(p.values)))
	}
	return out
}

func textOf(v *loader.Value) string {
	if v == nil {
		return ""
	}
	return v.Text
}
