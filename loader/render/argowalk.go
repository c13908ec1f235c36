package render

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/applicationset"
)

// maxApplications bounds the Applications of one tree.
const maxApplications = 10_000

// argoWalk follows the Applications of a tree: what they deploy may be more of
// their kind.
type argoWalk struct {
	argocd *argocd
	view   *view
	tree   argoTree
	queue  []argoItem
	// full says that something was not queued.
	full bool
	seen map[string]*loader.Value
	// clusters are by name; foreign sources are reported once each.
	clusters map[string]*cluster
	foreign  map[string]bool
	// name gives the environment of a root's destination.
	name func(origin int, destination string) string
	// origins are the roots that lead to each file.
	origins map[string][]int
	// revisions are those of this repository that sources name.
	revisions map[string]bool
	// assumed are notes on what is known by its name alone.
	assumed []string
	// problems of ApplicationSets belong to no environment.
	problems []loader.Problem
}

type argoItem struct {
	declared
	origin int
	// depth is how many others lie above it.
	depth int
}

// The limits of Applications that deploy Applications: a chart may deploy itself.
const (
	maxAppDepth = 20
	maxAppName  = 253
)

// applications are what the Applications of a tree deploy.
type applications struct {
	clusters []cluster
	// roots are the files of those that nothing else deploys: somebody applies them by hand.
	roots    []string
	problems []loader.Problem
}

// applications follows the Applications of a tree.
func (s *argocd) applications(v *view) (out applications, err error) {
	roots, notes := s.argoObjects(v), []string(nil)
	if len(roots) == 0 {
		if roots, notes, err = s.bootstraps(v, &out); err != nil || len(roots) == 0 {
			return out, err
		}
	}
	all := slices.Clone(roots)
	asked := argoTree{store: s.store, view: v, own: s.ownRepository(v, roots), dirs: sorted(v.dirs)}
	for round := 0; ; round++ {
		w, err := s.argoRound(asked, roots)
		if err != nil {
			return out, err
		}
		rest := w.notDelivered(roots)
		if len(rest) == len(roots) {
			var orphans []loader.Problem
			if rest, orphans = s.adopted(roots); len(orphans) > 0 && round < maxRounds {
				out.problems = append(out.problems, orphans...)
				roots = rest
				continue
			}
		}
		if len(rest) == len(roots) || round == maxRounds {
			s.noteDelivered(all, roots)
			found := w.list()
			for i := range found {
				found[i].notes = append(append(found[i].notes, notes...), w.assumed...)
			}
			out.clusters = found
			out.problems = append(out.problems, w.problems...)
			for _, r := range roots {
				out.roots = append(out.roots, r.files[0])
			}
			return out, nil
		}
		roots = rest
	}
}

// noteDelivered keeps in mind which Applications of the first tree something
// deploys.
func (s *argocd) noteDelivered(all, roots []declared) {
	if s.delivered != nil {
		return
	}
	s.delivered = map[loader.ID]bool{}
	for _, d := range all {
		s.delivered[d.object().ID] = true
	}
	for _, r := range roots {
		delete(s.delivered, r.object().ID)
	}
}

// adopted are the roots that were none in the first tree: what deployed the others
// there does so no more, so nothing does.
func (s *argocd) adopted(roots []declared) (rest []declared, orphans []loader.Problem) {
	for _, r := range roots {
		if !s.delivered[r.object().ID] {
			rest = append(rest, r)
			continue
		}
		p := complain(
			"argocd-orphan", fmt.Sprintf("what deploys the %s %s in the other revision does so no more: nothing applies it, and what it deploys is left out", r.kind, quote(r.name)), "",
		).problem(r.object().First())
		p.Severity = loader.Note
		orphans = append(orphans, p)
	}
	return rest, orphans
}

