package world

import "fmt"

// extension are the fields of an EnvoyExtensionPolicy.
func (b *Builder) extension(string) map[string]func() any {
	return map[string]func() any{
		"extProc": func() any {
			service := b.called()
			service["messageTimeout"] = b.duration("s")
			return list{b.sometimes(0.3, service, fields{"failOpen": b.chance(0.7)})}
		},
		"lua": func() any {
			program := fmt.Sprintf("function envoy_on_response(h) h:logInfo('%d') end", b.next())
			return list{pick(b, fields{"type": "Inline", "inline": program}, fields{"type": "Inline", "inline": program},
				fields{"type": "ValueRef", "valueRef": fields{"group": "", "kind": "ConfigMap", "name": pick(b, "lua", "lua", "empty", "missing")}})}
		},
		"wasm": func() any {
			http := fields{"url": "https://w.example.com/w.wasm", "sha256": fmt.Sprintf("%064d", 1)}
			image := fields{"url": "oci.example.com/w:v1"}
			authority := fields{"group": "", "kind": pick(b, "ConfigMap", "ConfigMap", "Secret"), "name": pick(b, "ca", "ca", "lua", "empty", "missing")}
			b.sometimes(0.3, authority, fields{"namespace": pick(b, namespaces...)})
			if b.chance(0.3) {
				pick(b, http, image)["tls"] = fields{"caCertificateRef": authority}
			}
			if b.chance(0.5) {
				image["pullSecretRef"] = b.secretReference(pick(b, "registry", "registry", "users"))
			}
			code := pick(b, fields{"type": "HTTP", "http": http}, fields{"type": "Image", "image": image})
			return list{b.sometimes(0.3, fields{"name": fmt.Sprint("wasm", b.next()), "code": code}, fields{"failOpen": b.chance(0.7)})}
		},
		"dynamicModule": func() any {
			return list{fields{"name": pick(b, "known", "known", "far", "unknown"), "filterName": fmt.Sprint("f", b.next())}}
		},
	}
}
