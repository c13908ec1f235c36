package kustomize

import (
	"encoding/base64"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/resmap"

	"github.com/gwplan/gwplan/loader"
	"github.com/gwplan/gwplan/loader/gate"
	"github.com/gwplan/gwplan/loader/manifest"
)

// The shortest texts of Secrets that are hidden where replacements put them: as a whole value, and as a part of one. A shorter one is
// found by chance in values that have nothing to do with it.
const (
	shortestSealed = 4
	shortestPart   = 8
)

// sealer hides what a build takes from Secrets into other objects.
type sealer struct{ texts []string }

// sealerOf returns the sealer of a build: of the Secrets among its files and of those that it makes. Only replacements and vars take
// something from them.
func sealerOf(p *gate.Approved, files map[string][]byte, made resmap.ResMap, limits manifest.Limits) sealer {
	var s sealer
	if !slices.ContainsFunc(p.Folders, func(f *gate.Folder) bool { return takesFromSecrets(f.Value) }) {
		return s
	}
	for _, data := range files {
		docs, _ := manifest.Parse(data, limits)
		for _, doc := range docs {
			if doc.Str("kind") == "Secret" {
				s.add(doc)
			}
		}
	}
	for _, r := range made.Resources() {
		if r.GetKind() != "Secret" {
			continue
		}
		if text, err := r.RNode.String(); err == nil {
			docs, _ := manifest.Parse([]byte(text), limits)
			for _, doc := range docs {
				s.add(doc)
			}
		}
	}
	slices.SortFunc(s.texts, func(a, b string) int { return len(b) - len(a) })
	return s
}

// takesFromSecrets reports whether replacements or vars of a kustomization may take something from a Secret: by kind, without
// one, as a file of replacements or a transformer says, or by the kind that an object had before a patch.
func takesFromSecrets(kustomization *loader.Value) bool {
	mayBe := func(source *loader.Value) bool {
		kind := source.Str("kind")
		return kind == "" || kind == "Secret"
	}
	changesKind := func(patch *loader.Value) bool { return patch.Get("options", "allowKindChange").IsTrue() }
	return slices.ContainsFunc(kustomization.List("replacements"), func(r *loader.Value) bool { return mayBe(r.Get("source")) }) ||
		slices.ContainsFunc(kustomization.List("vars"), func(v *loader.Value) bool { return mayBe(v.Get("objref")) }) ||
		slices.ContainsFunc(kustomization.List("patches"), changesKind) || len(kustomization.List("transformers")) > 0
}

// add adds the texts of a Secret, as they are written and decoded.
func (s *sealer) add(secret *loader.Value) {
	for _, f := range secret.Get("stringData").FieldList() {
		s.take(f.Value.Text, base64.StdEncoding.EncodeToString([]byte(f.Value.Text)))
	}
	for _, f := range secret.Get("data").FieldList() {
		plain, _ := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(f.Value.Text), ""))
		s.take(f.Value.Text, string(plain))
	}
}

func (s *sealer) take(texts ...string) {
	for _, text := range texts {
		if text = strings.TrimSpace(text); len(text) >= shortestSealed && !slices.Contains(s.texts, text) {
			s.texts = append(s.texts, text)
		}
	}
}

// seal returns an object with what it has from Secrets hidden, and a digest of that under loader.SealedKey in its metadata. A Secret
// itself loses its body elsewhere.
func (s *sealer) seal(root *loader.Value) *loader.Value {
	if len(s.texts) == 0 || root.Str("kind") == "Secret" {
		return root
	}
	taken := &loader.Value{Shape: loader.List}
	var at loader.Mark
	take := func(text string, mark loader.Mark) {
		if at.Line == 0 {
			at = mark
		}
		taken.Items = append(taken.Items, &loader.Value{Shape: loader.String, Text: text})
	}
	out := root.Copy(func(v *loader.Value) {
		if v.Shape != loader.Map && v.Shape != loader.List && s.holds(v.Text) {
			take(v.Text, v.Mark)
			v.Shape, v.Text, v.Opaque = loader.String, loader.Redacted, true
		}
		for i, f := range v.Fields {
			if s.holds(f.Key) {
				take(f.Key, f.Value.Mark)
				v.Fields[i].Key = loader.Redacted
			}
		}
	})
	if metadata := out.Get("metadata"); metadata != nil && len(taken.Items) > 0 {
		sealed := manifest.Seal(taken)
		sealed.Mark = at
		metadata.Fields = append(metadata.Fields, loader.Field{Key: loader.SealedKey, Value: sealed})
	}
	return out
}

func (s *sealer) holds(text string) bool {
	return slices.ContainsFunc(s.texts, func(secret string) bool {
		return text == secret || len(secret) >= shortestPart && strings.Contains(text, secret)
	})
}
