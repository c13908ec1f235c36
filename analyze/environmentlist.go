package analyze

import (
	"github.com/gwplan/gwplan/loader"
)

// EnvironmentList says what was found in a tree: which environments there are,
// what each is made of, what is missing, and what nothing deploys.
type EnvironmentList struct {
	SchemaVersion string              `json:"schemaVersion"`
	Environments  []ListedEnvironment `json:"environments"`
	LeftOut       []string            `json:"leftOut"`
	Problems      []Problem           `json:"problems"`
	Notes         []string            `json:"notes"`
}

// ListedEnvironment is one environment. Deployer says who decides what lands
// there; Gaps are things that would give objects and are not known.
type ListedEnvironment struct {
	Name       string       `json:"name"`
	Path       string       `json:"path"`
	Deployer   string       `json:"deployer"`
	Incomplete bool         `json:"incomplete"`
	Objects    int          `json:"objects"`
	Parts      []ListedPart `json:"parts"`
	Gaps       []ListedGap  `json:"gaps"`
}

// ListedPart is one thing that an environment is made of: a kustomization, files,
// a chart. By is the object that applies it, if any.
type ListedPart struct {
	Kind    string `json:"kind"`
	Path    string `json:"path"`
	Objects int    `json:"objects"`
	By      string `json:"by"`
}

// ListedGap is something that would give objects. Namespace limits where; empty
// is anywhere.
type ListedGap struct {
	What      string `json:"what"`
	Namespace string `json:"namespace"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
}

// ListEnvironments says what was found.
func ListEnvironments(s *loader.Snapshot, o Options) *EnvironmentList {
	list := &EnvironmentList{SchemaVersion: SchemaVersion, Environments: []ListedEnvironment{}, Problems: problems(s.Problems, ""), LeftOut: append([]string{}, s.LeftOut...), Notes: append([]string{}, s.Notes...)}
	for _, env := range s.Environments {
		if !o.Filter.environment(env.Name) {
			continue
		}
		out := ListedEnvironment{Name: env.Name, Path: env.Path, Deployer: env.By, Incomplete: env.Incomplete, Parts: []ListedPart{}, Gaps: []ListedGap{}}
		for _, object := range env.Objects {
			if !object.Context {
				out.Objects++
			}
		}
		for _, p := range env.Parts {
			part := ListedPart{Kind: p.Kind, Path: p.Path, Objects: p.Objects}
			if p.Deployer != nil {
				part.By = p.Deployer.ID.String()
			}
			out.Parts = append(out.Parts, part)
		}
		for _, g := range env.Gaps {
			out.Gaps = append(out.Gaps, ListedGap{What: g.String(), Namespace: g.Namespace, File: g.Position.File, Line: g.Position.Line, Column: g.Position.Column})
		}
		list.Environments = append(list.Environments, out)
	}
	return list
}
