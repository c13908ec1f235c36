package world

// foreignWaypoint is a Gateway of another controller that Services name as their waypoint.
func (b *Builder) foreignWaypoint() {
	if b.chance(0.75) {
		return
	}
	namespace := pick(b, namespaces...)
	b.add(gatewayAPI+"/v1", "GatewayClass", "", "foreign", fields{"controllerName": "example.com/other"})
	class := pick(b, "foreign", "foreign", "none", "istio")
	b.add(gatewayAPI+"/v1", "Gateway", namespace, "foreign", fields{"gatewayClassName": class, "listeners": list{fields{"name": "mesh", "port": 15008, "protocol": "HBONE"}}})
	for _, o := range b.objects {
		if o.Kind() != "Namespace" && o.Kind() != "Service" && o.Kind() != "ServiceEntry" || !b.chance(0.4) {
			continue
		}
		labels := b.labels(o)
		labels["istio.io/use-waypoint"] = "foreign"
		delete(labels, "istio.io/use-waypoint-namespace")
		if b.chance(0.6) {
			labels["istio.io/use-waypoint-namespace"] = namespace
		}
	}
}

// oddGateways are Gateways that something else deploys, of other classes, or with parameters.
func (b *Builder) oddGateways() {
	if b.chance(0.3) {
		b.add("v1", "ConfigMap", "infra", "params", nil)["data"] = fields{"deployment": "spec: {replicas: 2}"}
	}
	b.each(0.25, func(o Object, spec fields) {
		switch pick(b, "address", "addresses", "remote", "params", "eastwest", "annotation") {
		case "address":
			spec["addresses"] = list{fields{"type": "Hostname", "value": pick(b, "svc-1", "svc-1.shop.svc.cluster.local", "gw.example.com")}}
		case "addresses":
			spec["addresses"] = list{
				fields{"type": pick(b, "Hostname", "IPAddress", "example.com/own"), "value": pick(b, "10.1.2.3", "svc-1")},
				fields{"type": pick(b, "Hostname", "IPAddress"), "value": pick(b, "10.1.2.4", "svc-2")},
			}
		case "remote":
			spec["gatewayClassName"] = "istio-remote"
		case "params":
			ref := fields{"group": "", "kind": "ConfigMap", "name": pick(b, "params", "params", "missing")}
			b.sometimes(0.2, ref, fields{"group": "example.com", "kind": "Params"})
			spec["infrastructure"] = fields{"parametersRef": ref}
		case "eastwest":
			spec["gatewayClassName"] = "istio-east-west"
			first := fields{"name": "mesh", "port": 15008, "protocol": "HBONE"}
			b.sometimes(0.8, first, fields{"tls": fields{"mode": "Terminate", "options": fields{"gateway.istio.io/tls-terminate-mode": "ISTIO_MUTUAL"}}})
			spec["listeners"] = append(list{first}, spec["listeners"].(list)...)
		case "annotation":
			o["metadata"].(fields)["annotations"] = fields{"networking.istio.io/service-type": "ClusterIP"}
			delete(spec, "addresses") // with both, Istio calls the annotation deprecated and refuses the Gateway
		}
	}, "Gateway")
}

// oddListeners have TLS options, or protocols that are none.
func (b *Builder) oddListeners() {
	b.each(0.3, func(_ Object, spec fields) {
		listeners, _ := spec["listeners"].(list)
		for _, v := range listeners {
			l := v.(fields)
			if tls, ok := l["tls"].(fields); ok && b.chance(0.4) {
				tls["options"] = fields{pick(b, "gateway.istio.io/tls-terminate-mode", "gateway.istio.io/tls-terminate-mode", "example.com/option"): pick(b, "MUTUAL", "OPTIONAL_MUTUAL", "ISTIO_SIMPLE", "ISTIO_MUTUAL", "SIMPLE")}
				if b.chance(0.4) {
					delete(tls, "certificateRefs")
				}
			}
			if tls, ok := l["tls"].(fields); ok && b.chance(0.1) {
				tls["certificateRefs"] = list{fields{"name": "cert"}, fields{"name": "wild"}, fields{"name": pick(b, "cert-2", "missing")}}
			}
			if b.chance(0.05) {
				l["protocol"] = pick(b, "http", "HBONE", "TLS", "UDP")
			}
			if b.chance(0.1) {
				l["port"] = 15008
			}
		}
	}, "Gateway", "ListenerSet")
}

// oddFrontends check clients with several authorities, by port or with a fallback.
func (b *Builder) oddFrontends() {
	b.each(0.3, func(_ Object, spec fields) {
		stanza := func() fields {
			refs := list{b.authorityRef()}
			if b.chance(0.2) {
				refs = append(refs, b.authorityRef())
			}
			return fields{"validation": b.sometimes(0.4, fields{"caCertificateRefs": refs}, fields{"mode": pick(b, "AllowInsecureFallback", "AllowValidOnly")})}
		}
		front := fields{"default": stanza()}
		if b.chance(0.3) {
			front["default"] = fields{}
		}
		if b.chance(0.4) {
			port := fields{"port": pick(b, 443, 8443, 9443), "tls": stanza()}
			b.sometimes(0.3, port, fields{"tls": fields{}})
			front["perPort"] = list{port}
		}
		spec["tls"] = fields{"frontend": front}
		if b.chance(0.3) {
			spec["tls"].(fields)["backend"] = fields{"clientCertificateRef": b.certificateRef()}
		}
	}, "Gateway")
}

// authorityRef names a certificate authority, of any namespace.
func (b *Builder) authorityRef() fields {
	ref := fields{"group": "", "kind": pick(b, "ConfigMap", "ConfigMap", "ConfigMap", "Secret", "Service"), "name": pick(b, "ca", "ca", "ca", "cert", "missing")}
	b.sometimes(0.05, ref, fields{"group": "example.com"})
	return b.sometimes(0.4, ref, fields{"namespace": pick(b, namespaces...)})
}
