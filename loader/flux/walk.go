package flux

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/deploy"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/tree"
)

// walk collects the units of one cluster.
type walk struct {
	flux  *Reader
	view  *site
	queue []Kustomization
	seen  map[string]bool
	// waiting are the Kustomizations whose variables come from ConfigMaps that are not found yet.
	waiting []Kustomization
	known   settings
	// objects are those that may define starts of clusters or from which other objects are
	// generated, and the objects that they refer to; sets are the ResourceSets that are not
	// expanded yet.
	objects []deploy.Object
	sets    []deploy.Object
	// learned counts the known settings.
	learned int
	// rooted is true if the start of the cluster is known, so that no other folder may belong to
	// it.
	rooted bool
	// origin is the entry that is being followed.
	origin loader.ID
	// folders are those without a kustomization that were looked at already.
	folders map[string]bool
	// sources are the foreign sources that are already reported.
	sources map[sourceRef]bool
	out     deploy.Cluster
}

// folder adds the folder of an entry that something outside the tree applies.
func (w *walk) folder(dir string) error {
	if w.seen["folder "+dir] {
		return nil
	}
	w.seen["folder "+dir] = true
	return w.apply(dir, w.flux.plain, nil)
}

// run applies the queue and the Kustomizations that result from it. A Kustomization that waits for
// variables is applied when they are found, or when nothing else is left that may provide them.
func (w *walk) run() error {
	scanned := -1
	for (len(w.queue) > 0 || len(w.waiting) > 0 || len(w.sets) > 0) && len(w.seen) < MaxFlux {
		// ResourceSets may generate input providers for each other, so they come last.
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
			next = max(0, slices.IndexFunc(w.waiting, func(k Kustomization) bool {
				_, missing := k.variables(w.known)
				return len(missing) == 0
			}))
		}
		if _, missing := w.waiting[next].variables(w.known); len(missing) > 0 {
			scanned = w.learned
			found, err := w.applyNearbyConfigMap(w.waiting[next], missing)
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
	if len(w.queue)+len(w.waiting)+len(w.sets) > 0 && w.view.beyond == nil {
		w.out.Problems = append(w.out.Problems, deploy.Complain(
			loader.LimitFlux, fmt.Sprintf("the cluster has more than %d Flux Kustomizations and ResourceSets; gwplan does not follow the others", MaxFlux), "name the environments in .gwplan.yaml",
		).Problem(loader.Position{File: w.out.Path}))
	}
	return nil
}

// step applies one Flux Kustomization.
func (w *walk) step(k Kustomization) error {
	if w.seen[k.key()] {
		return nil
	}
	w.seen[k.key()] = true
	if k.foreign || !k.Ok {
		w.unknown(k)
		return nil
	}
	if k.suspended() {
		w.out.Problems = append(w.out.Problems, w.problem(k, loader.Note, deploy.Complain("flux-suspended", "the Flux Kustomization is suspended: Flux applies no changes until it is resumed; gwplan reads it as if it were active", "")))
	}
	if k.Object.Root.Get("spec", "kubeConfig") != nil {
		w.out.Problems = append(w.out.Problems, w.problem(k, loader.Note, deploy.Complain("flux-remote-cluster", "the Flux Kustomization has kubeConfig and applies its folder to another cluster; gwplan shows its objects in this environment", "define the environments in .gwplan.yaml to separate the clusters")))
	}
	if _, missing := k.variables(w.known); len(missing) > 0 {
		w.waiting = append(w.waiting, k)
		return nil
	}
	return w.deploy(k)
}

// deploy applies the folder of a Flux Kustomization with the known variables. The ConfigMaps that
// it waits for may be in the same folder.
func (w *walk) deploy(k Kustomization) error {
	w.origin = k.origin
	set, missing := k.variables(w.known)
	overlay := k.overlay()
	if len(missing) > 0 {
		units, err := w.flux.fluxUnits(w.view, k.Dir, overlay)
		if err != nil {
			return err
		}
		// This build only searches for settings, without variables.
		known := maps.Clone(w.known)
		for _, u := range units {
			for _, d := range w.flux.applier.Apply(w.view.View, u).Objects {
				if isSetting(d.Group, d.Kind) {
					key := d.Kind + "/" + d.Name
					known[key] = slices.Clone(known[key])
					known.add(d.AsObject())
				}
			}
		}
		set, missing = k.variables(known)
	}
	for _, p := range k.unknownVariables(missing) {
		p.Environments = []string{w.out.Name}
		w.out.Problems = append(w.out.Problems, p)
	}
	if name, bad := badName(set); bad {
		w.lose(k)
		w.out.Problems = append(w.out.Problems, w.problem(k, loader.Warning, deploy.Complain(
			loader.FluxVariables, "Flux refuses the name "+deploy.Quote(name)+" of a variable", "use letters, digits and _; Flux applies nothing of this Kustomization until then",
		)))
		return nil
	}
	return w.apply(k.Dir, overlay, k.delivery(set))
}

// applyNearbyConfigMap applies the folder near an entry that contains a ConfigMap with its variables, if the
// start of the cluster is not known: presumably the same deployer applies both. It returns false if
// there is no folder to add.
func (w *walk) applyNearbyConfigMap(k Kustomization, missing []*loader.Value) (bool, error) {
	if w.rooted {
		return false, nil
	}
	for _, from := range missing {
		file := w.flux.nearestConfigMap(w.view, from.Str("name"), k.Object.First().File)
		if from.Str("kind") != "ConfigMap" || file == "" || w.out.Covers[file] {
			continue
		}
		dir := w.view.Lister(file)
		if w.seen["folder "+dir] {
			continue
		}
		w.out.Notes = append(w.out.Notes, fmt.Sprintf("gwplan assumes that the folder %s belongs to the environment %s, because it contains a ConfigMap with variables for the Flux Kustomizations of this environment", deploy.Quote(dir), deploy.Quote(w.out.Name)))
		return true, w.folder(dir)
	}
	return false, nil
}

// nearestConfigMap returns the file of a ConfigMap that shares most leading folders with another
// file. It returns "" if there is none, or if several are equally near.
func (s *Reader) nearestConfigMap(v *site, name, to string) string {
	best, most, tied := "", -1, false
	holds := func(file string) bool {
		return slices.ContainsFunc(slices.Concat(s.store.File(v.IDs[file]).Documents, s.store.ConfigMaps[v.IDs[file]]), func(d manifest.Document) bool {
			return tree.IsConfigMap(d.Group, d.Kind) && d.Name == name
		})
	}
	for _, file := range v.Manifests {
		if v.InChart(file) || tree.Dotted(file) || tree.Enclosed(v.applies, file) || !holds(file) {
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

// makeSets adds the objects that the Flux operator generates from the new ResourceSets, once each.
func (w *walk) makeSets() {
	sets := w.sets
	w.sets = nil
	for _, d := range sets {
		key := d.AsObject().ID.String()
		if !w.seen[key] {
			w.seen[key] = true
			w.add([]deploy.Unit{w.flux.ResourceSet(d, w.objects)})
		}
	}
}

// learn stores the objects that variables may come from.
func (w *walk) learn(objects []deploy.Object) {
	for _, d := range objects {
		if isSetting(d.Group, d.Kind) {
			w.known.add(d.AsObject())
			w.learned++
		}
	}
}

// apply adds the units that Flux applies for a folder.
func (w *walk) apply(dir string, o *deploy.Overlay, d *deploy.Delivery) error {
	units, err := w.flux.fluxUnits(w.view, dir, o)
	if err != nil {
		return err
	}
	for i := range units {
		units[i].Delivery = d
	}
	if len(w.view.Kusts[dir]) == 0 && !w.folders[dir] {
		w.folders[dir] = true
		w.out.Folders = append(w.out.Folders, w.flux.folder(w.view, dir))
	}
	w.add(units)
	return nil
}

// unknown reports that the folder of a Flux Kustomization is not in the tree.
func (w *walk) unknown(k Kustomization) {
	w.lose(k)
	ref := k.source()
	w.out.Artifacts = w.out.Artifacts || k.foreign && ref.kind == "OCIRepository"
	switch {
	case !k.foreign:
		w.out.Lost = append(w.out.Lost, w.problem(k, loader.Warning, k.complaint()))
	case !w.sources[ref]:
		w.sources[ref] = true
		w.out.Problems = append(w.out.Problems, w.problem(k, loader.Note, k.complaint()))
	}
}

// lostFolders is the message that summarises many missing folders.
const lostFolders = "the folders that %d Flux Kustomizations apply are not in the tree"

// complaint states why the folder is not known.
func (k Kustomization) complaint() deploy.Complaint {
	name := deploy.Quote(k.Object.ID.Name)
	if k.foreign {
		ref := k.source()
		return deploy.Complain("foreign-source", fmt.Sprintf("the Flux Kustomization %s takes its folder from %s, which is not this repository", name, deploy.Quote(ref.kind+"/"+ref.name)), "")
	}
	return deploy.Complain(
		loader.FluxPathMissing, fmt.Sprintf("the folder %s that the Flux Kustomization %s applies is not in the tree", deploy.Quote(k.path), name),
		"correct spec.path, or define the environments and their folders in .gwplan.yaml",
	)
}

// lose records that the objects which a Kustomization applies are not known.
func (w *walk) lose(k Kustomization) {
	w.out.Gap(loader.Gap{
		Kind: loader.FluxGap, Name: deploy.Clip(k.Object.ID.Name), Namespace: k.Object.Root.Str("spec", "targetNamespace"), Position: k.Object.First(),
		Content: deploy.Deciding(k.Object),
	})
}

// add applies units and queues the Flux Kustomizations among their objects.
func (w *walk) add(units []deploy.Unit) {
	for _, u := range units {
		got := w.flux.applier.Apply(w.view.View, u)
		w.out.Units = append(w.out.Units, u)
		for _, file := range got.Covers {
			w.out.Covers[file] = true
			if u.Delivery != nil {
				w.out.Deliverers[file] = append(w.out.Deliverers[file], w.origin)
			}
		}
		w.learn(got.Objects)
		w.view.learn(got.Objects)
		for _, d := range got.Objects {
			if d.IsResourceSet() {
				w.sets = append(w.sets, d)
			}
			if d.Group == tree.OperatorGroup || d.IsRelease() || d.Group == tree.FluxSourceGroup || tree.IsConfigMap(d.Group, d.Kind) {
				w.objects = append(w.objects, d)
			}
			if d.IsFlux() {
				k := kustomizationOf(w.view, d)
				k.origin = w.origin
				w.queue = append(w.queue, k)
			}
		}
	}
}

func (w *walk) problem(k Kustomization, severity loader.Severity, c deploy.Complaint) loader.Problem {
	p := c.Problem(k.Object.First())
	p.Severity, p.Environments = severity, []string{w.out.Name}
	return p
}
