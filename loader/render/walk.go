package render

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// walk collects the units of one cluster.
type walk struct {
	flux  *flux
	view  *site
	queue []fluxKustomization
	seen  map[string]bool
	// waiting are those whose variables come from ConfigMaps that did not turn
	// up yet.
	waiting []fluxKustomization
	known   settings
	// objects are those that may say what clusters start from or what else is made, with
	// what they refer to; sets are the ResourceSets that are not made yet.
	objects []declared
	sets    []declared
	// learned counts what is known.
	learned int
	// rooted says that the start of the cluster is known, so that nothing else lands there.
	rooted bool
	// origin is the entry whose consequences are followed at present.
	origin loader.ID
	// sources are the foreign ones reported already.
	sources map[sourceRef]bool
	out     cluster
}

// folder adds the folder of an entry, which something outside applies.
func (w *walk) folder(dir string) error {
	if w.seen["folder "+dir] {
		return nil
	}
	w.seen["folder "+dir] = true
	return w.apply(dir, w.flux.plain, nil)
}

// run applies the queue and what comes out of it. What waits for variables is
// applied once they turned up, or when nothing else is left that could bring
// them.
func (w *walk) run() error {
	scanned := -1
	for (len(w.queue) > 0 || len(w.waiting) > 0 || len(w.sets) > 0) && len(w.seen) < maxFlux {
		// What sets make may be providers of each other's inputs, so they come last.
		if len(w.queue)+len(w.waiting) == 0 {
			w.makeSets()
			continue
		}
		if len(w.queue) > 0 {
			k := w.queue[0]
			w.queue = w.queue[1:]
			if err := w.step(k); err != nil {
				return err
			}
			continue
		}
		next := 0
		if scanned != w.learned {
			next = max(0, slices.IndexFunc(w.waiting, func(k fluxKustomization) bool {
				_, missing := k.variables(w.known)
				return len(missing) == 0
			}))
		}
		if _, missing := w.waiting[next].variables(w.known); len(missing) > 0 {
			scanned = w.learned
			found, err := w.beside(w.waiting[next], missing)
			if err != nil {
				return err
			}
			if found {
				continue
			}
		}
		k := w.waiting[next]
		w.waiting = slices.Delete(w.waiting, next, next+1)
		if err := w.deploy(k); err != nil {
			return err
		}
	}
	if len(w.queue)+len(w.waiting) > 0 && !w.view.many {
		w.out.problems = append(w.out.problems, complain(
			"limit-flux", fmt.Sprintf("the cluster has more than %d Flux Kustomizations, the others are not followed", maxFlux), "name the environments in .gwplan.yaml",
		).problem(loader.Position{File: w.out.path}))
	}
	return nil
}

// step applies one Flux Kustomization.
func (w *walk) step(k fluxKustomization) error {
	if w.seen[k.key()] {
		return nil
	}
	w.seen[k.key()] = true
	if k.foreign || !k.ok {
		w.unknown(k)
		return nil
	}
	if k.suspended() {
		w.out.problems = append(w.out.problems, w.problem(k, loader.Note, complain("flux-suspended", "the Flux Kustomization is suspended; it is read as if it were not", "")))
	}
	if k.object.Root.Get("spec", "kubeConfig") != nil {
		w.out.problems = append(w.out.problems, w.problem(k, loader.Note, complain("flux-remote-cluster", "the Flux Kustomization applies its folder to another cluster; it is read as if it were this one", "name the environments in .gwplan.yaml to tell them apart")))
	}
	if _, missing := k.variables(w.known); len(missing) > 0 {
		w.waiting = append(w.waiting, k)
		return nil
	}
	return w.deploy(k)
}

// deploy applies the folder of a Flux Kustomization with the variables that are
// known. The ConfigMaps that it waits for may come from that very folder.
func (w *walk) deploy(k fluxKustomization) error {
	w.origin = k.origin
	set, missing := k.variables(w.known)
	overlay := k.overlay()
	if len(missing) > 0 {
		units, err := w.flux.fluxUnits(w.view, k.dir, overlay)
		if err != nil {
			return err
		}
		// Only to look: what comes out is not filled in yet.
		known := maps.Clone(w.known)
		for _, u := range units {
			for _, d := range w.flux.applier.apply(w.view.view, u).objects {
				if isSetting(d.group, d.kind) {
					key := d.kind + "/" + d.name
					known[key] = slices.Clone(known[key])
					known.add(d.object())
				}
			}
		}
		set, missing = k.variables(known)
	}
	for _, p := range k.unknownVariables(missing) {
		p.Environments = []string{w.out.name}
		w.out.problems = append(w.out.problems, p)
	}
	if name, bad := badName(set); bad {
		w.lose(k)
		w.out.problems = append(w.out.problems, w.problem(k, loader.Warning, complain(
			"flux-variables", "Flux refuses the name "+quote(name)+" of a variable and applies nothing of this Kustomization", "use letters, digits and _",
		)))
		return nil
	}
	return w.apply(k.dir, overlay, k.delivery(set))
}

