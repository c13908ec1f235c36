package traffic

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/analyze/inventory"
	"github.com/gwplan/gwplan/loader"
)

// hostsOf returns the hostnames of routes outside Gateway API, which are not followed.
var hostsOf = map[loader.ID]func(spec *loader.Value) []string{
	{Group: "networking.istio.io", Kind: "VirtualService"}: func(spec *loader.Value) []string { return inventory.Strings(spec.List("hosts")) },
	{Group: "route.openshift.io", Kind: "Route"}:           func(spec *loader.Value) []string { return []string{spec.Str("host")} },
	{Group: "projectcontour.io", Kind: "HTTPProxy"}:        func(spec *loader.Value) []string { return []string{spec.Str("virtualhost", "fqdn")} },
	{Group: "networking.k8s.io", Kind: "Ingress"}: func(spec *loader.Value) []string {
		var out []string
		for _, r := range spec.List("rules") {
			out = append(out, cmp.Or(r.Str("host"), "*"))
		}
		if spec.Get("defaultBackend") != nil {
			out = append(out, "*")
		}
		return out
	},
}

// unfollowed names the first route outside Gateway API that has a hostname, or returns "": what it does with requests is not
// followed.
func unfollowed(env *loader.Environment, host string) string {
	for _, o := range env.Objects {
		hosts := hostsOf[loader.ID{Group: o.ID.Group, Kind: o.ID.Kind}]
		if hosts == nil || o.Context {
			continue
		}
		if slices.ContainsFunc(hosts(o.Spec()), func(pattern string) bool { return hasHost(pattern, host) }) {
			return o.ID.Spoken()
		}
	}
	return ""
}

// hasHost reports whether a hostname matches a pattern, in which a star stands for one label or more.
func hasHost(pattern, host string) bool {
	suffix, wildcard := strings.CutPrefix(pattern, "*")
	return pattern == host || wildcard && strings.HasSuffix(host, suffix)
}
