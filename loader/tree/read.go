package tree

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/account"
	"github.com/gwplan/gwplan/loader/argoplugin"
	"github.com/gwplan/gwplan/loader/manifest"
	"github.com/gwplan/gwplan/loader/source"
)

// Views indexes trees.
func Views(ctx context.Context, trees []*source.Tree) ([]*View, error) {
	out := make([]*View, len(trees))
	for i, t := range trees {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("reading trees: %w", err)
		}
		out[i] = newView(t)
	}
	return out, nil
}

// Read fills the store from the trees that are compared, the later one last, and from others: first every manifest file of every tree once, then the files that
// kustomizations name, then the files that plugin configurations name.
func (s *Store) Read(compared []*View, others ...*View) error {
	s.edited = edited(compared)
	views := slices.Concat(compared, others)
	err := s.batches.each(views, (*View).manifestIDs, func(batch []blob) { s.decode(batch) })
	if err != nil {
		return err
	}
	if err := s.readReferred(views); err != nil {
		return err
	}
	if err := s.readCompanions(views); err != nil {
		return err
	}
	if err := s.batches.each(views, s.emptied(views), s.examine); err != nil {
		return err
	}
	if err := s.batches.each(views, (*View).kustomizationIDs, s.keep); err != nil {
		return err
	}
	for _, v := range views {
		v.dropFlux(s)
	}
	named := func(v *View) []string { return v.named(s, nil) }
	if err := s.batches.each(views, named, s.keep); err != nil {
		return err
	}
	again := func(v *View) []string { return v.named(s, s.Raw) }
	if err := s.batches.each(views, again, s.keep); err != nil {
		return err
	}
	if len(compared) == 0 {
		return nil
	}
	if err := (rewired{s, compared[0], compared[len(compared)-1]}).decide(); err != nil {
		return err
	}
	return s.readCompanions(views)
}

// edited returns the blobs that a change adds. All of their documents are decoded: one that cannot matter passes
// unread where it was there before, but a change that breaks it is told so.
func edited(views []*View) map[string]bool {
	if len(views) < 2 {
		return nil
	}
	before, after := views[0], views[len(views)-1]
	out := map[string]bool{}
	for _, file := range after.Manifests {
		if id := after.IDs[file]; id != before.IDs[file] {
			out[id] = true
		}
	}
	for _, file := range before.Manifests {
		delete(out, before.IDs[file])
	}
	return out
}

func (s *Store) decode(batch []blob) {
	files := make([]*manifest.File, len(batch))
	for i, b := range batch {
		if why := s.spent(len(b.data)); why != "" {
			p := notRead(why)
			p.Position = loader.Position{Line: 1, Column: 1}
			files[i] = &manifest.File{Manifest: true, Problems: []loader.Problem{*p}}
			continue
		}
		opts := s.manifestOptions()
		opts.ParseAll = opts.ParseAll || s.edited[b.id]
		files[i] = manifest.Decode(b.data, opts)
	}
	documents, mentioned := 0, false
	var referred []ReferredKind
	for i, f := range files {
		documents += len(f.Documents)
		mentioned = mentioned || s.mentions(batch[i].data)
		for j := range f.Documents {
			d := &f.Documents[j]
			referred = append(referred, s.ReferredBy(d.Group, d.Kind, d.Root)...)
		}
	}
	s.Opts.Account.Count(account.FilesDecoded, len(files))
	s.Opts.Account.Count(account.DocumentsDecoded, documents)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mentioned = s.mentioned || mentioned
	s.found = append(s.found, referred...)
	for i, b := range batch {
		s.decoded[b.id] = files[i]
		if configuresArgo(b.data) {
			s.ArgoSettings[b.id] = b.data
		}
		if bytes.Contains(b.data, []byte("+argocd:skip-file-rendering")) {
			s.Unrendered[b.id] = true
		}
	}
}

// notRead is the problem that a file is left out because the run can afford no more.
func notRead(why string) *loader.Problem {
	const part = "the file is not read"
	return &loader.Problem{
		Severity: loader.Error, Code: loader.LimitRun, Part: part, Message: part + ": " + why,
		Hint: "raise --max-memory and --max-time if the input is meant to be so large",
	}
}

// lookEvery is after how many bytes of files the account of the run is looked at.
const lookEvery = 256 << 10

// spent returns why a file of a size is not decoded any more, or "". What is decoded may take a hundred times its text.
func (s *Store) spent(size int) string {
	before := s.taken.Add(int64(size)) - int64(size)
	if before/lookEvery == (before+int64(size))/lookEvery {
		return ""
	}
	return s.Opts.Account.Decode(size)
}

// emptied returns a function that lists the files of a view which hold manifests in another view and
// none in this one. A file that cannot be read at all does not look like a manifest, and its objects
// would seem to be removed.
func (s *Store) emptied(views []*View) func(*View) []string {
	return func(v *View) []string {
		var ids []string
		for _, other := range views {
			for _, name := range other.Manifests {
				id, both := v.IDs[name]
				if both && id != other.IDs[name] && !s.File(id).Manifest && len(s.File(other.IDs[name]).Documents) > 0 {
					ids = append(ids, id)
				}
			}
		}
		return ids
	}
}

