package apptemplate

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// target is a service that a backend refers to.
type target struct {
	name string
	// port is the number of the primary port, nil if there is none. chance means that no port is
	// primary and the chart takes any of them.
	port   *loader.Value
	chance bool
	// ports is the number of enabled ports. numbers are the port numbers by port name, including
	// disabled ports.
	ports   int
	numbers map[string]*loader.Value
}

// target returns what a backend needs of a service; each service is resolved only once.
func (a *backends) target(id string, values *loader.Value) *target {
	if t := a.targets[id]; t != nil {
		return t
	}
	ports := a.portsOf(values)
	t := &target{name: a.serviceName(appEntry{id, values}), ports: len(ports), numbers: map[string]*loader.Value{}}
	for _, p := range entries(values.Get("ports")) {
		t.numbers[p.id] = p.values.Get("port")
	}
	if a.rules.portRanges {
		ports = slices.DeleteFunc(ports, func(p appEntry) bool { return p.values.Get("port") == nil })
	}
	if first := a.choose(ports); first.values != nil {
		t.port, t.chance = a.bare(first.values.Get("port")), first.chance && !a.rules.sortedPorts
	}
	a.targets[id] = t
	return t
}

// primaryPort returns the primary port of a service. The result is uncertain if the chart may take
// any port.
func (a *backends) primaryPort(t *target) *loader.Value {
	a.unsure(t.chance)
	return t.port
}

// backend makes a backend of a rule (classes/_route.tpl).
func (a *backends) backend(r appRoute, ref *loader.Value) (*loader.Value, error) {
	if ref.Shape != loader.Map {
		return nil, errors.New("each item of backendRefs must be a map")
	}
	resolve := a.backendOfRoute
	switch a.rules.backends {
	case byRoute:
	case byKey:
		resolve = a.backendByKey
	case byIdentifier:
		resolve = a.backendByIdentifier
	}
	name, port, err := resolve(r, ref)
	if err != nil {
		return nil, err
	}
	at := build{ref.Mark}
	return at.object("group", a.quotedOr(ref.Get("group"), at.text("")), "kind", a.orElse(ref.Get("kind"), at.text("Service")), "name", name,
		"namespace", a.orElse(ref.Get("namespace"), at.text(a.release.Namespace)), "port", port, "weight", a.weight(at, ref)), nil
}

// weight returns the weight of a backend (lib/chart/_defaultKeepNonNullValue.tpl).
func (a *backends) weight(at build, ref *loader.Value) *loader.Value {
	own := ref.Get("weight")
	switch {
	case a.rules.zeroWeights && !own.IsNull():
		return a.copied(own)
	case a.rules.zeroWeights:
		return at.number("1")
	}
	return a.orElse(own, at.number("1"))
}

// checkFirstService returns an error if there is no service with a port: the templates of 1.x then
// fail on every route, whatever its backends are.
func (a *backends) checkFirstService() error {
	switch {
	case a.rules.backends != byRoute:
	case a.firstService.values == nil:
		return errors.New("the chart refuses a route without a service")
	case a.target(a.firstService.id, a.firstService.values).ports == 0:
		return fmt.Errorf("the chart does not render routes because the primary service %q has no enabled port", a.firstService.id)
	}
	return nil
}

// backendOfRoute resolves a backend by its own name. Without a name, it uses the name of the route,
// because the library builds the name of the primary service from it.
func (a *backends) backendOfRoute(r appRoute, ref *loader.Value) (name, port *loader.Value, err error) {
	at, first := build{ref.Mark}, a.firstService
	a.unsure(first.chance)
	own := r.name
	if override := a.word(first.values.Get("nameOverride")); override != "" {
		own = a.plainText(own + "-" + override)
	}
	if port = a.orElse(ref.Get("port"), nil); port == nil {
		port = a.primaryPort(a.target(first.id, first.values))
	}
	return a.orElse(ref.Get("name"), at.text(own)), port, nil
}

// backendByKey resolves a backend whose name is the key of a service, enabled or not. Any other
// name is the name of an object (lib/service/_getByIdentifier.tpl).
func (a *backends) backendByKey(_ appRoute, ref *loader.Value) (name, port *loader.Value, err error) {
	name, port = ref.Get("name"), ref.Get("port")
	a.unsure(!name.IsNull() && name.Shape != loader.String)
	id := textOf(name)
	values := a.allServices[id]
	if values == nil {
		return a.bare(name), a.backendPort(port), nil
	}
	if values.Shape != loader.Map {
		return nil, nil, fmt.Errorf("the chart does not accept the service %q as a backend, because it is not a map", id)
	}
	t := a.target(id, values)
	if t.ports == 0 && a.rules.needsPorts {
		return nil, nil, fmt.Errorf("the chart does not accept the service %q as a backend, because it has no enabled port", id)
	}
	written := !truthy(t.port)
	if a.rules.writtenPorts {
		written = truthy(port)
	}
	if written {
		return build{ref.Mark}.text(t.name), a.backendPort(port), nil
	}
	return build{ref.Mark}.text(t.name), a.primaryPort(t), nil
}

// backendByIdentifier resolves a backend by its name. Without a name, it uses the enabled service
// whose key is the identifier, or else the only enabled service
// (lib/routes/_autoDetectService.tpl).
func (a *backends) backendByIdentifier(_ appRoute, ref *loader.Value) (name, port *loader.Value, err error) {
	name, port = ref.Get("name"), ref.Get("port")
	named := a.rules.portNames && truthy(port) && port.Shape == loader.String && !port.Opaque
	if truthy(name) {
		if named {
			return nil, nil, errors.New("the chart does not accept a port name in a backend that has a name; use a port number or an identifier")
		}
		return a.bare(a.text(name)), a.backendPort(port), nil
	}
	id, err := a.identified(ref)
	if err != nil || id == "" {
		return nil, a.backendPort(port), err
	}
	values := a.services[id]
	if values == nil {
		return nil, nil, fmt.Errorf("the chart finds no service %q for a backend", id)
	}
	t := a.target(id, values)
	switch {
	case !truthy(port):
		port = a.primaryPort(t)
	case named:
		own := port.Text
		if port = t.numbers[own]; port == nil {
			return nil, nil, fmt.Errorf("the service %q has no port named %q", id, own)
		}
	}
	return build{ref.Mark}.text(t.name), a.backendPort(port), nil
}

// backendPort returns the port that is written for a backend. Where a backend's own port wins over
// that of the service, 0 means no port.
func (a *backends) backendPort(port *loader.Value) *loader.Value {
	if a.rules.writtenPorts {
		return a.orElse(port, nil)
	}
	return a.bare(port)
}

// identified returns the key of the service that a backend without a name refers to, or "" if it
// refers to none.
func (a *backends) identified(ref *loader.Value) (string, error) {
	if id := a.word(a.copied(ref.Get("identifier"))); id != "" || !a.rules.detects {
		return id, nil
	}
	if len(a.services) != 1 {
		return "", errors.New("a backend has no name or identifier, and the chart can only choose a service if exactly one is enabled")
	}
	return slices.Collect(maps.Keys(a.services))[0], nil
}
