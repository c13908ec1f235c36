package inventory

import (
	"fmt"

	"github.com/gwplan/gwplan/analyze/fact"
	"github.com/gwplan/gwplan/loader"
)

// Resolution is what becomes of a reference to another object.
type Resolution struct {
	// Resolved is true, false or unknown.
	Resolved fact.Fact
	// Permitted is false where the reference crosses a namespace without a grant:
	// that is decided first, whether the object exists or not.
	Permitted fact.Fact
	// Message says what is wrong or not known.
	Message string
}

// References decides whether references to other objects resolve.
type References struct {
	objects *Objects
	grants  grants
	// revoked are the grants of the other revision of a comparison that are gone or were edited.
	revoked grants
}

// Resolve follows a reference. The kind of the referring object decides which
// ReferenceGrants count; nothing is inherited between kinds (GEP-1713).
func (r *References) Resolve(from, to loader.ID) Resolution {
	out := Resolution{Resolved: fact.True, Permitted: r.Permits(from, to)}
	switch out.Permitted {
	case fact.False:
		out.Resolved = fact.False
		out.Message = fmt.Sprintf("no ReferenceGrant in namespace %s lets %s of namespace %s refer to %s", to.Namespace, from.Kind, from.Namespace, to)
		return out
	case fact.Unknown:
		out.Resolved = fact.Unknown
		out.Message = fmt.Sprintf("the ReferenceGrants of namespace %s are not in the input", to.Namespace)
	case fact.True:
	}
	if r.objects.Exists(to) {
		return out
	}
	missing, message := r.objects.Missing(to)
	out.Resolved, out.Message = out.Resolved.And(missing), message
	return out
}

// Permits says whether a reference may cross into the target's namespace. A
// grant is looked for beside the target: while the target itself is not in the
// input, its grants may not be either.
func (r *References) Permits(from, to loader.ID) fact.Fact {
	switch {
	case from.Namespace == to.Namespace || to.Namespace == "":
		return fact.True
	case r.grants.permits(from, to):
		return fact.True
	case loader.Placeholder(from.Namespace) || loader.Placeholder(to.Namespace) || r.grants.vague(to.Namespace):
		return fact.Unknown
	case r.objects.Object(to) != nil, r.revoked.permits(from, to):
		return fact.False
	}
	return r.objects.Absent(loader.ID{Group: loader.GatewayGroup, Kind: "ReferenceGrant", Namespace: to.Namespace})
}

// Granted says whether some ReferenceGrant permits a reference, one to all of a kind where
// `to` has no name.
func (r *References) Granted(from, to loader.ID) bool { return r.grants.permits(from, to) }
