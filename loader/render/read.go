package render

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/source"
)

// chunk is the number of blobs that a worker takes at once.
const chunk = 64

// views indexes trees.
func (s *store) views(trees []*source.Tree) ([]*view, error) {
	out := make([]*view, len(trees))
	for i, t := range trees {
		if err := s.ctx.Err(); err != nil {
			return nil, fmt.Errorf("reading trees: %w", err)
		}
		out[i] = newView(t)
	}
	return out, nil
}

// read fills the store: every manifest file of every tree once, then what the
// kustomizations name, then what the files that configure plugins name.
func (s *store) read(views []*view) error {
	err := s.each(views, (*view).manifestIDs, func(batch []blob) { s.decode(batch) })
	if err != nil {
		return err
	}
	if err := s.each(views, (*view).kustomizationIDs, s.keep); err != nil {
		return err
	}
	for _, v := range views {
		v.dropFlux(s)
	}
	named := func(v *view) []string { return v.named(s, nil) }
	if err := s.each(views, named, s.keep); err != nil {
		return err
	}
	again := func(v *view) []string { return v.named(s, s.raw) }
	return s.each(views, again, s.keep)
}

// blob is one content with its id.
type blob struct {
	id   string
	data []byte
}

// each reads the blobs that the views ask for, once per id and blob store, and
// hands them out in batches. Batches run side by side.
func (s *store) each(views []*view, ask func(*view) []string, f func([]blob)) error {
	seen := map[string]bool{}
	for _, v := range views {
		var ids []string
		for _, id := range ask(v) {
			if !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
		if err := s.batches(v.tree.Blobs, ids, f); err != nil {
			return err
		}
	}
	return nil
}

func (s *store) batches(blobs source.Blobs, ids []string, f func([]blob)) error {
	if len(ids) == 0 {
		return nil
	}
	work := make(chan []blob, s.opts.Workers)
	var wg sync.WaitGroup
	for range s.opts.Workers {
		wg.Go(func() {
			for batch := range work {
				f(batch)
			}
		})
	}
	err := s.feed(blobs, ids, work)
	close(work)
	wg.Wait()
	return err
}

func (s *store) feed(blobs source.Blobs, ids []string, work chan<- []blob) error {
	var batch []blob
	err := blobs.Each(ids, func(id string, data []byte, missing *loader.Problem) {
		if missing != nil {
			s.lose(id, missing)
			return
		}
		batch = append(batch, blob{id: id, data: bytes.Clone(data)})
		if len(batch) == chunk {
			work <- batch
			batch = nil
		}
	})
	if len(batch) > 0 {
		work <- batch
	}
	if err == nil {
		err = context.Cause(s.ctx)
	}
	if err != nil {
		return fmt.Errorf("reading files: %w", err)
	}
	return nil
}

func (s *store) lose(id string, p *loader.Problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.missing[id] = p
}

func (s *store) decode(batch []blob) {
	files := make([]*manifest.File, len(batch))
	for i, b := range batch {
		files[i] = manifest.Decode(b.data, s.manifestOptions())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, b := range batch {
		s.decoded[b.id] = files[i]
		if definesPlugins(b.data) {
			s.plugins[b.id] = b.data
		}
		if bytes.Contains(b.data, []byte("+argocd:skip-file-rendering")) {
			s.unrendered[b.id] = true
		}
	}
}

func (s *store) keep(batch []blob) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range batch {
		s.raw[b.id] = b.data
	}
}

func (v *view) manifestIDs() []string {
	ids := make([]string, len(v.manifests))
	for i, file := range v.manifests {
		ids[i] = v.ids[file]
	}
	return ids
}

func (v *view) kustomizationIDs() []string {
	var ids []string
	for _, files := range v.kusts {
		for _, file := range files {
			ids = append(ids, v.ids[file])
		}
	}
	slices.Sort(ids)
	return ids
}

// named lists the blobs that kustomizations could name: every string that is
// the path of a file. It approves nothing, the gate does. With known contents
// it asks the files that they name in turn, and leaves out what is there.
func (v *view) named(s *store, known map[string][]byte) []string {
	found := map[string]bool{}
	for dir, files := range v.kusts {
		for _, file := range files {
			v.mentions(s.parse(v.ids[file]).docs, dir, found)
		}
		if known != nil {
			v.configured(s, dir, found)
		}
	}
	v.patchers(s, found)
	var ids []string
	for id := range found {
		if _, ok := known[id]; !ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// patchers adds the files whose Flux Kustomizations hold patches, and those of
// Applications, which may hold patches and values: the lines of a text are found
// in the bytes.
func (v *view) patchers(s *store, found map[string]bool) {
	for _, file := range v.manifests {
		for _, doc := range s.file(v.ids[file]).Documents {
			if doc.Group == fluxGroup && len(doc.Root.List("spec", "patches")) > 0 || doc.Group == argoGroup {
				found[v.ids[file]] = true
			}
		}
	}
}

// configured adds what the plugin configurations of a folder name, which are
// files of the folder itself or of one that it names.
func (v *view) configured(s *store, dir string, found map[string]bool) {
	for _, file := range v.kusts[dir] {
		for _, doc := range s.parse(v.ids[file]).docs {
			for _, field := range []string{"generators", "transformers", "validators"} {
				for _, entry := range doc.List(field) {
					v.configuredBy(s, dir, entry, found)
				}
			}
		}
	}
}

func (v *view) configuredBy(s *store, dir string, entry *loader.Value, found map[string]bool) {
	target := path.Join(dir, entry.Text)
	if id, ok := v.ids[target]; ok && !strings.ContainsAny(entry.Text, "\n:") {
		v.mentions(s.parse(id).docs, dir, found)
		return
	}
	if strings.ContainsAny(entry.Text, "\n:{") {
		docs, _ := manifest.Parse([]byte(entry.Text), s.opts.Manifest.Limits)
		v.mentions(docs, dir, found)
		return
	}
	for _, file := range v.kusts[target] {
		for _, doc := range s.parse(v.ids[file]).docs {
			for _, below := range doc.List("resources") {
				if id, ok := v.ids[path.Join(target, below.Text)]; ok {
					v.mentions(s.parse(id).docs, dir, found)
				}
			}
		}
	}
}

// mentions collects the ids of files whose paths occur as strings.
func (v *view) mentions(docs []*loader.Value, dir string, found map[string]bool) {
	for _, doc := range docs {
		if doc == nil {
			continue
		}
		if doc.Shape == loader.String {
			v.mention(doc.Text, dir, found)
		}
		for _, f := range doc.Fields {
			v.mentions([]*loader.Value{f.Value}, dir, found)
		}
		v.mentions(doc.Items, dir, found)
	}
}

func (v *view) mention(text, dir string, found map[string]bool) {
	if len(text) > maxReference {
		return
	}
	if _, after, ok := strings.Cut(text, "="); ok {
		v.mention(after, dir, found)
	}
	if id, ok := v.ids[path.Join(dir, text)]; ok && text != "" {
		found[id] = true
	}
}

// dropFlux forgets files that are named like kustomizations and hold objects of
// Flux instead: they are manifests.
func (v *view) dropFlux(s *store) {
	for dir, files := range v.kusts {
		kept := slices.DeleteFunc(slices.Clone(files), func(file string) bool {
			docs := s.parse(v.ids[file]).docs
			return len(docs) > 0 && strings.HasPrefix(docs[0].Str("apiVersion"), fluxGroup+"/")
		})
		if len(kept) == 0 {
			delete(v.kusts, dir)
			continue
		}
		v.kusts[dir] = kept
	}
}
