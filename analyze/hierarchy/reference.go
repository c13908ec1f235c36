package hierarchy

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/loader"
)

// Resolution is what becomes of a reference to another object.
type Resolution struct {
	// Resolved is true, false or unknown.
	Resolved Fact
	// Permitted is false where the reference crosses a namespace without a grant:
	// that is decided first, whether the object exists or not.
	Permitted Fact
	// Message says what is wrong or not known.
	Message string
}

// Resolve follows a reference. The kind of the referring object decides which
// ReferenceGrants count; nothing is inherited between kinds (GEP-1713).
func (g *Graph) Resolve(from, to loader.ID) Resolution {
	r := Resolution{Resolved: True, Permitted: g.Permits(from, to)}
	switch r.Permitted {
	case False:
		r.Resolved = False
		r.Message = fmt.Sprintf("no ReferenceGrant in namespace %s lets %s of namespace %s refer to %s", to.Namespace, from.Kind, from.Namespace, to)
		return r
	case Unknown:
		r.Resolved = Unknown
		r.Message = fmt.Sprintf("the ReferenceGrants of namespace %s are not in the input", to.Namespace)
	case True:
	}
	if g.objects[to] != nil || g.options.External[to] {
		return r
	}
	missing, message := g.missing(to)
	r.Resolved, r.Message = r.Resolved.And(missing), message
	return r
}

// missing says what is known of an object that is not in the input.
func (g *Graph) missing(id loader.ID) (Fact, string) {
	if g.Absent(id) == False {
		return False, id.String() + " does not exist"
	}
	return Unknown, g.notInInput(id)
}

// notInInput names whoever may make an object that is not in the input.
func (g *Graph) notInInput(id loader.ID) string {
	message := id.String() + " is not in the input"
	if by, made := g.maker(id); made {
		return message + "; it is made by " + by.String()
	}
	if p := g.Producer(id); p != "" {
		message += "; it may be rendered by " + p
	}
	return message
}

// referable says whether a kind that a reference names is one that
// somebody serves: in the specification's list, in the input, or defined by a
// CRD there. What else an implementation supports is its own.
func (g *Graph) referable(group, kind string) Fact {
	if slices.Contains(backendKinds, loader.ID{Group: group, Kind: kind}) || g.extends(group, kind) {
		return True
	}
	if g.options.Complete && len(g.gaps) == 0 {
		return False
	}
	return Unknown
}

// extends says whether the input has a kind that is none of Kubernetes' or Gateway
// API's own.
func (g *Graph) extends(group, kind string) bool {
	return group != "" && group != Group && g.KnowsKind(group, kind)
}

// backendKinds are those that Gateway API itself names as backends.
var backendKinds = []loader.ID{
	{Group: "", Kind: "Service"},
	{Group: "multicluster.x-k8s.io", Kind: "ServiceImport"},
	{Group: "inference.networking.k8s.io", Kind: "InferencePool"},
	{Group: "inference.networking.x-k8s.io", Kind: "InferencePool"}, // its alpha versions
	{Group: ExperimentalGroup, Kind: "XBackend"},
}
