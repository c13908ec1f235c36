package render

import (
	"slices"

	"github.com/gwplan/gwplan/internal/spelling"
	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/ocm"
	"github.com/gwplan/gwplan/loader/tree"
)

// managing finds what Open Cluster Management brings to managed clusters in one tree.
type managing struct {
	*session
	view    *tree.View
	layout  layout
	context []deploy.Object
	found   problems
}

// environments returns one for each cluster that Open Cluster Management manages from one of the declared
// environments, with what its policies and works bring there. What they bring to a cluster that Argo CD deploys to, by
// the same name, is added to its environment.
func (m managing) environments(all []*declared) (out []*declared, notes []string) {
	for _, from := range slices.Clone(all) {
		clusters, unseen, more := m.of(from)
		notes = append(notes, more...)
		for _, c := range clusters {
			into := slices.IndexFunc(all, func(d *declared) bool { return d.Name == c.Name })
			if into >= 0 && all[into] != from && all[into].environment.By == deploy.ByArgoCD {
				e := all[into].environment
				all[into].objects = append(slices.Clone(all[into].objects), c.Objects...)
				e.Gaps, e.Placed = slices.Concat(e.Gaps, c.Gaps, unseen), append(e.Placed, c.Placed...)
				e.Incomplete = e.Incomplete || len(unseen) > 0
				m.found.add(e.Name, c.Problems)
				continue
			}
			name := c.Name
			if into >= 0 {
				name = "managed cluster " + name
			}
			e := &loader.Environment{Name: name, Path: from.Path, By: loader.ByOCM, Gaps: slices.Concat(c.Gaps, unseen), Placed: c.Placed, Incomplete: len(unseen) > 0}
			m.found.add(name, c.Problems)
			out = append(out, &declared{environment: e, objects: c.Objects})
		}
		if clusters == nil {
			for _, e := range m.unreached(from) {
				out = append(out, &declared{environment: e})
			}
		}
	}
	return out, notes
}

// maxKept is how many notes say what clusters keep.
const maxKept = 20

// of returns the clusters that an environment manages, nil if it manages none. unseen is what of it is not
// rendered: it may have more policies.
func (m managing) of(from *declared) (clusters []ocm.Cluster, unseen []loader.Gap, notes []string) {
	of := ocm.Read(withContext(m.context, from.objects), m.kinds())
	if of == nil {
		return nil, nil, nil
	}
	if before, known := m.session.hubs[from.Name]; !known {
		m.session.hubs[from.Name] = viewedHub{m.view, of}
	} else if before.view != m.view {
		of.After(before.Hub)
	}
	var limited []loader.Problem
	if done, why := m.store.Opts.Account.BeginBuild("the managed clusters of environment " + deploy.Quote(from.Name)); why != "" {
		clusters, limited = of.NotFollowed(why)
	} else {
		defer done()
		notes = append(notes, of.Assumes()...)
		clusters, limited = of.Clusters()
	}
	m.found.add("", limited)
	var kept []string
	for i := range clusters {
		c := &clusters[i]
		key := clusterOf{hub: from.Name, cluster: c.Name}
		if before, known := m.session.clusters[key]; known && before.view != m.view {
			kept = append(kept, c.Keep(before.Cluster)...)
		} else {
			m.session.clusters[key] = viewed{m.view, c}
		}
	}
	if more := len(kept) - maxKept; more > 0 {
		kept = append(kept[:maxKept], "managed clusters keep "+spelling.Count(more, "more object")+", or parts of them")
	}
	notes = append(notes, kept...)
	unseen = slices.DeleteFunc(slices.Clone(from.environment.Gaps), func(g loader.Gap) bool { return g.Chart != loader.RemoteChart{} || g.By != loader.ID{} })
	return clusters, unseen, notes
}

func (m managing) kinds() ocm.Kinds {
	return ocm.Kinds{ClusterScoped: m.opts.ClusterScoped, Matters: m.store.Matters}
}

// clusterOf names a managed cluster of a hub.
type clusterOf struct{ hub, cluster string }

// viewed is a managed cluster as one tree has it.
type viewed struct {
	view *tree.View
	*ocm.Cluster
}

// viewedHub is a hub as one tree has it.
type viewedHub struct {
	view *tree.View
	*ocm.Hub
}

// unreached returns an environment for the managed clusters of a hub that declares none, if its policies or works
// would give them anything about traffic. Nothing of it is known.
func (m managing) unreached(from *declared) []*loader.Environment {
	gaps := ocm.Unreached(withContext(m.context, from.objects), m.kinds())
	if len(gaps) == 0 {
		return nil
	}
	name := "managed clusters"
	if len(m.layout.environments) > 1 {
		name += " of " + from.Name
	}
	return []*loader.Environment{{Name: name, Path: from.Path, By: loader.ByOCM, Gaps: gaps, Incomplete: true}}
}
