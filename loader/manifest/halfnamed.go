package manifest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// HalfNamed returns a problem for what would be a route, a Gateway or a policy if it had an apiVersion, or a kind. kubectl and
// Argo CD refuse it; Flux leaves it out in silence (fluxcd/pkg ssa/utils/is.go, IsKubernetesObject). It returns nil for all else.
func HalfNamed(root *loader.Value) *loader.Problem {
	version, kind, name := root.Str("apiVersion"), root.Str("kind"), root.Str("metadata", "name")
	if (version == "") == (kind == "") || name == "" || root.Get("spec") == nil || !meantToRoute(version, kind, root.Get("spec")) {
		return nil
	}
	p := problem(loader.MissingAPIVersion, markOf(root), fmt.Sprintf("the %s %q has no apiVersion", kind, name), "add apiVersion, or exclude the file if it is not a manifest")
	if kind == "" {
		p = problem(loader.MissingKind, markOf(root), fmt.Sprintf("the object %q of %s has no kind", name, version), "add kind, or exclude the file if it is not a manifest")
	}
	return &p
}

// meantToRoute reports whether what is there of an object shows that it is a route, a Gateway or a policy.
func meantToRoute(version, kind string, spec *loader.Value) bool {
	for _, end := range []string{"Route", "Gateway", "GatewayClass", "ListenerSet", "NetworkPolicy", "AuthorizationPolicy"} {
		if strings.HasSuffix(kind, end) {
			return true
		}
	}
	names := func(key string) bool { return spec.Get(key) != nil }
	return strings.HasPrefix(version, "gateway.") || slices.ContainsFunc([]string{"parentRefs", "targetRef", "targetRefs", "targetSelectors"}, names)
}

// maybeHalfNamed reports whether bytes have the lines of an object for which HalfNamed may return a problem.
func maybeHalfNamed(data []byte) bool {
	has := func(text string) bool { return bytes.Contains(data, []byte(text)) }
	return has("\nmetadata:") && has("\nspec:") && (has("Policy") || has("apiVersion: gateway.") || maybePolicy(data))
}
