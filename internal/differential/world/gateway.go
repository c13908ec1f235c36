package world

// gateway adds a Gateway with one to four listeners.
func (b *Builder) gateway(name string) {
	namespace := pick(b, "infra", "infra", "shop")
	class := b.dialect.Classes[0]
	if b.mistake(0.2) {
		class = pick(b, append([]string{"other", "none"}, b.dialect.Classes...)...)
	}
	listeners, sections := b.listeners(pick(b, 1, 2, 2, 3, 4))
	spec := fields{"gatewayClassName": class, "listeners": listeners}
	if b.dialect.ListenerSets && (b.calm || b.chance(0.4)) {
		spec["allowedListeners"] = fields{"namespaces": b.fromNamespaces("None")}
	}
	if b.chance(0.05) {
		spec["addresses"] = list{fields{"type": pick(b, "IPAddress", "Hostname"), "value": pick(b, "1.2.3.4", "gw.example.com")}}
	}
	b.frontend(spec)
	b.add(gatewayAPI+"/v1", "Gateway", namespace, name, spec)
	b.gateways = append(b.gateways, placed{"Gateway", namespace, name, sections})
}

// frontend sometimes gives a Gateway what it checks of its clients, and its own certificate for backends.
func (b *Builder) frontend(spec fields) {
	tls := fields{}
	if b.chance(0.08) {
		ref := fields{"group": "", "kind": pick(b, "ConfigMap", "ConfigMap", "Secret", "Service"), "name": pick(b, "ca", "ca", "missing")}
		b.sometimes(0.2, ref, fields{"namespace": pick(b, namespaces...)})
		front := fields{"default": fields{"validation": fields{"caCertificateRefs": list{ref}}}}
		b.sometimes(0.3, front, fields{"perPort": list{fields{"port": 443, "tls": fields{"validation": fields{
			"mode": "AllowInsecureFallback", "caCertificateRefs": list{fields{"group": "", "kind": "ConfigMap", "name": "ca"}},
		}}}}})
		tls["frontend"] = front
	}
	if b.chance(0.06) {
		tls["backend"] = fields{"clientCertificateRef": b.certificateRef()}
	}
	if len(tls) > 0 {
		spec["tls"] = tls
	}
}

// listenerSet adds a ListenerSet for one of the Gateways.
func (b *Builder) listenerSet(name string) {
	namespace, gateway := pick(b, namespaces...), pick(b, b.gateways...)
	parent := fields{"name": gateway.name}
	if gateway.namespace != namespace || b.chance(0.2) {
		parent["namespace"] = gateway.namespace
	}
	listeners, sections := b.listeners(pick(b, 1, 1, 2))
	b.add(gatewayAPI+"/v1", "ListenerSet", namespace, name, fields{"parentRef": parent, "listeners": listeners})
	b.sets = append(b.sets, placed{"ListenerSet", namespace, name, sections})
}

func (b *Builder) listeners(n int) (listeners list, names []string) {
	names = some(b, 6, "http", "https", "web", "tls", "tcp", "l1")
	names = names[:min(n, len(names))]
	for _, name := range names {
		listeners = append(listeners, b.listener(name))
	}
	return listeners, names
}

func (b *Builder) listener(name string) fields {
	protocol := pick(b, "HTTP", "HTTP", "HTTP", "HTTP", "HTTP", "HTTPS", "HTTPS", "HTTPS", "TLS", "TLS", "TCP", "UDP")
	if b.calm && b.chance(0.85) {
		protocol = pick(b, "HTTP", "HTTP", "HTTP", "HTTPS")
	}
	number := map[string]int{"HTTP": pick(b, 80, 80, 8080), "HTTPS": pick(b, 443, 8443), "TLS": pick(b, 443, 8443, 9443), "TCP": pick(b, 9000, 9001), "UDP": pick(b, 5353, 9000)}[protocol]
	if b.mistake(0.1) {
		number = pick(b, 80, 443, 8080)
	}
	if b.mistake(0.02) {
		protocol = "example.com/own"
	}
	l := fields{"name": name, "protocol": protocol, "port": number}
	if protocol != "TCP" && protocol != "UDP" {
		b.sometimes(0.6, l, fields{"hostname": pick(b, hosts...)})
	}
	switch {
	case protocol == "HTTPS" || protocol == "TLS" && b.chance(0.5):
		l["tls"] = b.terminate(protocol)
	case protocol == "TLS":
		l["tls"] = fields{"mode": "Passthrough"}
	}
	if b.calm || b.chance(0.65) {
		allowed := fields{"namespaces": b.fromNamespaces()}
		if b.mistake(0.25) {
			var kinds list
			for _, kind := range some(b, 2, "HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute", "FooRoute") {
				kinds = append(kinds, b.sometimes(0.05, fields{"kind": kind}, fields{"group": pick(b, gatewayAPI, "example.com")}))
			}
			allowed["kinds"] = kinds
		}
		l["allowedRoutes"] = allowed
	}
	return l
}

func (b *Builder) terminate(protocol string) fields {
	tls := fields{}
	if protocol == "TLS" || b.chance(0.5) {
		tls["mode"] = "Terminate"
	}
	first, second := b.certificateRef(), b.certificateRef()
	refs := list{first}
	if b.chance(0.25) && second["name"] != first["name"] {
		refs = append(refs, second)
	}
	if !b.mistake(0.03) {
		tls["certificateRefs"] = refs
	}
	return tls
}

func (b *Builder) certificateRef() fields {
	ref := fields{"name": pick(b, "cert", "wild")}
	if b.mistake(0.2) {
		ref["name"] = "missing"
	}
	if b.mistake(0.2) {
		ref["namespace"] = pick(b, namespaces...)
	}
	if b.mistake(0.05) {
		ref["kind"], ref["group"] = "ConfigMap", ""
	}
	return ref
}
