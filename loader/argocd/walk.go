package argocd

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/applicationset"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/tree"
)

// maxApplications limits the Applications of one tree.
const maxApplications = 10_000

// argoWalk follows the Applications of a tree, which may deploy other Applications.
type argoWalk struct {
	*sources
	queue []argoItem
	// full is true if an item was not queued.
	full     bool
	seen     map[string]*loader.Value
	clusters map[string]*deploy.Cluster
	// name returns the environment for a root and a destination.
	name func(origin int, destination string) string
	// projects are the AppProjects by name: they may forbid what an Application deploys.
	projects map[string]*loader.Object
	// sets are the ApplicationSets that were generated.
	sets map[loader.ID]*loader.Object
	// origins are the indices of the roots that lead to each file.
	origins map[string][]int
	// followed are the Applications that were followed, and keepers the Applications and ApplicationSets that remove none of
	// those that they no longer apply or make, with their origins. An object of one name may be in several clusters.
	followed map[string]followedItem
	keepers  map[string]int
}

// followedItem is an Application that was followed, with the cluster that it deploys to and the key of its deployer among keepers.
type followedItem struct {
	argoItem
	cluster, keeper string
}

type argoItem struct {
	deploy.Object
	origin int
	// depth is the number of Applications above it.
	depth int
	// stays is true if nothing in the tree has it applied any more and nothing removes it from the cluster.
	stays bool
}

// The limits of Applications that deploy Applications: a chart may deploy itself.
const (
	maxAppDepth = 20
	maxAppName  = 253
)

// applications are the results of following the Applications of a tree.
type applications struct {
	Clusters []deploy.Cluster
	// Roots are the files of Applications that no other object deploys, so they are applied
	// manually.
	Roots    []string
	Problems []loader.Problem
}

// Applications follows the Applications of a tree.
func (s *Reader) Applications(v *tree.View) (out applications, err error) {
	roots, by := s.argoObjects(v), bootstrap{}
	if len(roots) == 0 {
		by, err = s.bootstraps(v, &out)
		if roots = by.roots; err != nil || len(roots) == 0 {
			return out, err
		}
	}
	var orphans []deploy.Object
	all := slices.Clone(roots)
	asked := argoTree{store: s.store, view: v, own: s.ownRepository(v, roots), dirs: tree.Sorted(v.Dirs), hub: hubOf(s.store, v)}
	for round := 0; ; round++ {
		w, err := s.argoRound(asked, roots, nil)
		if err != nil {
			return out, err
		}
		rest := notDelivered(w.origins, roots)
		if len(rest) == len(roots) {
			var gone []deploy.Object
			if rest, gone = s.adopted(roots); len(gone) > 0 && round < deploy.MaxRounds {
				orphans, roots = append(orphans, gone...), rest
				continue
			}
		}
		if len(rest) == len(roots) || round == deploy.MaxRounds {
			s.noteDelivered(all, roots)
			left := s.staying(w)
			if len(left) > 0 {
				if w, err = s.argoRound(asked, roots, left); err != nil {
					return out, err
				}
			}
			out.Problems = append(out.Problems, orphaned(orphans, left)...)
			s.followed = w.followed
			if len(by.units) > 0 {
				c := w.cluster(0, inCluster)
				c.Units = append(c.Units, by.units...)
			}
			found := w.list()
			for i := range found {
				found[i].Notes = slices.Concat(found[i].Notes, by.notes, w.assumed)
				if len(asked.own) > 1 {
					found[i].Notes = append(found[i].Notes, fmt.Sprintf("Applications name this repository by several addresses (%s): each is taken to be it", deploy.Clip(strings.Join(asked.own, ", "))))
				}
			}
			out.Clusters = found
			out.Problems = slices.Concat(out.Problems, w.problems, encoded(v))
			for _, r := range roots {
				out.Roots = append(out.Roots, r.Files[0])
			}
			return out, nil
		}
		roots = rest
	}
}

// noteDelivered stores which Applications of the first tree another object deploys.
func (s *Reader) noteDelivered(all, roots []deploy.Object) {
	if s.delivered != nil {
		return
	}
	s.delivered = map[loader.ID]bool{}
	for _, d := range all {
		s.delivered[d.AsObject().ID] = true
	}
	for _, r := range roots {
		delete(s.delivered, r.AsObject().ID)
	}
}

// adopted returns the roots that no object deployed in the first tree, and the others: nothing deploys them any more.
func (s *Reader) adopted(roots []deploy.Object) (rest, orphans []deploy.Object) {
	for _, r := range roots {
		if s.delivered[r.AsObject().ID] {
			orphans = append(orphans, r)
		} else {
			rest = append(rest, r)
		}
	}
	return rest, orphans
}

