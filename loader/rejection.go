package loader

import "slices"

// Unplaced is an object that has no namespace and needs one, and the Kustomization that applies it.
type Unplaced struct {
	At Position
	By ID
}

// fluxKustomizations is the group of Flux's Kustomization.
const fluxKustomizations = "kustomize.toolkit.fluxcd.io"

// Rejection is an object that an API server rejects.
type Rejection struct {
	// Object is the object as the manifests have it.
	Object  *Object
	Outcome Outcome
	// By names the schema that it violates.
	By      string
	Reasons []Reason
}

// Stops reports whether a Kustomization of Flux applies nothing, because it has the object and the API server rejects it.
func (r Rejection) Stops() bool {
	return (r.Outcome == KeepsOlder || r.Outcome == GetsNone) && r.Object.Deployer.AppliesOnServer()
}

// Stopped returns the Kustomizations of Flux that apply nothing because the API server rejects an object of them, each with one such
// rejection.
func (e *Environment) Stopped() map[ID]Rejection {
	out := map[ID]Rejection{}
	for _, r := range e.Rejected {
		if r.Stops() {
			out[r.Object.Deployer.ID] = r
		}
	}
	return out
}

// Stopping says which deployer applies nothing, if the rejection stops it, and because of which object.
func (r Rejection) Stopping() string {
	return r.Object.Deployer.ID.Spoken() + " applies nothing while " + r.Object.ID.Spoken() + " is rejected"
}

// AppliesOnServer reports whether a deployer is a Kustomization of Flux: it applies on the server's side, which rejects objects with
// fields that their schema does not have, and applies no object if the server rejects one (fluxcd/pkg ssa/manager_apply.go,
// ApplyAll; kubernetes-sigs/structured-merge-diff typed/validate.go, doMap). It is false for nil.
func (d *Deployer) AppliesOnServer() bool {
	return d != nil && d.ID.Kind == "Kustomization" && d.ID.Group == fluxKustomizations
}

// Outcome is what becomes of a rejected object.
type Outcome uint8

// The outcomes. NotCompared: it is not known which object the cluster has. KeepsOlder: the cluster keeps the older
// object. GetsNone: it gets no object. NeedsDeletion: it would accept the object if the older one were deleted first.
// TakenBefore: it accepted the same violations before, and does so again.
const (
	NotCompared Outcome = iota
	KeepsOlder
	GetsNone
	NeedsDeletion
	TakenBefore
)

// OfNoKind reports whether the object is rejected because its kind does not exist.
func (r Rejection) OfNoKind() bool {
	return slices.ContainsFunc(r.Reasons, func(reason Reason) bool { return reason.Path == KindPath })
}

// KindPath is the path of a reason that is about the kind of the object: there is none.
const KindPath = "kind"

// Reason is one thing that is wrong with a rejected object: the value, its path, and what is wrong.
type Reason struct {
	At            *Value
	Path, Message string
}