func (s *argocd) argoRound(tree argoTree, roots []declared) (*argoWalk, error) {
	w := &argoWalk{
		argocd: s, view: tree.view, tree: tree, seen: map[string]*loader.Value{},
		clusters: map[string]*cluster{}, foreign: map[string]bool{}, origins: map[string][]int{}, revisions: map[string]bool{}, name: instances(roots),
	}
	for i, r := range roots {
		w.queue = append(w.queue, argoItem{declared: r, origin: i, depth: 0})
	}
	for len(w.queue) > 0 && len(w.seen) < maxApplications {
		item := w.queue[0]
		w.queue = w.queue[1:]
		if err := w.step(item); err != nil {
			return nil, err
		}
	}
	if len(w.queue) > 0 || w.full {
		w.problems = append(w.problems, complain(
			"limit-applications", fmt.Sprintf("there are more than %d Applications, the others are not followed", maxApplications), "name the environments in .gwplan.yaml",
		).problem(roots[0].object().First()))
	}
	return w, nil
}

// instances names environments. Roots of one identity belong to several
// installations of Argo CD, each of which has clusters of its own; they are told
// apart by the folders of their roots.
func instances(roots []declared) func(int, string) string {
	places, clash := map[loader.ID]string{}, false
	for _, r := range roots {
		id, dir := r.object().ID, path.Dir(r.files[0])
		if was, ok := places[id]; ok && was != dir {
			clash = true
		}
		places[id] = dir
	}
	return func(origin int, destination string) string {
		if clash {
			return path.Join(path.Dir(roots[origin].files[0]), destination)
		}
		return destination
	}
}

// notDelivered are the roots that no other root leads to. Of roots that lead to
// each other the first stays.
func (w *argoWalk) notDelivered(roots []declared) []declared {
	gone := map[int]bool{}
	var out []declared
	for i, r := range roots {
		if slices.ContainsFunc(w.origins[r.files[0]], func(by int) bool { return by != i && !gone[by] }) {
			gone[i] = true
			continue
		}
		out = append(out, r)
	}
	return out
}

// step follows one Application or ApplicationSet.
func (w *argoWalk) step(item argoItem) error {
	if item.depth > maxAppDepth || len(item.name) > maxAppName {
		w.problems = append(w.problems, complain(
			"limit-applications", fmt.Sprintf("the Application %s lies below more than %d others, or its name is too long; it is not followed", quote(item.name), maxAppDepth),
			"does it deploy itself?",
		).problem(item.object().First()))
		return nil
	}
	if item.kind == kindApplicationSet {
		key := item.object().ID.String() + " " + item.files[0]
		if w.seen[key] != nil {
			return nil
		}
		w.seen[key] = item.root
		w.generate(item)
		return nil
	}
	app := application{object: item.object(), origin: item.origin}
	name := w.name(item.origin, app.destination())
	key := name + " " + app.object.ID.String()
	if was := w.seen[key]; was != nil {
		if !loader.Equal(was.Get("spec"), item.root.Get("spec")) {
			w.problems = append(w.problems, complain(
				"argocd-twice", fmt.Sprintf("the Application %s is declared again with another spec; the first one counts here", quote(item.name)), "rename one of them",
			).problem(app.object.First()))
			// Which of the two the cluster has nobody knows here, nor what the other would deploy.
			if roots := app.folders(w.view); len(roots) > 0 {
				w.cluster(name).gap(app.gap(app.object.First(), roots...))
			}
		}
		return nil
	}
	w.seen[key] = item.root
	return w.deploy(app, w.cluster(name), item.depth)
}

// push queues one more, unless there are too many already.
func (w *argoWalk) push(item argoItem) {
	if len(w.queue)+len(w.seen) > maxApplications {
		w.full = true
		return
	}
	w.queue = append(w.queue, item)
}