// orphaned returns a problem for each object that nothing deploys any more and that does not stay.
func orphaned(orphans []deploy.Object, left []argoItem) []loader.Problem {
	var out []loader.Problem
	for _, r := range orphans {
		id := r.AsObject().ID
		if slices.ContainsFunc(left, func(item argoItem) bool { return item.AsObject().ID == id }) {
			continue
		}
		p := deploy.Complain(
			"argocd-orphan", fmt.Sprintf("the %s %s is no longer applied: the object that applied it in the other revision does not apply it in this one; gwplan ignores what it would deploy", r.Kind, deploy.Quote(r.Name)), "",
		).Problem(r.AsObject().First())
		p.Severity = loader.Note
		out = append(out, p)
	}
	return out
}

// staying returns the Applications of the first tree that this one does not have applied, and that nothing removes from the
// cluster: the Application above them does not prune (types.go, SyncPolicyAutomated), or the policy of their ApplicationSet
// allows no deletion (applicationset_types.go, ApplicationsSyncPolicy.AllowDelete). They go on with what their folders have
// now. One whose folder is gone, or that another Application deploys, changes nothing.
func (s *Reader) staying(w *argoWalk) []argoItem {
	type place struct{ cluster, namespace, dir string }
	deployed := map[place]bool{}
	places := func(item followedItem) (out []place) {
		app := application{object: item.AsObject()}
		for _, dir := range app.folders(w.view) {
			out = append(out, place{item.cluster, app.namespace(), dir})
		}
		return out
	}
	for _, item := range w.followed {
		for _, at := range places(item) {
			deployed[at] = true
		}
	}
	var out []argoItem
	for key, item := range s.followed {
		if _, here := w.followed[key]; here || item.keeper == "" {
			continue
		}
		origin, kept := w.keepers[item.keeper]
		app := application{object: item.AsObject()}
		named := slices.ContainsFunc(app.sources(), func(source *loader.Value) bool { return source.Str("path") != "" })
		folders := places(item)
		if !kept || named && len(folders) == 0 || slices.ContainsFunc(folders, func(at place) bool { return deployed[at] }) {
			continue
		}
		item.origin, item.stays = origin, true
		out = append(out, item.argoItem)
	}
	slices.SortFunc(out, func(a, b argoItem) int { return a.AsObject().ID.Compare(b.AsObject().ID) })
	return out
}

// argoRound follows roots, and Applications that stay although nothing in the tree has them applied.
func (s *Reader) argoRound(given argoTree, roots []deploy.Object, left []argoItem) (*argoWalk, error) {
	w := &argoWalk{
		sources: &sources{argocd: s, view: given.view, tree: given, foreign: map[string]bool{}, revisions: map[string]bool{}}, seen: map[string]*loader.Value{},
		clusters: map[string]*deploy.Cluster{}, origins: map[string][]int{}, name: instances(roots), projects: map[string]*loader.Object{}, sets: map[loader.ID]*loader.Object{},
		followed: map[string]followedItem{}, keepers: map[string]int{},
	}
	for _, one := range s.store.Deployers(given.view) {
		if doc := one.Document; doc.Group == tree.ArgoGroup && doc.Kind == deploy.KindAppProject {
			d := deploy.Object{Group: doc.Group, Version: doc.Version, Kind: doc.Kind, Namespace: doc.Namespace, Name: doc.Name, Root: doc.Root, Files: []string{one.File}}
			w.projects[doc.Name] = d.AsObject()
		}
	}
	for i, r := range roots {
		w.queue = append(w.queue, argoItem{Object: r, origin: i, depth: 0})
	}
	w.queue = append(w.queue, left...)
	for len(w.queue) > 0 && len(w.seen) < maxApplications {
		item := w.queue[0]
		w.queue = w.queue[1:]
		if err := w.step(item); err != nil {
			return nil, err
		}
	}
	if len(w.queue) > 0 || w.full {
		w.problems = append(w.problems, deploy.Complain(
			loader.LimitApplications, fmt.Sprintf("there are more than %d Applications; gwplan does not follow the others", maxApplications), "name the environments in .gwplan.yaml",
		).Problem(roots[0].AsObject().First()))
	}
	return w, nil
}

// instances returns the function that names environments. If roots have the same ID, they belong to
// several installations of Argo CD with separate clusters. The folder of the root then
// distinguishes their environments.
func instances(roots []deploy.Object) func(int, string) string {
	places, clash := map[loader.ID]string{}, false
	for _, r := range roots {
		id, dir := r.AsObject().ID, path.Dir(r.Files[0])
		if was, ok := places[id]; ok && was != dir {
			clash = true
		}
		places[id] = dir
	}
	return func(origin int, destination string) string {
		if clash {
			return path.Join(path.Dir(roots[origin].Files[0]), destination)
		}
		return destination
	}
}

