package loader

import (
	"cmp"
	"regexp"
	"slices"
)

// routeKinds are the kinds of Gateway API that objects of unknown kinds may name to change what becomes of requests.
var routeKinds = map[string]bool{
	"Gateway": true, "ListenerSet": true, "HTTPRoute": true, "GRPCRoute": true, "TLSRoute": true, "TCPRoute": true, "UDPRoute": true,
}

// targetField matches fields whose value names a Gateway or route, without or with a kind: httpRoute, grpcRoutes, gatewayRef,
// routeRefs.
var targetField = regexp.MustCompile(`^(?:(http|grpc|tls|tcp|udp)Routes?(?:Refs?)?|(gateway|route)Refs?)$`)

// NamedTargets returns the Gateways, ListenerSets and routes that a spec in a namespace names anywhere, by a reference that
// has their kind, or in a field with the name of a kind. The kind is "" where the field is for routes of any kind. What
// the references mean is not known.
func NamedTargets(spec *Value, namespace string) []ID {
	var out []ID
	namedTargets(spec, "", namespace, &out)
	slices.SortFunc(out, ID.Compare)
	return slices.Compact(out)
}

func namedTargets(v *Value, field, namespace string, out *[]ID) {
	if v == nil {
		return
	}
	kind, found := "", false
	if m := targetField.FindStringSubmatch(field); m != nil {
		kind, found = map[string]string{
			"http": "HTTPRoute", "grpc": "GRPCRoute", "tls": "TLSRoute", "tcp": "TCPRoute", "udp": "UDPRoute", "gateway": "Gateway",
		}[cmp.Or(m[1], m[2])], true
	}
	switch {
	case v.Shape == List:
		for _, item := range v.Items {
			namedTargets(item, field, namespace, out)
		}
		return
	case v.Shape == Map:
		if own := v.Str("kind"); routeKinds[own] && (v.Get("group") == nil || v.Str("group") == GatewayGroup) {
			kind, found = own, true
		}
		if name := v.Str("name"); found && name != "" {
			*out = append(*out, ID{Group: GatewayGroup, Kind: kind, Namespace: cmp.Or(v.Str("namespace"), namespace), Name: name})
		}
	case found && v.Shape == String && v.Text != "":
		*out = append(*out, ID{Group: GatewayGroup, Kind: kind, Namespace: namespace, Name: v.Text})
	}
	for _, f := range v.Fields {
		namedTargets(f.Value, f.Key, namespace, out)
	}
}