// beside applies the folder near an entry that holds a ConfigMap which its variables come
// from, where the start of the cluster is not known: whoever applies the entry applies it,
// too. It answers false where there is none.
func (w *walk) beside(k fluxKustomization, missing []*loader.Value) (bool, error) {
	if w.rooted {
		return false, nil
	}
	for _, from := range missing {
		file := w.flux.nearestConfigMap(w.view, from.Str("name"), k.object.First().File)
		if from.Str("kind") != "ConfigMap" || file == "" || w.out.covers[file] {
			continue
		}
		dir := w.flux.store.lister(w.view.view, file)
		if w.seen["folder "+dir] {
			continue
		}
		w.out.notes = append(w.out.notes, fmt.Sprintf("the folder %s is assumed to be applied to the environment %s: entries of Flux take their variables from there", quote(dir), quote(w.out.name)))
		return true, w.folder(dir)
	}
	return false, nil
}

// nearestConfigMap is the file of a ConfigMap that shares most folders with another file,
// "" where there is none or several are as near.
func (s *flux) nearestConfigMap(v *site, name, to string) string {
	best, most, tied := "", -1, false
	holds := func(file string) bool {
		return slices.ContainsFunc(slices.Concat(s.store.file(v.ids[file]).Documents, s.store.configMaps[v.ids[file]]), func(d manifest.Document) bool {
			return isConfigMap(d.Group, d.Kind) && d.Name == name
		})
	}
	for _, file := range v.manifests {
		if v.inChart(file) || dotted(file) || enclosed(v.applies, file) || !holds(file) {
			continue
		}
		switch n := shared(file, to); {
		case n > most:
			best, most, tied = file, n, false
		case n == most:
			tied = true
		}
	}
	if tied {
		return ""
	}
	return best
}

// makeSets adds what the Flux operator makes of the ResourceSets met so far, once each.
func (w *walk) makeSets() {
	sets := w.sets
	w.sets = nil
	for _, d := range sets {
		key := d.object().ID.String()
		if !w.seen[key] {
			w.seen[key] = true
			w.add([]unit{w.flux.resourceSet(d, w.objects)})
		}
	}
}

// learn notes the objects that variables may come from.
func (w *walk) learn(objects []declared) {
	for _, d := range objects {
		if isSetting(d.group, d.kind) {
			w.known.add(d.object())
			w.learned++
		}
	}
}

// apply adds what Flux applies of a folder.
func (w *walk) apply(dir string, o *overlay, d *delivery) error {
	units, err := w.flux.fluxUnits(w.view, dir, o)
	if err != nil {
		return err
	}
	for i := range units {
		units[i].delivery = d
	}
	w.add(units)
	return nil
}

// unknown says that the folder of a Flux Kustomization is not in the tree.
func (w *walk) unknown(k fluxKustomization) {
	w.lose(k)
	switch ref := k.source(); {
	case !k.foreign:
		w.out.lost = append(w.out.lost, w.problem(k, loader.Warning, k.complaint()))
	case !w.sources[ref]:
		w.sources[ref] = true
		w.out.problems = append(w.out.problems, w.problem(k, loader.Note, k.complaint()))
	}
}

// lostFolders is said of many missing folders at once.
const lostFolders = "the folders that %d Flux Kustomizations apply are not in the tree"

// complaint says why the folder is not known.
func (k fluxKustomization) complaint() complaint {
	name := quote(k.object.ID.Name)
	if k.foreign {
		ref := k.source()
		return complain("foreign-source", fmt.Sprintf("the Flux Kustomization %s takes its folder from %s, which is not this repository", name, quote(ref.kind+"/"+ref.name)), "")
	}
	return complain(
		"flux-path-missing", fmt.Sprintf("the folder %s that the Flux Kustomization %s applies is not in the tree", quote(k.path), name),
		"correct spec.path, or name what lands where under environments in .gwplan.yaml",
	)
}

// lose notes that what a Kustomization applies is not known.
func (w *walk) lose(k fluxKustomization) {
	w.out.gap(loader.Gap{
		Kind: loader.FluxGap, Name: clip(k.object.ID.Name), Namespace: k.object.Root.Str("spec", "targetNamespace"), Position: k.object.First(),
		Content: loader.Digest(k.object.ID, k.object.Root),
	})
}

// add takes units and queues the Flux Kustomizations that they give.
func (w *walk) add(units []unit) {
	for _, u := range units {
		got := w.flux.applier.apply(w.view.view, u)
		w.out.units = append(w.out.units, u)
		for _, file := range got.covers {
			w.out.covers[file] = true
			if u.delivery != nil {
				w.out.deliverers[file] = append(w.out.deliverers[file], w.origin)
			}
		}
		w.learn(got.objects)
		w.view.learn(got.objects)
		for _, d := range got.objects {
			if d.isResourceSet() {
				w.sets = append(w.sets, d)
			}
			if d.group == operatorGroup || d.isRelease() || d.group == fluxSourceGroup || isConfigMap(d.group, d.kind) {
				w.objects = append(w.objects, d)
			}
			if d.isFlux() {
				k := kustomizationOf(w.view, d)
				k.origin = w.origin
				w.queue = append(w.queue, k)
			}
		}
	}
}

func (w *walk) problem(k fluxKustomization, severity loader.Severity, c complaint) loader.Problem {
	p := c.problem(k.object.First())
	p.Severity, p.Environments = severity, []string{w.out.name}
	return p
}