// notDelivered returns the roots that no other root leads to. Of roots that lead to each other, the
// last one stays.
func notDelivered(origins map[string][]int, roots []deploy.Object) []deploy.Object {
	gone := map[int]bool{}
	var out []deploy.Object
	for i, r := range roots {
		if slices.ContainsFunc(origins[r.Files[0]], func(by int) bool { return by != i && !gone[by] }) {
			gone[i] = true
			continue
		}
		out = append(out, r)
	}
	return out
}

// step follows one Application or ApplicationSet.
func (w *argoWalk) step(item argoItem) error {
	what, hint := "", ""
	switch {
	case len(item.Name) > maxAppName:
		what, hint = fmt.Sprintf("has a name longer than %d characters", maxAppName), "shorten it"
	case item.depth > maxAppDepth:
		what, hint = fmt.Sprintf("is nested below more than %d others", maxAppDepth), "check whether the Application deploys itself"
	}
	if what != "" {
		w.problems = append(w.problems, deploy.Complain(
			loader.LimitApplications, fmt.Sprintf("the Application %s %s; it is not followed", deploy.Quote(item.Name), what), hint,
		).Problem(item.AsObject().First()))
		return nil
	}
	if item.Kind == deploy.KindApplicationSet {
		key := item.AsObject().ID.String() + " " + item.Files[0]
		if w.seen[key] != nil {
			return nil
		}
		w.seen[key] = item.Root
		w.generate(item)
		return nil
	}
	app := application{object: item.AsObject(), origin: item.origin, ignored: w.argocd.settings(w.view).ignored, stays: item.stays}
	key := w.name(item.origin, app.destination()) + " " + app.object.ID.String()
	if was := w.seen[key]; was != nil {
		if !loader.Equal(was.Get("spec"), item.Root.Get("spec")) {
			w.problems = append(w.problems, deploy.Complain(
				"argocd-twice", fmt.Sprintf("the Application %s is declared again with another spec; the first one counts here", deploy.Quote(item.Name)), "rename one of them",
			).Problem(app.object.First()))
			// It is unknown which of the two the cluster has and what the other one would deploy.
			if roots := app.folders(w.view); len(roots) > 0 {
				w.cluster(item.origin, app.destination()).Gap(app.gap(app.object.First(), roots...))
			}
		}
		return nil
	}
	w.seen[key] = item.Root
	w.followed[key] = followedItem{item, w.name(item.origin, app.destination()), w.keeper(item.origin, item.Deployer)}
	if app.keeps() {
		w.keepers[w.name(item.origin, inCluster)+" "+app.object.ID.String()] = item.origin
	}
	return w.deploy(app, w.cluster(item.origin, app.destination()), item.depth)
}

// keeper is the key among keepers of the deployer of an item with an origin, "" without one.
func (w *argoWalk) keeper(origin int, by *loader.Deployer) string {
	if by == nil {
		return ""
	}
	return w.name(origin, inCluster) + " " + by.ID.String()
}

// push queues an item unless there are too many already.
func (w *argoWalk) push(item argoItem) {
	if len(w.queue)+len(w.seen) > maxApplications {
		w.full = true
		return
	}
	w.queue = append(w.queue, item)
}

