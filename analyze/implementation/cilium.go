package implementation

// Cilium, main as of 2026-10: operator/pkg/model/translation/envoy_virtual_host.go, SortableRoute; ingestion/gateway.go,
// ComputeHosts and checkHostNameIsolation. Backends of equal matches of several routes are merged there, which is not
// followed: which of them answers is not known.
var cilium = Implementation{
	Name: "Cilium",
	// pkg/identity/reserved: the Envoy of each node sends as ingress, whichever Gateway it is for (04f19e98,
	// "Add Cilium Endpoint representing Ingress").
	Proxies:      Proxies{Entity: "ingress"},
	OnlyMatching: true,
	// operator/pkg/gateway-api, listenerPairConflict. Releases before 1.19.6 find no conflicts at all.
	Listeners:   Listeners{Pairwise: true},
	Controllers: []string{"io.cilium/gateway-controller"},
	Matching: Matching{
		ServesMisdirected: true, IntersectedHosts: true, GRPCAsPaths: true, HTTPFirst: true, SharesHosts: true, SharesSecure: true, IsolatesHosts: true,
		TiesUnknown: true,
		Paths:       Paths{Style: EnvoyPaths}, // cilium/proxy .bazelrc, path_normalization_by_default
	},
}
