package render

import (
	"strings"

	"github.com/gwplan/gwplan/loader"
)

// walk collects the units of one cluster.
type walk struct {
	session *session
	view    *view
	queue   []fluxKustomization
	seen    map[string]bool
	// own is the source that the entry uses: this repository. urls are those
	// that the tree declares, sources the foreign ones reported already.
	own     string
	urls    map[string]string
	sources map[string]bool
	out     cluster
}

// folder adds the folder of an entry, which something outside applies.
func (w *walk) folder(dir string) error {
	if w.seen["folder "+dir] {
		return nil
	}
	w.seen["folder "+dir] = true
	units, err := w.session.fluxUnits(w.view, dir, nil)
	if err != nil {
		return err
	}
	w.add(units)
	return nil
}

// step applies one Flux Kustomization.
func (w *walk) step(k fluxKustomization) error {
	if w.seen[k.key()] {
		return nil
	}
	w.seen[k.key()] = true
	if w.foreign(k) {
		return nil
	}
	if !k.ok {
		w.problem(k, loader.Warning, complaint{"flux-path-missing", "the folder that the Flux Kustomization applies is not in the tree", "correct spec.path"})
		w.out.gaps(k)
		return nil
	}
	if k.suspended() {
		w.problem(k, loader.Note, complaint{"flux-suspended", "the Flux Kustomization is suspended; it is read as if it were not", ""})
	}
	units, err := w.session.fluxUnits(w.view, k.dir, k.overlay())
	if err != nil {
		return err
	}
	w.add(units)
	return nil
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
		}
		for _, d := range got.objects {
			if d.isFlux() {
				w.queue = append(w.queue, newFlux(w.view, d))
			}
		}
	}
}

// foreign says whether a Flux Kustomization takes its folder from elsewhere:
// from another source than the entry's, unless that is a Git repository which
// the tree does not declare or declares with the same address.
func (w *walk) foreign(k fluxKustomization) bool {
	kind, namespace, name := k.source()
	source := strings.Join([]string{kind, namespace, name}, "/")
	url, declared := w.urls[source]
	if name == "" || source == w.own || kind == "GitRepository" && (!declared || url == w.urls[w.own]) {
		return false
	}
	if !w.sources[source] {
		w.sources[source] = true
		w.problem(k, loader.Note, complaint{"foreign-source", "the Flux Kustomization takes its folder from " + quote(kind+"/"+name) + ", which is not this repository", ""})
	}
	w.out.gaps(k)
	return true
}

func (w *walk) problem(k fluxKustomization, severity loader.Severity, c complaint) {
	p := c.problem(k.object.First())
	p.Severity, p.Environments = severity, []string{w.out.name}
	w.out.problems = append(w.out.problems, p)
}