// generate queues the Applications of an ApplicationSet.
func (w *argoWalk) generate(item argoItem) {
	at := item.AsObject().First()
	// It might deploy any object anywhere.
	gap := loader.Gap{Kind: "ApplicationSet", Name: deploy.Clip(item.Name), Position: at, Content: loader.Digest(item.AsObject().ID, item.Root)}
	done, why := w.argocd.store.Opts.Account.BeginBuild(fmt.Sprintf("the ApplicationSet %s (%s)", deploy.Quote(item.Name), at))
	if why != "" {
		w.problems = append(w.problems, deploy.Overdrawn(fmt.Sprintf("the ApplicationSet %s is not rendered", deploy.Quote(item.Name)), why).Problem(at))
		w.cluster(item.origin, inCluster).Gap(gap)
		return
	}
	defer done()
	in := w.cluster(item.origin, inCluster)
	in.Declared = append(in.Declared, item.AsObject())
	w.sets[item.AsObject().ID] = item.AsObject()
	apps, problems := applicationset.Generate(item.Root, w.tree, w.argocd.store.Opts.Manifest.Limits)
	for _, p := range problems {
		gap.Position = item.AsObject().Position(&loader.Value{Mark: p.Mark})
		w.problems = append(w.problems, deploy.Complain(p.Code, p.Message, p.Hint).Problem(gap.Position))
		w.cluster(item.origin, inCluster).Gap(gap)
	}
	// Its controller deletes the Applications that it no longer gives, unless this policy says otherwise
	// (applicationset_types.go, ApplicationsSyncPolicy).
	by := &loader.Deployer{ID: item.AsObject().ID, At: at, Parent: item.Deployer}
	policy := item.Root.Str("spec", "syncPolicy", "applicationsSync")
	by.Keeps = policy == "create-only" || policy == "create-update"
	if by.Keeps {
		w.keepers[w.keeper(item.origin, by)] = item.origin
	}
	by.CreatesOnly = policy == "create-only" || policy == "create-delete"
	names := map[loader.ID]int{}
	var made []deploy.Object
	for _, app := range apps {
		d := deploy.Object{Root: app.Value, Files: item.Files, Listed: item.Listed, Deployer: by}
		if app.File != "" {
			d.Inputs = []loader.Position{{File: app.File}}
		}
		d.Identify()
		made = append(made, d)
		names[d.AsObject().ID]++
	}
	for _, d := range made {
		id := d.AsObject().ID
		n := names[id]
		if n == 1 {
			w.push(argoItem{Object: d, origin: item.origin, depth: item.depth})
			continue
		}
		// None of them is valid: one that is there is neither updated nor deleted
		// (applicationset/controllers/applicationset_controller.go, validateGeneratedApplications and deleteInCluster).
		same := gap
		same.Kind, same.Name, same.By, same.Position = deploy.KindApplication, deploy.Clip(id.Name), id, at
		w.cluster(item.origin, application{object: d.AsObject(), origin: item.origin}.destination()).Gap(same)
		if n > 1 {
			w.problems = append(w.problems, deploy.Complain(
				loader.ArgoNameTwice, fmt.Sprintf("the ApplicationSet %s makes %d Applications of the name %s: Argo CD applies none of them", deploy.Quote(item.Name), n, deploy.Quote(id.Name)),
				"put into the name what differs between them",
			).Problem(at))
			names[id] = 0 // said
		}
	}
}

// cluster returns the cluster of an installation of Argo CD, by the root from which it is reached, that a destination names.
func (w *argoWalk) cluster(origin int, destination string) *deploy.Cluster {
	name := w.name(origin, destination)
	c := w.clusters[name]
	if c == nil {
		c = &deploy.Cluster{Destination: deploy.Destination{Name: name, Path: name, By: deploy.ByArgoCD, Cluster: destination}, Covers: map[string]bool{}}
		w.clusters[name] = c
	}
	return c
}

// deploy adds the sources of an Application.
func (w *argoWalk) deploy(app application, c *deploy.Cluster, depth int) error {
	c.Declared = append(c.Declared, app.object)
	if by := app.object.Deployer; by != nil && w.sets[by.ID] != nil {
		c.Declared = append(c.Declared, w.sets[by.ID])
	}
	if project := w.projects[app.spec().Str("project")]; project != nil {
		c.Declared = append(c.Declared, project)
	}
	for _, source := range app.sources() {
		units, err := w.units(app, source, c)
		if err != nil {
			return err
		}
		for _, u := range units {
			if u.Delivery == nil {
				u.Delivery = app.delivery(source)
			}
			c.Units = append(c.Units, u)
			got := w.argocd.applier.Apply(w.view, u)
			for _, file := range got.Covers {
				c.Covers[file] = true
				if !slices.Contains(w.origins[file], app.origin) {
					w.origins[file] = append(w.origins[file], app.origin)
				}
			}
			for _, d := range got.Objects {
				if d.IsArgo() {
					w.push(argoItem{Object: d, origin: app.origin, depth: depth + 1})
				}
			}
		}
	}
	return nil
}

// list returns the clusters, sorted by name.
func (w *argoWalk) list() []deploy.Cluster {
	var out []deploy.Cluster
	for _, name := range tree.Sorted(w.clusters) {
		c := w.clusters[name]
		if len(c.Units) == 0 && !c.Deploys {
			continue
		}
		c.Problems = append(alike(c.Problems), deploy.Summarised(c.Lost, "the folders that %d Applications deploy are not in the tree")...)
		slices.SortStableFunc(c.Units, deploy.CompareUnits)
		if len(w.revisions) > 1 {
			c.Notes = append(c.Notes, fmt.Sprintf("Applications follow several revisions of this repository (%s): each is read as it is here", deploy.Clip(strings.Join(tree.Sorted(w.revisions), ", "))))
		}
		out = append(out, *c)
	}
	return out
}
