package analyze

import (
	"github.com/gwplan/gwplan/analyze/plan"
	"github.com/gwplan/gwplan/loader"
)

// ListEnvironments lists the environments that were found.
func ListEnvironments(s *loader.Snapshot, o Options) *plan.EnvironmentList {
	list := &plan.EnvironmentList{SchemaVersion: plan.SchemaVersion, Environments: []plan.ListedEnvironment{}, Problems: problems(s.Problems, ""), LeftOut: append([]string{}, s.LeftOut...), Notes: []string{}}
	for _, n := range s.Notes {
		list.Notes = append(list.Notes, n.Text)
	}
	for _, env := range s.Environments {
		if !o.Filter.environment(env.Name) {
			continue
		}
		out := plan.ListedEnvironment{Name: env.Name, Path: env.Path, Deployer: env.By, Incomplete: env.Incomplete, Parts: []plan.ListedPart{}, Gaps: []plan.ListedGap{}}
		for _, object := range env.Objects {
			if !object.Context {
				out.Objects++
			}
		}
		for _, p := range env.Parts {
			part := plan.ListedPart{Kind: p.Kind, Path: p.Path, Objects: p.Objects}
			if p.Deployer != nil {
				part.By = p.Deployer.ID.String()
			}
			out.Parts = append(out.Parts, part)
		}
		for _, g := range env.Gaps {
			out.Gaps = append(out.Gaps, plan.ListedGap{What: g.String(), Namespace: g.Namespace, File: g.Position.File, Line: g.Position.Line, Column: g.Position.Column})
		}
		list.Environments = append(list.Environments, out)
	}
	return list
}
