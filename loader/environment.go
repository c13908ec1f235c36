package loader

// ByArgoCD is the value of Environment.By for destinations of Applications.
const ByArgoCD = "Argo CD"

// ByFolders is the value of Environment.By where no deployer says what is applied.
const ByFolders = "its folders"

// Environment is the set of objects that are deployed to one cluster. Environments are independent
// of each other.
type Environment struct {
	Name string
	// Path is the root that the environment was built from, "." for the tree.
	Path string
	// By is what defines the environment: Flux, Argo CD, the configuration or the folders
	// themselves. Parts are the folders, files, kustomizations and charts that it consists of,
	// sorted.
	By    string
	Parts []Part
	// Cluster is the destination as the Applications of Argo CD name it, or empty. Name also has the folder of the
	// installation where there are several.
	Cluster string
	// Objects are sorted by ID and unique. If an identity is declared twice, the last one in apply
	// order is here and the others are in Duplicates.
	Objects    []*Object
	Duplicates []Duplicate
	// Workloads are the workloads and the network policies that select them, sorted and unique as
	// Objects are. Workloads are read only where there are network policies.
	Workloads []*Object
	// Gaps are things that would have produced objects but could not be rendered. If there are any,
	// an object that is not in the input may still exist.
	Gaps []Gap
	// Releases are the Helm releases whose objects are all in Objects.
	Releases []Release
	// Rejected are the objects that an API server rejects. In the second snapshot of a comparison they
	// are not in Objects, unless only their update is rejected.
	Rejected []Rejection
	// Unknown are the objects with fields that their CRD does not have, with these fields as reasons: the
	// message is the name that was probably meant. In the second snapshot of a comparison these are the
	// fields that the first one does not have.
	Unknown []Rejection
	// Mended are objects of the first snapshot of a comparison that an API server rejects, and that this one, the second, has in
	// another form or no longer has: what was merged while they were rejected takes effect with that.
	Mended []Rejection
	// Unplaced are the objects without a namespace, not in Objects, which Flux refuses: it applies nothing else of their
	// Kustomizations.
	Unplaced []Unplaced
	// Placed are the policies and works that Open Cluster Management distributes to this cluster.
	Placed []Placed
	// Controls are the objects that tell deployers what to apply, sorted by ID.
	Controls []Control
	// Incomplete is true if a problem affects this environment.
	Incomplete bool
}

// ByOCM is the value of Environment.By for managed clusters.
const ByOCM = "Open Cluster Management"

// Placed is a policy or a work of a hub that reaches a managed cluster.
type Placed struct {
	Object ID
	At     Position
	// By is the binding or placement because of which it does; zero if it names the cluster.
	By ID
	// Inputs are the places that decide it: of the binding, the placement and the cluster.
	Inputs []Position
	// Action is enforce or inform.
	Action string
	// Certain is false if it is not known whether it reaches the cluster; Why says what is not.
	Certain bool
	Why     string
	// Gives are the objects that it has the cluster have or not have.
	Gives []ID
}

// Part is one of the things that an environment consists of.
type Part struct {
	// Kind is kustomization, files, chart or remote chart.
	Kind, Path string
	// Objects is the number of its objects that matter.
	Objects int
	// Includes are the folders of the other kustomizations that the build of a kustomization includes.
	Includes []string
	// Deployer applies it, or is nil.
	Deployer *Deployer
}

// Duplicate is an identity declared twice in one environment.
type Duplicate struct {
	Kept, Dropped *Object
}

// ByID indexes the objects. A nil environment has none, so that everything on the other side is new.
func (e *Environment) ByID() map[ID]*Object {
	if e == nil {
		return map[ID]*Object{}
	}
	return ByID(e.Objects)
}

// ByID indexes some objects.
func ByID(objects []*Object) map[ID]*Object {
	out := make(map[ID]*Object, len(objects))
	for _, o := range objects {
		out[o.ID] = o
	}
	return out
}

// Deployers returns the deployers that the environment has objects of, and those that apply these deployers.
func (e *Environment) Deployers() map[ID]*Deployer {
	out := map[ID]*Deployer{}
	if e == nil {
		return out
	}
	for _, list := range [][]*Object{e.Objects, e.Workloads} {
		for _, o := range list {
			for d := o.Deployer; d != nil && (d == o.Deployer || out[d.ID] == nil); d = d.Parent {
				out[d.ID] = d
			}
		}
	}
	return out
}