// generate queues what an ApplicationSet makes.
func (w *argoWalk) generate(item argoItem) {
	apps, problems := applicationset.Generate(item.root, w.tree, w.argocd.store.opts.Manifest.Limits)
	for _, p := range problems {
		at := item.object().Position(&loader.Value{Mark: p.Mark})
		w.problems = append(w.problems, complain(p.Code, p.Message, p.Hint).problem(at))
		// What it would deploy could be anything, anywhere.
		w.cluster(w.name(item.origin, inCluster)).gap(loader.Gap{Kind: "ApplicationSet", Name: clip(item.name), Position: at, Content: loader.Digest(item.object().ID, item.root)})
	}
	for _, app := range apps {
		d := declared{root: app, files: item.files, listed: item.listed}
		d.identify()
		w.push(argoItem{declared: d, origin: item.origin, depth: item.depth})
	}
}

func (w *argoWalk) cluster(name string) *cluster {
	c := w.clusters[name]
	if c == nil {
		c = &cluster{environment: environment{name: name, path: name, by: byArgoCD}, covers: map[string]bool{}}
		w.clusters[name] = c
	}
	return c
}

// deploy adds the sources of an Application.
func (w *argoWalk) deploy(app application, c *cluster, depth int) error {
	for _, source := range app.sources() {
		units, err := w.units(app, source, c)
		if err != nil {
			return err
		}
		for _, u := range units {
			if u.delivery == nil {
				u.delivery = app.delivery(source)
			}
			c.units = append(c.units, u)
			got := w.argocd.applier.apply(w.view, u)
			for _, file := range got.covers {
				c.covers[file] = true
				if !slices.Contains(w.origins[file], app.origin) {
					w.origins[file] = append(w.origins[file], app.origin)
				}
			}
			for _, d := range got.objects {
				if d.isArgo() {
					w.push(argoItem{declared: d, origin: app.origin, depth: depth + 1})
				}
			}
		}
	}
	return nil
}

// list gives the clusters by name.
func (w *argoWalk) list() []cluster {
	var out []cluster
	for _, name := range sorted(w.clusters) {
		c := w.clusters[name]
		if len(c.units) == 0 && !c.deploys {
			continue
		}
		c.problems = append(c.problems, summarised(c.lost, "the folders that %d Applications deploy are not in the tree")...)
		slices.SortStableFunc(c.units, compareUnits)
		if len(w.revisions) > 1 {
			c.notes = append(c.notes, fmt.Sprintf("Applications follow several revisions of this repository (%s): each is read as it is here", clip(strings.Join(sorted(w.revisions), ", "))))
		}
		out = append(out, *c)
	}
	return out
}

// gap notes something that could not be deployed.
func (c *cluster) gap(g loader.Gap) {
	c.units = append(c.units, unit{dir: g.Position.File, gap: &g})
}

// gap stands for what an Application would deploy from folders of the tree, or from
// elsewhere.
func (app application) gap(at loader.Position, roots ...string) loader.Gap {
	return loader.Gap{
		Kind: "Application", Name: clip(app.object.ID.Name), Namespace: app.namespace(), Position: at,
		Content: loader.Digest(app.object.ID, app.object.Root), Roots: roots,
	}
}

// lose reports a source that gives nothing, and the folders of the tree from which it would.
func (w *argoWalk) lose(app application, c *cluster, at *loader.Value, what complaint, severity loader.Severity, roots ...string) {
	p := what.problem(app.object.Position(at))
	p.Severity, p.Environments = severity, []string{c.name}
	c.gap(app.gap(p.Position, roots...))
	if what.code == "argocd-path-missing" {
		c.lost = append(c.lost, p)
		return
	}
	c.problems = append(c.problems, p)
}

// elsewhere reports a source of another repository, once each.
func (w *argoWalk) elsewhere(app application, c *cluster, source *loader.Value) {
	url := source.Str("repoURL")
	what := complain("foreign-source", fmt.Sprintf("the Application %s deploys from %s, which is not this repository", quote(app.object.ID.Name), quote(url)), "")
	if w.foreign[c.name+" "+url] {
		c.gap(app.gap(app.object.Position(source)))
		return
	}
	w.foreign[c.name+" "+url] = true
	w.lose(app, c, source.Get("repoURL"), what, loader.Note)
}
