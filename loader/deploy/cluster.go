package deploy

import (
	"github.com/gwplan/gwplan/loader"
)

// The deployers, as values of By.
const (
	ByFlux   = "Flux"
	ByArgoCD = loader.ByArgoCD
)

// Cluster is an environment that Flux or Argo CD deploys.
type Cluster struct {
	Destination
	Covers map[string]bool
	// Deploys is true if a source names an existing folder for it, even one without objects.
	Deploys bool
	// Deliverers maps each file to the Flux Kustomizations from which its delivery starts.
	Deliverers map[string][]loader.ID
	// Started are the files of deployers that nothing in the tree applies: a person or another repository does.
	Started  []string
	Problems []loader.Problem
	Notes    []string
	// Lost are problems about missing folders. They are summarised and then added to Problems.
	Lost []loader.Problem
	// Artifacts is true if folders come from artifacts of a registry. Often CI makes these of the same tree.
	Artifacts bool
}

// Note returns a sentence that says where the environment comes from.
func (c Cluster) Note() string {
	if c.By == ByFlux {
		return "the environment " + Quote(c.Name) + " contains the objects that Flux applies from that folder"
	}
	return "the environment " + Quote(c.Name) + " contains the objects that the Applications of Argo CD deploy to that cluster"
}

// MaxRounds limits how often clusters are followed again after a change of their roots.
const MaxRounds = 4

// Destination is an environment of a tree and the units deployed to it.
type Destination struct {
	Name, Path string
	// By is the deployer or other source that defines it.
	By string
	// Cluster is that of loader.Environment.
	Cluster string
	Units   []Unit
	// Declared are objects that tell the deployer what to apply; they may be in none of the units.
	Declared []*loader.Object
	// Folders are those that Flux applies without a kustomization.
	Folders []loader.Control
}

// Gap adds a unit for something that could not be deployed.
func (c *Cluster) Gap(g loader.Gap) {
	c.Units = append(c.Units, Unit{Dir: g.Position.File, Gap: &g})
}
