package world

import (
	"fmt"
	"maps"
	"slices"
)

// on names objects of some kinds, as the targets of a policy do: the Gateways, ListenerSets and routes of the world.
func (b *Builder) on(kinds ...string) placed {
	var pool []placed
	for _, p := range slices.Concat(b.gateways, b.sets, b.routes) {
		if slices.Contains(kinds, p.kind) {
			pool = append(pool, p)
		}
	}
	if len(pool) == 0 || b.mistake(0.04) {
		return placed{kind: kinds[0], namespace: pick(b, namespaces...), name: "missing"}
	}
	return pick(b, pool...)
}

// targetRef refers to an object, sometimes to a section of it.
func (b *Builder) targetRef(p placed, sections bool) fields {
	group := gatewayAPI
	if p.kind == "Service" {
		group = ""
	}
	ref := fields{"group": group, "kind": p.kind, "name": p.name}
	switch {
	case !sections || b.chance(0.6):
	case len(p.sections) > 0 && !b.mistake(0.1):
		ref["sectionName"] = pick(b, p.sections...)
	case !b.calm:
		ref["sectionName"] = "nowhere"
	}
	return ref
}

// serviceTarget is a Service of a namespace.
func (b *Builder) serviceTarget(namespace string) placed {
	p := placed{"Service", namespace, "svc-1", []string{"http", "alt"}}
	if b.chance(0.3) {
		p.name, p.sections = "svc-2", []string{"h2c"}
	}
	if b.mistake(0.2) {
		p.name = "missing"
	}
	return p
}

// filled is some of the fields that a policy can have.
func (b *Builder) filled(spec fields, most int, values map[string]func() any) fields {
	for _, field := range some(b, most, slices.Sorted(maps.Keys(values))...) {
		spec[field] = values[field]()
	}
	return spec
}

// duration is a duration that no other field has.
func (b *Builder) duration(unit string) string { return fmt.Sprintf("%d%s", b.next(), unit) }

// backendTLS adds a BackendTLSPolicy.
func (b *Builder) backendTLS(name string) {
	namespace := pick(b, namespaces...)
	target := b.targetRef(b.serviceTarget(namespace), true)
	if own := b.dialect.Backend; own.kind != "" && b.chance(0.15) {
		target = fields{"group": own.group, "kind": own.kind, "name": pick(b, own.names...)}
	}
	validation := fields{"hostname": fmt.Sprintf("v%d.example.com", b.next())}
	if b.chance(0.5) {
		validation["wellKnownCACertificates"] = "System"
	} else {
		validation["caCertificateRefs"] = list{fields{"group": "", "kind": pick(b, "ConfigMap", "ConfigMap", "Secret"), "name": pick(b, "ca", "ca", "missing")}}
	}
	if b.chance(0.15) {
		validation["subjectAltNames"] = list{pick(b, fields{"type": "Hostname", "hostname": "san.example.com"}, fields{"type": "URI", "uri": "spiffe://mesh/ns/a/sa/b"})}
	}
	b.add(gatewayAPI+"/v1", "BackendTLSPolicy", namespace, name, fields{"targetRefs": list{target}, "validation": validation})
}
