package applicationset

import (
	"fmt"
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// placementLabel is the label of the decisions of a Placement.
const placementLabel = "cluster.open-cluster-management.io/placement"

// decisions returns a set for each managed cluster that a Placement chooses (generators/duck_type.go). The
// Placement is the one of the selected decisions, in the namespace of the ApplicationSet. Argo CD takes the
// server from the Secret of the cluster, which is not in the repository: the name of the cluster stands for
// it.
func (g *generator) decisions(v *loader.Value, given params) ([]params, *Problem) {
	placement := v.Str("labelSelector", "matchLabels", placementLabel)
	if name := v.Str("name"); placement == "" && name != "" {
		placement, _, _ = strings.Cut(name, "-decision-")
	}
	if placement == "" {
		return nil, g.undecided(v, fmt.Errorf("it names no Placement"))
	}
	clusters, err := g.tree.Placed(g.root.Str("metadata", "namespace"), placement)
	if err != nil {
		return nil, g.undecided(v, err)
	}
	var out []params
	for _, name := range clusters {
		set := params{"name": name, "server": name, "clusterName": name}
		if err := g.values(set, given, v.Get("values")); err != nil {
			return nil, g.failed(v, err)
		}
		out = append(out, set)
	}
	return out, nil
}

func (g *generator) undecided(v *loader.Value, err error) *Problem {
	return &Problem{
		"argocd-generator", fmt.Sprintf("which clusters the generator clusterDecisionResource of the ApplicationSet gives is not known: %v; its Applications are unknown", err),
		"name the environments in .gwplan.yaml, or give the rendered Applications", at(v, g.root),
	}
}