// examine records that files cannot be read.
func (s *Store) examine(batch []blob) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range batch {
		if _, problems := manifest.Parse(b.data, s.Opts.Manifest.Limits); len(problems) > 0 && s.Missing[b.id] == nil {
			s.decoded[b.id] = &manifest.File{Manifest: true, Problems: problems}
		}
	}
}

func (v *View) manifestIDs() []string {
	ids := make([]string, len(v.Manifests))
	for i, file := range v.Manifests {
		ids[i] = v.IDs[file]
	}
	return ids
}

func (v *View) kustomizationIDs() []string {
	var ids []string
	for _, files := range v.Kusts {
		for _, file := range files {
			ids = append(ids, v.IDs[file])
		}
	}
	slices.Sort(ids)
	return ids
}

// named returns the blobs that kustomizations may refer to: every string that is the path of a
// file. The gate decides which of them are allowed. If known is not nil, it also returns the files
// that plugin configurations name, and omits known blobs.
func (v *View) named(s *Store, known map[string][]byte) []string {
	found := map[string]bool{}
	for dir, files := range v.Kusts {
		for _, file := range files {
			v.mentions(s.Parse(v.IDs[file]).Docs, dir, found)
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

// patchers adds the files with Flux Kustomizations that contain patches, and those with objects of
// Argo CD, which may contain patches and values. The lines of a multi-line text are found in the
// bytes of the file.
func (v *View) patchers(s *Store, found map[string]bool) {
	for _, d := range s.Deployers(v) {
		if group := d.Document.Group; group == FluxGroup && len(d.Document.Root.List("spec", "patches")) > 0 || group == ArgoGroup {
			found[v.IDs[d.File]] = true
		}
	}
}

// configured adds the files that the plugin configurations of a folder name. These configurations
// are files in the folder itself or in a folder that it names.
func (v *View) configured(s *Store, dir string, found map[string]bool) {
	for _, file := range v.Kusts[dir] {
		for _, doc := range s.Parse(v.IDs[file]).Docs {
			for _, field := range []string{"generators", "transformers", "validators"} {
				for _, entry := range doc.List(field) {
					v.configuredBy(s, dir, entry, found)
				}
			}
		}
	}
}

func (v *View) configuredBy(s *Store, dir string, entry *loader.Value, found map[string]bool) {
	target := path.Join(dir, entry.Text)
	if id, ok := v.IDs[target]; ok && !strings.ContainsAny(entry.Text, "\n:") {
		v.mentions(s.Parse(id).Docs, dir, found)
		return
	}
	if strings.ContainsAny(entry.Text, "\n:{") {
		docs, _ := manifest.Parse([]byte(entry.Text), s.Opts.Manifest.Limits)
		v.mentions(docs, dir, found)
		return
	}
	for _, file := range v.Kusts[target] {
		for _, doc := range s.Parse(v.IDs[file]).Docs {
			for _, below := range doc.List("resources") {
				if id, ok := v.IDs[path.Join(target, below.Text)]; ok {
					v.mentions(s.Parse(id).Docs, dir, found)
				}
			}
		}
	}
}

// mentions collects the ids of files whose paths occur as strings.
func (v *View) mentions(docs []*loader.Value, dir string, found map[string]bool) {
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

func (v *View) mention(text, dir string, found map[string]bool) {
	if len(text) > maxReference {
		return
	}
	if _, after, ok := strings.Cut(text, "="); ok {
		v.mention(after, dir, found)
	}
	if id, ok := v.IDs[path.Join(dir, text)]; ok && text != "" {
		found[id] = true
	}
}

// dropFlux removes files with the name of a kustomization that contain Flux objects instead. They
// are manifests.
func (v *View) dropFlux(s *Store) {
	for dir, files := range v.Kusts {
		kept := slices.DeleteFunc(slices.Clone(files), func(file string) bool {
			docs := s.Parse(v.IDs[file]).Docs
			return len(docs) > 0 && strings.HasPrefix(docs[0].Str("apiVersion"), FluxGroup+"/")
		})
		if len(kept) == 0 {
			delete(v.Kusts, dir)
			continue
		}
		v.Kusts[dir] = kept
	}
}

// IgnoresDifferences is the beginning of the keys of argocd-cm, or of the values of the Argo CD chart for it, with fields in
// which Argo CD ignores differences.
const IgnoresDifferences = "resource.customizations.ignoreDifferences."

// configuresArgo reports whether a file may configure Argo CD: define plugins, as documents, in texts of
// ConfigMaps, in the values of the Argo CD chart or in argocd-cm, or say which differences it ignores.
func configuresArgo(data []byte) bool {
	return bytes.Contains(data, []byte(argoplugin.Kind)) || bytes.Contains(data, []byte("configManagementPlugins")) ||
		bytes.Contains(data, []byte(IgnoresDifferences)) || bytes.Contains(data, []byte("cmp:")) && bytes.Contains(data, []byte("generate:"))
}
