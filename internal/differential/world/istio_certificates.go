package world

import "fmt"

// oddCertificates damage the data of Secrets and ConfigMaps.
func (b *Builder) oddCertificates() {
	if b.calm && b.chance(0.7) {
		return
	}
	good := certificates()["cert"]
	for _, o := range b.objects {
		switch o.Kind() {
		case "Secret":
			if data, ok := o["data"].(fields); ok && data["tls.crt"] != nil && b.chance(0.3) {
				o["type"] = "Opaque"
				crt, key := data["tls.crt"], data["tls.key"]
				o["data"] = pick(b,
					fields{"tls.crt": crt},
					fields{"tls.key": key},
					fields{"tls.crt": encoded("nonsense"), "tls.key": key},
					fields{"cert": crt, "key": key},
					fields{"cert": crt, "tls.key": key},
					fields{"cert": crt},
					fields{"tls.crt": crt, "tls.key": key, "ca.crt": crt},
					fields{"cacert": crt},
					fields{"ca.crt": encoded("nonsense")},
				)
			}
		case "ConfigMap":
			if data, ok := o["data"].(fields); ok && data["ca.crt"] != nil && b.chance(0.3) {
				o["data"] = pick(b,
					fields{"cacert": good.cert},
					fields{"ca.crt": "nonsense"},
					fields{"ca.crt": "-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n"},
					fields{"ca.crt": ""},
					fields{"ca.crt": good.key},
					fields{"ca.crt": "nonsense\n" + good.cert},
					fields{"cacert": "", "ca.crt": good.cert},
					fields{"cacert": "nonsense", "ca.crt": good.cert},
					fields{"root.pem": good.cert},
				)
			}
		}
	}
}

// grantAuthorities lets Gateways and ListenerSets refer to certificates and authorities of other namespaces.
func (b *Builder) grantAuthorities() {
	for range pick(b, 0, 1, 2) {
		from := fields{"group": gatewayAPI, "kind": pick(b, "Gateway", "Gateway", "ListenerSet", "BackendTLSPolicy"), "namespace": pick(b, namespaces...)}
		to := fields{"group": "", "kind": pick(b, "Secret", "ConfigMap")}
		b.sometimes(0.5, to, fields{"name": pick(b, "ca", "cert", "ca-cacert", "wild")})
		b.add(gatewayAPI+"/"+pick(b, "v1", "v1beta1"), "ReferenceGrant", pick(b, namespaces...), fmt.Sprintf("grant-%d", b.next()), fields{"from": list{from}, "to": list{to}})
	}
	for range pick(b, 0, 0, 1) {
		from := fields{"group": gatewayAPI, "kind": pick(b, "HTTPRoute", "GRPCRoute", "TCPRoute", "TLSRoute"), "namespace": pick(b, namespaces...)}
		to := pick(b, fields{"group": "networking.istio.io", "kind": "Hostname"}, fields{"group": "multicluster.x-k8s.io", "kind": "ServiceImport"}, fields{"group": "inference.networking.k8s.io", "kind": "InferencePool"}, fields{"group": "example.com", "kind": "Bucket"})
		b.add(gatewayAPI+"/v1", "ReferenceGrant", pick(b, namespaces...), fmt.Sprintf("grant-%d", b.next()), fields{"from": list{from}, "to": list{to}})
	}
}
