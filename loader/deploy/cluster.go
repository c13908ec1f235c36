package deploy

import (
	"github.com/gwplan/gwplan/loader"
)

// The deployers.
const (
	ByFlux   = "Flux"
	ByArgoCD = loader.ByArgoCD
)

// Cluster is an environment that Flux or Argo CD deploys.
type Cluster struct {
	Destination
	Covers map[string]bool
	// Deploys says that something names a folder for it, whatever that holds.
	Deploys bool
	// Deliverers are the entries that lead to what applies each file.
	Deliverers map[string][]loader.ID
	Problems   []loader.Problem
	Notes      []string
	// Lost are the missing folders among the problems.
	Lost []loader.Problem
}

// Note says where the environment comes from.
func (c Cluster) Note() string {
	if c.By == ByFlux {
		return "the environment " + Quote(c.Name) + " is what Flux applies from there"
	}
	return "the environment " + Quote(c.Name) + " is what the Applications of Argo CD deploy to that cluster"
}

// MaxRounds bounds how often clusters are followed anew.
const MaxRounds = 4

// Destination is a plan for one environment of one tree.
type Destination struct {
	Name, Path string
	// By is who says so.
	By    string
	Units []Unit
}

// Gap notes something that could not be deployed.
func (c *Cluster) Gap(g loader.Gap) {
	c.Units = append(c.Units, Unit{Dir: g.Position.File, Gap: &g})
}
