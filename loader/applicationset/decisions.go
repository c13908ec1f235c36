package applicationset

import (
	"fmt"
	"slices"
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
	placements, err := placementsOf(v)
	if err != nil {
		return nil, g.undecided(v, err)
	}
	var clusters []string
	for _, placement := range placements {
		placed, err := g.tree.Placed(g.root.Str("metadata", "namespace"), placement)
		if err != nil {
			return nil, g.undecided(v, err)
		}
		clusters = append(clusters, placed...)
	}
	slices.Sort(clusters)
	var out []params
	for _, name := range slices.Compact(clusters) {
		set := params{"name": name, "server": name, "clusterName": name}
		if err := g.values(set, given, v.Get("values")); err != nil {
			return nil, g.failed(v, err)
		}
		out = append(out, set)
	}
	return out, nil
}

// placementsOf returns the Placements whose decisions a generator selects: by their label, or by the name of a decision.
// Other selections give an error.
func placementsOf(v *loader.Value) ([]string, error) {
	selector := v.Get("labelSelector")
	labels, expressions := selector.Get("matchLabels").FieldList(), selector.List("matchExpressions")
	if name := v.Str("name"); name != "" {
		if len(labels)+len(expressions) > 0 {
			return nil, fmt.Errorf("it has both a name and a labelSelector")
		}
		placement, _, _ := strings.Cut(name, "-decision-")
		return []string{placement}, nil
	}
	if len(labels)+len(expressions) > 1 {
		return nil, fmt.Errorf("its labelSelector asks for more than the label %s", placementLabel)
	}
	if placement := selector.Str("matchLabels", placementLabel); placement != "" {
		return []string{placement}, nil
	}
	for _, e := range expressions {
		if e.Str("key") != placementLabel || e.Str("operator") != "In" {
			continue
		}
		var out []string
		for _, value := range e.List("values") {
			out = append(out, value.Text)
		}
		return out, nil
	}
	return nil, fmt.Errorf("it names no Placement")
}

func (g *generator) undecided(v *loader.Value, err error) *Problem {
	return &Problem{
		loader.UnresolvedSet, fmt.Sprintf("which clusters the generator clusterDecisionResource of the ApplicationSet gives is not known: %v; its Applications are unknown", err),
		"name the environments in .gwplan.yaml, or give the rendered Applications", at(v, g.root),
	}
}
