package render

import (
	"fmt"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/flux"
	"github.com/gwplan/gwplan/loader/tree"
)

// layout describes what is deployed to which environment in one tree.
type layout struct {
	environments []deploy.Destination
	problems     []loader.Problem
	// notes describe what was assumed.
	notes []loader.Assumption
	// deployed is true if deployers are known. left are files that none of them applies.
	deployed bool
	left     []string
	// elsewhere is true if something outside of the tree may deploy these.
	elsewhere bool
	// covers are the files that deployers apply. doubtful are the folders of deployers that nothing
	// in the tree applies.
	covers   map[string]bool
	doubtful []loader.Gap
	// told are files that must not be reported as unlisted: the files of entries, and those that
	// are already reported as listed nowhere.
	told map[string]bool
	// started are the files of deployers that nothing in the tree applies.
	started map[string]bool
}

// layouts computes the layouts of all trees together.
func (s *session) layouts(views []*tree.View) ([]layout, error) {
	for _, v := range views {
		v.Includes = s.store.Kustomizations(v).Includes()
	}
	out := make([]layout, len(views))
	if len(s.opts.Environments) > 0 {
		return out, s.configured(views, out)
	}
	deployments, found := make([]deployers, len(views)), false
	for i, v := range views {
		var err error
		if deployments[i], err = s.deployers(v); err != nil {
			return nil, err
		}
		found = found || len(deployments[i].Clusters) > 0
	}
	first := firstDeployer(views, deployments)
	units := make([][]deploy.Unit, len(views))
	for i, v := range views {
		out[i].take(deployments[i])
		if i == len(views)-1 {
			out[i].problems = append(out[i].problems, first...)
		}
		if out[i].deployed = found; found {
			s.leaveOut(v, deployments[i], &out[i])
			out[i].problems = append(out[i].problems, s.unreadable(v, views, out[i].covers)...)
		} else {
			units[i] = s.applier.UnitsBelow(v, ".")
		}
	}
	if found {
		return out, nil
	}
	for i, envs := range s.split(views, units) {
		out[i].environments = append(out[i].environments, envs...)
		if len(envs) > 1 {
			out[i].notes = append(out[i].notes, loader.Assumption{
				Text:  fmt.Sprintf("%d environments are assumed, because several folders declare the same objects; list the environments in .gwplan.yaml to confirm or correct this", len(envs)),
				About: "assumed environments",
			})
		}
	}
	return out, nil
}

// deployers is what the deployers of a tree declare.
type deployers struct {
	flux.Deployments
	// roots are the files of Applications that are applied by hand.
	roots []string
}

// firstDeployer is the problem that base has manifests and no deployer, and head has one: what base applied, from which folders, is
// not known, and everything else of base would be left out without a word.
func firstDeployer(views []*tree.View, deployments []deployers) []loader.Problem {
	if len(views) != 2 || len(deployments[0].Clusters) > 0 || len(deployments[1].Clusters) == 0 || len(views[0].Manifests) == 0 {
		return nil
	}
	at := loader.Position{Line: 1, Column: 1}
	switch d := deployments[1]; {
	case len(d.Live) > 0:
		at = d.Live[0].Object.First()
	case len(d.roots) > 0:
		at.File = d.roots[0]
	}
	return []loader.Problem{deploy.Complain(
		"first-deployer", "this is the first deployer of the tree: what was applied before it is not known, and what it does not apply is not compared",
		"name the environments in .gwplan.yaml to compare the folders",
	).Problem(at)}
}

// deployers evaluates the objects of Flux and Argo CD in a tree.
func (s *session) deployers(v *tree.View) (deployers, error) {
	f, err := s.flux.Clusters(s.flux.Site(v))
	if err != nil {
		return deployers{}, err
	}
	apps, err := s.argocd.Applications(v)
	f.Clusters = append(f.Clusters, apps.Clusters...)
	f.Problems = append(f.Problems, apps.Problems...)
	return deployers{Deployments: f, roots: apps.Roots}, err
}

// known returns the clusters of a tree. It adds their notes, and problems of the whole tree, to the
// layout.
func (s *session) known(v *tree.View, l *layout) ([]deploy.Cluster, error) {
	f, err := s.deployers(v)
	if f.Note != "" {
		l.notes = append(l.notes, loader.Assumption{Text: f.Note})
	}
	l.problems = append(l.problems, f.Problems...)
	for _, c := range f.Clusters {
		l.notes = append(l.notes, loader.Assumptions(c.Notes...)...)
	}
	return f.Clusters, err
}

// take adds the clusters of a tree to the layout.
func (l *layout) take(f deployers) {
	if f.Note != "" {
		l.notes = append(l.notes, loader.Assumption{Text: f.Note})
	}
	for _, c := range f.Clusters {
		l.environments = append(l.environments, c.Destination)
		l.problems = append(l.problems, c.Problems...)
		l.notes = append(append(l.notes, loader.Assumption{Text: c.Note(), Environments: []string{c.Name}}), loader.Assumptions(c.Notes...)...)
	}
	l.problems = append(l.problems, f.Problems...)
	l.told, l.started = map[string]bool{}, map[string]bool{}
	for _, c := range f.Clusters {
		for _, file := range c.Started {
			l.started[file] = true
		}
	}
	for _, e := range slices.Concat(f.Live, f.Unlisted) {
		l.told[e.File] = true
	}
	for _, file := range f.roots {
		l.told[file], l.started[file] = true, true
	}
}
