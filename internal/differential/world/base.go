package world

import (
	"encoding/base64"
	"fmt"
)

var (
	namespaces = []string{"infra", "shop", "blog"}
	teams      = map[string]fields{"infra": {"team": "a"}, "shop": {"team": "b"}, "blog": {}}
	hosts      = []string{"a.example.com", "b.example.com", "*.example.com", "x.a.example.com", "*.a.example.com", "other.org", "*.org"}
	routeNames = map[string]string{"HTTPRoute": "http", "GRPCRoute": "grpc", "TLSRoute": "tls", "TCPRoute": "tcp", "UDPRoute": "udp"}
)

// base are the namespaces with what they all have, and the classes.
func (b *Builder) base() {
	for _, namespace := range namespaces {
		b.add("v1", "Namespace", "", namespace, nil)["metadata"].(fields)["labels"] = teams[namespace]
		b.service(namespace, "svc-1", port("http", 80, "TCP", ""), port("alt", 8080, "TCP", ""), port("dns", 53, "UDP", ""))
		b.service(namespace, "svc-2", port("h2c", 80, "TCP", "kubernetes.io/h2c"))
		for _, name := range []string{"cert", "wild"} {
			if !b.mistake(0.2) {
				secret := b.add("v1", "Secret", namespace, name, nil)
				secret["type"] = "kubernetes.io/tls"
				secret["data"] = fields{"tls.crt": encoded(certificates()[name].cert), "tls.key": encoded(certificates()[name].key)}
			}
		}
		if b.chance(0.6) {
			b.add("v1", "ConfigMap", namespace, "ca", nil)["data"] = fields{"ca.crt": certificates()["cert"].cert}
		}
	}
	if b.chance(0.15) {
		b.add("v1", "Service", "shop", "ext", fields{"type": "ExternalName", "externalName": "ext.example.org", "ports": list{port("http", 80, "TCP", "")}})
	}
	for _, class := range b.dialect.Classes {
		if !b.dialect.BuiltinClasses || b.chance(0.5) {
			b.add(gatewayAPI+"/v1", "GatewayClass", "", class, fields{"controllerName": b.dialect.Controller})
		}
	}
	if b.chance(0.2) {
		b.add(gatewayAPI+"/v1", "GatewayClass", "", "other", fields{"controllerName": pick(b, b.dialect.Controller, "example.com/other")})
	}
}

func (b *Builder) service(namespace, name string, ports ...any) {
	b.add("v1", "Service", namespace, name, fields{"clusterIP": fmt.Sprintf("10.0.0.%d", len(b.objects)+1), "ports": ports})
}

func port(name string, number int, protocol, application string) fields {
	p := fields{"name": name, "port": number, "protocol": protocol, "targetPort": number}
	if application != "" {
		p["appProtocol"] = application
	}
	return p
}

func encoded(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// grant lets objects of one namespace refer to those of another.
func (b *Builder) grant() {
	from := fields{"group": gatewayAPI, "kind": pick(b, "HTTPRoute", "HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "Gateway", "ListenerSet"), "namespace": pick(b, namespaces...)}
	to := fields{"group": "", "kind": pick(b, "Service", "Service", "Secret", "ConfigMap")}
	if b.chance(0.2) {
		to["name"] = pick(b, "svc-1", "cert", "ca")
	}
	b.add(gatewayAPI+"/v1", "ReferenceGrant", pick(b, namespaces...), fmt.Sprintf("grant-%d", b.next()), fields{"from": list{from}, "to": list{to}})
}

// selector is a label selector of namespaces.
func (b *Builder) selector() fields {
	return pick(b,
		fields{"matchLabels": fields{"team": "a"}},
		fields{"matchLabels": fields{"team": "b"}},
		fields{"matchExpressions": list{fields{"key": "team", "operator": "Exists"}}},
		fields{"matchExpressions": list{fields{"key": "team", "operator": "NotIn", "values": list{"a"}}}},
		fields{"matchLabels": fields{"kubernetes.io/metadata.name": "shop"}},
		fields{})
}

// fromNamespaces says whose objects may attach; mostly all may where the world is calm.
func (b *Builder) fromNamespaces(others ...string) fields {
	from := "All"
	if b.mistake(1) {
		from = pick(b, append([]string{"All", "All", "Same", "Selector"}, others...)...)
	}
	f := fields{"from": from}
	if from == "Selector" {
		f["selector"] = b.selector()
	}
	return f
}
