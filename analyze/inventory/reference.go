package inventory

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/loader"
)

// Resolution is the result of resolving a reference to another object.
type Resolution struct {
	// Resolved is true, false or unknown.
	Resolved fact.Fact
	// Permitted is false if the reference crosses a namespace without a grant. This is decided
	// first, whether or not the object exists.
	Permitted fact.Fact
	// Message says what is wrong or unknown.
	Message string
}

// References decides whether references to other objects resolve.
type References struct {
	objects    *Objects
	namespaces *Namespaces
	grants     grants
	// revoked holds the grants of the other revision of a comparison that were removed or edited.
	revoked grants
}

// Resolve resolves a reference. The kind of the referring object decides which ReferenceGrants
// apply; no grant is inherited between kinds (GEP-1713).
func (r *References) Resolve(from, to loader.ID) Resolution { return r.ResolveAs(from, to, to) }

// ResolveAs is Resolve for a reference that means another group than it is written with. Grants
// must name what is written (Envoy Gateway, internal/gatewayapi/validate.go,
// validateBackendNamespace).
func (r *References) ResolveAs(from, to, written loader.ID) Resolution {
	out := Resolution{Resolved: fact.True, Permitted: r.Permits(from, written)}
	switch out.Permitted {
	case fact.False:
		out.Resolved = fact.False
		out.Message = fmt.Sprintf("no ReferenceGrant in namespace %s lets %s of namespace %s refer to %s", to.Namespace, from.Kind, from.Namespace, to.Spoken())
		return out
	case fact.Unknown:
		out.Resolved = fact.Unknown
		out.Message = fmt.Sprintf("the ReferenceGrants of namespace %s are not in the input", to.Namespace)
		if r.namespaces.Inhabited(to.Namespace) {
			out.Message = fmt.Sprintf("no ReferenceGrant in the input lets %s of namespace %s refer to %s", from.Kind, from.Namespace, to.Spoken())
		}
	case fact.True:
	}
	if r.objects.Exists(to) {
		return out
	}
	exists, message := r.objects.ExistsOutsideWhy(to)
	out.Resolved = out.Resolved.And(exists)
	if out.Permitted == fact.Unknown && r.namespaces.Inhabited(to.Namespace) {
		message = out.Message + ", and " + message
	}
	out.Message = message
	return out
}

// Permits reports whether a reference may cross into the target's namespace. Grants are in the
// namespace of the target: if the target is not in the input, its grants may not be either, unless there is one that names
// other objects of its kind to the same kind of objects.
func (r *References) Permits(from, to loader.ID) fact.Fact {
	switch {
	case from.Namespace == to.Namespace || to.Namespace == "":
		return fact.True
	case r.grants.permits(from, to):
		return fact.True
	case loader.Placeholder(from.Namespace) || loader.Placeholder(to.Namespace) || r.grants.vague(to.Namespace):
		return fact.Unknown
	case r.objects.Object(to) != nil, r.revoked.permits(from, to), r.grants.named(from, to):
		return fact.False
	}
	return r.objects.ExistsOutside(loader.ID{Group: loader.GatewayGroup, Kind: "ReferenceGrant", Namespace: to.Namespace})
}

// Granted reports whether a ReferenceGrant permits a reference. If `to` has no name, the grant must
// cover all objects of the kind.
func (r *References) Granted(from, to loader.ID) bool { return r.grants.permits(from, to) }
