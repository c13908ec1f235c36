package render

import (
	"fmt"
	"path"

	"github.com/gwplan/gwplan/loader"
)

// walk collects the units of one cluster.
type walk struct {
	session *session
	view    *view
	queue   []fluxKustomization
	seen    map[string]bool
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
	return w.apply(dir, w.session.plain)
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
		w.out.problems = append(w.out.problems, w.problem(k, loader.Note, complaint{"flux-suspended", "the Flux Kustomization is suspended; it is read as if it were not", ""}))
	}
	return w.apply(k.dir, k.overlay())
}

// apply adds what Flux applies of a folder.
func (w *walk) apply(dir string, o *overlay) error {
	units, err := w.session.fluxUnits(w.view, dir, o)
	if err != nil {
		return err
	}
	w.out.areas[dir] = true
	w.add(units)
	return nil
}

// unknown says that the folder of a Flux Kustomization is not in the tree.
func (w *walk) unknown(k fluxKustomization) {
	w.out.gaps(k)
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
		return complaint{"foreign-source", fmt.Sprintf("the Flux Kustomization %s takes its folder from %s, which is not this repository", name, quote(ref.kind+"/"+ref.name)), ""}
	}
	return complaint{
		"flux-path-missing", fmt.Sprintf("the folder %s that the Flux Kustomization %s applies is not in the tree", quote(k.path), name),
		"correct spec.path, or name what lands where under environments in .gwplan.yaml",
	}
}

func (c *cluster) gaps(k fluxKustomization) {
	c.units = append(c.units, unit{dir: k.object.First().File, gap: &loader.Gap{
		What: "Flux Kustomization " + clip(k.object.ID.Name), Namespace: k.object.Root.Str("spec", "targetNamespace"), Position: k.object.First(),
	}})
}

// add takes units and queues the Flux Kustomizations that they give.
func (w *walk) add(units []unit) {
	for _, u := range units {
		got := w.session.apply(w.view, u)
		w.out.units = append(w.out.units, u)
		for _, file := range got.covers {
			w.out.covers[file] = true
			if isKustomizationFile(file) {
				w.out.areas[path.Dir(file)] = true
			}
		}
		for _, d := range got.objects {
			if d.isFlux() {
				w.queue = append(w.queue, newFlux(w.view, d))
			}
		}
	}
}

func (w *walk) problem(k fluxKustomization, severity loader.Severity, c complaint) loader.Problem {
	p := c.problem(k.object.First())
	p.Severity, p.Environments = severity, []string{w.out.name}
	return p
}
