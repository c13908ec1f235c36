package tree

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/manifest"
)

// wanted are the names of the ConfigMaps that provide variables or values to other objects. For a
// caller that needs no ConfigMaps, no other one is kept. A plan needs all of them.
type wanted map[string]bool

// has reports whether a ConfigMap is wanted. kustomize may have added a hash to the name of a
// generated ConfigMap.
func (w wanted) has(name string) bool {
	if w[name] {
		return true
	}
	base := strings.LastIndexByte(name, '-')
	return base > 0 && Hashed.MatchString(name[base+1:]) && w[name[:base]]
}

// Hashed matches the suffix of generated names (kustomize api/hasher/hasher.go, encode: ten
// characters without vowels).
var Hashed = regexp.MustCompile(`^[2456789bcdfghkmt]{10}$`)

// IsConfigMap reports whether a kind is ConfigMap.
func IsConfigMap(group, kind string) bool { return group == "" && kind == "ConfigMap" }

// named collects the names in the lists substituteFrom and valuesFrom of a value. It also searches
// texts that may be patches which add these lists.
func (w wanted) named(v *loader.Value, limits manifest.Limits) {
	if v == nil {
		return
	}
	for _, f := range v.Fields {
		if f.Key == "substituteFrom" || f.Key == "valuesFrom" {
			for _, item := range f.Value.ItemList() {
				if name := item.Str("name"); name != "" && item.Str("kind") == "ConfigMap" {
					w[name] = true
				}
			}
		}
		w.named(f.Value, limits)
	}
	for _, item := range v.Items {
		w.named(item, limits)
	}
	if v.Shape == loader.String && strings.Contains(v.Text, "ConfigMap") && strings.Contains(v.Text, "From") {
		docs, _ := manifest.Parse([]byte(v.Text), limits)
		for _, doc := range docs {
			if doc.Shape != loader.String {
				w.named(doc, limits)
			}
		}
	}
}

// wantedBy finds the ConfigMaps that provide variables or values in some trees. It also searches the files that kustomizations
// refer to, because these may patch the kinds that deploy.
func wantedBy(s *Store, views []*View) wanted {
	w := wanted{}
	for _, v := range views {
		for _, d := range s.Deployers(v) {
			if d.Document.Group == FluxGroup || d.Document.Group == HelmGroup {
				w.named(d.Document.Root, s.Opts.Manifest.Limits)
			}
		}
		for _, files := range v.Kusts {
			for _, file := range files {
				for _, doc := range s.Parse(v.IDs[file]).Docs {
					w.named(doc, s.Opts.Manifest.Limits)
				}
			}
		}
	}
	for id, text := range s.Raw {
		if bytes.Contains(text, []byte("substituteFrom")) || bytes.Contains(text, []byte("valuesFrom")) {
			for _, doc := range s.Parse(id).Docs {
				w.named(doc, s.Opts.Manifest.Limits)
			}
		}
	}
	return w
}

// Want finds the wanted ConfigMaps and reads the files that contain them.
func (s *Store) Want(views []*View) error {
	s.wanted = wantedBy(s, views)
	if len(s.wanted) == 0 {
		return nil
	}
	return s.batches.each(views, func(v *View) []string { return holdConfigMaps(s, v) }, s.decodeConfigMaps)
}

// holdConfigMaps returns the files whose ConfigMaps were skipped.
func holdConfigMaps(s *Store, v *View) []string {
	var ids []string
	for _, file := range v.Manifests {
		if s.File(v.IDs[file]).Skipped["ConfigMap"] > 0 && !v.InChart(file) {
			ids = append(ids, v.IDs[file])
		}
	}
	return ids
}

// decodeConfigMaps reads the ConfigMaps of files that were decoded without them.
func (s *Store) decodeConfigMaps(batch []blob) {
	opts := s.Opts.Manifest
	opts.Relevance = func(group, kind string) manifest.Relevance {
		if IsConfigMap(group, kind) {
			return manifest.Needed
		}
		return manifest.Irrelevant
	}
	for _, b := range batch {
		file := manifest.Decode(b.data, opts)
		kept := slices.DeleteFunc(file.Documents, func(d manifest.Document) bool { return !s.wanted.has(d.Name) })
		if len(kept) > 0 {
			s.mu.Lock()
			s.ConfigMaps[b.id] = kept
			s.mu.Unlock()
		}
	}
}
