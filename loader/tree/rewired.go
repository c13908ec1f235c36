package tree

import (
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// rewired decides whether a change makes Companion documents needed.
type rewired struct {
	store         *Store
	before, after *View
}

// decide finds out: a change may take some of them out of a kustomization, or change what of them matters. Most changes
// of workloads do not.
func (r rewired) decide() error {
	s := r.store
	if s.Opts.Manifest.Rewires == nil || s.companions || s.mentioned || r.before == r.after {
		return nil
	}
	if r.takenOut() || r.reselects() || r.rebuilt() {
		s.mentioned = true
		return nil
	}
	of, err := r.edited()
	s.mentioned = s.Opts.Manifest.Rewires(of[0], of[1])
	return err
}

// edited returns the Companion documents, before and after, of the files that differ.
func (r rewired) edited() (of [2][]*loader.Object, err error) {
	s, sides := r.store, [2]*View{r.before, r.after}
	ids := map[*View][]string{}
	for i, v := range sides {
		for _, file := range v.Manifests {
			if id := v.IDs[file]; id != sides[1-i].IDs[file] && r.skipped(id) && !v.InChart(file) {
				ids[v] = append(ids[v], id)
			}
		}
	}
	documents := map[string][]*loader.Object{}
	err = s.batches.each(sides[:], func(v *View) []string { return ids[v] }, func(batch []blob) {
		for _, b := range batch {
			objects := r.companions(b.data)
			s.mu.Lock()
			documents[b.id] = objects
			s.mu.Unlock()
		}
	})
	for i, v := range sides {
		for _, id := range ids[v] {
			of[i] = append(of[i], documents[id]...)
		}
	}
	return of, err
}

// companions decodes the Companion documents of a file.
func (r rewired) companions(data []byte) []*loader.Object {
	opts := r.store.Opts.Manifest
	opts.Relevance = func(group, kind string) manifest.Relevance {
		if r.store.Companion(group, kind) {
			return manifest.Needed
		}
		return manifest.Irrelevant
	}
	var out []*loader.Object
	for _, d := range manifest.Decode(data, opts).Documents {
		out = append(out, &loader.Object{ID: loader.ID{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}, Version: d.Version, Root: d.Root})
	}
	return out
}

func (r rewired) skipped(id string) bool {
	for key := range r.store.File(id).Skipped {
		group, kind, grouped := strings.Cut(key, "/")
		if !grouped {
			group, kind = "", key
		}
		if r.store.Companion(group, kind) {
			return true
		}
	}
	return false
}

// reselects reports whether a Service selects other pods than before, or leads to other ports of them.
func (r rewired) reselects() bool {
	was, is := r.services(r.before, r.after), r.services(r.after, r.before)
	for id, before := range was {
		after := is[id]
		for _, field := range []string{"selector", "ports"} {
			if after != nil && !loader.Equal(before.Get("spec", field), after.Get("spec", field)) {
				return true
			}
		}
	}
	return false
}

// services returns the Services in the files of a view that another does not have as they are.
func (r rewired) services(of, other *View) map[loader.ID]*loader.Value {
	out := map[loader.ID]*loader.Value{}
	for _, file := range of.Manifests {
		if of.IDs[file] == other.IDs[file] {
			continue
		}
		for _, d := range r.store.File(of.IDs[file]).Documents {
			if d.Group == "" && d.Kind == "Service" {
				out[loader.ID{Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}] = d.Root
			}
		}
	}
	return out
}

// takenOut reports whether a kustomization that both revisions have no longer lists a file or folder with Companion
// documents.
func (r rewired) takenOut() bool {
	before, after := r.before, r.after
	for dir, files := range before.Kusts {
		for _, file := range files {
			now := after.IDs[file]
			if now == "" || now == before.IDs[file] {
				continue
			}
			listed := r.listed(now)
			for _, entry := range r.listed(before.IDs[file]) {
				target := path.Join(dir, entry)
				if slices.Contains(listed, entry) || strings.Contains(entry, "://") {
					continue
				}
				if before.IDs[target] != "" && r.skipped(before.IDs[target]) ||
					slices.ContainsFunc(before.FilesBelow(target), func(file string) bool { return r.skipped(before.IDs[file]) }) {
					return true
				}
			}
		}
	}
	return false
}

// listed are the entries of a kustomization that are files or folders.
func (r rewired) listed(id string) []string {
	var out []string
	for _, doc := range r.store.Parse(id).Docs {
		for _, field := range []string{"resources", "components", "bases"} {
			for _, entry := range doc.List(field) {
				out = append(out, entry.Text)
			}
		}
	}
	return out
}
